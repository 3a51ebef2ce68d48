package http_test

import (
	"encoding/json"
	"testing"

	"kith"
	"kith/internal/network"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
)

// contacted stores contacts of the user with Jane, and an address that only the user has.
func (f *fixture) contacted(t *testing.T) {
	t.Helper()
	const profile = "https://social.example/in/jane-doe"
	nets := f.db.Network()
	user, err := nets.EnsureUser(t.Context(), "acme", "u1")
	expect.NoError(t, err)
	known := []network.Acquaintanceship{{Identifier: profile, Emails: []string{"jane@home.example"}}}
	if _, _, _, err := nets.Meet(t.Context(), 0, user, known); err != nil {
		t.Fatal(err)
	}
	contact := []network.PastContact{{
		Identifier: profile,
		History:    network.History{Kind: network.ContactEmail, Outgoing: 2, First: 20000, Last: 20001},
	}}
	if n, _, err := nets.PutContacts(t.Context(), 0, user, contact); n != 1 || err != nil {
		t.Fatal(n, err)
	}
}

func TestExportHasEverySection(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	f.post("/v2/user/relationships", `{"people":["https://social.example/in/jane-doe"]}`).wants(t, 200, "")
	f.refresh(f.token, `{"social_urls":"https://social.example/in/jane-doe","realtime":true}`)
	f.approached(t)
	f.contacted(t)
	svc := privacy.New(f.db.Privacy(newSealer(t)))
	d, err := svc.Export(t.Context(), "https://social.example/in/jane-doe", kith.OperatorPrincipal())
	expect.NoError(t, err)
	for section, n := range map[string]int{
		"person": 1, "record": 1, "relationships": 1, "contacts": 1, "known_addresses": 1, "jobs": 1, "suppressed": 0,
		"leads": 1, "emails": 2, "activities": 1, "introducer_of": 1, "emails_as_introducer": 1, "suppressions": 1,
	} {
		var rows []any
		if err := json.Unmarshal(d.Sections[section], &rows); err != nil || len(rows) != n {
			t.Errorf("section %s: %s, %v; want %d", section, d.Sections[section], err, n)
		}
	}
	var n int
	err = f.db.Pool().QueryRow(t.Context(),
		"select count(*) from privacy_audit where action = 'export' and actor = 'operator' and found").Scan(&n)
	if err != nil || n == 0 {
		t.Errorf("%d rows of the audit, %v", n, err)
	}
	if _, err := svc.Export(t.Context(), "https://social.example/in/nobody", kith.OperatorPrincipal()); err != nil {
		t.Errorf("export of an unknown person: %v", err)
	}
}
