package network

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith"
	"kith/query/analysis"
)

// maxIdentifier is the longest identifier, in code points.
const maxIdentifier = 500

// Element is one person as named by a caller: by e-mail address, profile URL or social identifier.
type Element struct {
	Identifier string
	// Score defaults to the score of the import if nil.
	Score *float64
	// Kinds are added to those of an existing relationship; a new one without kinds is SocialContact.
	Kinds KindSet
}

// Entry is a checked element.
type Entry struct {
	Identifier string
	Score      float64
	Kinds      KindSet
}

// Status is the outcome of an element.
type Status string

// The statuses of an element.
const (
	Created   Status = "created"
	Updated   Status = "updated"
	Unchanged Status = "unchanged"
	Failed    Status = "failed"
)

// Imported is the outcome of an entry. Person is nil if nobody was found. Entries of the same person are one
// relationship: the last score wins, and each of them has the status of that relationship.
type Imported struct {
	Status Status
	Person *Person
}

// Result is the outcome of one element of an import.
type Result struct {
	Identifier string
	Status     Status
	// Person is nil, and Code and Message are set, if Status is Failed.
	Person        *Person
	Code, Message string
}

// Codes of elements that failed.
const (
	CodeNotFound   = "PERSON_NOT_FOUND"
	CodeIdentifier = "INVALID_IDENTIFIER"
	CodeScore      = "INVALID_SCORE"
)

// NotFoundMessage explains CodeNotFound.
const NotFoundMessage = "nobody in the dataset has this e-mail address, profile URL or social identifier"

// Import stores the caller's relationships to the people of the elements in one transaction. Repeating it changes
// nothing. Elements that are invalid or name nobody fail individually. Result i belongs to element i.
func (s *Service) Import(ctx context.Context, a kith.Actor, elements []Element, score float64) ([]Result, error) {
	results := make([]Result, len(elements))
	var entries []Entry
	var positions []int
	for i, el := range elements {
		entry, failed := el.entry(score)
		if failed != nil {
			results[i] = *failed
			continue
		}
		entries, positions = append(entries, entry), append(positions, i)
	}
	if len(entries) == 0 {
		return results, nil
	}
	stored, err := s.store.Import(ctx, a, entries)
	if err != nil {
		return nil, err
	}
	for k, i := range positions {
		results[i] = stored[k].result(elements[i].Identifier)
	}
	return results, nil
}

// entry checks an element.
func (el Element) entry(score float64) (Entry, *Result) {
	entry, problem := el.Check(score)
	if problem == "" {
		return entry, nil
	}
	code := CodeIdentifier
	if checkIdentifier(el.Identifier) == "" {
		code = CodeScore
	}
	return Entry{}, &Result{Identifier: el.Identifier, Status: Failed, Code: code, Message: problem}
}

// Check turns an element into an entry; score applies if it has none. The second result describes what is wrong with
// the element; "" if nothing is.
func (el Element) Check(score float64) (Entry, string) {
	if problem := checkIdentifier(el.Identifier); problem != "" {
		return Entry{}, problem
	}
	if el.Score != nil {
		score = *el.Score
	}
	if math.IsNaN(score) || score < 0 || score > MaxScore {
		return Entry{}, fmt.Sprintf("the score must be between 0 and %d (got %v)", MaxScore, score)
	}
	return Entry{Identifier: strings.TrimSpace(el.Identifier), Score: score, Kinds: el.Kinds}, ""
}

// checkIdentifier describes what is wrong with an identifier; "" if nothing is.
func checkIdentifier(text string) string {
	id := strings.TrimSpace(text)
	kind, _ := analysis.Identifier(id)
	switch {
	case id == "":
		return "the identifier is empty; give an e-mail address, a profile URL or a social identifier"
	case utf8.RuneCountInString(id) > maxIdentifier:
		return "the identifier is longer than 500 characters"
	case strings.ContainsFunc(id, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) ||
			r == utf8.RuneError
	}):
		return "the identifier has a space or a control character in it; give an e-mail address, a profile URL or a " +
			"social identifier"
	case strings.Contains(id, "@") && kind == analysis.NoIdentifier:
		return "the identifier is not an e-mail address; write it as jane@example.com"
	case kind == analysis.NoIdentifier:
		return "the identifier is a site or unreadable; give an e-mail address, a profile URL or a social identifier"
	}
	return ""
}

func (m Imported) result(identifier string) Result {
	if m.Person == nil {
		return Result{Identifier: identifier, Status: Failed, Code: CodeNotFound, Message: NotFoundMessage}
	}
	return Result{Identifier: identifier, Status: m.Status, Person: m.Person}
}
