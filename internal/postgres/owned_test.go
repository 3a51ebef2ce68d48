package postgres_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/record/refresh"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// uniteAs imports lines for an owner.
func uniteAs(t testing.TB, db *postgres.DB, owner string, lines ...string) loader.Stats {
	t.Helper()
	return pgtest.LoadOwned(t, db, owner, loader.Options{Kind: record.People, Uniter: identity.Uniter{}}, lines...)
}

// owning is a user with the key of the user's records.
type owning struct {
	kith.Actor
	owner string
}

func owners(t *testing.T, db *postgres.DB, names ...string) []owning {
	t.Helper()
	app := pgtest.App(t, db, "acme")
	var out []owning
	for _, name := range names {
		actor := pgtest.User(t, db, app, name, name+"@users.example")
		owner, err := db.Network().UserOwner(t.Context(), actor.UserID)
		expect.NoError(t, err)
		out = append(out, owning{actor, owner})
	}
	return out
}

// sees returns the headlines of the people that a user finds by an identifier.
func (o owning) sees(t *testing.T, db *postgres.DB, identifier string) string {
	t.Helper()
	return headlines(t, o.Viewer(), db, identifier)
}

const (
	plainJane  = `{"full_name":"Jane Doe","email":"jane@example.com","headline":"HEADLINE"}`
	janeAtAcme = `{"full_name":"Jane Doe","email":"j1@example.com","headline":"one",` +
		`"work_relevant":{"title":"Engineer","company":{"name":"Acme"}}}`
	janeInSales = `{"full_name":"Jane Doe","email":"j2@example.org","headline":"two",` +
		`"work_relevant":{"title":"Head of Sales","company":{"name":"Acme"}}}`
	janesProfile = "https://social.example/in/jane"
)

func headlined(text string) string { return strings.Replace(plainJane, "HEADLINE", text, 1) }

// Records of different owners are never merged, whatever they share. Only users who see both
// records of a doubtful pair see the pair.
func TestPeopleAreMergedWithinOneOwner(t *testing.T) {
	db := pgtest.NewDataset(t)
	users := owners(t, db, "ann", "bob")
	ann, bob := users[0], users[1]
	uniteAs(t, db, ann.owner, headlined("anns"), janeAtAcme, janeInSales)
	uniteAs(t, db, bob.owner, headlined("bobs"), janeAtAcme)
	if a, b := ann.sees(t, db, "jane@example.com"), bob.sees(t, db, "jane@example.com"); a != "anns" || b != "bobs" {
		t.Errorf("ann sees %q, bob %q", a, b)
	}
	service := identity.NewService(db)
	pairs := func(o owning) int {
		list, err := service.Duplicates(t.Context(), o.Viewer(), nil, 10)
		expect.NoError(t, err)
		return len(list)
	}
	if a, b := pairs(ann), pairs(bob); a != 1 || b != 0 {
		t.Errorf("ann sees %d pairs, bob %d", a, b)
	}
	ids := identify(t, db, "j1@example.com")
	if len(ids) != 2 {
		t.Fatalf("the people %v have the address", ids)
	}
	if err := service.Merge(t.Context(), kith.Operator(), fmt.Sprint(ids[0]), fmt.Sprint(ids[1])); kith.KindOf(
		err,
	) != kith.Conflict {
		t.Errorf("records of two owners are merged: %v", err)
	}
	own, err := db.Identify(t.Context(), ann.Viewer(), "j1@example.com")
	expect.NoError(t, err)
	expect.NoError(t, service.Merge(t.Context(), kith.Operator(), fmt.Sprint(own[0]), "j2@example.org"))
	if a, b := ann.sees(t, db, "j2@example.org"),
		bob.sees(t, db, "j2@example.org"); a == "" || b != "" || pairs(ann) != 0 {
		t.Errorf("after a merge ann sees %q, bob %q", a, b)
	}
	if stats := uniteAs(t, db, ann.owner, headlined("anns"), janeAtAcme, janeInSales); stats.Created+stats.Changed > 0 {
		t.Errorf("a second import changes something: %s", stats)
	}
}

// A user's record is replaced when a public record has one of its marks, and is not imported again.
// None of its data gets into the public record.
func TestPublicRecordsReplacePrivateOnes(t *testing.T) {
	db := pgtest.NewDataset(t)
	users := owners(t, db, "ann", "bob")
	ann, bob := users[0], users[1]
	mine := `{"full_name":"Jane Doe","email":"jane@example.com","emails":["jane@example.com","jd@private.example"],` +
		`"headline":"anns"}`
	uniteAs(t, db, ann.owner, mine, `{"full_name":"Max Roe","email":"max@example.com","headline":"max"}`)
	know(t, db, ann.UserID, "jd@private.example")
	pgtest.Exec(t, db, "insert into lists (user_id, name) values ($1, 'candidates')", ann.UserID)
	pgtest.Exec(t, db, `insert into list_people (list_id, person_id)
		select l.id, p.id from lists l, people p where p.email = 'jane@example.com'`)
	// A different name with Max's address is another person.
	unite(t, db, 10, headlined("everyones"), `{"full_name":"Olga Poe","email":"max@example.com","headline":"olga"}`)
	for identifier, want := range map[string][2]string{
		"jane@example.com":   {"everyones", "everyones"},
		"jd@private.example": {"", ""},
		"max@example.com":    {"max olga", "olga"},
	} {
		if a, b := ann.sees(t, db, identifier), bob.sees(t, db, identifier); a != want[0] || b != want[1] {
			t.Errorf("%s: ann sees %q, bob %q", identifier, a, b)
		}
	}
	jane := identify(t, db, "jane@example.com")
	if known := knownTo(t, db, ann.UserID); !slices.Equal(known, jane) {
		t.Errorf("ann knows %v, want %v", known, jane)
	}
	listed, err := conn.Value[int64](t.Context(), db.Pool(), "list", "select person_id from list_people")
	if err != nil || listed != jane[0] {
		t.Errorf("the list has %d, want %v, %v", listed, jane, err)
	}
	if stats := uniteAs(t, db, ann.owner, mine,
		`{"full_name":"Jane Doe","email":"jd@private.example","headline":"more"}`); stats.Created+stats.Changed > 0 {
		t.Errorf("a public person was imported again: %s", stats)
	}
	if stats := uniteAs(t, db, bob.owner,
		`{"full_name":"Jane Doe","email":"jd@private.example","headline":"bobs"}`); stats.Created != 1 {
		t.Errorf("bob's import matched ann's private address: %s", stats)
	}
	meet := []network.Acquaintanceship{
		{Identifier: "https://social.example/in/janed", Emails: []string{"jane@example.com"}},
		{Identifier: "max@example.com"},
	}
	created, _, unchanged, err := db.Network().Meet(t.Context(), 0, ann.UserID, meet)
	if err != nil || created != 1 || unchanged != 1 {
		t.Errorf("%d new, %d unchanged, %v", created, unchanged, err)
	}
	if known := knownTo(t, db, ann.UserID); len(known) != 2 || readHeadlines(t, db, known) != "everyones max" {
		t.Errorf("ann knows %v: %q", known, readHeadlines(t, db, known))
	}
	// A merge that gives a profile to the public record has the same effect.
	uniteAs(t, db, bob.owner, `{"full_name":"Jane Doe","social_url":"`+janesProfile+`","headline":"bobs"}`)
	unite(t, db, 10,
		`{"full_name":"Jane Doe","email":"jane@example.com","social_url":"`+janesProfile+`","headline":"everyones"}`)
	if got := bob.sees(t, db, janesProfile); got != "everyones" {
		t.Errorf("bob sees %q", got)
	}
}

// A public record that replaces a user's own waits for a change by the user. Neither fails because of the other.
func TestPublicRecordsWaitForChangesOfUsers(t *testing.T) {
	db := pgtest.NewDataset(t)
	ann := owners(t, db, "ann")[0]
	loadAs(t, db, ann.owner, jane("anns", "", "Ann Secret"))
	know(t, db, ann.UserID, janesProfile)
	var merge errgroup.Group
	expect.NoError(t, db.InTx(t.Context(), "change", func(tx pgx.Tx) error {
		if err := db.BlockDeletions(t.Context(), tx); err != nil {
			return err
		}
		merge.Go(func() error {
			line := []byte(`{"full_name":"Jane Doe","headline":"everyones"}`)
			_, err := loader.NewMerger(db).Merge(t.Context(),
				record.Fresh{Line: line, ProfileURL: janesProfile, AsOf: day(1), Refreshed: day(1)}, refresh.Merge)
			return err
		})
		pgtest.AwaitBlocked(t, db)
		return conn.LockUser(t.Context(), tx, ann.UserID)
	}))
	expect.NoError(t, merge.Wait())
	if got := ann.sees(t, db, janesProfile); got != "everyones" {
		t.Errorf("ann sees %q", got)
	}
}

// A public record that gets the profile of a user's own waits for a transaction that refers to the record. Neither
// fails because of the other.
func TestNewProfilesWaitForReferences(t *testing.T) {
	db := pgtest.NewDataset(t)
	ann := owners(t, db, "ann")[0]
	unite(t, db, 10, headlined("before"))
	public := identify(t, db, "jane@example.com")[0]
	uniteAs(t, db, ann.owner, `{"full_name":"Jane Doe","social_url":"`+janesProfile+`","headline":"anns"}`)
	opts := loader.Options{
		Kind: record.People, Uniter: identity.Uniter{}, Rejects: filepath.Join(t.TempDir(), "rejects"),
		Stdin: strings.NewReader(`{"full_name":"Jane Doe","email":"jane@example.com","social_url":"` + janesProfile +
			`","headline":"everyones"}`),
	}
	var load errgroup.Group
	expect.NoError(t, db.InTx(t.Context(), "refer", func(tx pgx.Tx) error {
		if err := db.BlockDeletions(t.Context(), tx); err != nil {
			return err
		}
		load.Go(func() error {
			_, err := loader.New(db).File(t.Context(), record.ForEveryone(), "-", opts)
			return err
		})
		pgtest.AwaitBlocked(t, db)
		_, err := tx.Exec(t.Context(), "select from people where id = $1 for key share", public)
		return err
	}))
	expect.NoError(t, load.Wait())
	if got := ann.sees(t, db, janesProfile); got != "everyones" {
		t.Errorf("ann sees %q", got)
	}
}

func readHeadlines(t *testing.T, db *postgres.DB, ids []int64) string {
	t.Helper()
	people, err := db.People(t.Context(), kith.Operator(), ids)
	expect.NoError(t, err)
	var out []string
	for _, p := range people {
		out = append(out, p.Headline)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// An erasure deletes the records of all owners, even for a person without a profile.
func TestErasureDeletesRecordsOfAllOwners(t *testing.T) {
	db := pgtest.NewDataset(t)
	users := owners(t, db, "ann", "bob")
	uniteAs(t, db, users[0].owner, headlined("anns"))
	uniteAs(t, db, users[1].owner, `{"full_name":"Jane Doe","email":"jane@example.com",`+
		`"emails":["jane@example.com","jd@example.org"],"headline":"bobs"}`)
	pgtest.Exec(t, db, `insert into suppressions (app_id, user_id, address, reason)
		select app_id, id, 'jane@example.com', 'added' from users limit 1`)
	if _, err := forget(t.Context(), db, "jane@example.com"); err != nil {
		t.Fatal(err)
	}
	if readable, err := conn.Value[int64](t.Context(), db.Pool(), "suppressions",
		"select count(*) from suppressions where address like '%@%'"); err != nil || readable > 0 {
		t.Errorf("%d suppressed addresses are readable, %v", readable, err)
	}
	if left := everyone(t, db); len(left) > 0 {
		t.Errorf("records left: %v", left)
	}
	if stats := uniteAs(t, db, users[0].owner, `{"full_name":"Jane","email":"jd@example.org"}`); stats.Suppressed != 1 {
		t.Errorf("an import of the erased person: %s", stats)
	}
}

// A merge adds up the contacts of two people. A split returns each one's own.
func TestSplitReturnsContacts(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	ann := owners(t, db, "ann")[0]
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com"}`)
	var contacts []network.PastContact
	for day, identifier := range map[network.Day]string{
		20000: "jane@example.com", 20001: "janet@example.com", 20100: "janet@example.com",
	} {
		contacts = append(contacts, network.PastContact{Identifier: identifier, History: network.History{
			Kind: network.ContactEmail, Outgoing: 2, Incoming: 1, First: day, Last: day,
		}})
	}
	_, _, err := db.Network().PutContacts(t.Context(), 0, ann.UserID, contacts)
	expect.NoError(t, err)
	_, _, _, err = db.Network().Meet(t.Context(), 0, ann.UserID,
		[]network.Acquaintanceship{{Identifier: "janet@example.com", Emails: []string{"jr@private.example"}}})
	expect.NoError(t, err)
	conn := connect(t, url)
	counted := func() (out []string) {
		rows, err := conn.Query(t.Context(), `select p.email || ' ' || c.month || ' ' || c.outgoing || ' ' || c.incoming
			from kith.contacts c join kith.people p on p.id = c.person_id
			union all select p.email || ' ' || k.email from kith.known_addresses k
				join kith.people p on p.id = k.person_id
			union all select p.email || ' is known' from kith.relationships r
				join kith.people p on p.id = r.person_id order by 1`)
		expect.NoError(t, err)
		out, err = pgx.CollectRows(rows, pgx.RowTo[string])
		expect.NoError(t, err)
		return out
	}
	before := counted()
	service := identity.NewService(db)
	jane, janet := identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
	expect.NoError(t, service.Merge(t.Context(), kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
	if merged := counted(); len(merged) != 4 ||
		!strings.HasSuffix(merged[0], " 4 2") && !strings.HasSuffix(merged[1], " 4 2") {
		t.Errorf("merged: %v", merged)
	}
	expect.NoError(t, service.Part(t.Context(), kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
	if after := counted(); !slices.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}
