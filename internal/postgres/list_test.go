package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/record/privacy"
	"kith/internal/search/saved"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// listing is a list with its user and helpers.
type listing struct {
	t    *testing.T
	db   *postgres.DB
	user kith.Actor
	list saved.List
}

func newListing(t *testing.T, db *postgres.DB, app auth.App, user string) listing {
	t.Helper()
	l := listing{t: t, db: db, user: pgtest.User(t, db, app, user, user+"@example.com")}
	var err error
	l.list, err = db.Saved().CreateList(t.Context(), l.user, "L", 10)
	expect.NoError(t, err)
	return l
}

func (l listing) add(identifiers ...string) {
	l.t.Helper()
	named := make([]saved.Named, len(identifiers))
	for i, id := range identifiers {
		named[i].Identifier = id
	}
	changed, err := l.db.Saved().AddPeople(l.t.Context(), l.user, l.list.ID, named, 100)
	expect.NoError(l.t, err)
	for i, ch := range changed {
		if ch.Result == saved.NotFound {
			l.t.Errorf("%s is not found", identifiers[i])
		}
	}
}

// names returns the people on the list, sorted.
func (l listing) names() string {
	l.t.Helper()
	members, err := l.db.Saved().Members(l.t.Context(), l.user, l.list.ID, 0, 100)
	expect.NoError(l.t, err)
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprint(m.Person.FullName, " ", m.Person.ID))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// An erased person is on no list, and returns when the erasure is canceled. An erasure within an
// app does not touch lists of other apps.
func TestErasedPeopleAreOnNoList(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.People, person("Ann", ""), person("Bob", ""))
	acme, globex := pgtest.App(t, db, "acme"), pgtest.App(t, db, "globex")
	a, b := newListing(t, db, acme, "u1"), newListing(t, db, globex, "u2")
	ann, bob := "https://social.example/in/ann", "https://social.example/in/bob"
	a.add(ann, bob)
	b.add(ann, bob)
	before := a.names()
	svc := privacy.New(db.Privacy(keeper(t, db, nil).Sealer))
	dossier, err := svc.Export(t.Context(), ann, kith.OperatorPrincipal())
	if err != nil || strings.Count(string(dossier.Sections["lists"]),
		`"list":"L"`)+strings.Count(string(dossier.Sections["lists"]), `"list": "L"`) != 2 {
		t.Errorf("the export has the lists %s, %v", dossier.Sections["lists"], err)
	}
	done, err := svc.Schedule(t.Context(), []string{ann}, "operator", kith.OperatorPrincipal())
	expect.NoError(t, err)
	if strings.Contains(a.names()+b.names(), "Ann") {
		t.Errorf("after the erasure: %s; %s", a.names(), b.names())
	}
	expect.NoError(t, svc.Cancel(t.Context(), done[0].Erasure, kith.OperatorPrincipal()))
	if got := a.names(); got != before || b.names() != before {
		t.Errorf("after the cancellation: %s; %s", got, b.names())
	}
	key := kith.Principal{Name: "app acme, key first", App: acme.ID}
	if _, err := svc.ForgetInApp(t.Context(), []string{bob}, "app acme", key); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(a.names(), "Bob") || !strings.Contains(b.names(), "Bob") {
		t.Errorf("after an erasure within the app: %s; %s", a.names(), b.names())
	}
}

// A merged person counts as seen and as reported if one of the originals does, and is marked by any of their ids. A
// failure changes neither.
func TestMergedPeopleStaySeenAndReported(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com"}`)
	app := pgtest.App(t, db, "acme")
	user := pgtest.User(t, db, app, "u1", "u1@example.com")
	pgtest.Exec(t, db, "insert into webhooks (app_id, id, url, secret) values ($1, 1, '', '')", app.ID)
	jane, janet := identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
	gone, merged := max(jane, janet), min(jane, janet)
	kept, err := db.Saved().SaveSearch(t.Context(), user, saved.Search{Name: "S", Request: []byte("{}")},
		[]int64{gone}, 10)
	expect.NoError(t, err)
	now, watched := time.Now(), saved.Watched{ID: kept.ID}
	expect.NoError(t, db.Saved().Evaluated(t.Context(), watched, now, []int64{gone, 7}, 0, ""))
	expect.NoError(t, identity.NewService(db).Merge(t.Context(), kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
	expect.NoError(t, db.Saved().Evaluated(t.Context(), watched, now, nil, 0, "broken"))
	watched, _, err = db.Saved().NextDue(t.Context(), now, now.Add(time.Hour))
	if slices.Sort(watched.Announced); err != nil || !slices.Equal(watched.Announced, []int64{7, merged}) {
		t.Errorf("reported are %v, %v", watched.Announced, err)
	}
	for _, also := range [][]int64{nil, {gone}} { // the second time nobody has been seen
		expect.NoError(t, db.Saved().SetSeen(t.Context(), user.UserID, kept.ID, also, func(known []int64) []int64 {
			if !slices.Equal(known, []int64{merged}) {
				t.Errorf("seen are %v, want %d", known, merged)
			}
			return []int64{}
		}))
	}
}

// A merged person is on the lists of both originals once, and counts as seen if one of them was
// seen. After a split, each is on its former lists.
func TestMergedPeopleKeepTheListsOfBoth(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com"}`)
	app := pgtest.App(t, db, "acme")
	both, one := newListing(t, db, app, "u1"), newListing(t, db, app, "u2")
	both.add("jane@example.com", "janet@example.com")
	one.add("janet@example.com")
	before := both.names() + "; " + one.names()
	jane, janet := identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
	kept, err := db.Saved().SaveSearch(t.Context(), one.user, saved.Search{Name: "S", Request: []byte("{}")},
		[]int64{max(jane, janet)}, 10)
	expect.NoError(t, err)

	service := identity.NewService(db)
	expect.NoError(t, service.Merge(t.Context(), kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
	merged := min(jane, janet)
	if a, b := both.names(), one.names(); a != b || !strings.HasSuffix(a, fmt.Sprint(merged)) || strings.Contains(a,
		",") {
		t.Errorf("after the merge: %s; %s", a, b)
	}
	if unseen, err := db.Saved().Unseen(t.Context(), kept.ID, []int64{merged, 7}); err != nil ||
		!slices.Equal(unseen, []int64{7}) {
		t.Errorf("unseen are %v, %v", unseen, err)
	}
	expect.NoError(t, service.Part(t.Context(), kith.Operator(), fmt.Sprint(janet), fmt.Sprint(jane)))
	if after := both.names() + "; " + one.names(); after != before {
		t.Errorf("after the split: %s, before: %s", after, before)
	}
}

// All identifiers of a merged person mean them, also those that the index does not have.
func TestIdentifiersOfMergedPeopleFindThem(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com","social_url":"https://a.example/in/jane"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com","social_url":"https://b.example/in/janet"}`)
	l := newListing(t, db, pgtest.App(t, db, "acme"), "u1")
	jane, janet := identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
	gone, merged := max(jane, janet), min(jane, janet)
	expect.NoError(t, identity.NewService(db).Merge(t.Context(), kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
	changed, err := db.Saved().AddPeople(t.Context(), l.user, l.list.ID, []saved.Named{{ID: gone}}, 100)
	expect.NoError(t, err)
	expect.Values(t, "change of the list", []any{changed[0]}, saved.Changed{Result: saved.Added, Person: merged})
	keys := []string{fmt.Sprint("p:", gone), fmt.Sprint("i:", gone), "e:jane@example.com", "e:janet@example.com"}
	profiles := []string{"u:a.example/in/jane", "u:b.example/in/janet"} // the index has one of them
	found, err := db.PeopleByKey(t.Context(), l.user.Viewer(), slices.Concat(keys, profiles))
	expect.NoError(t, err)
	for _, key := range keys {
		if !slices.Equal(found[key], []int64{merged}) {
			t.Errorf("%s finds %v, want %d", key, found[key], merged)
		}
	}
	if other := slices.Concat(found[profiles[0]], found[profiles[1]]); !slices.Equal(other, []int64{merged}) {
		t.Errorf("profiles find %v, want %d once", other, merged)
	}
}
