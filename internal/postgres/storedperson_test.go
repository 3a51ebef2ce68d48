package postgres_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/refresh"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

// dayRecord returns the record of Ann on a day.
type dayRecord struct {
	day     int
	members string
}

func (x dayRecord) merge(t *testing.T, db *postgres.DB, profile string) record.Merged {
	t.Helper()
	done, err := loader.NewMerger(db).Merge(t.Context(), record.Fresh{
		Line: []byte(`{"full_name":"Ann"` + x.members + `}`), ProfileURL: profile, AsOf: day(x.day),
		Refreshed: day(x.day),
	}, refresh.Merge)
	expect.NoError(t, err)
	return done
}

func stored(t *testing.T, db *postgres.DB, id int64) kith.Person {
	t.Helper()
	people, err := db.PeopleByID(t.Context(), []int64{id})
	expect.NoError(t, err)
	if len(people) != 1 {
		t.Fatalf("%d people", len(people))
	}
	p := people[0].Person
	p.ID, p.SocialURL = 0, ""
	return p
}

// Records of several days, each with some members missing, give the same person in every order. The
// day of each field is stored.
func TestMergeInTheDatabaseDoesNotDependOnOrder(t *testing.T) {
	db := pgtest.NewDataset(t)
	records := []dayRecord{
		{3, `,"headline":"March","work_relevant":{"title":"CTO","company":{"name":"Acme"},"start_date":"2024-02"}`},
		{2, `,"headline":"February","about_me":"February","skills":["Go"]`},
		{1, `,"about_me":"January","email":"ann@x.example","work_relevant":{` +
			`"title":"Engineer","company":{"name":"Acme"},` +
			`"start_date":"2019"}`},
	}
	var first kith.Person
	for n, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {
		2, 1, 0, 1, 2,
		0,
	}} {
		profile := fmt.Sprintf("https://social.example/in/ann-%d", n)
		var id int64
		for _, i := range order {
			id = records[i].merge(t, db, profile).ID
		}
		got := stored(t, db, id)
		if n == 0 {
			first = got
			if got.Headline != "March" || got.AboutMe != "February" || got.Email != "ann@x.example" ||
				len(got.Skills) != 1 || len(got.WorkHistory) != 2 ||
				got.WorkRelevant.Title != "CTO" || got.WorkHistory[1].EndDate == nil ||
				*got.WorkHistory[1].EndDate != "2024-02" {
				t.Errorf("stored %+v", got)
			}
		}
		if !reflect.DeepEqual(got, first) {
			t.Errorf("in the order %v:\n%+v\n%+v", order, got, first)
		}
		if again := records[1].merge(t, db, profile); again.Outcome != record.Unchanged {
			t.Errorf("merging a record again: %+v", again)
		}
	}
}

// A load replaces the record, and dates all of its fields with the day of the file.
func TestLoadReplacesRecordsAndDatesTheirFields(t *testing.T) {
	db := pgtest.NewDataset(t)
	const profile = "https://social.example/in/ann"
	loaded := func(day time.Time, members string) {
		t.Helper()
		opts := loader.Options{Kind: record.People, AsOf: day}
		pgtest.LoadOwned(t, db, record.Everyone, opts, person("Ann", members))
	}
	loaded(day(5), `,"headline":"loaded","about_me":"loaded"`)
	id := dayRecord{4, `,"headline":"older","email":"ann@x.example"`}.merge(t, db, profile).ID
	if p := stored(t, db, id); p.Headline != "loaded" || p.Email != "ann@x.example" {
		t.Errorf("an older record must fill gaps only: %+v", p)
	}
	dayRecord{6, `,"headline":"newer"`}.merge(t, db, profile)
	if p := stored(t, db, id); p.Headline != "newer" || p.AboutMe != "loaded" {
		t.Errorf("a newer record must overwrite its fields: %+v", p)
	}
	// The changed file replaces the record, with the day of the file.
	loaded(day(7), `,"headline":"loaded again"`)
	if p := stored(t, db, id); p.Headline != "loaded again" || p.AboutMe != "" || p.Email != "" {
		t.Errorf("a load must replace the record: %+v", p)
	}
	dayRecord{6, `,"headline":"newer","about_me":"fills"`}.merge(t, db, profile)
	if p := stored(t, db, id); p.Headline != "loaded again" || p.AboutMe != "fills" {
		t.Errorf("after a record older than the load: %+v", p)
	}
	dayRecord{8, `,"headline":"newest"`}.merge(t, db, profile)
	if p := stored(t, db, id); p.Headline != "newest" {
		t.Errorf("after a record newer than the load: %+v", p)
	}
}

// A person of several profiles keeps all of them when one is refreshed, and is erased under all.
func TestRefreshKeepsTheProfilesOfAMergedPerson(t *testing.T) {
	db := pgtest.NewDataset(t)
	const one, other = "https://a.example/in/ann", "https://b.example/ann"
	line := `{"full_name":"Ann","email":"ann@x.example","social_url":%q,"as_of":"2026-01-02T00:00:00Z"}`
	unite(t, db, 1, fmt.Sprintf(line, other), fmt.Sprintf(line, one))
	ann := identify(t, db, other)
	check := func(when string) {
		t.Helper()
		for _, profile := range []string{one, other} {
			if ids := identify(t, db, profile); len(ids) != 1 || ids[0] != ann[0] {
				t.Errorf("%s: %s is that of %v, want %v", when, profile, ids, ann)
			}
		}
	}
	check("merged")
	dayRecord{6, `,"headline":"CTO"`}.merge(t, db, one)
	check("one profile refreshed")
	dayRecord{7, `,"about_me":"Hello"`}.merge(t, db, other)
	check("the other one refreshed")
	unite(t, db, 10, `{"full_name":"Ann","email":"ann@x.example","skills":["Go"]}`)
	check("merged again")
	dayRecord{8, `,"headline":"CEO"`}.merge(t, db, one)
	_, err := forget(t.Context(), db, one)
	expect.NoError(t, err)
	if stats := unite(t, db, 10, fmt.Sprintf(`{"full_name":"Ann","social_url":%q}`, other)); stats.Suppressed != 1 {
		t.Errorf("after the erasure: %s", stats)
	}
}
