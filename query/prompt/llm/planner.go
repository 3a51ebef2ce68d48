package llm

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
)

// Config configures the model.
type Config struct {
	// URL is the base of an endpoint like OpenAI's, such as https://api.example.com/v1, to which /chat/completions is
	// appended, or the address of one like Anthropic's, which ends in /messages. Model is the model's name there. Key,
	// if not empty, is the key of the endpoint.
	URL, Model, Key string
	// Timeout is the maximum time for reading a prompt, with the second try; 0 means [DefaultTimeout].
	Timeout time.Duration
	// CoolDown is the pause after three consecutive failures of the endpoint; 0 means 30 s.
	CoolDown time.Duration
	// Transport carries the requests; nil means the standard library's.
	Transport http.RoundTripper
	// Log receives the reasons for unused answers: never prompts, answers or keys.
	Log zerolog.Logger
}

// DefaultTimeout is the default maximum time for reading a prompt.
const DefaultTimeout = 4 * time.Second

const defaultCoolDown = 30 * time.Second

// mostKept is the maximum number of kept answers.
const mostKept = 10_000

// Model is a language model at an endpoint. It is safe for concurrent use. All its planners share one circuit breaker,
// and the answers: a prompt that the model has read is not sent again.
type Model struct {
	cfg    Config
	client *client
	kept   *lru.Cache[string, frame.Frame]
}

// New returns the model. It fails if the address is not http or https, or if no model is named. It sends nothing.
func New(cfg Config) (*Model, error) {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.CoolDown <= 0 {
		cfg.CoolDown = defaultCoolDown
	}
	c, err := newClient(cfg)
	if err != nil {
		return nil, err
	}
	kept, err := lru.New[string, frame.Frame](mostKept)
	if err != nil {
		return nil, err
	}
	return &Model{cfg: cfg, client: c, kept: kept}, nil
}

// Embedded is the planner that resolves the model's marks, and reads what the model does not.
type Embedded interface {
	prompt.Planner
	// Resolve returns the plan of a frame.
	Resolve(ctx context.Context, v kith.Viewer, f frame.Frame, mode prompt.Mode) (prompt.Plan, error)
	// Unmarked returns the words that mean something and are not marked.
	Unmarked(ctx context.Context, v kith.Viewer, f frame.Frame) ([]string, error)
}

// Planner returns a planner in which the model reads prompts first.
func (m *Model) Planner(embedded Embedded) *Planner {
	return &Planner{model: m, embedded: embedded}
}

// Planner lets a model read prompts. It is safe for concurrent use.
type Planner struct {
	model    *Model
	embedded Embedded
}

var _ prompt.Planner = (*Planner)(nil)

// Plan implements [prompt.Planner]. It returns an error only if the embedded planner does, never if the model fails.
func (p *Planner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	if !asks(text, mode) {
		return p.embedded.Plan(ctx, v, text, mode)
	}
	f, failed := p.read(ctx, v, text)
	if failed == nil {
		return p.compared(ctx, v, f, mode)
	}
	plan, err := p.embedded.Plan(ctx, v, text, mode)
	if err != nil || ctx.Err() != nil { // the caller is gone, nobody reads a note
		return plan, err
	}
	level := zerolog.WarnLevel
	if errors.Is(failed, errPaused) {
		level = zerolog.DebugLevel // the cause was logged before
	}
	p.model.cfg.Log.WithLevel(level).AnErr("reason", failed).Msg("the language model did not help")
	plan.Notes = append(plan.Notes, noteFor(failed))
	return plan, nil
}

// compared returns the plan of the model's marks. It is surely right if the embedded reading asks for the same; else
// that reading is the alternative.
func (p *Planner) compared(ctx context.Context, v kith.Viewer, f frame.Frame, mode prompt.Mode) (prompt.Plan, error) {
	plan, err := p.embedded.Resolve(ctx, v, f, mode)
	if err != nil {
		return plan, err
	}
	other, err := p.embedded.Plan(ctx, v, f.Prompt, mode)
	plan.Reader, plan.Confidence = prompt.ByModel, prompt.High
	plan = plan.WithReadings([]prompt.Plan{other})
	if len(plan.Alternatives) > 0 {
		plan.Confidence = prompt.Middle
	}
	return plan, err
}

// Frame returns how the model marks a prompt, and false if it does not read it: to compare readings.
func (p *Planner) Frame(ctx context.Context, v kith.Viewer, text string) (frame.Frame, bool) {
	if !asks(text, prompt.Auto) {
		return frame.Frame{}, false
	}
	f, err := p.read(ctx, v, text)
	return f, err == nil
}

// read returns the marks of a prompt: kept ones, else those of the model's answer. What is wrong with the first answer
// is sent back once.
func (p *Planner) read(ctx context.Context, v kith.Viewer, text string) (frame.Frame, error) {
	if f, ok := p.model.kept.Get(text); ok {
		return f, nil
	}
	deadline := time.Now().Add(p.model.cfg.Timeout)
	talk := opening(text)
	content, err := p.model.client.ask(ctx, deadline, talk)
	if err != nil {
		return frame.Frame{}, err
	}
	first := p.check(ctx, v, text, content)
	if first.wrong != "" {
		content, err := p.model.client.ask(ctx, deadline, append(talk, correction(content, first.wrong)...))
		if second := p.check(ctx, v, text, content); err == nil && second.usable {
			first = second
		} else if !first.usable {
			return frame.Frame{}, cmp.Or(err, errAnswer)
		}
	}
	p.model.kept.Add(text, first.frame)
	return first.frame, nil
}

// noteFor explains to the caller why the model did not contribute to a plan.
func noteFor(err error) string {
	const without = "; the prompt was read without it"
	switch {
	case errors.Is(err, errSlow):
		return "the language model did not respond in time" + without
	case errors.Is(err, errPaused):
		return "the language model failed recently and is paused" + without
	case errors.Is(err, errAnswer):
		return "the answer of the language model was invalid" + without
	}
	return "the language model could not be reached" + without
}
