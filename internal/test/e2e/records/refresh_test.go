package records_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kith/internal/test/e2e"
)

// Without a process with a source, jobs and doctor report unclaimed refreshes. A source ends that.
func TestUnclaimedRefreshesAreReported(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "load", k.Write(t, "people.ndjson",
		[]e2e.Record{{"full_name": "Jane Doe", "social_url": "https://social.example/in/jane"}}))
	says := func(unserved bool, code int, text string, err error) {
		t.Helper()
		if e2e.ExitCode(err) != code || strings.Contains(text, "no running process has a data source") != unserved ||
			strings.Contains(text, "--source-url") != unserved {
			t.Errorf("code %d\n%s", e2e.ExitCode(err), text)
		}
	}
	_, stderr, err := k.Try(t, "jobs")
	says(false, 0, stderr, err)
	_, stderr, err = k.Try(t, "refresh", "--older-than", "0s", "--no-wait")
	says(true, 0, stderr, err)
	s := k.Serve(t, "--refresh-after", "1d")
	if !strings.Contains(s.Output(), "--refresh-after does nothing") {
		t.Errorf("the log does not report the missing source:\n%s", s.Output())
	}
	stdout, stderr, err := k.Try(t, "jobs")
	says(true, 0, stderr, err)
	says(false, 0, stdout, nil)
	stdout, _, err = k.Try(t, "doctor")
	says(true, 1, stdout, err)
	k.Run(t, "refresh", "--older-than", "0s", "--source-dir", k.Dir) // the folder has the load file
	stdout, _, err = k.Try(t, "doctor")
	says(false, 0, stdout, err)
}

// The test logs how long it takes until a search finds refreshed data.
func TestSearchesFindRefreshedPeople(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		people := e2e.Stale(1000)
		k.Run(t, "load", k.Write(t, "people.ndjson", people))
		dir := t.TempDir()
		other := e2e.Kith{Dir: dir}
		var fresh []e2e.Record
		skill := func(i int) string { return fmt.Sprintf("Zymurgy%d", i) }
		for i := range people[:20] {
			fresh = append(fresh, e2e.Changed(people[i:i+1], e2e.Record{"skills": []string{skill(i)}})...)
		}
		other.Write(t, "fresh.ndjson", fresh)
		s, token := k.Serve(t, append(e2e.Unlimited(), "--source-dir", dir)...), k.LiveToken(t)
		e2e.Eventually(t, "searches find the loaded people", func() bool { return s.Found(t, token) == len(people) })
		for i, person := range fresh {
			asked := time.Now()
			a := s.Post(t, "/v2/people/refresh", token, map[string]any{
				"social_urls": person["social_url"],
				"realtime":    true,
			})
			answered := time.Now()
			if !strings.Contains(string(a.Body), `"failures":[]`) || !strings.Contains(string(a.Body), `"people":[{`) {
				t.Fatalf("refresh: %d %s", a.Status, a.Body)
			}
			e2e.Eventually(t, "the refreshed person is found", func() bool {
				return len(s.Search(t, token, map[string]any{
					"filters": map[string]string{"skills": skill(i)},
					"scope":   "global",
				}).Data) == 1
			})
			t.Logf("answered after %v, found %v later", answered.Sub(asked).Round(time.Millisecond),
				time.Since(answered).Round(time.Millisecond))
		}
	})
}

// kith refresh updates a dataset from files, and kith jobs lists its jobs.
func TestRefreshCommandUsesFiles(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	people := e2e.Stale(3)
	k.Run(t, "load", k.Write(t, "people.ndjson", people))
	fresh := e2e.Changed(people[:2], e2e.Record{"headline": "fresh"})
	dir := t.TempDir()
	other := e2e.Kith{Dir: dir}
	other.Write(t, "fresh.ndjson", fresh)
	if out := k.Run(t, "refresh", "--older-than", "1h", "--source-dir", dir); !strings.Contains(out, "refresh: 0") {
		t.Errorf("a refresh right after the load: %s", out)
	}
	if out := k.Run(t, "refresh", "--older-than", "0s", "--source-dir", dir); !strings.Contains(out, "refresh: 3") ||
		!strings.Contains(out, "2 people refreshed, 1 failed") {
		t.Errorf("refresh of everyone: %s", out)
	}
	out := k.Run(t, "jobs", "--kind", "refresh", "--json")
	if strings.Count(out, "succeeded") != 2 || strings.Count(out, "PERSON_NOT_FOUND") != 1 {
		t.Errorf("jobs: %s", out)
	}
	if out := k.Run(t, "refresh", "--older-than", "0s", "--no-wait"); !strings.Contains(out, "refresh: 3") {
		t.Errorf("a refresh without waiting: %s", out)
	}
	if _, stderr, err := k.Try(t, "refresh", "--older-than", "0s", "--source-dir",
		t.TempDir()); e2e.ExitCode(err) != 1 || !strings.Contains(stderr, "nobody was refreshed") {
		t.Errorf("a source without profiles: %v %s", err, stderr)
	}
	if _, stderr, err := k.Try(t, "refresh", "--older-than", "90d"); err == nil || !strings.Contains(stderr,
		"no source") {
		t.Errorf("a refresh without a source: %v %s", err, stderr)
	}
}
