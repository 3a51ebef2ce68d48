package suggest

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"kith"
	"kith/internal/search"
	"kith/query/prompt"
)

// Limits of a request.
const (
	DefaultLimit = 10
	MaxLimit     = 25
	// MaxLength is the longest text of a field, in Unicode code points; a prompt may have [kith.MaxPromptLength].
	MaxLength = 100
)

// Request is what somebody is typing.
type Request struct {
	Field Field
	Text  string
	// Limit is for how many suggestions at most; 0 is the default.
	Limit int
}

// Suggestion is one completion.
type Suggestion struct {
	// Field is what the value is a value of: that of the request, and for a prompt the one that it completes.
	Field Field `json:"field"`
	// Value is the value for the filter of the field, in the grammar of filters.
	Value string `json:"value"`
	// Text is what to show; for a prompt, the whole prompt with its last words completed.
	Text string `json:"text"`
	// Count is about how many people have it, and 1 for a person.
	Count  int     `json:"count"`
	Person *Person `json:"person,omitempty"`
}

// Person is a person who is suggested.
type Person struct {
	ID        int64  `json:"id"`
	FullName  string `json:"full_name"`
	Headline  string `json:"headline"`
	SocialURL string `json:"social_url"`
	ImageURL  string `json:"image_url"`
}

// Vocabulary is the words of the people and companies of a dataset. [prompt.Vocabulary] says what they are.
type Vocabulary interface {
	prompt.Vocabulary
	// Starting returns the terms that match typed texts, as [Choose] defines it; of those that many terms match, the
	// terms that most people have may be all that is looked at.
	Starting(ctx context.Context, asked Asked) ([]Term, error)
}

// Searcher finds people whom the caller may see.
type Searcher interface {
	Search(ctx context.Context, req search.Request) (*search.Results, error)
}

// Service completes texts. It is safe for concurrent use.
type Service struct {
	words  Vocabulary
	people Searcher
}

// New returns a service for a dataset.
func New(words Vocabulary, people Searcher) *Service { return &Service{words: words, people: people} }

// Suggest returns completions, the best first: what is just that before what begins so, and that before a typo; among
// these, what most people have. An error of kind Invalid names all that is wrong with the request.
func (s *Service) Suggest(ctx context.Context, req Request) ([]Suggestion, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	if req.Limit == 0 {
		req.Limit = DefaultLimit
	}
	switch req.Field {
	case FieldPrompt:
		return s.prompt(ctx, req)
	case FieldPerson:
		return s.persons(ctx, req)
	case FieldCity, FieldState, FieldCountry:
		return s.places(ctx, req)
	case FieldCompany, FieldPosition, FieldIndustry, FieldSchool, FieldSkill:
	}
	return s.terms(ctx, req)
}

func (r Request) check() error {
	var problems []kith.FieldError
	add := func(field, code, format string, args ...any) {
		problems = append(problems, kith.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if !known(r.Field) {
		add("field", "INVALID_VALUE", "must be one of %s (got %q)", strings.Join(fieldNames(), ", "), r.Field)
	}
	most := MaxLength
	if r.Field == FieldPrompt {
		most = kith.MaxPromptLength
	}
	switch n := utf8.RuneCountInString(r.Text); {
	case !utf8.ValidString(r.Text):
		add("q", "INVALID_VALUE", "must be UTF-8; percent-encode it")
	case strings.TrimSpace(r.Text) == "":
		add("q", "REQUIRED", "must have at least one letter")
	case n > most:
		add("q", "TOO_LONG", "must have at most %d characters (got %d)", most, n)
	}
	if r.Limit < 0 || r.Limit > MaxLimit {
		add("limit", "OUT_OF_RANGE", "must be between 1 and %d (got %d)", MaxLimit, r.Limit)
	}
	return kith.InvalidFields(problems)
}
