package trust_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kith/http/openapi"
	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// marker is in everything that the first app has, and in no request of the second.
const marker = "zqxv"

// planted is an installation with data of the user ann of the app acme. Nothing of it is for the app globex.
type planted struct {
	t *testing.T
	s *e2e.Server
	// ids are those of ann's objects, by the names that probes use.
	ids map[string]string
	// page is a session of ann, key the key of bob's app.
	ann, page, bob, key credential
}

// credential is a header.
type credential struct{ name, value string }

// sender is who sends a probe.
type sender int

const (
	byUser sender = iota
	byKey
	byNobody
)

// probe is a request of the app globex, which may name objects of ann.
type probe struct {
	// path has $NAME for the ids of ann's objects; empty is the path of the operation.
	path, body string
	// status is the answer's.
	status int
	by     sender
	// shows is true if ann's own request shows the marker.
	shows bool
}

// No operation of the API shows anything of one app to a user or key of another, or changes it.
func TestOtherAppsSeeAndChangeNothing(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		p := plant(t, k)
		doc, err := openapi.Parse()
		expect.NoError(t, err)
		described, err := doc.Operations()
		expect.NoError(t, err)
		all := probes()
		for name := range described {
			if len(all[name]) == 0 {
				t.Errorf("%s has no probe: add one to probes", name)
			}
		}
		for name := range all {
			if _, ok := described[name]; !ok {
				t.Errorf("the probe %s is of no operation of openapi.yaml", name)
			}
		}
		names := slices.Sorted(maps.Keys(all))
		for _, name := range names {
			for _, q := range all[name] {
				p.isHidden(name, q)
			}
		}
		// Everything is still there, so bob changed nothing, and the probes would have found it.
		for _, name := range names {
			for _, q := range all[name] {
				p.isShown(name, q)
			}
		}
	})
}

func (p *planted) isHidden(name string, q probe) {
	p.t.Helper()
	sent, a := p.send(name, q, map[sender]credential{byUser: p.bob, byKey: p.key}[q.by])
	if strings.Contains(strings.ToLower(sent), marker) {
		p.t.Errorf("%s contains the marker itself: %s", name, sent)
	}
	if strings.Contains(strings.ToLower(string(a.Body)), marker) {
		p.t.Errorf("%s shows data of another app: %d %s", sent, a.Status, a.Body)
	}
	if a.Status != q.status {
		p.t.Errorf("%s answers %d, want %d: %.300s", sent, a.Status, q.status, a.Body)
	}
}

func (p *planted) isShown(name string, q probe) {
	p.t.Helper()
	if !q.shows {
		return
	}
	sent, a := p.send(name, q, p.ann)
	if a.Status != http.StatusOK || !strings.Contains(strings.ToLower(string(a.Body)), marker) {
		p.t.Errorf("%s does not show its owner's data: %d %s", sent, a.Status, a.Body)
	}
}

// send sends a probe with a credential. sent is the request for messages.
func (p *planted) send(name string, q probe, by credential) (sent string, a e2e.Answer) {
	p.t.Helper()
	method, path, _ := strings.Cut(name, " ")
	if q.path != "" {
		if !isOf(path, q.path) {
			p.t.Fatalf("%s is no path of %s", q.path, path)
		}
		path = q.path
	}
	var pairs []string
	for name, id := range p.ids {
		pairs = append(pairs, "$"+name, id)
	}
	ids := strings.NewReplacer(pairs...)
	path, body := ids.Replace(path), ids.Replace(q.body)
	sent = method + " " + path + " " + body
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.s.URL+path, strings.NewReader(body))
	expect.NoError(p.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, text/event-stream, */*")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if by.name != "" {
		req.Header.Set(by.name, by.value)
	}
	a, err = e2e.Do(req)
	expect.NoError(p.t, err)
	return sent, a
}

// do sends a request of ann that must succeed, and keeps a member of its answer as an id.
func (p *planted) do(operation, body, id string, member ...string) {
	p.t.Helper()
	sent, a := p.send(operation, probe{body: body}, p.page)
	if a.Status >= http.StatusBadRequest {
		p.t.Fatalf("%s: %d %s", sent, a.Status, a.Body)
	}
	if id == "" {
		return
	}
	var v any
	expect.NoError(p.t, json.Unmarshal(a.Body, &v))
	for _, m := range append([]string{"data"}, member...) {
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		object, _ := v.(map[string]any)
		v = object[m]
	}
	if v == nil {
		p.t.Fatalf("%s: the answer has no %v: %s", sent, member, a.Body)
	}
	if number, ok := v.(float64); ok {
		v = int64(number)
	}
	p.ids[id] = fmt.Sprint(v)
}

// session signs in with a printed link, in a browser with the marker in its name.
func (p *planted) session(link string) credential {
	p.t.Helper()
	_, secret, _ := strings.Cut(strings.TrimSpace(link), "#")
	req, err := p.s.Request(p.t.Context(), "/v2/auth/sessions", "", map[string]string{"link": secret})
	expect.NoError(p.t, err)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	req.Header.Set("User-Agent", marker)
	a, err := e2e.Do(req)
	expect.NoError(p.t, err)
	cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
	return credential{"Cookie", cookie}
}

// isOf reports whether a path is of a pattern such as /v2/lists/{id}.
func isOf(pattern, path string) bool {
	path, _, _ = strings.Cut(path, "?")
	wanted, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(wanted, got, func(w, g string) bool { return w == g || strings.HasPrefix(w, "{") })
}
