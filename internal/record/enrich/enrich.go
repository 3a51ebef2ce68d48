// Package enrich looks up a person by profile URL, e-mail address or id, in the records and
// then, if configured, at a source of fresh data.
package enrich

import (
	"context"
	"maps"
	"strings"
	"unicode"

	"kith"
	"kith/query/analysis"
	"kith/query/tokenizer"
)

// Records are the stored people.
type Records interface {
	// ByProfile returns the stored people that a viewer may see, by the key of their profile URL, as made by
	// [analysis.URLKey]; unknown keys are left out.
	ByProfile(ctx context.Context, v kith.Viewer, keys []string) (map[string]kith.Person, error)
	// ByIdentifier returns the stored people that a viewer may see, by e-mail address or id; of several with the same
	// address, the first by rank. Unknown identifiers are left out.
	ByIdentifier(ctx context.Context, v kith.Viewer, identifiers []string) (map[string]kith.Person, error)
	// Suppressed returns the keys whose people must not be stored again.
	Suppressed(ctx context.Context, keys []string) (map[string]bool, error)
}

// Finder fetches people from the source of fresh data.
type Finder interface {
	// Find stores the person of a profile as the source has them. NotFound: the source does not know the profile.
	// Unavailable, Timeout or RateLimited: the source could not be asked; retrying makes sense. Invalid: its answer is
	// unusable, which callers see as NotFound with the same code.
	Find(ctx context.Context, profileURL string) error
}

// Service enriches profiles. It is safe for concurrent use.
type Service struct {
	records Records
	finder  Finder
}

// New returns a service over stored records; finder is nil if there is no source.
func New(records Records, finder Finder) *Service {
	return &Service{records: records, finder: finder}
}

// Result is the outcome for one profile: Err is nil, or says why there is no Person.
type Result struct {
	Person kith.Person
	Err    *kith.Error
}

// Person returns the person with a profile URL in any form, an e-mail address or a person id. Errors: Invalid for
// anything else, NotFound, Suppressed, and those of a source that could not be asked.
func (s *Service) Person(ctx context.Context, v kith.Viewer, identifier string) (kith.Person, error) {
	results, err := s.Bulk(ctx, v, []string{identifier})
	if err != nil {
		return kith.Person{}, err
	}
	if failed := results[0].Err; failed != nil {
		return kith.Person{}, failed
	}
	return results[0].Person, nil
}

// Bulk does the same for several people; result i belongs to identifier i. It returns an error only if nothing can be
// answered.
func (s *Service) Bulk(ctx context.Context, v kith.Viewer, identifiers []string) ([]Result, error) {
	results, keys := make([]Result, len(identifiers)), make([]string, len(identifiers))
	if err := s.answerStored(ctx, v, identifiers, results); err != nil {
		return nil, err
	}
	var wanted []string
	for i, raw := range identifiers {
		if IsAddressOrID(raw) {
			continue
		}
		key, err := ProfileKey(raw)
		if err != nil {
			results[i].Err = err
			continue
		}
		keys[i], wanted = key, append(wanted, key)
	}
	if len(wanted) == 0 {
		return results, nil
	}
	found, err := s.records.ByProfile(ctx, v, wanted)
	if err != nil {
		return nil, err
	}
	suppressed, err := s.records.Suppressed(ctx, wanted)
	if err != nil {
		return nil, err
	}
	failures, err := s.find(ctx, v, unknown(wanted, found, suppressed), found)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		if key != "" {
			results[i] = newResult(key, found, suppressed, failures)
		}
	}
	return results, nil
}

// answerStored answers addresses and ids, which no source knows.
func (s *Service) answerStored(ctx context.Context, v kith.Viewer, identifiers []string, results []Result) error {
	var wanted []string
	for _, raw := range identifiers {
		if IsAddressOrID(raw) {
			wanted = append(wanted, raw)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := s.records.ByIdentifier(ctx, v, wanted)
	for i, raw := range identifiers {
		if person, ok := found[raw]; ok {
			results[i].Person = person
		} else if IsAddressOrID(raw) {
			results[i].Err = kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND",
				"nobody in the dataset has this e-mail address or id")
		}
	}
	return err
}

// IsAddressOrID reports whether a text is an e-mail address or a person id, which a source cannot look up.
func IsAddressOrID(raw string) bool {
	kind, key := analysis.Identifier(raw)
	return kind == analysis.EmailIdentifier || kind == analysis.SocialIdentifier && strings.Trim(key,
		"0123456789") == ""
}

func newResult(key string, found map[string]kith.Person, suppressed map[string]bool,
	failures map[string]*kith.Error,
) Result {
	person, ok := found[key]
	switch {
	case suppressed[key]:
		return Result{Err: ErrSuppressed()}
	case ok:
		return Result{Person: person}
	case failures[key] != nil:
		return Result{Err: failures[key]}
	}
	return Result{Err: errNotFound()}
}

// unknown returns the keys, each once, that are neither stored nor suppressed.
func unknown(keys []string, found map[string]kith.Person, suppressed map[string]bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, key := range keys {
		if _, known := found[key]; !known && !suppressed[key] && !seen[key] {
			seen[key] = true
			out = append(out, key)
		}
	}
	return out
}

// find fetches people from the source concurrently and adds them to found. Each of the others has a failure.
func (s *Service) find(ctx context.Context, v kith.Viewer, keys []string,
	found map[string]kith.Person,
) (map[string]*kith.Error, error) {
	if s.finder == nil || len(keys) == 0 {
		return nil, nil
	}
	var failures map[string]*kith.Error
	var stored []string
	err := kith.Wait(ctx, func() error {
		failures, stored = askAll(ctx, s.finder, keys)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if len(stored) == 0 {
		return failures, nil
	}
	fresh, err := s.records.ByProfile(ctx, v, stored)
	maps.Copy(found, fresh)
	return failures, err
}

// ProfileKey returns the comparison key of a profile URL, or why the text is not one.
func ProfileKey(raw string) (string, *kith.Error) {
	scheme, _, ok := strings.Cut(raw, "://")
	key, readable := analysis.URLKey(raw)
	if !readable || !strings.Contains(key, "/") || ok && !isWeb(strings.TrimFunc(scheme, unseen)) {
		return "", kith.Errorf(kith.Invalid, "INVALID_URL",
			"must be a person's profile URL, such as https://social.example/in/jane-doe, an e-mail address or a "+
				"person id")
	}
	return key, nil
}

func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

func unseen(r rune) bool { return unicode.IsSpace(r) || tokenizer.Invisible(r) }

func errNotFound() *kith.Error {
	return kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "nobody in the dataset has this profile URL")
}

// ErrSuppressed is the error for a person who must not be stored any longer.
func ErrSuppressed() *kith.Error {
	return kith.Errorf(kith.Suppressed, "PERSON_SUPPRESSED",
		"this person asked to be forgotten: no data on them is or will be stored")
}
