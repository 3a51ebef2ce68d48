package llm

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
)

// Config says which model is asked, and how.
type Config struct {
	// URL is the base of the endpoint, such as https://api.example.com/v1:
	// /chat/completions is added to it. Model is the model's name there. Key is
	// sent as a bearer token where it is not empty.
	URL, Model, Key string
	// Timeout is how long one answer may take, from the first byte sent to the
	// last one read; [DefaultTimeout] where 0.
	Timeout time.Duration
	// CoolDown is how long an endpoint is left alone that failed three times in
	// a row; 30 s where 0.
	CoolDown time.Duration
	// Transport carries the requests; that of the standard library where nil.
	Transport http.RoundTripper
	// Log is told why an answer was not used: never prompts, answers or keys.
	Log zerolog.Logger
	// Now is the clock of ranges that are counted back from today; time.Now
	// where nil.
	Now func() time.Time
}

// DefaultTimeout is how long an answer may take where nothing else is said.
const DefaultTimeout = 4 * time.Second

const defaultCoolDown = 30 * time.Second

// Model is a language model at an endpoint. It is safe for concurrent use; all
// its planners together leave the endpoint alone when it fails.
type Model struct {
	cfg    Config
	client *client
}

// New returns the model. It is an error where the address is not one of http or
// https, or where no model is named; nothing is sent yet.
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

// Planner returns a planner that lets rules plan every prompt first. The lexicon
// tells words that say nothing from words that were not understood.
func (m *Model) Planner(rules prompt.Planner, lex *lexicon.Lexicon) *Planner {
	return &Planner{model: m, rules: rules, lex: lex}
}

// Planner asks a model about prompts that the rules did not understand whole.
// It is safe for concurrent use. Unlike the rules it can plan the same prompt
// in two ways at two times; the pages of one search keep one plan.
type Planner struct {
	model *Model
	rules prompt.Planner
	lex   *lexicon.Lexicon
}

var _ prompt.Planner = (*Planner)(nil)

// Plan implements [prompt.Planner]. Its error is that of the rules: a model
// that fails is none.
func (p *Planner) Plan(ctx context.Context, text string, mode prompt.Mode) (prompt.Plan, error) {
	ruled, err := p.rules.Plan(ctx, text, mode)
	if err != nil || !p.asks(ruled, mode) {
		return ruled, err
	}
	proposed, err := p.propose(ctx, text, mode, ruled)
	switch {
	case err == nil:
		return proposed, nil
	case ctx.Err() != nil:
		return ruled, nil // the caller is gone; nobody reads a note
	}
	level := zerolog.WarnLevel
	if errors.Is(err, errResting) {
		level = zerolog.DebugLevel // why it rests has been said
	}
	p.model.cfg.Log.WithLevel(level).AnErr("reason", err).Msg("the language model was of no use")
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
	settleMode(&plan, mode)
	plan.Notes = append(plan.Notes,
		"a language model read the prompt, because some of its words were not understood without it")
	return plan, nil
}

// noteFor tells a caller why the model had no part in a plan.
func noteFor(err error) string {
	const without = "; the prompt was understood without it"
	switch {
	case errors.Is(err, errSlow):
		return "the language model did not answer in time" + without
	case errors.Is(err, errResting):
		return "the language model has failed lately and is left alone for a while" + without
	case errors.Is(err, errAnswer):
		return "the answer of the language model could not be used" + without
	}
	return "the language model could not be asked" + without
}

// settleMode says what kind of question a plan is, and what became of the mode
// that was asked for.
func settleMode(plan *prompt.Plan, asked prompt.Mode) {
	switch {
	case len(plan.Steps)+len(plan.Relations)+len(plan.Criteria) > 0:
		plan.Mode = prompt.Complex
		return
	case namesSomebody(plan.Filters):
		plan.Mode = prompt.Lookup
	default:
		plan.Mode = prompt.Simple
	}
	if asked == prompt.Complex {
		plan.Notes = append(plan.Notes,
			"the prompt needs no judgement and no second search; it is answered in mode "+string(plan.Mode))
	}
}
