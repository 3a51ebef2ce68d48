package http

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"kith"
)

// routes maps paths to handlers.
type routes struct{ *Server }

// router builds the router. Every route is defined here, and in openapi.yaml.
func (s routes) router(agents http.Handler) chi.Router {
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

	for _, path := range pagePaths() {
		r.Method(http.MethodGet, path, s.pages.app)
	}
	r.Get("/assets/{file}", s.handle(s.pages.asset))
	r.Get("/openapi.json", s.handle(sendDescription))
	r.Get("/healthz", health)
	r.Get("/readyz", probes{s.cfg.Dependencies, s.log}.ready)

	r.With(s.requireBearer, s.requireUser).Method(http.MethodPost, "/mcp", agents)

	s.appRoutes(r)
	s.peopleRoutes(r)
	s.savedRoutes(r)
	s.outreachRoutes(r)
	s.operatorRoutes(r)
	r.Get("/v2/unsubscribe/{token}", s.handle(links(s).askUnsubscribe))
	r.Post("/v2/unsubscribe/{token}", s.handle(links(s).unsubscribe))
	r.Get("/v2/opened/{token}", s.handle(links(s).recordOpen))
	r.Get("/v2/clicked/{token}", s.handle(links(s).recordClick))
	r.Post("/v2/feedback/{token}", s.handle(links(s).receiveFeedback))
	return r
}

// exportScopes are the scopes for everything in an export.
const exportScopes = kith.ScopeRelationships | kith.ScopeEnrich | kith.ScopeOutreachRead

// anyScope is for operations open to every credential of their kind.
const anyScope kith.Scopes = 0

// user serves an operation to users whose token has the scopes, in their turn.
func (s routes) user(r chi.Router, method, pattern string, scopes kith.Scopes, h handler) {
	r.With(s.requireUser, s.scoped(scopes)).Method(method, pattern, s.handle(inTurn(h)))
}

// app serves an operation to apps whose secret key has the scopes.
func (s routes) app(r chi.Router, method, pattern string, scopes kith.Scopes, h handler) {
	r.With(s.requireKey, s.scoped(scopes)).Method(method, pattern, s.handle(h))
}

// appRoutes serves apps, users and their credentials.
func (s routes) appRoutes(r chi.Router) {
	s.app(r, http.MethodPost, "/v2/auth/tokens", kith.ScopeTokens, s.once(issueToken))
	r.Post("/v2/auth/tokens/revoke", s.handle(credentials(s).revokeToken))
	r.Post("/v2/auth/sessions", s.handle(credentials(s).beginSession))
	s.user(r, http.MethodGet, "/v2/user/sessions", kith.UserScopes, answering(listSessions))
	s.user(r, http.MethodDelete, "/v2/user/sessions", kith.UserScopes, endSessions)
	s.user(r, http.MethodDelete, "/v2/user/sessions/{id}", kith.UserScopes, endSession)
	s.user(r, http.MethodGet, "/v2/user/tokens", kith.UserScopes, answering(listTokens))
	s.user(r, http.MethodPost, "/v2/user/tokens", kith.UserScopes, s.once(createToken))
	s.user(r, http.MethodDelete, "/v2/user/tokens/{id}", kith.UserScopes, answering(endToken))
	s.app(r, http.MethodPost, "/v2/privacy/forget", kith.ScopePrivacy, forget)
	s.app(r, http.MethodDelete, "/v2/privacy/forget/{id}", kith.ScopePrivacy, answering(cancelForget))
	s.app(r, http.MethodPost, "/v2/privacy/app/forget", anyScope, forgetInApp)
	s.app(r, http.MethodGet, "/v2/audit", kith.ScopeAudit, readAudit)
	s.user(r, http.MethodGet, "/v2/user/me", anyScope, answering(me))
	s.user(r, http.MethodPatch, "/v2/user/me", kith.ScopeRelationships, s.once(changeMe))
	s.user(r, http.MethodGet, "/v2/user/export", exportScopes, s.exportUser)
}

// peopleRoutes serves people and the caller's network.
func (s routes) peopleRoutes(r chi.Router) {
	s.user(r, http.MethodGet, "/v2/user/relationships", kith.ScopeRelationships, listRelationships)
	s.user(r, http.MethodPost, "/v2/user/relationships", kith.ScopeRelationships,
		s.once(s.importRelationships))
	s.user(r, http.MethodDelete, "/v2/user/relationships/{id}", kith.ScopeRelationships,
		answering(deleteRelationship))
	s.user(r, http.MethodGet, "/v2/imports", kith.ScopeRelationships, listImports)
	s.user(r, http.MethodPost, "/v2/imports", kith.ScopeRelationships, s.createImport)
	s.user(r, http.MethodGet, "/v2/imports/{id}", kith.ScopeRelationships, answering(getImport))
	s.user(r, http.MethodDelete, "/v2/imports/{id}", kith.ScopeRelationships, deleteImport)
	s.user(r, http.MethodGet, "/v2/companies/{id}", kith.ScopeSearch, answering(getCompany))
	s.user(r, http.MethodPost, "/v2/companies/paths", kith.ScopeRelationships, companyPaths)
	s.user(r, http.MethodPost, "/v2/people/{id}/paths", kith.ScopeRelationships, personPaths)
	s.user(r, http.MethodPost, "/v2/people/{id}/introduction", kith.ScopeRelationships, writeIntroduction)
	s.user(r, http.MethodPost, "/v2/people/enrich", kith.ScopeEnrich, enrichPerson)
	s.user(r, http.MethodPost, "/v2/people/enrich/bulk", kith.ScopeEnrich, enrichPeople)
	s.user(r, http.MethodPost, "/v2/people/refresh", kith.ScopeRefresh, s.once(refreshPeople))
	s.user(r, http.MethodGet, "/v2/people/{id}", kith.ScopeSearch, answering(getPersonSummary))
	s.user(r, http.MethodGet, "/v2/people/{id}/profile", kith.ScopeEnrich, answering(getPerson))
	s.user(r, http.MethodGet, "/v2/people/duplicates", kith.ScopeEnrich, listDuplicates)
	s.user(r, http.MethodPost, "/v2/people/duplicates", kith.ScopeEnrich|kith.ScopeRelationships,
		s.once(decideDuplicate))
	s.user(r, http.MethodGet, "/v2/people/duplicates/decided", kith.ScopeEnrich, answering(listDecisions))
	s.user(r, http.MethodGet, "/v2/jobs/{id}", kith.ScopeRefresh, answering(getTicket))
	s.user(r, http.MethodDelete, "/v2/jobs/{id}", kith.ScopeRefresh, answering(cancelTicket))
	r.With(s.requireUser, s.scoped(kith.ScopeSearch)).Post("/v2/people/search",
		s.handleStream(searching(s).searchPeople))
	s.user(r, http.MethodGet, "/v2/suggest", kith.ScopeSearch, answering(suggestTerms))
}

// savedRoutes serves lists and saved searches.
func (s routes) savedRoutes(r chi.Router) {
	const scope = kith.ScopeSearch
	s.user(r, http.MethodGet, "/v2/lists", scope, listLists)
	s.user(r, http.MethodPost, "/v2/lists", scope, s.once(createList))
	s.user(r, http.MethodGet, "/v2/lists/{id}", scope, answering(getList))
	s.user(r, http.MethodPatch, "/v2/lists/{id}", scope, s.once(renameList))
	s.user(r, http.MethodDelete, "/v2/lists/{id}", scope, answering(deleteList))
	s.user(r, http.MethodGet, "/v2/lists/{id}/people", scope, listPeople)
	s.user(r, http.MethodPost, "/v2/lists/{id}/people", scope, s.once(addToList))
	s.user(r, http.MethodDelete, "/v2/lists/{id}/people", scope, s.once(removeFromList))
	s.user(r, http.MethodGet, "/v2/searches", scope, listSearches)
	s.user(r, http.MethodPost, "/v2/searches", scope, s.once(saveSearch))
	s.user(r, http.MethodGet, "/v2/searches/{id}", scope, answering(getSearch))
	s.user(r, http.MethodDelete, "/v2/searches/{id}", scope, answering(deleteSearch))
	s.user(r, http.MethodGet, "/v2/searches/{id}/new", scope, newMatches)
	s.user(r, http.MethodPost, "/v2/searches/{id}/seen", scope, s.once(markSeen))
}

// outreachRoutes serves sequences and everything that is sent.
func (s routes) outreachRoutes(r chi.Router) {
	const read, write, send = kith.ScopeOutreachRead, kith.ScopeOutreachWrite, kith.ScopeOutreachSend
	s.user(r, http.MethodGet, "/v2/user/integrations", read, answering(listIntegrations))
	s.user(r, http.MethodPost, "/v2/user/integrations", send, s.once(createIntegration))
	s.user(r, http.MethodDelete, "/v2/user/integrations/{id}", send, answering(deleteIntegration))
	s.user(r, http.MethodGet, "/v2/user/webhooks", kith.UserScopes, answering(listWebhooks))
	s.user(r, http.MethodPost, "/v2/user/webhooks", kith.UserScopes, s.once(createWebhook))
	s.user(r, http.MethodDelete, "/v2/user/webhooks/{id}", kith.UserScopes, answering(deleteWebhook))
	s.user(r, http.MethodPost, "/v2/user/webhooks/{id}/test", kith.UserScopes, answering(testWebhook))
	s.user(r, http.MethodGet, "/v2/suppressions", read, listSuppressions)
	s.user(r, http.MethodPost, "/v2/suppressions", write, s.once(createSuppression))
	s.user(r, http.MethodDelete, "/v2/suppressions/{id}", write, answering(deleteSuppression))
	s.user(r, http.MethodGet, "/v2/sequences", read, listSequences)
	s.user(r, http.MethodPost, "/v2/sequences", write, s.once(createSequence))
	s.user(r, http.MethodGet, "/v2/sequences/{id}", read, answering(getSequence))
	s.user(r, http.MethodPatch, "/v2/sequences/{id}", write, s.once(changeSequence))
	s.user(r, http.MethodGet, "/v2/sequences/{sequence_id}/leads", read, listLeads)
	s.user(r, http.MethodPost, "/v2/sequences/{sequence_id}/leads", write, s.once(addLeads))
	s.user(r, http.MethodPut, "/v2/sequences/{sequence_id}/leads/{lead_id}", write, s.once(changeLead))
	s.user(r, http.MethodPost, "/v2/sequences/{sequence_id}/leads/{lead_id}/emails", write, s.once(draftEmail))
	s.user(r, http.MethodGet, "/v2/sequences/{sequence_id}/leads/{lead_id}/history", read, leadHistory)
	s.user(r, http.MethodGet, "/v2/sequences/{sequence_id}/emails", read, listEmails)
	s.user(r, http.MethodGet, "/v2/sequences/activities", read, listActivities)
	s.user(r, http.MethodPatch, "/v2/sequences/activities/{activity_id}", write, s.once(decide))
}

// operatorRoutes serves the operator's view of the whole server.
func (s routes) operatorRoutes(r chi.Router) {
	r.Get("/admin", s.handle(s.operatorPage))
	s.operator(r, http.MethodGet, "/v2/admin/apps", listApps)
	s.operator(r, http.MethodPost, "/v2/admin/apps", s.once(createApp))
	s.operator(r, http.MethodDelete, "/v2/admin/apps/{id}", answering(deleteApp))
	s.operator(r, http.MethodGet, "/v2/admin/apps/{id}/keys", answering(listKeys))
	s.operator(r, http.MethodPost, "/v2/admin/apps/{id}/keys", s.once(addKey))
	s.operator(r, http.MethodDelete, "/v2/admin/apps/{id}/keys/{key_id}", answering(revokeKey))
	s.operator(r, http.MethodGet, "/v2/admin/apps/{id}/users", listAppUsers)
	s.operator(r, http.MethodPatch, "/v2/admin/apps/{id}/users", s.once(changeAppUser))
	s.operator(r, http.MethodPost, "/v2/admin/apps/{id}/login-links", s.once(createLink))
	s.operator(r, http.MethodGet, "/v2/admin/jobs", listTasks)
	s.operator(r, http.MethodPost, "/v2/admin/jobs/{id}/retry", answering(retryTask))
	s.operator(r, http.MethodDelete, "/v2/admin/jobs/{id}", answering(endTask))
	s.operator(r, http.MethodGet, "/v2/admin/index", answering(showIndex))
	s.operator(r, http.MethodPost, "/v2/admin/index/rebuild", answering(rebuildIndex))
	s.operator(r, http.MethodPost, "/v2/admin/index/prune", answering(pruneIndex))
}

func errNoRoute() error {
	return kith.Errorf(kith.NotFound, "ROUTE_NOT_FOUND", "nothing is served at this path; /docs lists what is")
}
