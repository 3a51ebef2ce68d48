// Package frame defines frames: what a prompt asks for, without any value. A [Frame] is a prompt with [Mark]s, each of
// which says what some of its words are. All readers of prompts give frames, and one resolver makes plans of them.
//
// A frame has a text form, the marked prompt ([Parse], [Frame.String]). The package knows no words and no meanings.
package frame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Frame is a prompt with its marks. A frame that [New] or [Parse] returned is valid: marks are in the order of the
// prompt, do not overlap, contain words, and have the attributes that their kinds need and allow.
type Frame struct {
	Prompt string
	Marks  []Mark
}

// New returns a valid frame with the marks in the order of the prompt.
func New(prompt string, marks []Mark) (Frame, error) {
	f := Frame{Prompt: prompt, Marks: slices.Clone(marks)}
	slices.SortStableFunc(f.Marks, func(a, b Mark) int { return cmp.Compare(a.From, b.From) })
	return f, f.validate()
}

// Words returns the words of a mark.
func (f Frame) Words(m Mark) string { return f.Prompt[m.From:m.To] }

// validate returns the first error of a frame whose marks are in order.
func (f Frame) validate() error {
	end := 0
	for i, m := range f.Marks {
		if err := f.validateRange(m, end); err != nil {
			return err
		}
		if err := f.validateMark(m, i == 0); err != nil {
			return err
		}
		end = m.To
	}
	return nil
}

// validateRange checks the range of a mark; end is the end of the mark before.
func (f Frame) validateRange(m Mark, end int) error {
	switch {
	case m.From < 0 || m.To > len(f.Prompt) || m.From >= m.To:
		return fmt.Errorf("a mark must have words within the prompt of %d bytes (got %d to %d)",
			len(f.Prompt), m.From, m.To)
	case m.From < end:
		return fmt.Errorf("marks must not overlap: one ends at byte %d, the next begins at byte %d", end, m.From)
	case !utf8.RuneStart(f.Prompt[m.From]) || m.To < len(f.Prompt) && !utf8.RuneStart(f.Prompt[m.To]):
		return fmt.Errorf("a mark must begin and end between characters (got bytes %d to %d)", m.From, m.To)
	case strings.TrimSpace(f.Words(m)) != f.Words(m):
		return fmt.Errorf("a mark must begin and end with a word, without spaces (got %q)", f.Words(m))
	}
	return nil
}

// validateMark checks the kind and the attributes of a mark; isFirst is true for the first of the prompt.
func (f Frame) validateMark(m Mark, isFirst bool) error {
	words := f.Words(m)
	if m.Kind.Code() == "" {
		return fmt.Errorf("%q has no kind %q: use one of %s", words, m.Kind, list(Kinds()))
	}
	for _, a := range attributes() {
		if v := a.get(m); v != "" && !hasValue(m.Kind, a.member, v) {
			return fmt.Errorf("%q: %s cannot be %q", words, m.Kind, v)
		}
	}
	switch {
	case m.Kind == Cue && m.How == "":
		return fmt.Errorf("%q: a cue must say what it means, as in {q.moved %s}", words, words)
	case m.Kind == Network && m.Reach == "":
		return fmt.Errorf("%q: a network must be 1, 2 or all, as in {N.1 %s}", words, words)
	case m.Join != "" && isFirst:
		return fmt.Errorf("%q: there is no mark before it that it could join: leave out .%s", words, m.Join)
	}
	return nil
}

// hasValue reports whether a member of a mark of a kind may have a value.
func hasValue(k Kind, member, value string) bool {
	return slices.ContainsFunc(attributes(), func(a attribute) bool {
		return a.member == member && a.value == value && strings.Contains(a.kinds, k.Code())
	})
}

// list joins words for a message.
func list[T ~string](words []T) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return strings.Join(all, ", ")
}
