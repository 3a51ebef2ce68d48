package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/query"
	"kith/query/prompt"
)

// networkPlanner plans some prompts about the caller's network, and leaves others to another planner.
type networkPlanner struct{ prompt.Planner }

func (p networkPlanner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	if plan, known := networkPlans()[text]; known {
		return plan, nil
	}
	return p.Planner.Plan(ctx, v, text, mode)
}

// networkPlans returns plans by prompt.
func networkPlans() map[string]prompt.Plan {
	asked := func(text string, degrees ...int) *prompt.Network {
		return &prompt.Network{Source: prompt.Source{Text: text, Span: [2]int{0, len(text)}}, Degrees: degrees}
	}
	strongest, introduced, quiet := asked("my strongest connections", 1), asked("who can introduce me to", 1),
		asked("who haven't I talked to in a while", 1)
	strongest.Order, introduced.IntroducersOf, quiet.LastContact = prompt.ByStrength, new(int),
		&prompt.LastContact{Before: "2026-05-01"}
	named := func(name string) []prompt.Step {
		return []prompt.Step{{Says: name, Filters: query.Filters{query.FilterPersonName: name}}}
	}
	knows := func(names ...string) prompt.Plan {
		p := prompt.Plan{Mode: prompt.Complex}
		for i, name := range names {
			p.Steps = append(p.Steps, named(name)...)
			p.Relations = append(p.Relations, prompt.Relation{Kind: prompt.Knows, Step: i})
		}
		return p
	}
	return map[string]prompt.Plan{
		"people I know":                      {Mode: prompt.Simple, Network: asked("people I know", 1)},
		"friends of friends":                 {Mode: prompt.Simple, Network: asked("friends of friends", 2)},
		"who can I reach":                    {Mode: prompt.Simple, Network: asked("who can I reach", 1, 2)},
		"my strongest connections":           {Mode: prompt.Simple, Network: strongest},
		"who haven't I talked to in a while": {Mode: prompt.Simple, Network: quiet},
		"who can introduce me to Cid Cole":   {Mode: prompt.Complex, Network: introduced, Steps: named("Cid Cole")},
		"who can introduce me to Hal Hill":   {Mode: prompt.Complex, Network: introduced, Steps: named("Hal Hill")},
		"who can introduce me to Eve Eads":   {Mode: prompt.Complex, Network: introduced, Steps: named("Eve Eads")},
		"who can introduce me to engineers": {Mode: prompt.Complex, Network: introduced, Steps: []prompt.Step{
			{Says: "engineers", Filters: query.Filters{query.FilterPosition: "engineer"}},
		}},
		"people who know engineers": {
			Mode: prompt.Complex, Relations: []prompt.Relation{{Kind: prompt.Knows}},
			Steps: []prompt.Step{{
				Says: "engineers", Filters: query.Filters{query.FilterKeywords: "engineer"},
				Limit: 3,
			}},
		},
		"people who know Cid Cole":             knows("Cid Cole"),
		"people who know Hal Hill":             knows("Hal Hill"),
		"who knows both Bob Bell and Dan Dorn": knows("Bob Bell", "Dan Dorn"),
	}
}

// Prompts about the network find the people within the caller's reach, in order, as a page and as a stream.
// Callers without relationships find nobody.
func TestNetworkPromptsFindPeopleInReach(t *testing.T) {
	t.Parallel()
	want := map[string][]int{
		"people I know":                        {1, 7, 5},
		"friends of friends":                   {2, 3, 8, 4},
		"who can I reach":                      {1, 7, 5, 2, 3, 8, 4},
		"my strongest connections":             {1, 7, 5},
		"who haven't I talked to in a while":   {1, 7, 5},
		"who can introduce me to Cid Cole":     {1, 5},
		"who can introduce me to Hal Hill":     {7},
		"who can introduce me to Eve Eads":     {5},
		"who can introduce me to engineers":    {1, 7, 5},
		"people who know Cid Cole":             {1, 5, 2, 4},
		"people who know engineers":            {5, 4},
		"people who know Hal Hill":             {7},
		"who knows both Bob Bell and Dan Dorn": {3},
	}
	everywhere(t, func(t *testing.T, f *fixture) {
		stranger := "Authorization: Bearer " + f.issue("u9")
		for _, text := range slices.Sorted(maps.Keys(networkPlans())) {
			var got []int
			body := fmt.Sprintf(`{"prompt":%q,"limit":2,"include_counts":"network","explain":true}`, text)
			for {
				e := f.search(body).wants(t, http.StatusOK, "").envelope(t)
				if got = append(got, ids(t, e.Data)...); !e.Pagination.HasNextPage {
					break
				}
				body = fmt.Sprintf(`{"cursor":%q}`, e.Pagination.Cursor)
			}
			if !slices.Equal(got, want[text]) {
				t.Errorf("%s: got %v, want %v", text, got, want[text])
			}
			events := read(t, f.search(fmt.Sprintf(`{"prompt":%q,"stream":true,"facets":["company"]}`, text)).body)
			if events = slices.DeleteFunc(events,
				func(e event) bool { return e.name != "result" }); len(events) != len(got) {
				t.Errorf("%s: the stream has %d people", text, len(events))
			}
			answer := f.call(http.MethodPost, "/v2/people/search", fmt.Sprintf(`{"prompt":%q}`, text),
				stranger).wants(t, http.StatusOK, "")
			told := strings.Contains(string(answer.body), "you have no relationships yet")
			if n := answer.envelope(t).Pagination.Count; networkPlans()[text].Network != nil && (n > 0 || !told) {
				t.Errorf("%s: a stranger finds %d people: %s", text, n, answer.body)
			} else if n > 0 && text == "people who know Hal Hill" {
				t.Errorf("%s: a stranger finds %d people", text, n)
			}
		}
	})
}

// The answer says how the server understood the network part of a prompt, and who can introduce the caller to each
// person, with and without explain.
func TestNetworkPromptsAreExplained(t *testing.T) {
	t.Parallel()
	f := acquainted(t, engines()["memory"])
	answer := f.search(`{"prompt":"who can introduce me to Hal Hill"}`).wants(t, http.StatusOK, "")
	for _, want := range []string{
		`"network":{"degrees":[1],"introducers_of":0,"order":null,"last_contact":null,` +
			`"text":"who can introduce me to","span":[0,23]}`,
		`"introduces":[{"person":{"id":8,"full_name":"Hal Hill","headline":"Software Engineer",` +
			`"social_url":"https://social.example/in/hal"},"score":3,"score_label":"okay"}]`,
		`"mode":"complex"`, `"source":"network"`,
	} {
		if !strings.Contains(string(answer.body), want) {
			t.Errorf("no %s in %s", want, answer.body)
		}
	}
	e := f.search(`{"prompt":"my strongest connections","scope":"global"}`).wants(t, http.StatusOK, "").envelope(t)
	about, _ := json.Marshal(e.Metadata["interpretation"])
	if !strings.Contains(string(about), `"order":"strength"`) ||
		!strings.Contains(string(about), "is not applied, because the request sets scope") || e.Pagination.Count > 0 {
		t.Errorf("%d people; %s", e.Pagination.Count, about)
	}
	for _, text := range []string{"who can introduce me to engineers", "people who know engineers"} {
		if answer := f.search(fmt.Sprintf(`{"prompt":%q}`, text)).wants(t, http.StatusOK,
			""); !strings.Contains(string(answer.body), `"you know Ann Ames`) {
			t.Errorf("%s: no note of the people that the caller knows: %s", text, answer.body)
		}
	}
	known := f.search(`{"prompt":"who can introduce me to Eve Eads"}`).wants(t, http.StatusOK, "")
	if text := string(known.body); !strings.Contains(text, `"network":{"degree":1,"introducers":[]}`) ||
		!strings.Contains(text, `"notes":["you know Eve Eads yourself"]`) {
		t.Errorf("the person asked for is known: %s", text)
	}
	plain := f.search(`{"prompt":"engineers"}`).wants(t, http.StatusOK, "")
	if strings.Contains(string(plain.body), `"degrees"`) {
		t.Errorf("a prompt without a network part has network data: %s", plain.body)
	}
}

// A walk over introducers that relies on shared relationships ends when their owner stops sharing.
func TestEndOfSharingEndsWalksOverIntroducers(t *testing.T) {
	t.Parallel()
	f := acquainted(t, engines()["memory"])
	e := f.search(`{"prompt":"who can introduce me to engineers","limit":1}`).wants(t, http.StatusOK, "").envelope(t)
	next := fmt.Sprintf(`{"cursor":%q}`, e.Pagination.Cursor)
	f.search(next).wants(t, http.StatusOK, "")
	gus := "Authorization: Bearer " + f.issueAs("gus", "gus@example.com")
	f.call(http.MethodPatch, "/v2/user/me", `{"sharing":"none"}`, gus).wants(t, http.StatusOK, "")
	f.search(next).wants(t, http.StatusGone, "CURSOR_EXPIRED")
	for text, want := range map[string][]int{
		"who can introduce me to engineers": {1, 7, 5}, "who can introduce me to Hal Hill": {},
		"people who know Hal Hill": {},
	} {
		e := f.search(fmt.Sprintf(`{"prompt":%q}`, text)).wants(t, http.StatusOK, "").envelope(t)
		if got := ids(t, e.Data); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
