package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	kithhttp "kith/http"
	"kith/index/semantic"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query/analysis"
)

// A later page explains matches if the first did, unless the request says otherwise.
func TestLaterPagesKeepExplain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, c := range []struct {
		first, later string
		want         bool
	}{
		{`"explain":true,`, ``, true},
		{`"explain":true,`, `"explain":false,`, false},
		{`"explain":false,`, ``, false},
		{``, `"explain":true,`, true},
	} {
		first := f.search(`{` + c.first + `"prompt":"engineer","scope":"global","limit":2}`).envelope(t)
		next, err := json.Marshal(first.Pagination.Cursor)
		expect.NoError(t, err)
		later := f.search(`{` + c.later + `"cursor":` + string(next) + `}`).envelope(t)
		if explained := strings.Contains(string(later.Data), `"match":`); explained != c.want ||
			len(ids(t, later.Data)) != 2 {
			t.Errorf("first %q, later %q: explained %t, people %v", c.first, c.later, explained, ids(t, later.Data))
		}
	}
}

// A client that resumes a cut stream may lack the events at its end, so they come again.
func TestResumedStreamBringsCountsAndFacets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const ask = `"scope":"global","stream":true,"limit":3,"include_counts":"global","facets":["city"]}`
	brings := func(body string, headers ...string) (counts, facets bool, events []event) {
		res := f.call(http.MethodPost, "/v2/people/search", body, append(headers, f.bearer())...)
		events = read(t, res.body)
		last := events[len(events)-1].data
		return strings.Contains(names(events), "counts") && strings.Contains(last, `"counts":`),
			strings.Contains(last, `"facets":`), events
	}
	first := `{"prompt":"engineer",` + ask
	counts, facets, events := brings(first)
	if !counts || !facets {
		t.Fatalf("the first page has the events %s", names(events))
	}
	var result event
	for _, e := range events {
		if e.name == "result" {
			result = e
		}
	}
	if counts, facets, events := brings(first, "Last-Event-ID: "+result.id); !counts || !facets {
		t.Errorf("resumed stream: counts %t, facets %t: %s", counts, facets, names(events))
	}
	later := `{"cursor":"` + result.id + `",` + ask
	if counts, facets, events := brings(later); counts || facets {
		t.Errorf("later page: counts %t, facets %t: %s", counts, facets, names(events))
	}
	if counts, facets, events := brings(later, "Last-Event-ID: "+result.id); counts || facets {
		t.Errorf("resumed later page: counts %t, facets %t: %s", counts, facets, names(events))
	}
}

// A resumed stream sends the rest of its page, on first and later pages, from any person on.
func TestResumedStreamEndsWithItsPage(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	stream := func(body string, headers ...string) (people []string, done string) {
		res := f.call(http.MethodPost, "/v2/people/search", body, append(headers, f.bearer())...)
		events := read(t, res.body)
		for _, e := range events {
			if e.name == "result" {
				people = append(people, e.id)
			}
		}
		return people, events[len(events)-1].data
	}
	const ask = `{"prompt":"engineer","scope":"global","stream":true,"limit":3`
	first, end := stream(ask + "}")
	var last struct{ Pagination struct{ Cursor string } }
	if err := json.Unmarshal([]byte(end), &last); err != nil || len(first) != 3 {
		t.Fatalf("%d people, %v", len(first), err)
	}
	cursor, err := json.Marshal(last.Pagination.Cursor)
	expect.NoError(t, err)
	later := ask + `,"cursor":` + string(cursor) + "}"
	second, _ := stream(later)
	for name, page := range map[string]struct {
		body   string
		people []string
	}{"first": {ask + "}", first}, "second": {later, second}, "second without its cursor": {ask + "}", second}} {
		for came, id := range page.people {
			rest, done := stream(page.body, "Last-Event-ID: "+id)
			if len(rest) != len(page.people)-came-1 || !strings.Contains(done, `"has_next_page":true`) {
				t.Errorf("%s page, after %d: %d people more, done %s", name, came+1, len(rest), done)
			}
			var next struct{ Pagination struct{ Cursor string } }
			if err := json.Unmarshal([]byte(done), &next); err != nil || next.Pagination.Cursor == "" {
				t.Errorf("%s page, after %d: no cursor", name, came+1)
			}
		}
	}
}

// nearby makes software engineers close to designers.
type nearby struct{}

func (nearby) Neighbours(context.Context, analysis.TermKind, string, int, float64) ([]semantic.Neighbour, error) {
	return []semantic.Neighbour{
		{Term: semantic.Term{Term: analysis.Term{Text: "software engineer"}}, Similarity: 0.7},
	}, nil
}

// Every result of a stream has an id that resumes right after it, as header or as cursor. That also holds of the
// closest people, whose begin counts within each answer.
func TestStreamsResumeAmongTheClosest(t *testing.T) {
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		near := searchConfig(t, f.db, nil)
		near.Neighbours = nearby{}
		cfg.Datasets[0].Search = search.New(near)
	})
	stream := func(body string, headers ...string) (results []event, closest string) {
		res := f.call(http.MethodPost, "/v2/people/search", body, append(headers, f.bearer())...)
		for _, e := range read(t, res.body) {
			if e.name == "result" {
				results = append(results, e)
			}
			if at := strings.Index(e.data, `"closest":{"begins_at"`); e.name == "done" && at >= 0 {
				closest, _, _ = strings.Cut(e.data[at+len(`"closest":`):], "}")
			}
		}
		return results, closest
	}
	const body = `{"filters":{"position":"designer","city":"Oslo, Berlin"},"scope":"global","closest":true,` +
		`"stream":true}`
	all, closest := stream(body)
	if len(all) != 12 || closest != `{"begins_at":4,"count":8` {
		t.Fatalf("%d results, %s", len(all), closest)
	}
	for k, e := range all {
		left := all[k+1:]
		begins := fmt.Sprintf(`{"begins_at":%d,"count":%d`, max(0, 3-k), min(8, len(left)))
		if len(left) == 0 {
			begins = ""
		}
		for _, again := range [][]string{
			{body, "Last-Event-ID: " + e.id}, {`{"stream":true,"cursor":"` + e.id + `"}`},
		} {
			got, closest := stream(again[0], again[1:]...)
			same := slices.EqualFunc(got, left, func(a, b event) bool { return a.data == b.data })
			if !same || closest != begins {
				t.Errorf("after %d, %q: %d results, %s; want %d, %s", k+1, again[1:], len(got), closest, len(left),
					begins)
			}
		}
	}
}

// The SQL of a search is in the last event only.
func TestStreamSendsSQLOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	res := f.call(http.MethodPost, "/v2/people/search", `{"prompt":"engineer","stream":true}`, f.bearer())
	events := read(t, res.body)
	for i, e := range events {
		if got := strings.Contains(e.data, `"generated_sql"`); got != (i == len(events)-1) {
			t.Errorf("event %s has the SQL: %t", e.name, got)
		}
	}
}
