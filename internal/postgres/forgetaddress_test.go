package postgres_test

import (
	"encoding/json"
	"testing"

	"kith"
	"kith/internal/network"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// writtenToJane returns a dataset in which a user of acme wrote to addresses of Jane under the lead Tom, whom she
// introduces by her second address, and must write to none of them. One address is in a record of another app, one is
// known to the user alone.
func writtenToJane(t *testing.T) (db *postgres.DB, acme int64) {
	t.Helper()
	db = pgtest.NewDataset(t)
	app, globex := pgtest.App(t, db, "acme"), pgtest.App(t, db, "globex")
	user := pgtest.User(t, db, app, "u1", "u1@acme.example").UserID
	ours, err := db.Network().AppOwner(t.Context(), app.ID)
	expect.NoError(t, err)
	theirs, err := db.Network().AppOwner(t.Context(), globex.ID)
	expect.NoError(t, err)
	pgtest.Load(t, db, record.People, person("Tom", `,"email":"tom@x.example"`))
	loadAs(t, db, ours, person("Jane", `,"email":"jane@x.example","emails":["jane@x.example","jd@y.example"]`))
	loadAs(t, db, theirs, person("Jane", `,"email":"hidden@z.example"`))
	_, _, _, err = db.Network().Meet(t.Context(), 0, user, []network.Acquaintanceship{
		{Identifier: "https://social.example/in/jane", Emails: []string{"jane@home.example"}},
	})
	expect.NoError(t, err)
	s, err := db.Outreach().CreateSequence(t.Context(), user, outreach.Sequence{
		Name: "Q3", Status: outreach.SequenceActive,
	}, "test")
	expect.NoError(t, err)
	_, err = db.Outreach().AddLeads(t.Context(), user, s.ID, "test", []outreach.NewLead{{Identifier: "tom@x.example"}},
		func(outreach.Standing) *outreach.Refusal { return nil })
	expect.NoError(t, err)
	pgtest.Exec(t, db, `update leads set introducers = '[{"name":"J. D.","social_identifier":"JD@y.example"}]'`)
	pgtest.Exec(t, db, `with a (address) as (values ('tom@x.example'), ('jane@x.example'), ('jd@y.example'),
			('jane@home.example'), ('hidden@z.example')), refused as (
			insert into suppressions (app_id, user_id, address, reason) select $1, $2, address, 'added' from a)
		insert into emails (user_id, sequence_id, lead_id, status, subject, from_address, to_address, created_at)
		select user_id, sequence_id, id, 'sent', '', '', initcap(address), now() from leads, a`, app.ID, user)
	return db, app.ID
}

// An erasure treats all addresses of a person alike. Within an app, it deletes e-mails to addresses in records that the
// app sees, and keeps what its users must not write to.
func TestErasureReachesAllAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		erase func(*postgres.DB, int64) error
		want  string
	}{
		"for all apps": {func(db *postgres.DB, _ int64) error {
			_, err := forget(t.Context(), db, "https://social.example/in/jane")
			return err
		}, "tom@x.example; tom@x.example; []"},
		"within an app": {func(db *postgres.DB, app int64) error {
			_, err := db.Privacy(nil).EraseInApp(t.Context(), "https://social.example/in/jane",
				privacy.Order{Actor: "app acme", By: kith.Principal{Name: "app acme, key first", App: app}})
			return err
		}, "hidden@z.example jane@home.example tom@x.example; " +
			"hidden@z.example jane@home.example jane@x.example jd@y.example tom@x.example; []"},
	} {
		t.Run(name, func(t *testing.T) {
			db, acme := writtenToJane(t)
			expect.NoError(t, c.erase(db, acme))
			left, err := conn.Value[string](t.Context(), db.Pool(), "what is left", `select concat_ws('; ',
				(select string_agg(lower(to_address), ' ' order by lower(to_address)) from emails),
				(select string_agg(address, ' ' order by address) from suppressions where address like '%@%'),
				(select introducers::text from leads))`)
			expect.NoError(t, err)
			expect.Values(t, "e-mails, readable suppressions and introducers", []any{left}, c.want)
		})
	}
}

// An export of what is held on a person reaches all addresses.
func TestSubjectExportReachesAllAddresses(t *testing.T) {
	db, _ := writtenToJane(t)
	d, err := db.Privacy(nil).Export(t.Context(), "https://social.example/in/jane", kith.OperatorPrincipal())
	expect.NoError(t, err)
	for section, n := range map[string]int{"emails": 3, "suppressions": 3, "introducer_of": 1, "suppressed": 0} {
		var rows []any
		if err := json.Unmarshal(d.Sections[section], &rows); err != nil || len(rows) != n {
			t.Errorf("section %s: %s, %v; want %d", section, d.Sections[section], err, n)
		}
	}
}
