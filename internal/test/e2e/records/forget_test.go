package records_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// An erased person shows up nowhere: at once, and after a load and a reindex.
func TestErasedPeopleShowUpNowhere(t *testing.T) {
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		who := e2e.Changed(g.People[:1], e2e.Record{ // values that nobody else has
			"full_name": "Quillon Xylander", "first_name": "Quillon", "last_name": "Xylander",
			"skills": []string{"Zymurgy"}, "email": "zymurgist@example.com",
			"work_relevant": e2e.Record{
				"title":   "Zymurgist",
				"company": e2e.Record{"name": "Zymurgy Works", "domain": "zymurgy.example"}, "start_date": "2020-01",
			},
		})[0]
		people := append([]e2e.Record{who}, g.People[1:300]...)
		url, _ := who["social_url"].(string)
		name, _ := who["full_name"].(string)
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson",
			e2e.Changed([]e2e.Record{who}, e2e.Record{"full_name": "Quillon Vexforth", "last_name": "Vexforth"})))
		k.Run(t, "load", k.Write(t, "people.ndjson", people))
		source := e2e.Kith{Dir: t.TempDir()} // which still has the person
		source.Write(t, "fresh.ndjson", []e2e.Record{{"full_name": name, "social_url": url, "headline": "Fresh"}})
		s, token := k.Serve(t, append(e2e.Unlimited(), "--source-dir", source.Dir)...), k.LiveToken(t)
		gone := &absence{t: t, s: s, k: k, token: token, url: url, name: name, id: who.ID()}
		if n := gone.places(); n != 12 {
			t.Fatalf("the person is in %d places before the erasure", n)
		}
		if n := gone.suggestions(); n != 5 && k.Engine == "postgres" {
			t.Fatalf("the dataset's words explain %d prompts", n)
		}
		job := gone.refresh()
		s.Post(t, "/v2/user/relationships", token, map[string]any{"people": []string{url}})
		gone.approach()
		if gone.outreach() != 3 || gone.paths() != 2 {
			t.Fatalf("leads, e-mails and activities show the person %d times, paths %d times", gone.outreach(),
				gone.paths())
		}
		out := k.Run(t, "export-subject", url)
		expect.Parts(t, "export", out, name, `"relationships": [`, `"leads": [`, "Dear "+name)
		expect.Parts(t, "erasure", k.Run(t, "forget", "--yes", url), "forgotten")
		e2e.Eventually(t, "the person is gone", func() bool { return gone.places() == 0 })
		if n := gone.suggestions(); n != 0 {
			t.Errorf("the dataset's words explain %d prompts", n)
		}
		a := s.Get(t, "/v2/jobs/"+job, token)
		expect.Values(t, "job that refreshed the person",
			[]any{a.Status, gone.in(a.Body), strings.Contains(string(a.Body), url)}, http.StatusOK, 0, false)
		expect.Values(t, "mentions in outreach and in paths", []any{gone.outreach(), gone.paths()}, 0, 0)
		expect.Parts(t, "load of the erased person", k.Run(t, "load", k.Write(t, "people.ndjson", people)),
			"1 suppressed")
		k.Run(t, "reindex")
		a = s.Post(t, "/v2/people/refresh", token, map[string]any{"social_urls": url, "realtime": true})
		expect.Parts(t, "refresh of the erased person", string(a.Body), `"error":"PERSON_SUPPRESSED"`)
		if n := gone.places() + gone.outreach() + gone.paths() + gone.suggestions(); n != 0 {
			t.Errorf("the person is again in %d places", n)
		}
		if n := s.Found(t, token); n != len(people)-1 {
			t.Errorf("%d people are found, want %d", n, len(people)-1)
		}
		for _, mark := range []string{
			url, url[strings.LastIndex(url, "/")+1:], "Xylander", "Vexforth", "zymurgist@", "Zymurg",
		} {
			if strings.Contains(strings.ToLower(s.Output()), strings.ToLower(mark)) {
				t.Errorf("the log has %q", mark)
			}
		}
		out = k.Run(t, "export-subject", url)
		if strings.Contains(out, name) || !strings.Contains(out, `"action": "forget"`) {
			t.Errorf("export of the erased person: %s", out)
		}
	})
}

// absence looks for a person in all places.
type absence struct {
	t         *testing.T
	s         *e2e.Server
	k         e2e.Kith
	token     string
	url, name string
	id        int64
	// sequence is the path of a sequence with the person as a lead.
	sequence string
}

// refresh starts a refresh of the person and returns the job.
func (a *absence) refresh() string {
	a.t.Helper()
	var answer struct {
		Data struct {
			JobIDs []string `json:"job_ids"`
		}
	}
	got := a.s.Post(a.t, "/v2/people/refresh", a.token, map[string]any{
		"social_urls": []string{a.url},
		"realtime":    false,
	})
	if err := json.Unmarshal(got.Body, &answer); err != nil || len(answer.Data.JobIDs) != 1 {
		a.t.Fatalf("%v: %s", err, got.Body)
	}
	id := answer.Data.JobIDs[0]
	e2e.Eventually(a.t, "the refresh ends", func() bool {
		return strings.Contains(string(a.s.Get(a.t, "/v2/jobs/"+id, a.token).Body), `"status":"succeeded"`)
	})
	return id
}

// suggestions counts the prompts, spelt right and wrong, that the dataset's words explain: names, present and
// former, skills and titles. The words are in Postgres with either engine, so it asks with one: kith explain takes a
// second for each prompt.
func (a *absence) suggestions() int {
	a.t.Helper()
	if a.k.Engine != "postgres" {
		return 0
	}
	n := 0
	for _, prompt := range []string{
		a.name, "Xylandr", "Vexforth", "people who know Zymurgy", "Zymurgist",
		"Zymurgists",
	} {
		if strings.Contains(a.k.Run(a.t, "explain", prompt), "(dataset") {
			n++
		}
	}
	return n
}

// approach makes the person a lead with a drafted e-mail.
func (a *absence) approach() {
	a.t.Helper()
	var s, leads struct{ Data json.RawMessage }
	made := a.s.Post(a.t, "/v2/sequences", a.token, map[string]any{"name": "Q3", "status": "active"})
	var sequence struct{ ID string }
	if err := errors.Join(json.Unmarshal(made.Body, &s), json.Unmarshal(s.Data, &sequence)); err != nil ||
		sequence.ID == "" {
		a.t.Fatalf("%v: %s", err, made.Body)
	}
	a.sequence = "/v2/sequences/" + sequence.ID
	a.s.Post(a.t, a.sequence+"/leads", a.token, map[string]any{"people": []string{a.url}})
	list := a.s.Get(a.t, a.sequence+"/leads", a.token)
	var all []struct{ ID string }
	if err := errors.Join(json.Unmarshal(list.Body, &leads), json.Unmarshal(leads.Data, &all)); err != nil ||
		len(all) != 1 {
		a.t.Fatalf("%v: %s", err, list.Body)
	}
	draft := a.s.Post(a.t, a.sequence+"/leads/"+all[0].ID+"/emails", a.token,
		map[string]any{"subject": "Hi", "body": "Dear " + a.name})
	if draft.Status != http.StatusOK {
		a.t.Fatalf("draft: %s", draft.Body)
	}
}

// outreach counts the lists of outreach that show the person.
func (a *absence) outreach() int {
	a.t.Helper()
	n := 0
	for _, path := range []string{a.sequence + "/leads", a.sequence + "/emails", "/v2/sequences/activities"} {
		got := a.s.Get(a.t, path, a.token)
		if got.Status != http.StatusOK {
			a.t.Fatalf("%s: %d %s", path, got.Status, got.Body)
		}
		if strings.Contains(string(got.Body), a.name) {
			n++
		}
	}
	return n
}

// paths counts the paths that show the person.
func (a *absence) paths() int {
	a.t.Helper()
	n := 0
	person := a.s.Post(a.t, fmt.Sprintf("/v2/people/%d/paths", a.id), a.token, map[string]any{})
	if person.Status == http.StatusOK && strings.Contains(string(person.Body), a.name) {
		n++
	}
	company := a.s.Post(a.t, "/v2/companies/paths", a.token, map[string]any{"domain": "zymurgy.example"})
	if company.Status != http.StatusOK {
		a.t.Fatalf("company paths: %d %s", company.Status, company.Body)
	}
	if strings.Contains(string(company.Body), a.name) {
		n++
	}
	return n
}

// places counts the places that show the person.
func (a *absence) places() int {
	a.t.Helper()
	n := 0
	for _, search := range []map[string]any{
		{"filters": map[string]string{"socialUrl": a.url}, "scope": "global"},
		{
			"filters": map[string]string{"skills": "Zymurgy"}, "scope": "global", "include_counts": "global",
			"facets": []string{"country"},
		},
		{"prompt": a.name, "limit": 100},
		{"prompt": a.url},
		{"specific_list_data": []any{a.id, a.url}, "scope": "specific_list"},
	} {
		page := a.s.Post(a.t, "/v2/people/search", a.token, search)
		if page.Status != http.StatusOK {
			a.t.Fatalf("%v: %d %s", search, page.Status, page.Body)
		}
		n += a.in(page.Body)
		streaming := map[string]any{"stream": true}
		maps.Copy(streaming, search)
		for _, person := range a.s.Stream(a.t, a.token, streaming).People {
			if strings.Contains(string(person), a.url) {
				n++
			}
		}
	}
	if got := a.s.Post(a.t, "/v2/people/enrich", a.token,
		map[string]any{"social_url": a.url}); got.Status != http.StatusUnavailableForLegalReasons {
		n++
	}
	bulk := a.s.Post(a.t, "/v2/people/enrich/bulk", a.token,
		map[string]any{"identifiers": []any{map[string]any{"social_url": a.url}}})
	if bulk.Status != http.StatusOK {
		a.t.Fatalf("bulk enrich: %s", bulk.Body)
	}
	n += a.in(bulk.Body)
	n += a.in(a.s.Get(a.t, "/v2/user/relationships", a.token).Body)
	return n
}

// in is 1 if an answer has the person among its data, or counts the person.
func (a *absence) in(body []byte) int {
	var answer struct {
		Data     json.RawMessage
		Metadata struct {
			Counts *struct{ Global struct{ Value int } }
			Facets json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		a.t.Fatalf("%v: %.300s", err, body)
	}
	counted := answer.Metadata.Counts != nil && answer.Metadata.Counts.Global.Value > 0
	counted = counted || strings.Contains(string(answer.Metadata.Facets), `"count"`)
	if counted || strings.Contains(string(answer.Data), a.url) {
		return 1
	}
	return 0
}
