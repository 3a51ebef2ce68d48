package kill_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// refreshes is the number of people that are refreshed during the kill.
const refreshes = 1000

// One of two servers is killed in the middle of 1,000 refreshes. The other finishes them: every job once, and
// every person completely. The queue takes 40 to 70 s to see that a process is gone, so this is for the long part.
func TestOtherServerFinishesRefreshes(t *testing.T) {
	effort.OnlyLong(t)
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	dsn := k.Variable("KITH_DATABASE_URL")
	var asked atomic.Int64
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-time.After(10 * time.Millisecond) // providers are slow
		profile := r.URL.Query().Get("social_url")
		fmt.Fprintf(w, `{"full_name":"Fresh %s","headline":"fresh","work_relevant":{"title":"Chief Alchemist",`+
			`"company":{"name":"Newco %s"},"start_date":"2025-01"}}`,
			path.Base(profile), path.Base(profile))
	}))
	t.Cleanup(provider.Close)
	k.Run(t, "load", k.Write(t, "people.ndjson", e2e.Stale(refreshes)))
	flags := append(e2e.Unlimited(), "--source-url", provider.URL, "--source-rate", "100000")
	first, second := k.Serve(t, flags...), k.Serve(t, flags...)
	token := k.LiveToken(t)
	ids := refreshAll(t, first, token)
	e2e.Eventually(t, "the refreshes begin", func() bool { return asked.Load() > refreshes/5 })
	second.Kill()
	if n := asked.Load(); n >= refreshes {
		t.Errorf("all refreshes ended before the kill")
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	expect.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }() // the server is discarded as well
	count := func(query string) (n int) {
		expect.NoError(t, conn.QueryRow(t.Context(), query).Scan(&n))
		return n
	}
	killed := time.Now()
	e2e.Eventually(t, "all jobs end", func() bool {
		return count("select count(*) from kith.river_job where kind = 'refresh' and finalized_at is null") == 0
	})
	t.Logf("all refreshes ended %v after the kill", time.Since(killed).Round(time.Second))
	for query, want := range map[string]int{
		"select count(*) from kith.river_job where kind = 'refresh' and state = 'completed'": refreshes,
		"select count(distinct args ->> 'key') from kith.river_job where kind = 'refresh'":   refreshes,
		"select count(*) from kith.people":                                                   refreshes,
		"select count(*) from kith.companies":                                                refreshes + 1,
		"select count(*) from kith.people where refreshed_at is not null":                    refreshes,
	} {
		if n := count(query); n != want {
			t.Errorf("%d, want %d: %s", n, want, query)
		}
	}
	if n := refreshed(t, dsn); n != refreshes {
		t.Errorf("%d people match the source and the file, want %d", n, refreshes)
	}
	for _, id := range ids {
		var answer struct{ Data struct{ Status string } }
		a := first.Get(t, "/v2/jobs/"+id, token)
		if err := json.Unmarshal(a.Body, &answer); err != nil || answer.Data.Status != "succeeded" {
			t.Fatalf("job %s: %d %s", id, a.Status, a.Body)
		}
	}
	e2e.Eventually(t, "searches find all refreshed people", func() bool {
		a := first.Search(t, token, map[string]any{
			"filters":        map[string]string{"position": "alchemist"},
			"include_counts": "global", "limit": 1, "scope": "global",
		})
		return a.Metadata.Counts.Global.Value == refreshes
	})
}

// refreshed counts the people with both the new data of the source and the old data of the load file.
func refreshed(t *testing.T, dsn string) (n int) {
	t.Helper()
	db, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	expect.NoError(t, err)
	defer db.Close()
	ids, err := db.IDs(t.Context(), record.People, 0, refreshes+1)
	expect.NoError(t, err)
	people, err := db.PeopleByID(t.Context(), ids)
	expect.NoError(t, err)
	for _, of := range people {
		p := of.Person
		ended := slices.ContainsFunc(p.WorkHistory, func(j kith.Job) bool {
			return j.Title == "Engineer" && j.EndDate != nil && *j.EndDate == "2025-01"
		})
		if p.Headline == "fresh" && p.AboutMe == "kept" && len(p.WorkHistory) == 2 && ended &&
			p.WorkRelevant.Title == "Chief Alchemist" {
			n++
		}
	}
	return n
}

// refreshAll refreshes everyone and returns the jobs.
func refreshAll(t *testing.T, s *e2e.Server, token string) (ids []string) {
	t.Helper()
	for from := 0; from < refreshes; from += 100 {
		var urls []string
		for i := range 100 {
			urls = append(urls, fmt.Sprintf("https://social.example/in/p%d", from+i))
		}
		a := s.Post(t, "/v2/people/refresh", token, map[string]any{"social_urls": urls, "realtime": false})
		var answer struct {
			Data struct {
				JobIDs []string `json:"job_ids"`
			}
		}
		if err := json.Unmarshal(a.Body, &answer); err != nil || len(answer.Data.JobIDs) != 100 {
			t.Fatalf("refresh: %d %s", a.Status, a.Body)
		}
		ids = append(ids, answer.Data.JobIDs...)
	}
	return ids
}
