package http_test

import (
	"net/http"
	"testing"

	"kith/internal/test/pgtest"
)

const suppressionsPath = "/v2/suppressions"

type shownSuppression struct {
	ID, Address, Reason string
	Removable           bool
}

func (f *fixture) suppressions(bearer string) []shownSuppression {
	f.t.Helper()
	return as[[]shownSuppression](f.t, f.call(http.MethodGet, suppressionsPath, "", bearer))
}

// Users suppress addresses for the whole app, see the suppressions that they caused, and delete those that no
// recipient asked for.
func TestUsersManageTheirSuppressions(t *testing.T) {
	t.Parallel()
	f, s, _ := outreachFixture(t)
	other := "Authorization: Bearer " + f.issue("u2")
	add := func(address, bearer string) answer {
		return f.call(http.MethodPost, suppressionsPath, `{"address":"`+address+`"}`, bearer)
	}
	made := as[shownSuppression](t, add("P4@Example.com", f.bearer()))
	if made.Address != "p4@example.com" || made.Reason != "added" || !made.Removable {
		t.Errorf("new suppression: %+v", made)
	}
	if again := as[shownSuppression](t, add("p4@example.com", f.bearer())); again != made {
		t.Errorf("second suppression: %+v", again)
	}
	add("p4@example.com", other).wants(t, http.StatusConflict, "ALREADY_SUPPRESSED")
	add("nobody", f.bearer()).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	type added struct {
		Results []struct{ Error struct{ Code string } }
	}
	refused := as[added](t, f.call(http.MethodPost, "/v2/sequences/"+s.ID+"/leads", `{"people":[4]}`, f.bearer()))
	if refused.Results[0].Error.Code != "SUPPRESSED" {
		t.Errorf("adding a suppressed lead: %+v", refused)
	}
	if list := f.suppressions(other); len(list) != 0 {
		t.Errorf("another user sees %+v", list)
	}
	f.call(http.MethodDelete, suppressionsPath+"/"+made.ID, "", other).
		wants(t, http.StatusNotFound, "SUPPRESSION_NOT_FOUND")
	f.call(http.MethodDelete, suppressionsPath+"/"+made.ID, "", f.bearer()).wants(t, http.StatusOK, "")
	if list := f.suppressions(f.bearer()); len(list) != 0 {
		t.Errorf("suppressions after the deletion: %+v", list)
	}
	pgtest.Exec(t, f.db, `insert into suppressions (app_id, user_id, address, reason)
		select app_id, id, 'p1@example.com', 'unsubscribed' from users where external_id = 'u1'`)
	list := f.suppressions(f.bearer())
	if len(list) != 1 || list[0].Address != "p1@example.com" || list[0].Removable {
		t.Fatalf("suppressions that a recipient asked for: %+v", list)
	}
	f.call(http.MethodDelete, suppressionsPath+"/"+list[0].ID, "", f.bearer()).
		wants(t, http.StatusConflict, "SUPPRESSION_LASTS")
	if list := f.suppressions(other); len(list) != 0 {
		t.Errorf("another user sees %+v", list)
	}
}
