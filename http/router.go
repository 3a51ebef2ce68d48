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
		return errMethod(w, req.Method, allowedMethods(r, req.URL.Path))
	}))

	r.Get("/", s.pages.search)
	r.Get("/assets/{file}", s.handle(s.pages.asset))
	r.Get("/docs", s.pages.docs)
	r.Get("/openapi.json", s.pages.document)
	r.Get("/healthz", s.health)
	r.Get("/readyz", s.ready)

	r.Post("/v2/auth/tokens", s.handle(s.issueToken))
	r.Post("/v2/auth/tokens/revoke", s.handle(s.revokeToken))
	r.With(s.signedIn).Get("/v2/user/me", s.handle(s.me))
	r.With(s.signedIn).Patch("/v2/user/me", s.handle(s.changeMe))
	r.With(s.signedIn).Get("/v2/user/relationships", s.handle(s.listRelationships))
	r.With(s.signedIn).Post("/v2/user/relationships", s.handle(s.importRelationships))
	r.With(s.signedIn).Delete("/v2/user/relationships/{id}", s.handle(s.deleteRelationship))
	r.With(s.signedIn).Post("/v2/companies/paths", s.handle(s.companyPaths))
	r.With(s.signedIn).Post("/v2/people/enrich", s.handle(s.enrichPerson))
	r.With(s.signedIn).Post("/v2/people/enrich/bulk", s.handle(s.enrichPeople))
	r.With(s.signedIn).Post("/v2/people/refresh", s.handle(s.refreshPeople))
	r.Post("/v2/privacy/forget", s.handle(s.forget))
	r.With(s.signedIn).Get("/v2/jobs/{id}", s.handle(s.getJob))
	r.With(s.signedIn).Delete("/v2/jobs/{id}", s.handle(s.cancelJob))
	r.With(s.signedIn).Post("/v2/people/{id}/paths", s.handle(s.personPaths))
	r.With(s.signedIn).Post("/v2/people/search", s.handle(s.searchPeople))
	r.With(s.signedIn).Get("/v2/user/integrations", s.handle(s.listIntegrations))
	r.With(s.signedIn).Post("/v2/user/integrations", s.handle(s.createIntegration))
	r.With(s.signedIn).Delete("/v2/user/integrations/{id}", s.handle(s.deleteIntegration))
	r.Get("/v2/unsubscribe/{token}", s.handle(s.askUnsubscribe))
	r.Post("/v2/unsubscribe/{token}", s.handle(s.unsubscribe))
	r.Get("/v2/opened/{token}", s.handle(s.opened))
	r.Get("/v2/clicked/{token}", s.handle(s.clicked))
	r.Post("/v2/feedback/{token}", s.handle(s.hear))
	r.With(s.signedIn).Get("/v2/sequences", s.handle(s.listSequences))
	r.With(s.signedIn).Post("/v2/sequences", s.handle(s.createSequence))
	r.With(s.signedIn).Get("/v2/sequences/{id}", s.handle(s.getSequence))
	r.With(s.signedIn).Patch("/v2/sequences/{id}", s.handle(s.changeSequence))
	r.With(s.signedIn).Get("/v2/sequences/{sequence_id}/leads", s.handle(s.listLeads))
	r.With(s.signedIn).Post("/v2/sequences/{sequence_id}/leads", s.handle(s.addLeads))
	r.With(s.signedIn).Put("/v2/sequences/{sequence_id}/leads/{lead_id}", s.handle(s.changeLead))
	r.With(s.signedIn).Post("/v2/sequences/{sequence_id}/leads/{lead_id}/emails", s.handle(s.draftEmail))
	r.With(s.signedIn).Get("/v2/sequences/{sequence_id}/leads/{lead_id}/history", s.handle(s.leadHistory))
	r.With(s.signedIn).Get("/v2/sequences/{sequence_id}/emails", s.handle(s.listEmails))
	r.With(s.signedIn).Get("/v2/sequences/activities", s.handle(s.listActivities))
	r.With(s.signedIn).Patch("/v2/sequences/activities/{activity_id}", s.handle(s.decide))
	return r
}

func errNoRoute() error {
	return kith.Errorf(kith.NotFound, "ROUTE_NOT_FOUND", "nothing is served at this path; /docs lists what is")
}
