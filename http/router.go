package http

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"kith"
)

// routes builds the router. Every route stands here, and in openapi.yaml.
func (s *Server) routes() chi.Router {
	r := chi.NewRouter()
	r.Use(withRequestID, s.observed, s.recovered, guarded, s.bounded, s.crossOrigin(r), s.asNamed(r), middleware.GetHead)
	r.NotFound(s.handle(func(http.ResponseWriter, *http.Request) error { return errNoRoute() }))
	r.MethodNotAllowed(s.handle(func(w http.ResponseWriter, req *http.Request) error {
		allowed := allowedMethods(r, routed(req))
		if len(allowed) == 0 { // the router says so of every method that it does not know
			return errNoRoute()
		}
		return errMethod(w, req.Method, allowed)
	}))

	r.Method(http.MethodGet, "/", &s.pages.searchPage)
	r.Get("/assets/{file}", s.handle(s.pages.asset))
	r.Method(http.MethodGet, "/docs", &s.pages.docsPage)
	r.Method(http.MethodGet, "/openapi.json", &s.pages.description)
	r.Get("/healthz", s.health)
	r.Get("/readyz", s.ready)

	user := r.With(s.signedIn) // of an app
	r.Post("/v2/auth/tokens", s.handle(s.issueToken))
	r.Post("/v2/auth/tokens/revoke", s.handle(s.revokeToken))
	user.Get("/v2/user/me", s.handle(s.me))
	user.Patch("/v2/user/me", s.handle(s.changeMe))
	user.Get("/v2/user/relationships", s.handle(s.listRelationships))
	user.Post("/v2/user/relationships", s.handle(s.importRelationships))
	user.Delete("/v2/user/relationships/{id}", s.handle(s.deleteRelationship))
	user.Post("/v2/companies/paths", s.handle(s.companyPaths))
	user.Post("/v2/people/enrich", s.handle(s.enrichPerson))
	user.Post("/v2/people/enrich/bulk", s.handle(s.enrichPeople))
	user.Post("/v2/people/refresh", s.handle(s.refreshPeople))
	r.Post("/v2/privacy/forget", s.handle(s.forget))
	user.Get("/v2/jobs/{id}", s.handle(s.getJob))
	user.Delete("/v2/jobs/{id}", s.handle(s.cancelJob))
	user.Post("/v2/people/{id}/paths", s.handle(s.personPaths))
	user.Post("/v2/people/search", s.handleStream(s.searchPeople))
	user.Get("/v2/suggest", s.handle(s.suggest))
	user.Get("/v2/user/integrations", s.handle(s.listIntegrations))
	user.Post("/v2/user/integrations", s.handle(s.createIntegration))
	user.Delete("/v2/user/integrations/{id}", s.handle(s.deleteIntegration))
	r.Get("/v2/unsubscribe/{token}", s.handle(s.askUnsubscribe))
	r.Post("/v2/unsubscribe/{token}", s.handle(s.unsubscribe))
	r.Get("/v2/opened/{token}", s.handle(s.opened))
	r.Get("/v2/clicked/{token}", s.handle(s.clicked))
	r.Post("/v2/feedback/{token}", s.handle(s.receiveFeedback))
	user.Get("/v2/sequences", s.handle(s.listSequences))
	user.Post("/v2/sequences", s.handle(s.createSequence))
	user.Get("/v2/sequences/{id}", s.handle(s.getSequence))
	user.Patch("/v2/sequences/{id}", s.handle(s.changeSequence))
	user.Get("/v2/sequences/{sequence_id}/leads", s.handle(s.listLeads))
	user.Post("/v2/sequences/{sequence_id}/leads", s.handle(s.addLeads))
	user.Put("/v2/sequences/{sequence_id}/leads/{lead_id}", s.handle(s.changeLead))
	user.Post("/v2/sequences/{sequence_id}/leads/{lead_id}/emails", s.handle(s.draftEmail))
	user.Get("/v2/sequences/{sequence_id}/leads/{lead_id}/history", s.handle(s.leadHistory))
	user.Get("/v2/sequences/{sequence_id}/emails", s.handle(s.listEmails))
	user.Get("/v2/sequences/activities", s.handle(s.listActivities))
	user.Patch("/v2/sequences/activities/{activity_id}", s.handle(s.decide))
	return r
}

func errNoRoute() error {
	return kith.Errorf(kith.NotFound, "ROUTE_NOT_FOUND", "nothing is served at this path; /docs lists what is")
}
