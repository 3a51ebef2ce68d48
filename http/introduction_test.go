package http_test

import (
	"net/http"
	"strings"
	"testing"

	"kith/internal/test/expect"
)

// The message to an introducer says how the two know each other. It names only people that the caller may see.
func TestIntroductionMessagesNameOnlyVisiblePeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.reachable()
	type written struct {
		Introducer struct {
			ID       int64
			FullName string `json:"full_name"`
		}
		Subject, Text string
	}
	ask := func(person, body, bearer string) answer {
		return f.call(http.MethodPost, "/v2/people/"+person+"/introduction", body, bearer)
	}
	for _, body := range []string{"", "{}", `{"introducer":1}`, `{"introducer":"1"}`} {
		got := as[written](t, ask("2", body, f.bearer()))
		if got.Introducer.FullName != "Ann Ames" || got.Subject != "Could you introduce me to Bob Bell?" ||
			!strings.HasPrefix(got.Text, "Hi Ann Ames,\n\nI would like to get to know Bob Bell") ||
			!strings.Contains(got.Text, "You worked together at Initech, 2018-01 to 2020-12.") {
			t.Errorf("%s: %+v", body, got)
		}
	}
	ask("1", "", f.bearer()).wants(t, http.StatusConflict, "KNOWN_DIRECTLY")
	ask("2", "", "Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusConflict, "NO_INTRODUCER")
	ask("2", `{"introducer":987}`, f.bearer()).wants(t, http.StatusNotFound, "PERSON_NOT_FOUND")
	ask("2", `{"introducer":"ann"}`, f.bearer()).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	f.own(t, "u2") // only u2 sees these records
	var hidden string
	row := f.db.Pool().QueryRow(t.Context(), "select min(id)::text from people where owner <> ''")
	expect.NoError(t, row.Scan(&hidden))
	ask("2", `{"introducer":`+hidden+`}`, f.bearer()).wants(t, http.StatusNotFound, "PERSON_NOT_FOUND")
	ask(hidden, "", f.bearer()).wants(t, http.StatusNotFound, "PERSON_NOT_FOUND")
}
