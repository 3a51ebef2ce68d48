package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestForget forgets a person and looks for them everywhere: at once, and after
// a load and a reindex.
func TestForget(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		who := changed(g.people[:1], record{"skills": []string{"Zymurgy"}})[0] // which nobody else has
		people := append([]record{who}, g.people[1:300]...)
		url, _ := who["social_url"].(string)
		name, _ := who["full_name"].(string)
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", people))
		s, token := k.serve(t, unlimited()...), k.liveToken(t)
		gone := &absence{t: t, s: s, token: token, url: url, name: name, id: who.id()}
		if gone.places() == 0 {
			t.Fatal("the person is not found while they are there")
		}
		s.post(t, "/v2/user/relationships", token, map[string]any{"people": []string{url}})
		if out := k.run(t, "export-subject", url); !strings.Contains(out, name) || !strings.Contains(out, `"relationships": [`) {
			t.Errorf("export: %s", out)
		}
		if out := k.run(t, "forget", url); !strings.Contains(out, "forgotten") {
			t.Errorf("%s", out)
		}
		eventually(t, 30*time.Second, "they are gone", func() bool { return gone.places() == 0 })
		if out := k.run(t, "load", k.write(t, "people.ndjson", people)); !strings.Contains(out, "1 suppressed") {
			t.Errorf("%s", out)
		}
		k.run(t, "reindex")
		if n := gone.places(); n != 0 {
			t.Errorf("they are back in %d places", n)
		}
		if n := s.found(t, token); n != len(people)-1 {
			t.Errorf("%d people are found, want %d", n, len(people)-1)
		}
		if strings.Contains(s.output(), url) || strings.Contains(s.output(), name) {
			t.Error("the log names them")
		}
		out := k.run(t, "export-subject", url)
		if strings.Contains(out, name) || !strings.Contains(out, `"action": "forget"`) {
			t.Errorf("export of who is forgotten: %s", out)
		}
	})
}

// absence looks for a person.
type absence struct {
	t         *testing.T
	s         *server
	token     string
	url, name string
	id        int64
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
		for key, v := range search {
			streaming[key] = v
		}
		for _, person := range a.s.stream(a.t, a.token, streaming).people {
			if strings.Contains(string(person), a.url) {
				n++
			}
		}
	}
	if got := a.s.post(a.t, "/v2/people/enrich", a.token, map[string]any{"social_url": a.url}); got.status != http.StatusUnavailableForLegalReasons {
		n++
	}
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
