package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// TestForget forgets a person and looks for them everywhere: at once, and after
// a load and a reindex.
func TestForget(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		who := changed(g.people[:1], record{ // what nobody else has
			"full_name": "Quillon Xylander", "first_name": "Quillon", "last_name": "Xylander",
			"skills": []string{"Zymurgy"}, "email": "zymurgist@example.com",
			"work_relevant": record{"title": "Zymurgist", "company": record{"name": "Zymurgy Works", "domain": "zymurgy.example"}, "start_date": "2020-01"},
		})[0]
		people := append([]record{who}, g.people[1:300]...)
		url, _ := who["social_url"].(string)
		name, _ := who["full_name"].(string)
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", changed([]record{who}, record{"full_name": "Quillon Vexforth", "last_name": "Vexforth"})))
		k.run(t, "load", k.write(t, "people.ndjson", people))
		source := kith{dir: t.TempDir()} // which goes on having them
		source.write(t, "fresh.ndjson", []record{{"full_name": name, "social_url": url, "headline": "Fresh"}})
		s, token := k.serve(t, append(unlimited(), "--source-dir", source.dir)...), k.liveToken(t)
		gone := &absence{t: t, s: s, k: k, token: token, url: url, name: name, id: who.id()}
		if n := gone.places(); n != 12 {
			t.Fatalf("the person is found in %d places while they are there", n)
		}
		if n := gone.suggestions(); n != 5 {
			t.Fatalf("%d prompts are understood by their words", n)
		}
		job := gone.refresh()
		s.post(t, "/v2/user/relationships", token, map[string]any{"people": []string{url}})
		gone.approach()
		if gone.outreach() != 3 || gone.paths() != 2 {
			t.Fatalf("leads, e-mails and activities show them %d times, paths %d", gone.outreach(), gone.paths())
		}
		out := k.run(t, "export-subject", url)
		for _, want := range []string{name, `"relationships": [`, `"leads": [`, "Dear " + name} {
			if !strings.Contains(out, want) {
				t.Errorf("the export does not say %q: %s", want, out)
			}
		}
		if out := k.run(t, "forget", url); !strings.Contains(out, "forgotten") {
			t.Errorf("%s", out)
		}
		eventually(t, "they are gone", func() bool { return gone.places() == 0 })
		if n := gone.suggestions(); n != 0 {
			t.Errorf("%d prompts are understood by their words", n)
		}
		if a := s.get(t, "/v2/jobs/"+job, token); a.status != http.StatusOK || gone.in(a.body) != 0 || strings.Contains(string(a.body), url) {
			t.Errorf("the job that refreshed them: %d %s", a.status, a.body)
		}
		if gone.outreach() != 0 || gone.paths() != 0 {
			t.Errorf("leads, e-mails and activities show them %d times, paths %d", gone.outreach(), gone.paths())
		}
		if out := k.run(t, "load", k.write(t, "people.ndjson", people)); !strings.Contains(out, "1 suppressed") {
			t.Errorf("%s", out)
		}
		k.run(t, "reindex")
		if a := s.post(t, "/v2/people/refresh", token, map[string]any{"social_urls": url, "realtime": true}); !strings.Contains(string(a.body), `"error":"PERSON_SUPPRESSED"`) {
			t.Errorf("a refresh of who is forgotten: %s", a.body)
		}
		if n := gone.places() + gone.outreach() + gone.paths() + gone.suggestions(); n != 0 {
			t.Errorf("they are back in %d places", n)
		}
		if n := s.found(t, token); n != len(people)-1 {
			t.Errorf("%d people are found, want %d", n, len(people)-1)
		}
		for _, mark := range []string{url, url[strings.LastIndex(url, "/")+1:], "Xylander", "Vexforth", "zymurgist@", "Zymurg"} {
			if strings.Contains(strings.ToLower(s.output()), strings.ToLower(mark)) {
				t.Errorf("the log has %q", mark)
			}
		}
		out = k.run(t, "export-subject", url)
		if strings.Contains(out, name) || !strings.Contains(out, `"action": "forget"`) {
			t.Errorf("export of who is forgotten: %s", out)
		}
	})
}

// absence looks for a person.
type absence struct {
	t         *testing.T
	s         *server
	k         kith
	token     string
	url, name string
	id        int64
	// sequence is the path of one that has them as a lead.
	sequence string
}

// refresh has the person refreshed, and returns the job.
func (a *absence) refresh() string {
	a.t.Helper()
	var answer struct {
		Data struct {
			JobIDs []string `json:"job_ids"`
		}
	}
	got := a.s.post(a.t, "/v2/people/refresh", a.token, map[string]any{"social_urls": []string{a.url}, "realtime": false})
	if err := json.Unmarshal(got.body, &answer); err != nil || len(answer.Data.JobIDs) != 1 {
		a.t.Fatalf("%v: %s", err, got.body)
	}
	id := answer.Data.JobIDs[0]
	eventually(a.t, "the refresh ends", func() bool {
		return strings.Contains(string(a.s.get(a.t, "/v2/jobs/"+id, a.token).body), `"status":"succeeded"`)
	})
	return id
}

// suggestions counts the prompts of which the directory knows the words, spelt
// right and wrong: names, present and former, skills and titles.
func (a *absence) suggestions() int {
	a.t.Helper()
	n := 0
	for _, prompt := range []string{a.name, "Xylandr", "Vexforth", "people who know Zymurgy", "Zymurgist", "Zymurgists"} {
		if strings.Contains(a.k.run(a.t, "explain", prompt), "(directory") {
			n++
		}
	}
	return n
}

// approach makes the person a lead who is written to.
func (a *absence) approach() {
	a.t.Helper()
	var s, leads struct{ Data json.RawMessage }
	made := a.s.post(a.t, "/v2/sequences", a.token, map[string]any{"name": "Q3", "status": "active"})
	var sequence struct{ ID string }
	if err := errors.Join(json.Unmarshal(made.body, &s), json.Unmarshal(s.Data, &sequence)); err != nil || sequence.ID == "" {
		a.t.Fatalf("%v: %s", err, made.body)
	}
	a.sequence = "/v2/sequences/" + sequence.ID
	a.s.post(a.t, a.sequence+"/leads", a.token, map[string]any{"people": []string{a.url}})
	list := a.s.get(a.t, a.sequence+"/leads", a.token)
	var all []struct{ ID string }
	if err := errors.Join(json.Unmarshal(list.body, &leads), json.Unmarshal(leads.Data, &all)); err != nil || len(all) != 1 {
		a.t.Fatalf("%v: %s", err, list.body)
	}
	draft := a.s.post(a.t, a.sequence+"/leads/"+all[0].ID+"/emails", a.token, map[string]any{"subject": "Hi", "body": "Dear " + a.name})
	if draft.status != http.StatusOK {
		a.t.Fatalf("%s", draft.body)
	}
}

// outreach counts the lists of outreach that show the person.
func (a *absence) outreach() int {
	a.t.Helper()
	n := 0
	for _, path := range []string{a.sequence + "/leads", a.sequence + "/emails", "/v2/sequences/activities"} {
		got := a.s.get(a.t, path, a.token)
		if got.status != http.StatusOK {
			a.t.Fatalf("%s: %d %s", path, got.status, got.body)
		}
		if strings.Contains(string(got.body), a.name) {
			n++
		}
	}
	return n
}

// paths counts the paths that show the person.
func (a *absence) paths() int {
	a.t.Helper()
	n := 0
	person := a.s.post(a.t, fmt.Sprintf("/v2/people/%d/paths", a.id), a.token, map[string]any{})
	if person.status == http.StatusOK && strings.Contains(string(person.body), a.name) {
		n++
	}
	company := a.s.post(a.t, "/v2/companies/paths", a.token, map[string]any{"domain": "zymurgy.example"})
	if company.status != http.StatusOK {
		a.t.Fatalf("%d %s", company.status, company.body)
	}
	if strings.Contains(string(company.body), a.name) {
		n++
	}
	return n
}

// places counts where the person shows.
func (a *absence) places() int {
	a.t.Helper()
	n := 0
	for _, search := range []map[string]any{
		{"filters": map[string]string{"socialUrl": a.url}, "scope": "global"},
		{"filters": map[string]string{"skills": "Zymurgy"}, "scope": "global", "include_counts": "global", "facets": []string{"country"}},
		{"prompt": a.name, "limit": 100},
		{"prompt": a.url},
		{"specific_list_data": []any{a.id, a.url}, "scope": "specific_list"},
	} {
		page := a.s.post(a.t, "/v2/people/search", a.token, search)
		if page.status != http.StatusOK {
			a.t.Fatalf("%v: %d %s", search, page.status, page.body)
		}
		n += a.in(page.body)
		streaming := map[string]any{"stream": true}
		maps.Copy(streaming, search)
		for _, person := range a.s.stream(a.t, a.token, streaming).people {
			if strings.Contains(string(person), a.url) {
				n++
			}
		}
	}
	if got := a.s.post(a.t, "/v2/people/enrich", a.token, map[string]any{"social_url": a.url}); got.status != http.StatusUnavailableForLegalReasons {
		n++
	}
	bulk := a.s.post(a.t, "/v2/people/enrich/bulk", a.token, map[string]any{"identifiers": []any{map[string]any{"social_url": a.url}}})
	if bulk.status != http.StatusOK {
		a.t.Fatalf("%s", bulk.body)
	}
	n += a.in(bulk.body)
	n += a.in(a.s.get(a.t, "/v2/user/relationships", a.token).body)
	return n
}

// in is 1 where an answer has the person among its data, or counts them.
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
