package http_test

import (
	"net/http"
	"testing"
)

// An unknown integration is a problem of its field, also if it exists but belongs to another user.
func TestUnknownIntegrationsAreFieldProblems(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	body := `{"host":"smtp.example.com","from_email":"jane@example.com"}`
	// its id is 1 as well
	f.call(http.MethodPost, integrationsPath, body, "Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusOK, "")
	emails := "/v2/sequences/" + s.ID + "/leads/" + leads[0].ID + "/emails"
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, emails, `{"subject":"Hi","body":"Hello"}`, &drafted)
	activity := "/v2/sequences/activities/" + drafted.Activity.ID
	for _, tt := range []struct{ method, path, body string }{
		{http.MethodPost, emails, `{"subject":"Hi","body":"Hello","user_integration_id":1}`},
		{http.MethodPatch, activity, `{"decision":null,"user_integration_id":1}`},
		{http.MethodPatch, activity, `{"decision":"approved","user_integration_id":9007199254740991}`},
	} {
		e := f.call(tt.method, tt.path, tt.body, f.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED").envelope(t).Error
		if len(e.Errors) != 1 || e.Errors[0].Field != "user_integration_id" ||
			e.Errors[0].Code != "INTEGRATION_NOT_FOUND" {
			t.Errorf("%s %s: %+v", tt.method, tt.body, e.Errors)
		}
	}
	f.call(http.MethodPost, integrationsPath, body, f.bearer()).wants(t, http.StatusOK, "")
	f.call(http.MethodPost, emails, `{"subject":"Hi","body":"Hello","user_integration_id":1}`, f.bearer()).wants(t,
		http.StatusOK, "")
}
