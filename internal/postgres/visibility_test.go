package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/access/auth"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/privacy"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
)

// loadAs loads people for an owner.
func loadAs(t *testing.T, db *postgres.DB, owner, lines string) loader.Stats {
	t.Helper()
	return pgtest.LoadOwned(t, db, owner, loader.Options{Kind: record.People}, lines)
}

func jane(headline, email, company string) string {
	return fmt.Sprintf(`{"full_name":"Jane Doe","social_url":"https://social.example/in/jane",`+
		`"headline":"%s","email":"%s","work_relevant":{"title":"CTO","company":{"name":"%s"}}}`+"\n",
		headline, email, company)
}

// headlines returns the headlines of the people with a profile or address that a viewer sees.
func headlines(t *testing.T, v kith.Viewer, db *postgres.DB, identifier string) string {
	t.Helper()
	ids, err := db.Identify(t.Context(), v, identifier)
	expect.NoError(t, err)
	people, err := db.People(t.Context(), v, ids)
	expect.NoError(t, err)
	var out []string
	for _, p := range people {
		out = append(out, p.Headline)
	}
	slices.Sort(out) // ids have no order
	return strings.Join(out, " ")
}

// A profile has one record for each owner. A caller sees the public records and the caller's own.
func TestCallersSeePublicAndTheirOwnRecords(t *testing.T) {
	db := pgtest.NewDataset(t)
	acme, globex := pgtest.App(t, db, "acme"), pgtest.App(t, db, "globex")
	nets := db.Network()
	as := map[string]kith.Viewer{"operator": kith.Operator(), "public": kith.Public(), "nobody": {}}
	users := map[string]kith.Actor{
		"ann": pgtest.User(t, db, acme, "ann", "ann@example.com"), "bob": pgtest.User(t, db, acme, "bob",
			"bob@example.com"),
		"eve": pgtest.User(t, db, globex, "eve", "eve@example.com"),
	}
	owners := map[string]string{}
	for name, actor := range users {
		as[name] = actor.Viewer()
		var err error
		owners[name], err = nets.UserOwner(t.Context(), actor.UserID)
		expect.NoError(t, err)
	}
	see := func(when string, want map[string]string) {
		t.Helper()
		for name, headline := range want {
			if got := headlines(t, as[name], db, "https://social.example/in/jane"); got != headline {
				t.Errorf("%s: %s sees %q, want %q", when, name, got, headline)
			}
		}
	}
	loadAs(t, db, owners["ann"], jane("anns", "jane@ann.example", "Ann Secret"))
	loadAs(t, db, owners["eve"], jane("eves", "jane@eve.example", "Eve Secret"))
	see("own records", map[string]string{
		"ann": "anns", "bob": "", "eve": "eves", "operator": "anns eves", "public": "",
		"nobody": "",
	})
	for identifier, want := range map[string]string{"jane@ann.example": "", "jane@eve.example": "", "jane": ""} {
		if got := headlines(t, as["bob"], db, identifier); got != want {
			t.Errorf("bob finds %q by %s", got, identifier)
		}
	}
	expect.NoError(t, nets.SetSharing(t.Context(), users["ann"].UserID, network.ShareCommunity))
	see("shared", map[string]string{"ann": "anns", "bob": "anns", "eve": "eves"})
	results, err := network.New(nets).Import(t.Context(), users["bob"],
		[]network.Element{{Identifier: "https://social.example/in/jane"}}, 5)
	expect.NoError(t, err)
	expect.Len(t, "results of bob's import", results, 1)
	expect.Values(t, "import of a person from ann's private records by bob", []any{results[0].Status}, network.Failed)
	expect.NoError(t, nets.SetSharing(t.Context(), users["ann"].UserID, network.ShareNone))
	see("shared no more", map[string]string{"bob": ""})

	// A relationship and its contacts move to the public record of the person.
	known := []network.Acquaintanceship{{
		Identifier: "https://social.example/in/jane",
		Emails:     []string{"Jane.Doe@private.example"},
	}}
	if _, _, _, err := nets.Meet(t.Context(), 0, users["ann"].UserID, known); err != nil {
		t.Fatal(err)
	}
	pgtest.Load(t, db, record.People, jane("everyones", "", "Open Works"))
	see("everyone's", map[string]string{
		"ann": "everyones", "bob": "everyones", "eve": "everyones",
		"operator": "everyones", "public": "everyones", "nobody": "",
	})
	list, _, err := network.New(nets).List(t.Context(), users["ann"], nil, 10)
	expect.NoError(t, err)
	expect.Len(t, "relationships", list, 1)
	expect.Values(t, "relationship", []any{list[0].Person.Name}, "Jane Doe")

	// An import of a user does not change public records, and no private address gets into them.
	if stats := loadAs(t, db, owners["ann"],
		jane("changed", "jane@ann.example", "Ann Secret")); stats.Created+stats.Changed > 0 {
		t.Errorf("the import of a user changed a public record: %v", stats)
	}
	see("after another import", map[string]string{"ann": "everyones", "bob": "everyones"})
	if got := headlines(t, as["eve"], db, "jane@ann.example"); got != "" {
		t.Errorf("a private address is public: %q", got)
	}
	if _, _, _, err := nets.Meet(t.Context(), 0, users["ann"].UserID, known); err != nil {
		t.Fatal(err)
	}
	for identifier, want := range map[string]int64{
		"jane@ann.example": 1, "jane.doe@private.example": 1,
		"jane@eve.example": 0,
	} {
		contact := []network.PastContact{{
			Identifier: identifier,
			History:    network.History{Kind: network.ContactEmail, Outgoing: 1, First: 20000, Last: 20000},
		}}
		anns, _, err := nets.PutContacts(t.Context(), 0, users["ann"].UserID, contact)
		expect.Values(t, "people in contact with ann by "+identifier, []any{err, anns}, nil, want)
		bobs, _, err := nets.PutContacts(t.Context(), 0, users["bob"].UserID, contact)
		expect.Values(t, "people in contact with bob by "+identifier, []any{err, bobs}, nil, 0)
	}
}

// However many hidden companies have a name, those that the viewer sees are found.
func TestHiddenCompaniesOfANameTakeNoPlace(t *testing.T) {
	db := pgtest.NewDataset(t)
	acme := pgtest.App(t, db, "acme")
	users := []kith.Actor{
		pgtest.User(t, db, acme, "ann", "ann@example.com"), pgtest.User(t, db, acme, "bob", "bob@example.com"),
	}
	for _, user := range users {
		owner, err := db.Network().UserOwner(t.Context(), user.UserID)
		expect.NoError(t, err)
		loadAs(t, db, owner, jane("a friend", "", "Freelance"))
	}
	ix := memindex.New()
	expect.NoError(t, indexer.NewDrainer(db, ix, zerolog.Nop()).Drain(t.Context()))
	for _, user := range users {
		ids, err := search.NewCompanies(index.New(ix), db).Named(t.Context(), user.Viewer(), "Freelance", 1)
		expect.NoError(t, err)
		seen, err := db.VisibleCompanies(t.Context(), user.Viewer(), ids)
		expect.NoError(t, err)
		expect.Len(t, "companies that a user sees", seen, 1)
	}
}

func TestRecordsOfAUserAreDeletedWithTheUser(t *testing.T) {
	db := pgtest.NewDataset(t)
	acme := pgtest.App(t, db, "acme")
	ann, bob := pgtest.User(t, db, acme, "ann", "ann@example.com"), pgtest.User(t, db, acme, "bob", "bob@example.com")
	owner, err := db.Network().UserOwner(t.Context(), ann.UserID)
	expect.NoError(t, err)
	loadAs(t, db, owner, jane("anns", "", "Ann Secret")+"\n"+`{"full_name":"Ann Poe","social_url":"`+
		`https://social.example/in/poe","work_history":[{"title":"CEO","company":{"name":"Acme"},"start_date":"2015",`+
		`"end_date":"2019"}],"education_history":[{"institute":"École","start_date":"2001","end_date":"2004"}]}`)
	pgtest.Load(t, db, record.People,
		`{"full_name":"John Roe","social_url":"https://social.example/in/john","headline":"everyones"}`)
	ix := memindex.New()
	drainer := indexer.NewDrainer(db, ix, zerolog.Nop())
	expect.NoError(t, drainer.Drain(t.Context()))
	tables := []string{"companies", "people", "studies", "tenures", "vocabulary"}
	owned := func() (in []string) {
		for _, table := range tables {
			var n int
			row := db.Pool().QueryRow(t.Context(), "select count(*) from "+table+" where owner = $1", owner)
			if expect.NoError(t, row.Scan(&n)); n > 0 {
				in = append(in, table)
			}
		}
		return in
	}
	if in := owned(); !slices.Equal(in, tables) {
		t.Errorf("the user has records in %v, want %v", in, tables)
	}
	pgtest.Exec(t, db, "delete from users where id = $1", ann.UserID)
	if in := owned(); len(in) > 0 {
		t.Errorf("a deleted user has records in %v", in)
	}
	for _, table := range []string{"outbox", "deleted"} {
		var people, companies int
		expect.NoError(t, db.Pool().QueryRow(t.Context(), "select count(*) filter (where kind = 1), "+
			"count(*) filter (where kind = 2) from "+table).Scan(&people, &companies))
		expect.Values(t, "people and companies in "+table, []any{people, companies}, 2, 2)
	}
	expect.NoError(t, drainer.Drain(t.Context()))
	checkIndexed(t, db, ix)
	companies, err := ix.Find(t.Context(), index.Companies, index.FindRequest{Query: query.All{}, Limit: 10})
	expect.NoError(t, err)
	expect.Len(t, "companies in the index", companies, 0)
	if n, err := db.Count(t.Context(), record.People); n != 1 || err != nil {
		t.Errorf("%d people are left, %v", n, err)
	}
	owners, all, _, err := db.Visible(t.Context(), bob.Viewer())
	if !slices.Equal(owners, []string{record.Everyone}) || all || err != nil {
		t.Errorf("records of a deleted user are visible: %v, %v, %v", owners, all, err)
	}
}

// An app that erases a person in its own data does not learn whether another app has the person.
func TestErasuresInAnAppTellNothingOfOtherApps(t *testing.T) {
	db := pgtest.NewDataset(t)
	acme, globex := pgtest.App(t, db, "acme"), pgtest.App(t, db, "globex")
	owner, err := db.Network().UserOwner(t.Context(), pgtest.User(t, db, acme, "ann", "ann@example.com").UserID)
	expect.NoError(t, err)
	loadAs(t, db, owner, jane("anns", "shared@x.example", "Ann Secret")+
		`{"full_name":"Janet Roe","social_url":"https://social.example/in/janet","email":"shared@x.example"}`)
	erase := func(app auth.App, identifier string) privacy.Result {
		got, err := db.Privacy(nil).EraseInApp(t.Context(), identifier,
			privacy.Order{Actor: app.Name, By: kith.Principal{Name: app.Name, App: app.ID}})
		expect.NoError(t, err)
		return got
	}
	for hidden, unknown := range map[string]string{
		"jane": "joan", "shared@x.example": "nobody@x.example", fmt.Sprint(identify(t, db, "jane")[0]): "1",
	} {
		if got, want := erase(globex, hidden), erase(globex, unknown); got != want {
			t.Errorf("%s: %+v, want %+v as for %s", hidden, got, want, unknown)
		}
	}
	expect.Values(t, "status in the app itself", []any{erase(acme, "jane").Status}, privacy.Forgotten)
	expect.Len(t, "records of the person", identify(t, db, "jane"), 0)
}
