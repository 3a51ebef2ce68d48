package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
)

func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	expect.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func person(name, members string) string {
	return fmt.Sprintf(`{"full_name":%q,"social_url":"https://social.example/in/%s"%s}`, name, strings.ToLower(name),
		members)
}

func identify(t testing.TB, db *postgres.DB, identifier string) []int64 {
	t.Helper()
	ids, err := db.Identify(t.Context(), kith.Operator(), identifier)
	expect.NoError(t, err)
	return ids
}

// found returns the records that a search finds, by id.
func found(t testing.TB, s index.Searcher) map[int64]kith.Person {
	t.Helper()
	hits, err := s.Find(t.Context(), index.People, index.FindRequest{Query: query.All{}, Limit: 1 << 20})
	expect.NoError(t, err)
	people := map[int64]kith.Person{}
	for _, h := range hits {
		var p kith.Person
		expect.NoError(t, json.Unmarshal(h.Record, &p))
		people[h.ID] = p
	}
	return people
}

const everyField = `{"id":41,"first_name":"José","last_name":"Núñez","full_name":"José Núñez",
	"social_url":"https://social.example/in/jose-nunez",
"headline":"VP Eng \"at\" Stripe","about_me":"line\nline","location":{"city":"Berlin","state":null,
	"country":"Germany"},"image_url":"https://img.example/1.png",
"work_relevant":{"title":"VP Eng","company":{"id":7},"start_date":"2021-03-01","end_date":null},
"work_history":[{"title":"Senior Software Engineer","company":{"id":9,"name":"Siemens"},"start_date":"2015-01",
	"end_date":"2021-02"},{"title":"Freelancer"}],
"education_history":[{"institute":"TU Munich","degree":"MSc","field_of_study":"Computer Science","start_date":"2012",
	"end_date":"2014"}],
"email":"Jose@Example.com","skills":["Go","C++"]}`

const everyCompanyField = `{"id":7,"name":"Stripe","domain":"stripe.example",
	"social_url":"https://social.example/company/stripe","industry":"Financial Services",
"employee_count":8000,"founded_year":2010,"location":{"city":"San Francisco","state":"California",
	"country":"United States"},"keywords":["payments","fintech"],
"image_url":"https://img.example/2.png","headquarters":"SF","type":"Private","funding":{"price":"$8B",
	"investors":[{"name":"Fund"}],"last_round_date":"2021-03",
"last_round_stage":"Series H","number_of_rounds":20},"description":"Pays.","aliases":["Stripe Inc"]}`

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "") }

func TestRecordsAreReadBackUnchanged(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.Companies, oneLine(everyCompanyField))
	pgtest.Load(t, db, record.People, oneLine(everyField))
	companies, err := db.CompaniesByID(t.Context(), []int64{7, 9, 100})
	expect.NoError(t, err)
	var company kith.Company
	expect.NoError(t, json.Unmarshal([]byte(everyCompanyField), &company))
	if len(companies) != 2 || !reflect.DeepEqual(companies[0].Company, company) {
		t.Fatalf("got %+v", companies)
	}
	var want kith.Person
	expect.NoError(t, json.Unmarshal([]byte(everyField), &want))
	want.WorkRelevant.Company = company
	for range 2 { // from the table, then with cached companies
		people, err := db.PeopleByID(t.Context(), []int64{41, 42})
		expect.NoError(t, err)
		if len(people) != 1 || !reflect.DeepEqual(people[0].Person, want) {
			t.Fatalf("got  %+v\nwant %+v", people, want)
		}
	}
}

func TestIdentifyFindsPeopleByAnyIdentifier(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.Companies, oneLine(everyCompanyField))
	pgtest.Load(t, db, record.People, oneLine(everyField), person("Ann", `,"id":5,"email":"both@x.example"`),
		person("Bob", `,"id":6,"email":"both@x.example"`),
		`{"id":77,"full_name":"Seven","social_url":"https://other.example/p/ann"}`,
		`{"id":78,"full_name":"Digits","social_url":"https://other.example/p/123456"}`)
	for identifier, want := range map[string][]int64{
		"41": {41}, "jose-nunez": {41}, "@Jose-Nunez": {41}, "https://social.example/in/jose-nunez": {41},
		"http://www.social.example/in/Jose-Nunez/?x=1": {41},
		"social.example/in/jose-nunez":                 {41}, "jose@example.com": {41}, "JOSE@example.com": {41},
		" 41 ":           {41},
		"both@x.example": {5, 6}, "ann": {5, 77}, "78": {78}, "123456": nil, "https://other.example/p/123456": {78},
		"nobody": nil, "": nil, "42": nil, "https://": nil, "'; drop table people": nil, "-1": nil,
	} {
		if got := identify(t, db, identifier); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", identifier, got, want)
		}
	}
}

func TestReloadingChangesNothing(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.Companies, oneLine(everyCompanyField))
	pgtest.Load(t, db, record.People, oneLine(everyField), person("Ann", ""))
	last, err := db.Last(t.Context())
	expect.NoError(t, err)
	stats := pgtest.Load(t, db, record.Companies, oneLine(everyCompanyField))
	if stats.Unchanged != 1 {
		t.Fatalf("got the stats %v, want the company unchanged", stats)
	}
	if stats = pgtest.Load(t, db, record.People, oneLine(everyField), person("Ann", "")); stats.Unchanged != 2 {
		t.Fatalf("got the stats %v, want the people unchanged", stats)
	}
	if again, err := db.Last(t.Context()); err != nil || again != last {
		t.Fatalf("something was queued: %v", err)
	}
}

// The version of a person's document grows with a change of one of their companies. Cached
// companies are never outdated.
func TestCompanyChangeReachesPeople(t *testing.T) {
	db, ix := pgtest.NewDataset(t), memindex.New()
	d := indexer.NewDrainer(db, ix, zerolog.Nop())
	pgtest.Load(t, db, record.Companies, `{"id":7,"name":"One"}`)
	pgtest.Load(t, db, record.People, person("Ann", `,"id":1,"work_relevant":{"title":"CTO","company":{"id":7}}`),
		person("Bob", `,"id":2`))
	expect.NoError(t, d.Drain(t.Context()))
	for _, name := range []string{"Two", "Three"} {
		pgtest.Load(t, db, record.Companies, `{"id":7,"name":"`+name+`"}`)
		if n, err := d.Backlog(t.Context()); err != nil || n != 2 {
			t.Fatalf("backlog %d, %v", n, err)
		}
		expect.NoError(t, d.Drain(t.Context()))
		if got := found(t, ix)[1].WorkRelevant.Company.Name; got != name {
			t.Fatalf("the indexed headquarters are %s", got)
		}
	}
}

func TestCompaniesCanSwapProfiles(t *testing.T) {
	db := pgtest.NewDataset(t)
	a, b := `"social_url":"https://social.example/company/a"`, `"social_url":"https://social.example/company/b"`
	pgtest.Load(t, db, record.Companies, `{"id":1,"name":"A",`+a+`}`, `{"id":2,"name":"B",`+b+`}`)
	stats := pgtest.Load(t, db, record.Companies, `{"id":1,"name":"A"}`, `{"id":2,"name":"B",`+a+`}`,
		`{"id":1,"name":"A",`+b+`}`, `{"id":3,"name":"C","domain":"c.example"}`)
	if stats.Changed != 2 || stats.Created != 1 {
		t.Fatalf("got the stats %v, want 2 changed and 1 created", stats)
	}
}

// New ids are exact in JSON, above those of files, also of deleted people and after the largest id. No two are equal,
// and they do not rise with the lines of a file.
func TestNewIDsAreRandom(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.People, person("Ann", `,"id":100`), person("Max", `,"id":9007199254740991`))
	_, err := indexer.NewKeeper(db).Delete(t.Context(), "100")
	expect.NoError(t, err)
	var ids []int64
	for batch := range 3 {
		var lines []string
		for i := range 20 {
			lines = append(lines, person(fmt.Sprintf("Bob%d", 100*batch+i), ""))
		}
		pgtest.Load(t, db, record.People, lines...)
		for i := range lines {
			ids = append(ids, identify(t, db, fmt.Sprintf("bob%d", 100*batch+i))...)
		}
	}
	expect.Len(t, "ids", ids, 60)
	for batch := range slices.Chunk(ids, 20) {
		if slices.IsSorted(batch) {
			t.Errorf("ids in the order of a file: %d", batch)
		}
	}
	slices.Sort(ids)
	if ids[0] < 1<<46 || ids[59] >= 1<<53 || len(slices.Compact(ids)) != 60 {
		t.Errorf("ids out of range or repeated: %d", ids)
	}
}

// A new record gets a free id, even if a file has given the very first one.
func TestNewIDsDoNotCollideWithThoseOfFiles(t *testing.T) {
	for _, kept := range []int64{1, 2, 7} {
		db := pgtest.NewDataset(t)
		pgtest.Load(t, db, record.Companies, fmt.Sprintf(`{"id":%d,"name":"First"}`, kept))
		pgtest.Load(t, db, record.People, person("Ann", fmt.Sprintf(`,"id":%d`, kept)))
		companies := pgtest.Load(t, db, record.Companies, `{"name":"Second"}`)
		people := pgtest.Load(t, db, record.People, person("Ben", ""), person("Cem", ""))
		if companies.Created != 1 || people.Created != 2 {
			t.Errorf("beside id %d: %d companies and %d people are new, want 1 and 2", kept, companies.Created,
				people.Created)
		}
		if ids := identify(t, db, "https://social.example/in/ann"); !slices.Equal(ids, []int64{kept}) {
			t.Errorf("Ann of id %d: %v", kept, ids)
		}
	}
}

// Of several companies of one name, the name means the oldest, in one file the first: ids are random.
func TestNamesMeanTheOldestCompany(t *testing.T) {
	db := pgtest.NewDataset(t)
	for i := range 8 {
		first, second := fmt.Sprintf(`{"name":"Acme%d","domain":"first%[1]d.example"}`, i),
			fmt.Sprintf(`{"name":"Acme%d","domain":"second%[1]d.example"}`, i)
		if i%2 == 0 {
			pgtest.Load(t, db, record.Companies, first, second)
		} else {
			pgtest.Load(t, db, record.Companies, first)
			pgtest.Load(t, db, record.Companies, second)
		}
		name := fmt.Sprintf("Ann%d", i)
		pgtest.Load(t, db, record.People, person(name, fmt.Sprintf(`,"work_relevant":{"title":"Baker",`+
			`"company":{"name":"Acme%d"}}`, i)))
		people, err := db.People(t.Context(), kith.Operator(), identify(t, db, name))
		expect.NoError(t, err)
		expect.Len(t, "people of the name", people, 1)
		if got := people[0].WorkRelevant.Company.Domain; got != fmt.Sprintf("first%d.example", i) {
			t.Errorf("%s works at %s", name, got)
		}
	}
}

// A line of a file does not replace a record with an assigned id: files count from 1, and assigned ids start higher.
func TestIDsOfFilesDoNotCollideWithNewOnes(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.People, person("Ann",
		`,"work_relevant":{"title":"Baker","company":{"name":"Bakery"},"start_date":"2020"}`))
	companies := pgtest.Load(t, db, record.Companies, `{"id":1,"name":"Bank"}`, `{"id":2,"name":"Bar"}`)
	people := pgtest.Load(t, db, record.People, person("Ben", `,"id":1`), person("Cem", `,"id":2`))
	if companies.Created != 2 || people.Created != 2 {
		t.Errorf("%d companies and %d people are new, want 2 and 2", companies.Created, people.Created)
	}
}

func TestRankEpochIncreases(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	for want := range int64(3) {
		if got, err := db.RankEpoch(t.Context()); got != want || err != nil {
			t.Fatalf("epoch %d, %v", got, err)
		}
		expect.NoError(t, db.BumpRankEpoch(t.Context()))
	}
}

func TestConcurrentMigrationsSucceed(t *testing.T) {
	url := pgtest.URL(t)
	errs := make(chan error, 3)
	for range cap(errs) {
		db, err := postgres.Open(t.Context(), url, postgres.Options{Schema: "Odd \"Name\""})
		expect.NoError(t, err)
		t.Cleanup(db.Close)
		go func() { errs <- db.Migrate(context.Background()) }()
	}
	for range cap(errs) {
		expect.NoError(t, <-errs)
	}
	db := pgtest.Dataset(t, url, postgres.Options{})
	_, err := connect(t, url).Exec(t.Context(),
		"insert into kith.schema_version (version, name) values (1000, '1000_future.sql')")
	expect.NoError(t, err)
	if err := db.Migrate(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "version 1000 and this kith knows only") {
		t.Fatalf("got %v", err)
	}
}

func TestCallsAreUnavailableWhilePostgresIsStopped(t *testing.T) {
	server := pgtest.NewServer(t)
	url := server.URL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	pgtest.Load(t, db, record.People, person("Ann", ""))
	server.Stop(t)
	ctx := t.Context()
	for name, call := range map[string]func() error{
		"ping": func() error { return db.Ping(ctx) },
		"read": func() error { _, err := db.PeopleByID(ctx, []int64{1}); return err },
		"ids":  func() error { _, err := db.Identify(ctx, kith.Operator(), "ann"); return err },
		"write": func() error {
			return db.Write(ctx, record.ForEveryone(), func(context.Context, record.Tx) error { return nil })
		},
		"outbox": func() error { _, err := db.Take(ctx, 0, 1); return err },
		"lock":   func() error { _, err := db.Lock(ctx, "x"); return err },
		"key":    func() error { _, err := db.Keys().Ring(ctx); return err },
		"wait":   func() error { return db.Wait(ctx) },
	} {
		if err := call(); kith.KindOf(err) != kith.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := postgres.Open(ctx, url, postgres.Options{}); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("open: %v", err)
	}
	server.Start(t)
	if ids := identify(t, db, "ann"); len(ids) != 1 {
		t.Fatalf("after a restart: %v", ids)
	}
}

func TestErrorsHideTheAddress(t *testing.T) {
	_, err := postgres.Open(t.Context(), "postgres://kith:secret@host:port/x", postgres.Options{})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Fatalf("got %v", err)
	}
}
