package suggest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"kith"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/tokenizer"
)

const (
	// mostLast is the most words at the end of a prompt that are completed together.
	mostLast = 4
	// mostMistyped is how many of the shortest ends are also looked up with typos.
	mostMistyped = 2
	// minLast is the shortest end completed, in letters.
	minLast = 2
)

// span is the part at the end of a prompt to complete.
type span struct {
	start int // in bytes
	words int
	text  string
	cue   string // the word before it, folded
}

// completion is a suggestion for a prompt, with its sort keys.
type completion struct {
	Suggestion
	span  span
	match Match
}

// prompt completes the last words of a prompt. Completions of more words come first; among equal ones, those of a field
// that the word before suggests.
func (s *Service) prompt(ctx context.Context, v kith.Viewer, req Request) ([]Suggestion, error) {
	spans := splitEndings(req.Text)
	all, err := s.completeAll(ctx, v, spans, req.Limit, false)
	if err == nil && len(all) == 0 {
		all, err = s.completeAll(ctx, v, spans[max(0, len(spans)-mostMistyped):], req.Limit, true)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b completion) int {
		return cmp.Or(
			compareTypos(a.match, b.match), cmp.Compare(b.span.words, a.span.words),
			cmp.Compare(called(b), called(a)), cmp.Compare(a.match, b.match), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Text, b.Text),
		)
	})
	var out []Suggestion
	seen := map[string]bool{}
	for _, c := range all {
		c.Text = req.Text[:c.span.start] + c.Text
		if !seen[c.Text] && len(out) < req.Limit {
			seen[c.Text] = true
			out = append(out, c.Suggestion)
		}
	}
	return out, nil
}

// compareTypos sorts typos last, however many words they complete.
func compareTypos(a, b Match) int {
	return cmp.Compare(max(a, Begins), max(b, Begins))
}

// splitEndings returns the ends of a prompt, the longest first.
func splitEndings(text string) []span {
	var starts []int
	inWord := false
	for i, r := range text {
		if space := unicode.IsSpace(r); space || !inWord {
			inWord = !space
			if inWord {
				starts = append(starts, i)
			}
		}
	}
	var spans []span
	for n := min(mostLast, len(starts)); n > 0; n-- {
		at := len(starts) - n
		s := span{start: starts[at], words: n, text: text[starts[at]:]}
		if at > 0 {
			s.cue = joined(tokenizer.Tokens(text[starts[at-1]:starts[at]]))
		}
		if len([]rune(s.text)) >= minLast && (n == 1 || !leads(text[starts[at]:starts[at+1]])) {
			spans = append(spans, s)
		}
	}
	return spans
}

// leads reports whether a word introduces the completed part without belonging to it.
func leads(word string) bool {
	switch w := joined(tokenizer.Tokens(word)); w {
	case "a", "an", "and", "the", "of", "or", "who", "is", "are", "was", "were", "has", "have", "not", "to", "by":
		return true
	default:
		return len(calledFor(w)) > 1
	}
}

// kinds returns the term kinds for an end: kinds that the word before suggests come first.
func (s span) kinds() [2][]analysis.TermKind {
	all := []analysis.TermKind{
		analysis.TermTitle, analysis.TermCompany, analysis.TermSkill, analysis.TermSchool, analysis.TermIndustry,
		analysis.TermPlace,
	}
	if s.words == 1 {
		all = append(all, analysis.TermFirstName, analysis.TermLastName)
	}
	var kinds [2][]analysis.TermKind
	for _, kind := range all {
		group := 1
		if slices.Contains(calledFor(s.cue), fieldOf(kind)) {
			group = 0
		}
		kinds[group] = append(kinds[group], kind)
	}
	return kinds
}

// completeAll completes the ends of a prompt, either with typos or without.
func (s *Service) completeAll(
	ctx context.Context, v kith.Viewer, spans []span, limit int, typos bool,
) ([]completion, error) {
	var all []completion
	for _, sp := range spans {
		found, err := s.complete(ctx, v, sp, limit, typos)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// complete completes one end of a prompt from all fields.
func (s *Service) complete(ctx context.Context, v kith.Viewer, sp span, limit int, typos bool) ([]completion, error) {
	texts := typedAny(sp.text)
	if len(texts) == 0 {
		return nil, nil
	}
	var found []Term
	for _, kinds := range sp.kinds() {
		if len(found) >= limit {
			break
		}
		more, err := s.words.Starting(ctx, v, Lookup{Texts: texts, Kinds: kinds, Limit: 2 * limit, Typos: typos})
		if err != nil {
			return nil, err
		}
		for _, t := range more {
			if t.Match != Begins || strings.HasPrefix(t.Text, t.For) { // a match on a later word completes nothing
				found = append(found, t)
			}
		}
	}
	var all []completion
	var located []Term
	for _, t := range best(found, len(found)) {
		if t.Kind == analysis.TermPlace {
			located = append(located, t)
			continue
		}
		all = append(all, completion{
			Suggestion: Suggestion{
				Field: fieldOf(t.Kind), Value: value(t.display()), Text: t.display(),
				Count: t.People,
			},
			span: sp, match: t.Match,
		})
	}
	named, err := s.placesNamed(ctx, v, gazetteer.PlaceKey(sp.text), located)
	for _, p := range named {
		if p.also {
			p.match = Typo // ranks like a typo
		}
		all = append(all, completion{Suggestion: p.Suggestion, span: sp, match: p.match})
	}
	return all, err
}

// typedAny returns the forms of a text for terms of any kind.
func typedAny(text string) []string {
	var forms []string
	for _, kind := range []analysis.TermKind{analysis.TermTitle, analysis.TermCompany, analysis.TermPlace} {
		forms = append(forms, typed(kind, text)...)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// called returns 1 if the word before a completion suggests its field, else 0.
func called(c completion) int {
	if slices.Contains(calledFor(c.span.cue), c.Field) {
		return 1
	}
	return 0
}

// calledFor returns the fields that a word of a prompt suggests, two or more; after any other word, roles come first.
func calledFor(cue string) []Field {
	switch cue {
	case "at", "from", "for", "joined", "left", "ex":
		return []Field{FieldCompany, FieldSchool}
	case "in", "near", "around", "outside":
		return []Field{FieldCity, FieldState, FieldCountry, FieldIndustry}
	case "attended", "studied":
		return []Field{FieldSchool, FieldSkill}
	case "knows", "know", "with", "using", "skilled":
		return []Field{FieldSkill, FieldPerson}
	case "named", "called", "like":
		return []Field{FieldPerson, FieldCompany}
	}
	return []Field{FieldPosition}
}
