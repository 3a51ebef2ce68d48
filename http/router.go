package http

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"kith"
)

// routes builds the router. Every route is defined here, and in openapi.yaml.
func (s *Server) routes(agents http.Handler) chi.Router {
	r := chi.NewRouter()
	r.Use(withRequestID, s.observeRequests, s.recoverPanics, setSecurityHeaders, s.bounded, s.crossOrigin(r),
		s.rejectShadowed(r), middleware.GetHead)
	r.NotFound(s.handle(s.notFound))
	r.MethodNotAllowed(s.handle(func(w http.ResponseWriter, req *http.Request) error {
		allowed := allowedMethods(r, routingPath(req))
		if len(allowed) == 0 { // the router also calls this for unknown methods
			return errNoRoute()
		}
		return errMethod(w, req.Method, allowed)
	}))

	for name, page := range s.pages.byName {
		r.Method(http.MethodGet, "/"+strings.TrimPrefix(name, "index"), page)
	}
	r.Get("/assets/{file}", s.handle(s.pages.asset))
	r.Get("/openapi.json", s.handle(sendDescription))
	r.Get("/healthz", s.health)
	r.Get("/readyz", s.ready)

	r.With(s.requireBearer, s.requireUser).Method(http.MethodPost, "/mcp", agents)

	s.appRoutes(r)
	s.peopleRoutes(r)
	s.savedRoutes(r)
	s.outreachRoutes(r)
	s.operatorRoutes(r)
	r.Get("/v2/unsubscribe/{token}", s.handle(s.askUnsubscribe))
	r.Post("/v2/unsubscribe/{token}", s.handle(s.unsubscribe))
	r.Get("/v2/opened/{token}", s.handle(s.recordOpen))
	r.Get("/v2/clicked/{token}", s.handle(s.recordClick))
	r.Post("/v2/feedback/{token}", s.handle(s.receiveFeedback))
	return r
}

// exportScopes are the scopes for everything in an export.
const exportScopes = kith.ScopeRelationships | kith.ScopeEnrich | kith.ScopeOutreachRead

// anyScope is for operations open to every credential of their kind.
const anyScope kith.Scopes = 0

// user serves an operation to users whose token has the scopes.
func (s *Server) user(r chi.Router, method, pattern string, scopes kith.Scopes, h handler) {
	r.With(s.requireUser, s.scoped(scopes)).Method(method, pattern, s.handle(h))
}

// app serves an operation to apps whose secret key has the scopes.
func (s *Server) app(r chi.Router, method, pattern string, scopes kith.Scopes, h handler) {
	r.With(s.requireKey, s.scoped(scopes)).Method(method, pattern, s.handle(h))
}

// appRoutes serves apps, users and their credentials.
func (s *Server) appRoutes(r chi.Router) {
	s.app(r, http.MethodPost, "/v2/auth/tokens", kith.ScopeTokens, s.issueToken)
	r.Post("/v2/auth/tokens/revoke", s.handle(s.revokeToken))
	r.Post("/v2/auth/sessions", s.handle(s.beginSession))
	s.user(r, http.MethodGet, "/v2/user/sessions", kith.UserScopes, answering(s.listSessions))
	s.user(r, http.MethodDelete, "/v2/user/sessions", kith.UserScopes, s.endSessions)
	s.user(r, http.MethodDelete, "/v2/user/sessions/{id}", kith.UserScopes, s.endSession)
	s.user(r, http.MethodGet, "/v2/user/tokens", kith.UserScopes, answering(s.listTokens))
	s.user(r, http.MethodPost, "/v2/user/tokens", kith.UserScopes, s.createToken)
	s.user(r, http.MethodDelete, "/v2/user/tokens/{id}", kith.UserScopes, answering(s.endToken))
	s.app(r, http.MethodPost, "/v2/privacy/forget", kith.ScopePrivacy, s.forget)
	s.app(r, http.MethodDelete, "/v2/privacy/forget/{id}", kith.ScopePrivacy, answering(s.cancelForget))
	s.app(r, http.MethodPost, "/v2/privacy/app/forget", anyScope, s.forgetInApp)
	s.app(r, http.MethodGet, "/v2/audit", kith.ScopeAudit, s.readAudit)
	s.user(r, http.MethodGet, "/v2/user/me", anyScope, answering(s.me))
	s.user(r, http.MethodPatch, "/v2/user/me", kith.ScopeRelationships, s.changeMe)
	s.user(r, http.MethodGet, "/v2/user/export", exportScopes, s.exportUser)
}

// peopleRoutes serves people and the caller's network.
func (s *Server) peopleRoutes(r chi.Router) {
	s.user(r, http.MethodGet, "/v2/user/relationships", kith.ScopeRelationships, s.listRelationships)
	s.user(r, http.MethodPost, "/v2/user/relationships", kith.ScopeRelationships, s.importRelationships)
	s.user(r, http.MethodDelete, "/v2/user/relationships/{id}", kith.ScopeRelationships, answering(s.deleteRelationship))
	s.user(r, http.MethodGet, "/v2/imports", kith.ScopeRelationships, s.listImports)
	s.user(r, http.MethodPost, "/v2/imports", kith.ScopeRelationships, s.createImport)
	s.user(r, http.MethodGet, "/v2/imports/{id}", kith.ScopeRelationships, answering(s.getImport))
	s.user(r, http.MethodDelete, "/v2/imports/{id}", kith.ScopeRelationships, s.deleteImport)
	s.user(r, http.MethodGet, "/v2/companies/{id}", kith.ScopeSearch, answering(s.getCompany))
	s.user(r, http.MethodPost, "/v2/companies/paths", kith.ScopeRelationships, s.companyPaths)
	s.user(r, http.MethodPost, "/v2/people/{id}/paths", kith.ScopeRelationships, s.personPaths)
	s.user(r, http.MethodPost, "/v2/people/{id}/introduction", kith.ScopeRelationships, s.writeIntroduction)
	s.user(r, http.MethodPost, "/v2/people/enrich", kith.ScopeEnrich, s.enrichPerson)
	s.user(r, http.MethodPost, "/v2/people/enrich/bulk", kith.ScopeEnrich, s.enrichPeople)
	s.user(r, http.MethodPost, "/v2/people/refresh", kith.ScopeRefresh, s.refreshPeople)
	s.user(r, http.MethodGet, "/v2/people/{id}", kith.ScopeSearch, answering(s.getPersonSummary))
	s.user(r, http.MethodGet, "/v2/people/{id}/profile", kith.ScopeEnrich, answering(s.getPerson))
	s.user(r, http.MethodGet, "/v2/people/duplicates", kith.ScopeEnrich, s.listDuplicates)
	s.user(r, http.MethodPost, "/v2/people/duplicates", kith.ScopeEnrich|kith.ScopeRelationships, s.decideDuplicate)
	s.user(r, http.MethodGet, "/v2/people/duplicates/decided", kith.ScopeEnrich, answering(s.listDecisions))
	s.user(r, http.MethodGet, "/v2/jobs/{id}", kith.ScopeRefresh, answering(s.getTicket))
	s.user(r, http.MethodDelete, "/v2/jobs/{id}", kith.ScopeRefresh, answering(s.cancelTicket))
	r.With(s.requireUser, s.scoped(kith.ScopeSearch)).Post("/v2/people/search", s.handleStream(s.searchPeople))
	s.user(r, http.MethodGet, "/v2/suggest", kith.ScopeSearch, answering(s.suggest))
}

// savedRoutes serves lists and saved searches.
func (s *Server) savedRoutes(r chi.Router) {
	const scope = kith.ScopeSearch
	s.user(r, http.MethodGet, "/v2/lists", scope, s.listLists)
	s.user(r, http.MethodPost, "/v2/lists", scope, s.createList)
	s.user(r, http.MethodGet, "/v2/lists/{id}", scope, answering(s.getList))
	s.user(r, http.MethodPatch, "/v2/lists/{id}", scope, s.renameList)
	s.user(r, http.MethodDelete, "/v2/lists/{id}", scope, answering(s.deleteList))
	s.user(r, http.MethodGet, "/v2/lists/{id}/people", scope, s.listPeople)
	s.user(r, http.MethodPost, "/v2/lists/{id}/people", scope, s.addToList)
	s.user(r, http.MethodDelete, "/v2/lists/{id}/people", scope, s.removeFromList)
	s.user(r, http.MethodGet, "/v2/searches", scope, s.listSearches)
	s.user(r, http.MethodPost, "/v2/searches", scope, s.saveSearch)
	s.user(r, http.MethodGet, "/v2/searches/{id}", scope, answering(s.getSearch))
	s.user(r, http.MethodDelete, "/v2/searches/{id}", scope, answering(s.deleteSearch))
	s.user(r, http.MethodGet, "/v2/searches/{id}/new", scope, s.newMatches)
	s.user(r, http.MethodPost, "/v2/searches/{id}/seen", scope, s.markSeen)
}

// outreachRoutes serves sequences and everything that is sent.
func (s *Server) outreachRoutes(r chi.Router) {
	const read, write, send = kith.ScopeOutreachRead, kith.ScopeOutreachWrite, kith.ScopeOutreachSend
	s.user(r, http.MethodGet, "/v2/user/integrations", read, answering(s.listIntegrations))
	s.user(r, http.MethodPost, "/v2/user/integrations", send, s.createIntegration)
	s.user(r, http.MethodDelete, "/v2/user/integrations/{id}", send, answering(s.deleteIntegration))
	s.user(r, http.MethodGet, "/v2/user/webhooks", kith.UserScopes, answering(s.listWebhooks))
	s.user(r, http.MethodPost, "/v2/user/webhooks", kith.UserScopes, s.createWebhook)
	s.user(r, http.MethodDelete, "/v2/user/webhooks/{id}", kith.UserScopes, answering(s.deleteWebhook))
	s.user(r, http.MethodPost, "/v2/user/webhooks/{id}/test", kith.UserScopes, answering(s.testWebhook))
	s.user(r, http.MethodGet, "/v2/suppressions", read, s.listSuppressions)
	s.user(r, http.MethodPost, "/v2/suppressions", write, s.createSuppression)
	s.user(r, http.MethodDelete, "/v2/suppressions/{id}", write, answering(s.deleteSuppression))
	s.user(r, http.MethodGet, "/v2/sequences", read, s.listSequences)
	s.user(r, http.MethodPost, "/v2/sequences", write, s.createSequence)
	s.user(r, http.MethodGet, "/v2/sequences/{id}", read, answering(s.getSequence))
	s.user(r, http.MethodPatch, "/v2/sequences/{id}", write, s.changeSequence)
	s.user(r, http.MethodGet, "/v2/sequences/{sequence_id}/leads", read, s.listLeads)
	s.user(r, http.MethodPost, "/v2/sequences/{sequence_id}/leads", write, s.addLeads)
	s.user(r, http.MethodPut, "/v2/sequences/{sequence_id}/leads/{lead_id}", write, s.changeLead)
	s.user(r, http.MethodPost, "/v2/sequences/{sequence_id}/leads/{lead_id}/emails", write, s.draftEmail)
	s.user(r, http.MethodGet, "/v2/sequences/{sequence_id}/leads/{lead_id}/history", read, s.leadHistory)
	s.user(r, http.MethodGet, "/v2/sequences/{sequence_id}/emails", read, s.listEmails)
	s.user(r, http.MethodGet, "/v2/sequences/activities", read, s.listActivities)
	s.user(r, http.MethodPatch, "/v2/sequences/activities/{activity_id}", write, s.decide)
}

// operatorRoutes serves the operator's view of the whole server.
func (s *Server) operatorRoutes(r chi.Router) {
	r.Get("/admin", s.handle(s.operatorPage))
	s.operator(r, http.MethodGet, "/v2/admin/apps", s.listApps)
	s.operator(r, http.MethodPost, "/v2/admin/apps", s.createApp)
	s.operator(r, http.MethodDelete, "/v2/admin/apps/{id}", answering(s.deleteApp))
	s.operator(r, http.MethodGet, "/v2/admin/apps/{id}/keys", answering(s.listKeys))
	s.operator(r, http.MethodPost, "/v2/admin/apps/{id}/keys", s.addKey)
	s.operator(r, http.MethodDelete, "/v2/admin/apps/{id}/keys/{key_id}", answering(s.revokeKey))
	s.operator(r, http.MethodGet, "/v2/admin/apps/{id}/users", s.listAppUsers)
	s.operator(r, http.MethodPatch, "/v2/admin/apps/{id}/users", s.changeAppUser)
	s.operator(r, http.MethodPost, "/v2/admin/apps/{id}/login-links", s.createLink)
	s.operator(r, http.MethodGet, "/v2/admin/jobs", s.listTasks)
	s.operator(r, http.MethodPost, "/v2/admin/jobs/{id}/retry", answering(s.retryTask))
	s.operator(r, http.MethodDelete, "/v2/admin/jobs/{id}", answering(s.endTask))
	s.operator(r, http.MethodGet, "/v2/admin/index", answering(s.showIndex))
	s.operator(r, http.MethodPost, "/v2/admin/index/rebuild", answering(s.rebuildIndex))
	s.operator(r, http.MethodPost, "/v2/admin/index/prune", answering(s.pruneIndex))
}

func errNoRoute() error {
	return kith.Errorf(kith.NotFound, "ROUTE_NOT_FOUND", "nothing is served at this path; /docs lists what is")
}
