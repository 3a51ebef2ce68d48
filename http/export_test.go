package http

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"kith/http/strict"
)

// Routes lists what is served as "METHOD /path".
func (s *Server) Routes() []string {
	var out []string
	router, ok := s.handler.(chi.Routes)
	if !ok {
		return nil
	}
	_ = chi.Walk(router, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		out = append(out, method+" "+route)
		return nil
	})
	return out
}

// Shapes are the bodies that the server checks, by the name of their schema in
// the description of the API.
func Shapes() map[string]*strict.Schema {
	return map[string]*strict.Schema{
		"SignInRequest": signInShape(), "OwnTokenCreate": newTokenShape(), "TokenRequest": issueShape(), "RevokeRequest": revokeShape(), "SearchRequest": searchShape(),
		"RelationshipImport": importShape(), "UserSettings": settingsShape(), "CompanyPathsRequest": companyPathsShape(),
		"EnrichRequest": enrichShape(), "EnrichBulkRequest": enrichBulkShape(), "RefreshRequest": refreshShape(),
		"ForgetRequest":  forgetShape(),
		"SequenceCreate": sequenceShape(true), "SequenceChange": sequenceShape(false), "LeadChange": leadShape(),
		"LeadsAdd":   peopleShape(),
		"EmailDraft": draftShape(), "ActivityChange": decisionShape(), "IntegrationCreate": integrationShape(),
		"FeedbackEvents": feedbackShape(),
		"ListCreate":     namedShape(true), "ListChange": namedShape(false), "ListPeopleChange": peopleShape(),
		"SavedSearchCreate": saveSearchShape(), "SearchSeen": seenShape(),
		"AppCreate": newAppShape(), "KeyCreate": newKeyShape(), "AppUserChange": changeUserShape(),
		"LoginLinkCreate": newLinkShape(), "WebhookCreate": webhookShape(), "SuppressionCreate": suppressionShape(),
		"DuplicateDecision": decideShape(), "IntroductionAsk": introductionShape(),
	}
}
