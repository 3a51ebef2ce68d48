package llm

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
)

// Config configures the model.
type Config struct {
	// URL is the base of the endpoint, such as https://api.example.com/v1; /chat/completions is
	// appended. Model is the model's name there. Key, if not empty, is the bearer token.
	URL, Model, Key string
	// Timeout is the maximum time for one answer, from the first byte sent to the last one read;
	// 0 means [DefaultTimeout].
	Timeout time.Duration
	// CoolDown is the pause after three consecutive failures of the endpoint; 0 means 30 s.
	CoolDown time.Duration
	// Transport carries the requests; nil means the standard library's.
	Transport http.RoundTripper
	// Log receives the reasons for unused answers: never prompts, answers or keys.
	Log zerolog.Logger
	// Now is the clock for ranges relative to today; nil means time.Now.
	Now func() time.Time
}

// DefaultTimeout is the default maximum time for an answer.
const DefaultTimeout = 4 * time.Second

const defaultCoolDown = 30 * time.Second

// Model is a language model at an endpoint. It is safe for concurrent use. All its planners share one circuit breaker.
type Model struct {
	cfg    Config
	client *client
}

// New returns the model. It fails if the address is not http or https, or if no model is named. It sends nothing.
func New(cfg Config) (*Model, error) {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.CoolDown <= 0 {
		cfg.CoolDown = defaultCoolDown
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c, err := newClient(cfg)
	if err != nil {
		return nil, err
	}
	return &Model{cfg: cfg, client: c}, nil
}

// Planner returns a planner in which the rules plan every prompt first. The lexicon distinguishes
// fillers from unknown words.
func (m *Model) Planner(rules prompt.Planner, lex *lexicon.Lexicon) *Planner {
	return &Planner{model: m, rules: rules, lex: lex}
}

// Planner asks a model about prompts that the rules did not fully understand. It is safe for concurrent use.
// Unlike the rules, it may plan the same prompt differently each time; all pages of one search keep one plan.
type Planner struct {
	model *Model
	rules prompt.Planner
	lex   *lexicon.Lexicon
}

var _ prompt.Planner = (*Planner)(nil)

// Plan implements [prompt.Planner]. It returns an error only if the rules do, never if the model fails.
func (p *Planner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	ruled, err := p.rules.Plan(ctx, v, text, mode)
	if err != nil || !p.asks(ruled, mode) {
		return ruled, err
	}
	proposed, err := p.propose(ctx, text, mode, ruled)
	switch {
	case err == nil:
		return proposed, nil
	case ctx.Err() != nil:
		return ruled, nil // the caller is gone, nobody reads a note
	}
	level := zerolog.WarnLevel
	if errors.Is(err, errPaused) {
		level = zerolog.DebugLevel // the cause was logged before
	}
	p.model.cfg.Log.WithLevel(level).AnErr("reason", err).Msg("the language model did not help")
	ruled.Notes = append(ruled.Notes, noteFor(err))
	return ruled, nil
}

// propose asks the model and checks its answer.
func (p *Planner) propose(ctx context.Context, text string, mode prompt.Mode, ruled prompt.Plan) (prompt.Plan, error) {
	content, err := p.model.client.ask(ctx, text)
	if err != nil {
		return prompt.Plan{}, err
	}
	a, err := decode(content)
	if err != nil {
		return prompt.Plan{}, err
	}
	c := newChecker(text, p.model.cfg.Now())
	plan, err := c.plan(a, ruled)
	if err != nil {
		return prompt.Plan{}, err
	}
	setMode(&plan, mode)
	plan.Notes = append(plan.Notes, "a language model read the prompt, because the rules left some words unknown")
	return plan, nil
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

// setMode sets the plan's mode. It adds a note if the caller requested Complex needlessly.
func setMode(plan *prompt.Plan, asked prompt.Mode) {
	switch {
	case len(plan.Steps)+len(plan.Relations)+len(plan.Criteria) > 0:
		plan.Mode = prompt.Complex
		return
	case namesPerson(plan.Filters):
		plan.Mode = prompt.Lookup
	default:
		plan.Mode = prompt.Simple
	}
	if asked == prompt.Complex {
		plan.Notes = append(plan.Notes,
			"the prompt needs no judgement and no second search; it is answered in mode "+string(plan.Mode))
	}
}
