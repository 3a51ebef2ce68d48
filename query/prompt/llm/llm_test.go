package llm_test

import (
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
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/llm"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/token"
)

// The prompt of most cases, and a good answer. The grammar reads it otherwise.
const (
	asked = "designers in Berlin, not at Google, for whom flumphology is home"
	good  = "{t designers} in {p Berlin}, not at {c.not Google}, for whom {s flumphology} is home"
	key   = "secret-key-of-the-test"
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

// sequence answers each request with the next completion, and keeps the requests.
type sequence struct {
	sync.Mutex
	answers []string
	bodies  []string
}

func (s *sequence) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	body, _ := io.ReadAll(r.Body)
	s.bodies = append(s.bodies, string(body))
	says(s.answers[min(len(s.bodies), len(s.answers))-1])(w, r)
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
	return m.Planner(prompttest.Planner())
}

func plan(t *testing.T, p prompt.Planner, text string, mode prompt.Mode) prompt.Plan {
	t.Helper()
	got, err := p.Plan(t.Context(), kith.Operator(), text, mode)
	expect.NoError(t, err)
	return got
}

// embedded returns the plan without a model.
func embedded(t *testing.T, text string, mode prompt.Mode) prompt.Plan {
	t.Helper()
	return plan(t, prompttest.Planner(), text, mode)
}

// wantFallback wants the embedded plan with one more note.
func wantFallback(t *testing.T, got prompt.Plan, note string) {
	t.Helper()
	want := embedded(t, asked, prompt.Auto)
	want.Notes = append(want.Notes, note)
	if got.String() != want.String() || got.Reader != prompt.ByGrammar {
		t.Errorf("got, read by %s,\n%s\nwant\n%s", got.Reader, got, want)
	}
	if strings.Contains(got.String(), key) {
		t.Error("the plan contains the key")
	}
}

// The answer is the prompt with marks, which are resolved. Fences, tags and missing outer spaces do no harm.
func TestAnswersAreResolved(t *testing.T) {
	f, err := frame.Parse(good)
	expect.NoError(t, err)
	want, err := prompttest.Planner().Resolve(t.Context(), kith.Operator(), f, prompt.Auto)
	expect.NoError(t, err)
	for name, c := range map[string]struct{ prompt, answer string }{
		"plain":          {asked, good},
		"in a fence":     {asked, "```text\n" + good + "\n```"},
		"in tags":        {asked, "<prompt>\n" + good + "\n</prompt>"},
		"without spaces": {" " + asked + "\n", good},
	} {
		t.Run(name, func(t *testing.T) {
			got := plan(t, configured(t, says(c.answer), nil), c.prompt, prompt.Auto)
			if got.Values().Text() != want.Values().Text() || got.Reader != prompt.ByModel {
				t.Errorf("got, read by %s,\n%s\nwant\n%s", got.Reader, got, want)
			}
		})
	}
	if want.Values()[query.FilterSkills] != "flumphology" {
		t.Errorf("the marks are resolved to\n%s", want)
	}
}

// An answer that is not the prompt with marks is sent back once, with what is wrong.
func TestAnswersAreSentBackOnce(t *testing.T) {
	for name, c := range map[string]struct{ first, wrong string }{
		"prose": {"I think you want designers.", `after \"\" the prompt has \"designers in Berlin, not`},
		"a translation": {
			strings.Replace(good, "designers", "Designer", 1),
			"without its marks the text must be the prompt",
		},
		"an open brace": {strings.Replace(good, "Google}", "Google", 1), "stands inside another mark"},
		"a wrong kind":  {strings.Replace(good, "{s ", "{x ", 1), "unknown kind"},
		"no marks":      {asked, "nothing in it is marked as asked for"},
		"a lost place":  {strings.Replace(good, "{p Berlin}", "Berlin", 1), "these words are not marked: Berlin"},
	} {
		t.Run(name, func(t *testing.T) {
			stand := &sequence{answers: []string{c.first, good}}
			got := plan(t, configured(t, stand, nil), asked, prompt.Auto)
			if got.Reader != prompt.ByModel || got.Values()[query.FilterSkills] != "flumphology" {
				t.Errorf("got\n%s", got)
			}
			if len(stand.bodies) != 2 || !strings.Contains(stand.bodies[1], c.wrong) {
				t.Errorf("sent %d times, last %s", len(stand.bodies), stand.bodies[len(stand.bodies)-1])
			}
		})
	}
}

// If both answers are invalid, the embedded reading counts. A first answer that is only incomplete is used if there is
// no better one.
func TestInvalidAnswersFallBack(t *testing.T) {
	for name, answer := range map[string]string{
		"prose":   "I think you want designers.",
		"nothing": "",
		"cut off": good[:len(good)/2],
		"long":    strings.Repeat(good, 1000),
	} {
		t.Run(name, func(t *testing.T) {
			got := plan(t, configured(t, says(answer), nil), asked, prompt.Auto)
			wantFallback(t, got, "the answer of the language model was invalid; the prompt was read without it")
		})
	}
	stand := &sequence{answers: []string{strings.Replace(good, "{p Berlin}", "Berlin", 1), "nonsense"}}
	got := plan(t, configured(t, stand, nil), asked, prompt.Auto)
	if got.Reader != prompt.ByModel || !slices.Contains(got.Ignored, "Berlin") {
		t.Errorf("an incomplete answer:\n%s", got)
	}
}

// A prompt that the model has read is not sent again; a failure is not kept.
func TestAnswersAreKept(t *testing.T) {
	stand := &sequence{answers: []string{"nonsense", "nonsense", good}}
	p := configured(t, stand, nil)
	for _, reader := range []prompt.Reader{prompt.ByGrammar, prompt.ByModel, prompt.ByModel} {
		if got := plan(t, p, asked, prompt.Auto); got.Reader != reader {
			t.Errorf("read by %s, want %s", got.Reader, reader)
		}
	}
	if len(stand.bodies) != 3 {
		t.Errorf("%d requests, want 3", len(stand.bodies))
	}
}

// The model reads prompts in modes auto and complex. The address of a person stays on the machine.
func TestSomePromptsAreNotSent(t *testing.T) {
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
		{"jane@example.com flumphology", prompt.Auto, false},
		{"https://www.linkedin.com/in/jane-doe", prompt.Auto, false},
		{"Jane Doe <jane@example.com>", prompt.Auto, false},
		{"jane@example.com,bob@example.com", prompt.Auto, false},
		{"mailto:jane@example.com", prompt.Auto, false},
		{strings.Repeat("a ", token.Max) + "jane@example.com", prompt.Auto, false},
		{strings.Repeat("a ", token.Max) + "https://www.linkedin.com/in/jane-doe", prompt.Auto, false},
		{"[Jane](https://www.linkedin.com/in/jane-doe)", prompt.Auto, false},
		{"flumphologists @stripe.com", prompt.Auto, true},
		{"?!", prompt.Auto, false},
	} {
		var was atomic.Bool
		p := configured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			was.Store(true)
			says("nonsense")(w, r)
		}), nil)
		got := plan(t, p, c.prompt, c.mode)
		if was.Load() != c.want {
			t.Errorf("%q in mode %q: model asked: %t", c.prompt, c.mode, was.Load())
		}
		if want := embedded(t, c.prompt, c.mode); !c.want && got.String() != want.String() {
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

// FuzzAnswer plans with any answer of a model. The filters of the plan compile, and their words are in the prompt.
func FuzzAnswer(f *testing.F) {
	f.Add(asked, good)
	f.Add(asked, strings.ReplaceAll(good, "{", "{{"))
	f.Add("ĳ İ ß", "{s ĳ} {t.? İ} ß")
	f.Add("10 {", `{z.min 10} \{`)
	f.Fuzz(func(t *testing.T, text, content string) {
		if text == "" || len(text) > 1000 {
			t.Skip()
		}
		m, err := llm.New(llm.Config{
			URL: "http://stand-in/v1", Model: "m", Log: zerolog.Nop(),
			Transport: transport(func(*http.Request) (*http.Response, error) {
				return &http.Response{
					StatusCode: http.StatusOK,
					Body:       io.NopCloser(strings.NewReader(completion(content))),
				}, nil
			}),
		})
		expect.NoError(t, err)
		got := plan(t, m.Planner(prompttest.Planner()), text, prompt.Auto)
		if _, problems := analysis.Compile(got.Values(), time.Now()); len(problems) > 0 {
			t.Fatalf("the plan does not compile: %v\n%s", problems, got)
		}
		runes := []rune(text)
		for _, f := range got.Filters {
			if f.Span[0] < 0 || f.Span[1] > len(runes) || f.Span[0] >= f.Span[1] {
				t.Errorf("the filter %s has the span %v in a prompt of %d characters", f.Name, f.Span, len(runes))
			}
		}
	})
}
