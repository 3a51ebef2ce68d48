package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/pgtest"
)

// TestUnservedRefreshes has people refreshed where no process has a source: jobs and doctor
// say so, until there is one.
func TestUnservedRefreshes(t *testing.T) {
	t.Parallel()
	k := newKith(t, engines()[0])
	k.run(t, "load", k.write(t, "people.ndjson", []record{{"full_name": "Jane Doe", "social_url": "https://social.example/in/jane"}}))
	says := func(unserved bool, code int, text string, err error) {
		t.Helper()
		if exitCode(err) != code || strings.Contains(text, "no process is there that has a source") != unserved || strings.Contains(text, "--source-url") != unserved {
			t.Errorf("code %d\n%s", exitCode(err), text)
		}
	}
	_, stderr, err := k.try(t, "jobs")
	says(false, 0, stderr, err)
	_, stderr, err = k.try(t, "refresh", "--older-than", "0s", "--no-wait")
	says(true, 0, stderr, err)
	s := k.serve(t, "--refresh-after", "1d")
	if !strings.Contains(s.output(), "--refresh-after does nothing") {
		t.Errorf("that there is nothing to refresh from is not said:\n%s", s.output())
	}
	stdout, stderr, err := k.try(t, "jobs")
	says(true, 0, stderr, err)
	says(false, 0, stdout, nil)
	stdout, _, err = k.try(t, "doctor")
	says(true, 1, stdout, err)
	k.run(t, "refresh", "--older-than", "0s", "--source-dir", k.dir) // which has the load file
	stdout, _, err = k.try(t, "doctor")
	says(false, 0, stdout, err)
}

// refreshes is how many people are refreshed while a process is killed.
const refreshes = 1000

// TestKilledRefresh kills one of two servers in the middle of 1,000 refreshes.
// The other ends what it began: every job once, and every person whole.
func TestKilledRefresh(t *testing.T) {
	t.Parallel()
	dsn := pgtest.URL(t)
	k := newKith(t, engine{name: "shared postgres", env: func(*testing.T) []string { return []string{"KITH_DATABASE_URL=" + dsn} }})
	var asked atomic.Int64
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-time.After(10 * time.Millisecond) // a provider takes its time
		profile := r.URL.Query().Get("social_url")
		fmt.Fprintf(w, `{"full_name":"Fresh %s","headline":"fresh","work_relevant":{"title":"Chief Alchemist","company":{"name":"Newco %s"},"start_date":"2025-01"}}`,
			path.Base(profile), path.Base(profile))
	}))
	t.Cleanup(provider.Close)
	k.run(t, "load", k.write(t, "people.ndjson", staleFolk()))
	flags := append(unlimited(), "--source-url", provider.URL, "--source-rate", "100000")
	first, second := k.serve(t, flags...), k.serve(t, flags...)
	token := k.liveToken(t)
	ids := first.refreshAll(t, token)
	eventually(t, "the refreshes begin", func() bool { return asked.Load() > refreshes/5 })
	second.kill()
	if n := asked.Load(); n >= refreshes {
		t.Errorf("all were refreshed when the server was killed: that is not its middle")
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }() // the server is thrown away with it
	count := func(query string) (n int) {
		if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	killed := time.Now()
	eventually(t, "all jobs end", func() bool {
		return count("select count(*) from kith.river_job where kind = 'refresh' and finalized_at is null") == 0
	})
	t.Logf("all had ended %v after the server was killed", time.Since(killed).Round(time.Second))
	for query, want := range map[string]int{
		"select count(*) from kith.river_job where kind = 'refresh' and state = 'completed'":                  refreshes,
		"select count(distinct args ->> 'key') from kith.river_job where kind = 'refresh'":                    refreshes,
		"select count(*) from kith.people":                                                                    refreshes,
		"select count(*) from kith.companies":                                                                 refreshes + 1,
		"select count(*) from kith.people where refreshed_at is not null and record ->> 'headline' = 'fresh'": refreshes,
		`select count(*) from kith.people where jsonb_array_length(record -> 'work_history') = 2
			and record -> 'work_relevant' ->> 'title' = 'Chief Alchemist' and record ->> 'about_me' = 'kept'
			and exists (select from jsonb_array_elements(record -> 'work_history') j where j ->> 'title' = 'Engineer' and j ->> 'end_date' = '2025-01')`: refreshes,
	} {
		if n := count(query); n != want {
			t.Errorf("%d, want %d: %s", n, want, query)
		}
	}
	for _, id := range ids {
		var answer struct{ Data struct{ Status string } }
		a := first.get(t, "/v2/jobs/"+id, token)
		if err := json.Unmarshal(a.body, &answer); err != nil || answer.Data.Status != "succeeded" {
			t.Fatalf("job %s: %d %s", id, a.status, a.body)
		}
	}
	eventually(t, "all are found as they are now", func() bool {
		a := first.search(t, token, map[string]any{"filters": map[string]string{"position": "alchemist"}, "include_counts": "global", "limit": 1, "scope": "global"})
		return a.Metadata.Counts.Global.Value == refreshes
	})
}

// TestRefreshedIsFound measures how long it takes until a search finds what a
// refresh brought.
func TestRefreshedIsFound(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		people := staleFolk()
		k.run(t, "load", k.write(t, "people.ndjson", people))
		dir := t.TempDir()
		other := kith{dir: dir}
		var fresh []record
		skill := func(i int) string { return fmt.Sprintf("Zymurgy%d", i) }
		for i := range people[:20] {
			fresh = append(fresh, changed(people[i:i+1], record{"skills": []string{skill(i)}})...)
		}
		other.write(t, "fresh.ndjson", fresh)
		s, token := k.serve(t, append(unlimited(), "--source-dir", dir)...), k.liveToken(t)
		eventually(t, "the load is found", func() bool { return s.found(t, token) == len(people) })
		for i, person := range fresh {
			asked := time.Now()
			a := s.post(t, "/v2/people/refresh", token, map[string]any{"social_urls": person["social_url"], "realtime": true})
			answered := time.Now()
			if !strings.Contains(string(a.body), `"failures":[]`) || !strings.Contains(string(a.body), `"people":[{`) {
				t.Fatalf("%d %s", a.status, a.body)
			}
			eventually(t, "the refreshed person is found", func() bool {
				return len(s.search(t, token, map[string]any{"filters": map[string]string{"skills": skill(i)}, "scope": "global"}).Data) == 1
			})
			t.Logf("answered after %v, found %v later", answered.Sub(asked).Round(time.Millisecond), time.Since(answered).Round(time.Millisecond))
		}
	})
}

// staleFolk are people with a job each.
func staleFolk() []record {
	out := make([]record, refreshes)
	for i := range out {
		out[i] = record{
			"full_name": fmt.Sprintf("Person %d", i), "social_url": fmt.Sprintf("https://social.example/in/p%d", i), "about_me": "kept",
			"work_relevant": record{"title": "Engineer", "company": record{"name": "Oldco"}, "start_date": "2019-02"},
		}
	}
	return out
}

// refreshAll has everyone refreshed and returns the jobs.
func (s *server) refreshAll(t *testing.T, token string) (ids []string) {
	t.Helper()
	for from := 0; from < refreshes; from += 100 {
		var urls []string
		for i := range 100 {
			urls = append(urls, fmt.Sprintf("https://social.example/in/p%d", from+i))
		}
		a := s.post(t, "/v2/people/refresh", token, map[string]any{"social_urls": urls, "realtime": false})
		var answer struct {
			Data struct {
				JobIDs []string `json:"job_ids"`
			}
		}
		if err := json.Unmarshal(a.body, &answer); err != nil || len(answer.Data.JobIDs) != 100 {
			t.Fatalf("refresh: %d %s", a.status, a.body)
		}
		ids = append(ids, answer.Data.JobIDs...)
	}
	return ids
}

// TestRefreshCommand refreshes a directory from files, and lists the jobs.
func TestRefreshCommand(t *testing.T) {
	t.Parallel()
	k := newKith(t, engines()[0])
	people := staleFolk()[:3]
	k.run(t, "load", k.write(t, "people.ndjson", people))
	fresh := changed(people[:2], record{"headline": "fresh"})
	dir := t.TempDir()
	other := kith{dir: dir}
	other.write(t, "fresh.ndjson", fresh)
	if out := k.run(t, "refresh", "--older-than", "1h", "--source-dir", dir); !strings.Contains(out, "refreshed: 0") {
		t.Errorf("who was stored just now: %s", out)
	}
	if out := k.run(t, "refresh", "--older-than", "0s", "--source-dir", dir); !strings.Contains(out, "refreshed: 3") || !strings.Contains(out, "2 people were refreshed, and 1 could not be") {
		t.Errorf("%s", out)
	}
	out := k.run(t, "jobs", "--kind", "refresh")
	if strings.Count(out, "succeeded") != 2 || strings.Count(out, "PERSON_NOT_FOUND") != 1 {
		t.Errorf("%s", out)
	}
	if out := k.run(t, "refresh", "--older-than", "0s", "--no-wait"); !strings.Contains(out, "refreshed: 3") {
		t.Errorf("queued for a server: %s", out)
	}
	if _, stderr, err := k.try(t, "refresh", "--older-than", "0s", "--source-dir", t.TempDir()); exitCode(err) != 1 || !strings.Contains(stderr, "nobody could be refreshed") {
		t.Errorf("a source that knows nobody: %v %s", err, stderr)
	}
	if _, stderr, err := k.try(t, "refresh", "--older-than", "90d"); err == nil || !strings.Contains(stderr, "no source") {
		t.Errorf("without a source: %v %s", err, stderr)
	}
}

// demoRefreshes refreshes people of the demo, which is its own source: they are
// fresh then, and as they were.
func demoRefreshes(t *testing.T, s *server) {
	who := map[string]any{"filters": map[string]string{"position": "engineer"}, "scope": "global", "limit": 3}
	before := s.post(t, "/v2/people/search", demoToken, who)
	var page struct {
		Data []struct {
			ID  int64
			URL string `json:"social_url"`
		}
	}
	if err := json.Unmarshal(before.body, &page); err != nil || len(page.Data) != 3 {
		t.Fatalf("%v: %s", err, before.body)
	}
	urls := []string{"https://social.example/in/nobody-of-the-demo"}
	for _, p := range page.Data {
		urls = append(urls, p.URL)
	}
	a := s.post(t, "/v2/people/refresh", demoToken, map[string]any{"social_urls": urls, "realtime": true})
	var got struct {
		Data struct {
			People   []struct{ ID int64 }
			Failures []struct{ Error string }
		}
	}
	if err := json.Unmarshal(a.body, &got); err != nil || len(got.Data.People) != 3 || len(got.Data.Failures) != 1 {
		t.Fatalf("%v: %d %s", err, a.status, a.body)
	}
	for i, p := range got.Data.People {
		if p.ID != page.Data[i].ID {
			t.Errorf("person %d is refreshed as %d", page.Data[i].ID, p.ID)
		}
	}
	if code := got.Data.Failures[0].Error; code != "PERSON_NOT_FOUND" {
		t.Errorf("who is not in the demo: %s", code)
	}
	var people struct{ Data json.RawMessage }
	data := func(a answer) string {
		if err := json.Unmarshal(a.body, &people); err != nil {
			t.Fatal(err)
		}
		return string(people.Data)
	}
	if was, is := data(before), data(s.post(t, "/v2/people/search", demoToken, who)); was != is {
		t.Errorf("a refresh from itself changed people:\n%s\n%s", was, is)
	}
}
