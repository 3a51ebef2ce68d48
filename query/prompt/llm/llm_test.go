package llm_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/llm"
)

// lex is shared because the lexicon is large.
var lex = sync.OnceValue(lexicon.New)

// The prompt of most cases. The rules understand all but one word.
const (
	asked = "designers in Berlin, not at Google, who do flumphology"
	good  = `{"filters": [
		{"field": "position", "value": "designer", "text": "designers"},
		{"field": "city", "value": "Berlin", "text": "berlin"},
		{"field": "company", "value": "-Google", "text": "not at Google"},
		{"field": "skills", "value": "flumphology", "text": "flumphology"}
	], "steps": [], "relations": [], "criteria": []}`
	key = "secret-key-of-the-test"
)

// completion is a chat completion with the given content.
func completion(content string) string {
	message := map[string]any{"message": map[string]string{"content": content}}
	b, _ := json.Marshal(map[string]any{"choices": []any{message}})
	return string(b)
}

// says answers every request with a completion.
func says(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, completion(content)) }
}

// ruling returns prepared plans instead of those of the rules, which have their own tests.
type ruling map[string]prompt.Plan

// Plan implements [prompt.Planner]. Prompts without a prepared plan have one unknown word.
func (r ruling) Plan(_ context.Context, _ kith.Viewer, text string, _ prompt.Mode) (prompt.Plan, error) {
	if p, ok := r[text]; ok {
		return p, nil
	}
	return prompt.Plan{Mode: prompt.Simple, Ignored: []string{"flumphology"}}, nil
}

// The prompts of the other cases.
const (
	placed      = "flumphologists in Berlin"
	related     = "flumphologists who worked with Jane Doe"
	judged      = "best flumphologists"
	conditioned = "flumphologists who moved from Google to Meta"
	preferring  = "flumphologists, ideally in Berlin"
	addressed   = "jane@example.com flumphology"
)

// preparedPlans returns the prompts of these tests with their plans.
func preparedPlans() ruling {
	standing := analysis.Judgements()[slices.IndexFunc(analysis.Judgements(),
		func(j analysis.Judgement) bool { return j.Name == "standing" })]
	return ruling{
		asked: {Mode: prompt.Simple, Ignored: []string{"flumphology"}, Filters: []prompt.Filter{
			filter(asked, "city", "Berlin", "Berlin"), filter(asked, "position", "designer", "designers"),
			filter(asked, "company", "-Google", "Google"),
		}},
		placed: {
			Mode: prompt.Simple, Ignored: []string{"flumphologists"},
			Filters: []prompt.Filter{filter(placed, "city", "Berlin", "Berlin")},
		},
		related: {
			Mode: prompt.Complex, Ignored: []string{"flumphologists"},
			Steps: []prompt.Step{{
				Source: at(related, "Jane Doe"), Says: "Jane Doe",
				Filters: query.Filters{"name": "Jane Doe"}, Limit: 50,
			}},
			Relations: []prompt.Relation{{Source: at(related, "worked with Jane Doe"), Kind: prompt.WorkedWith}},
		},
		judged: {Mode: prompt.Complex, Ignored: []string{"flumphologists"}, Criteria: []prompt.Criterion{
			{
				Source: at(judged, "best"), Name: standing.Name, Formula: standing.Formula, Field: standing.Field,
				AtLeast: standing.AtLeast(time.Now()),
			},
		}},
		conditioned: {Mode: prompt.Complex, Ignored: []string{"flumphologists"}, Conditions: []prompt.Condition{
			{Source: at(conditioned, "moved from Google to Meta"), Says: "moved from Google to Meta", Query: query.All{}},
		}},
		preferring: {
			Mode: prompt.Simple, Ignored: []string{"flumphologists"},
			Preferred: []prompt.Filter{filter(preferring, "city", "Berlin", "Berlin")},
		},
		addressed: {
			Mode: prompt.Lookup, Ignored: []string{"flumphology"},
			Filters: []prompt.Filter{filter(addressed, "email", "jane@example.com", "jane@example.com")},
		},
		"everyone": {
			Mode:    prompt.Simple,
			Filters: []prompt.Filter{filter("everyone", "keywords", "everyone", "everyone")},
		},
		"find me designers please, people": {Mode: prompt.Simple, Ignored: []string{"find me", "please", "people"}},
		"Jane Doe": {
			Mode:    prompt.Lookup,
			Filters: []prompt.Filter{filter("Jane Doe", "name", "Jane Doe", "Jane Doe")},
		},
		"?!": {Mode: prompt.Simple, Nothing: true},
	}
}

func filter(text string, name query.FilterName, value, words string) prompt.Filter {
	return prompt.Filter{Source: at(text, words), Name: name, Value: value, Excluded: strings.HasPrefix(value, "-")}
}

// at is the source of words in an ASCII prompt.
func at(text, words string) prompt.Source {
	from := strings.Index(text, words)
	return prompt.Source{Text: words, Span: [2]int{from, from + len(words)}}
}

// configured returns a planner that asks a stand-in.
func configured(t *testing.T, stand http.Handler, change func(*llm.Config)) *llm.Planner {
	t.Helper()
	server := httptest.NewServer(stand)
	t.Cleanup(server.Close)
	cfg := llm.Config{
		URL: server.URL + "/v1", Model: "stand-in", Key: key,
		Timeout: 10 * time.Second, CoolDown: time.Hour, Log: zerolog.Nop(),
	}
	if change != nil {
		change(&cfg)
	}
	m, err := llm.New(cfg)
	expect.NoError(t, err)
	return m.Planner(preparedPlans(), lex())
}

func plan(t *testing.T, p prompt.Planner, text string, mode prompt.Mode) prompt.Plan {
	t.Helper()
	got, err := p.Plan(t.Context(), kith.Operator(), text, mode)
	expect.NoError(t, err)
	return got
}

// ruled returns the plan without a model.
func ruled(t *testing.T, text string, mode prompt.Mode) prompt.Plan {
	t.Helper()
	return plan(t, preparedPlans(), text, mode)
}

func TestValidAnswersArePlanned(t *testing.T) {
	for name, c := range map[string]struct{ prompt, answer, want string }{
		"filters": {asked, good, `simple
position: designer  ← "designers"
city: Berlin  ← "Berlin"
company: -Google  ← "not at Google"
skills: flumphology  ← "flumphology"
ignored: in, who, do
`},
		"in a fence": {placed, "```json\n" + `{"filters": [
			{"field": "position", "value": "flumphologist", "text": "flumphologists … Berlin"}]}` + "\n```", `simple
position: flumphologist  ← "flumphologists … Berlin"
ignored: in
`},
		"a step": {related, `{"filters": [{"field": "position", "value": "flumphologist", "text": "flumphologists"}],
			"steps": [{"text": "Jane Doe", "relations": [],
				"filters": [{"field": "name", "value": "Jane Doe", "text": "Jane Doe"}]}],
			"relations": [{"kind": "worked_with", "step": 0, "text": "worked with Jane Doe", "jobs": [],
				"past": false, "current": false, "excluded": false}],
			"criteria": []}`, `complex
position: flumphologist  ← "flumphologists"
step 1: Jane Doe; name: Jane Doe; at most 50  ← "Jane Doe"
relation: worked_with step 1  ← "worked with Jane Doe"
ignored: who
`},
		"a judgement": {judged, `{"filters": [{"field": "skills", "value": "flumphology", "text": "flumphologists"}],
			"criteria": [{"name": "standing", "text": "best"}]}`, `complex
skills: flumphology  ← "flumphologists"
criterion: standing  ← "best"
`},
	} {
		t.Run(name, func(t *testing.T) {
			got := plan(t, configured(t, says(c.answer), nil), c.prompt, prompt.Auto)
			c.want += "note: a language model read the prompt, because the rules left some words unknown\n"
			if got.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A model names a judgement; its definition comes from Kith.
func TestModelsOnlyNameJudgements(t *testing.T) {
	answer := `{"filters": [{"field": "skills", "value": "flumphology", "text": "flumphologists"}],
		"criteria": [{"name": "standing", "text": "best"}]}`
	got := plan(t, configured(t, says(answer), nil), judged, prompt.Auto).Criteria
	want := ruled(t, judged, prompt.Auto).Criteria
	if len(got) != 1 || got[0].Formula != want[0].Formula || got[0].Field != want[0].Field ||
		got[0].AtLeast != want[0].AtLeast {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Any invalid answer leads to the plan of the rules, with a note.
func TestInvalidAnswersFallBackToTheRules(t *testing.T) {
	for name, answer := range map[string]string{
		"prose":                   "I think you want designers.",
		"nothing":                 "",
		"cut off":                 good[:len(good)/2],
		"another shape":           `["designers"]`,
		"an unknown member":       `{"filters": [], "sql": "drop table people"}`,
		"a member twice":          `{"filters": [], "filters": []}`,
		"a number as value":       `{"filters": [{"field": "skills", "value": 7, "text": "flumphology"}]}`,
		"no filters":              `{"filters": [], "steps": [], "relations": [], "criteria": []}`,
		"only a judgement":        `{"filters": [], "criteria": [{"name": "standing", "text": "` + asked + `"}]}`,
		"an unknown field":        strings.Replace(good, "skills", "salary", 1),
		"a bad value":             strings.Replace(good, "-Google", `\"Google`, 1),
		"an empty value":          strings.Replace(good, "-Google", "", 1),
		"a long value":            strings.Replace(good, "-Google", strings.Repeat("x", query.MaxFilterLength+1), 1),
		"a filter twice":          strings.Replace(good, "skills", "city", 1),
		"words not in the prompt": strings.Replace(good, `"text": "flumphology"`, `"text": "phrenology"`, 1),
		"part of a word":          strings.Replace(good, `"text": "flumphology"`, `"text": "flump"`, 1),
		"no words":                strings.Replace(good, `"text": "flumphology"`, `"text": ""`, 1),
		"a forgotten place":       strings.Replace(good, `"text": "berlin"`, `"text": "designers"`, 1),
		"a lifted exclusion":      strings.Replace(good, "-Google", "Google", 1),
		"everyone but":            `{"filters": [{"field": "company", "value": "-Google", "text": "` + asked + `"}]}`,
		"everyone by a range": `{"filters": [{"field": "experienceYears", "value": ">=0", "text": "designers in Berlin, not"},
			{"field": "company", "value": "-Google", "text": "at Google"}]}`,
		"a step for everyone": `{"steps": [{"text": "designers", "filters": [], "relations": []}],
			"relations": [{"kind": "worked_with", "step": 0, "text": "designers"}]}`,
		"an unused step": strings.Replace(good, `"steps": []`,
			`"steps": [{"text": "Berlin", "filters": [{"field": "name", "value": "B", "text": "Berlin"}]}]`, 1),
		"a missing step": strings.Replace(good, `"relations": []`,
			`"relations": [{"kind": "worked_with", "step": 0, "text": "who do"}]`, 1),
		"an unknown kind":  relating(`{"kind": "married_to", "step": 0, "text": "who do"}`),
		"past and current": relating(`{"kind": "worked_with", "step": 0, "text": "who do", "past": true, "current": true}`),
		"jobs of the person": relating(`{"kind": "worked_with", "step": 0, "text": "who do",
			"jobs": [{"field": "city", "value": "Berlin", "text": "Berlin"}]}`),
		"an unknown judgement": strings.Replace(good, `"criteria": []`,
			`"criteria": [{"name": "beautiful", "text": "designers"}]`, 1),
		"a long answer": `{"filters": [` + strings.Repeat(" ", 20<<10) + `]}`,
		"many steps": strings.Replace(good, `"steps": []`,
			`"steps": [`+strings.Repeat(`{"text": "Berlin"},`, 9)+`{"text": "Berlin"}]`, 1),
		"many relations": strings.Replace(good, `"relations": []`,
			`"relations": [`+strings.Repeat(`{"step": 0},`, 9)+`{"step": 0}]`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			got := plan(t, configured(t, says(answer), nil), asked, prompt.Auto)
			wantFallback(t, got, "the answer of the language model was invalid; the prompt was read without it")
		})
	}
}

// A model may drop a text search, but not an excluded text.
func TestExcludedWordsStayExcluded(t *testing.T) {
	const text = "flumphologists, no hospital projects"
	rules := ruling{text: {
		Mode: prompt.Simple, Ignored: []string{"flumphologists"},
		Filters: []prompt.Filter{filter(text, "keywords", "-hospital", "hospital")},
	}}
	for value, used := range map[string]bool{"hospital": false, "-hospital": true} {
		answer := `{"filters": [{"field": "skills", "value": "flumphology", "text": "flumphologists"},
			{"field": "keywords", "value": "` + value + `", "text": "hospital"}]}`
		server := httptest.NewServer(says(answer))
		t.Cleanup(server.Close)
		m, err := llm.New(llm.Config{URL: server.URL, Model: "stand-in", Timeout: 10 * time.Second, Log: zerolog.Nop()})
		expect.NoError(t, err)
		got := plan(t, m.Planner(rules, lex()), text, prompt.Auto)
		if was := slices.ContainsFunc(got.Filters, func(f prompt.Filter) bool { return f.Name == "skills" }); was != used {
			t.Errorf("keywords %s: the answer was used: %t\n%s", value, was, got)
		}
	}
}

// relating is a good answer with a step and a relation to it.
func relating(relation string) string {
	s := strings.Replace(good, `"steps": []`,
		`"steps": [{"text": "Berlin", "filters": [{"field": "name", "value": "B", "text": "Berlin"}]}]`, 1)
	return strings.Replace(s, `"relations": []`, `"relations": [`+relation+`]`, 1)
}

// wantFallback wants the plan of the rules with one more note.
func wantFallback(t *testing.T, got prompt.Plan, note string) {
	t.Helper()
	want := ruled(t, asked, prompt.Auto)
	want.Notes = append(want.Notes, note)
	if got.String() != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(got.String(), key) {
		t.Error("the plan contains the key")
	}
}

// A fully understood prompt needs no model.
func TestModelIsAskedOnlyAboutUnknownWords(t *testing.T) {
	for _, c := range []struct {
		prompt string
		mode   prompt.Mode
		want   bool
	}{
		{asked, prompt.Auto, true},
		{asked, "", true},
		{asked, prompt.Complex, true},
		{asked, prompt.Simple, false},
		{asked, prompt.Lookup, false},
		{"everyone", prompt.Auto, true},
		{"find me designers please, people", prompt.Auto, false},
		{"Jane Doe", prompt.Auto, false},
		{addressed, prompt.Auto, false},
		{conditioned, prompt.Auto, false},
		{preferring, prompt.Auto, false},
		{"?!", prompt.Auto, false},
	} {
		var was atomic.Bool
		p := configured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			was.Store(true)
			says("nonsense")(w, r)
		}), nil)
		got := plan(t, p, c.prompt, c.mode)
		if was.Load() != c.want {
			t.Errorf("%q in mode %q: model asked: %t\n%s", c.prompt, c.mode, was.Load(), got)
		}
		if want := ruled(t, c.prompt, c.mode); !c.want && got.String() != want.String() {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestNewRefusesInvalidConfig(t *testing.T) {
	for _, c := range []struct{ url, model, want string }{
		{"", "m", "begin with http or https"},
		{"localhost:11434/v1", "m", "begin with http or https"},
		{"file:///etc/passwd", "m", "begin with http or https"},
		{"http://user:password@host/v1", "m", "no password"},
		{"http://host/v1?key=1", "m", "no password, query"},
		{"http://host/v1", " ", "has no name"},
	} {
		_, err := llm.New(llm.Config{URL: c.url, Model: c.model})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "user:") {
			t.Errorf("%q, %q: %v", c.url, c.model, err)
		}
	}
}

// transport answers without a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// FuzzAnswer plans with any answer of a model. The filters of the plan compile, and it does not ask for everyone.
func FuzzAnswer(f *testing.F) {
	f.Add(asked, good)
	f.Add(asked, `{"filters": [{"field": "name", "value": "-x", "text": "designers"}]}`)
	f.Add("zorble at Google", relating(`{"kind": "worked_with", "step": 0, "text": "at", "excluded": true}`))
	f.Add("ĳ İ ß", `{"filters": [{"field": "skills", "value": "x", "text": "i̇"}]}`)
	f.Fuzz(func(t *testing.T, text, content string) {
		if text == "" || len(text) > 1000 {
			t.Skip()
		}
		m, err := llm.New(llm.Config{
			URL: "http://stand-in/v1", Model: "m", Log: zerolog.Nop(),
			Transport: transport(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(completion(content)))}, nil
			}),
		})
		expect.NoError(t, err)
		got := plan(t, m.Planner(preparedPlans(), lex()), text, prompt.Auto)
		if !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.HasPrefix(n, "a language model read") }) {
			return // the plan of the rules has its own tests
		}
		compiled, problems := analysis.Compile(got.Values(), time.Now())
		if len(problems) > 0 {
			t.Fatalf("the plan does not compile: %v\n%s", problems, got)
		}
		if len(got.Relations) == 0 && query.Equal(query.Simplify(compiled.Query), query.All{}) {
			t.Errorf("the plan asks for everyone:\n%s", got)
		}
		runes := []rune(text)
		for _, f := range got.Filters {
			if f.Span[0] < 0 || f.Span[1] > len(runes) || f.Span[0] >= f.Span[1] {
				t.Errorf("the filter %s has the span %v in a prompt of %d characters", f.Name, f.Span, len(runes))
			}
		}
	})
}
