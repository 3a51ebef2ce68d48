package suggest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kith"
	"kith/internal/search"
	"kith/query/analysis"
	"kith/query/prompt"
)

// Limits of a request.
const (
	DefaultLimit = 10
	MaxLimit     = 25
	// MaxLength is the longest text of a field, in Unicode code points; a prompt may have [kith.MaxPromptLength].
	MaxLength = 100
)

// Request is a text being typed.
type Request struct {
	Field Field
	Text  string
	// Limit is the most suggestions; 0 is the default.
	Limit int
}

// Suggestion is one completion.
type Suggestion struct {
	// Field is the field of the value: that of the request or, for a prompt, the completed one.
	Field Field `json:"field"`
	// Value is the value for the filter of the field, in the filter grammar.
	Value string `json:"value"`
	// Text is the display text; for a prompt, the whole prompt with its last words completed.
	Text string `json:"text"`
	// Count is the approximate number of people with the value; 1 for a person.
	Count  int     `json:"count"`
	Person *Person `json:"person,omitempty"`
}

// Person is a suggested person.
type Person struct {
	ID        int64  `json:"id"`
	FullName  string `json:"full_name"`
	Headline  string `json:"headline"`
	SocialURL string `json:"social_url"`
	ImageURL  string `json:"image_url"`
}

// Vocabulary holds the words of a dataset's people and companies; see [prompt.Vocabulary].
type Vocabulary interface {
	prompt.Vocabulary
	// Starting returns the terms of records that a viewer may see that match typed texts, as [Choose] defines it. If
	// many terms match a text, it may consider only the most frequent ones.
	Starting(ctx context.Context, v kith.Viewer, asked Lookup) ([]Term, error)
}

// Service completes texts. It is safe for concurrent use.
type Service struct {
	words  Vocabulary
	people *search.Service
}

// New returns a service for a dataset.
func New(words Vocabulary, people *search.Service) *Service {
	return &Service{words: words, people: people}
}

// Suggest returns completions for a viewer, best first. Terms and places: equal ones before prefixes, and prefixes
// before typos; within each, the most frequent first. Prompts: completions of more words first, typos last. People come
// in search order. An error of kind Invalid lists every problem of the request.
func (s *Service) Suggest(ctx context.Context, v kith.Viewer, req Request) ([]Suggestion, error) {
	if err := kith.InvalidFields(req.Check()); err != nil {
		return nil, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	switch req.Field {
	case FieldPrompt:
		return s.prompt(ctx, v, req)
	case FieldPerson:
		return s.persons(ctx, v, req)
	case FieldCity, FieldState, FieldCountry:
		return s.places(ctx, v, req)
	case FieldCompany:
		return s.terms(ctx, v, req, analysis.TermCompany)
	case FieldPosition:
		return s.terms(ctx, v, req, analysis.TermTitle)
	case FieldIndustry:
		return s.terms(ctx, v, req, analysis.TermIndustry)
	case FieldSchool:
		return s.terms(ctx, v, req, analysis.TermSchool)
	}
	return s.terms(ctx, v, req, analysis.TermSkill) // FieldSkill: Check refused others
}

// Check returns the problems of a request.
func (r Request) Check() (problems []kith.FieldError) {
	add := func(field, code, format string, args ...any) {
		problems = append(problems, kith.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if !slices.Contains(Fields(), r.Field) {
		names := kith.Each(Fields(), func(f Field) string { return string(f) })
		add("field", "INVALID_VALUE", "must be one of %s (got %q)", strings.Join(names, ", "), r.Field)
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
	return problems
}
