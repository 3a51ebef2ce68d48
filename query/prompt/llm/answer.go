package llm

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/token"
)

// asks reports whether the model reads a prompt: in mode auto or complex, if it has words. Prompts with the address of
// a person do not leave the machine.
func asks(text string, mode prompt.Mode) bool {
	if mode != prompt.Auto && mode != prompt.Complex && mode != "" {
		return false
	}
	return len(token.Split(text)) > 0 && !hasAddress(text)
}

// hasAddress reports whether a text has an e-mail address or a profile URL, whatever stands around it.
func hasAddress(text string) bool {
	hasEmail := func(word string) bool {
		_, host, found := strings.Cut(strings.TrimLeft(word, "@"), "@")
		return found && strings.Contains(host, ".")
	}
	isProfile := func(word string) bool {
		return slices.ContainsFunc(token.Split(word), func(t token.Token) bool { return t.Kind == token.Profile })
	}
	separates := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`<>()[]{},;"`, r) }
	return slices.ContainsFunc(strings.Fields(text), hasEmail) ||
		slices.ContainsFunc(strings.FieldsFunc(text, separates), isProfile)
}

// checked is an answer after the checks: its marks, whether they can be used, and what the model should mend.
type checked struct {
	frame  frame.Frame
	usable bool
	wrong  string
}

// check reads an answer. Marks must be the only difference from the prompt, and mark something. Words with a meaning
// that are not marked are worth a second try.
func (p *Planner) check(ctx context.Context, v kith.Viewer, text, content string) checked {
	f, err := frame.ParseFor(text, answerText(text, content))
	if err != nil {
		return checked{wrong: err.Error()}
	}
	if !slices.ContainsFunc(f.Marks, func(m frame.Mark) bool { return !m.Optional }) {
		return checked{wrong: "nothing in it is marked as asked for"}
	}
	unmarked, err := p.embedded.Unmarked(ctx, v, f)
	if err != nil || len(unmarked) == 0 { // resolving the marks meets the error, too
		return checked{frame: f, usable: true}
	}
	return checked{frame: f, usable: true, wrong: "these words are not marked: " + strings.Join(unmarked, "; ") +
		". Mark those that belong to what is asked for, and with .? those that speak of something that is not asked " +
		"for"}
}

// answerText returns the marked prompt in an answer: without a code fence or the tags of the request, and with the
// spaces around the prompt.
func answerText(text, content string) string {
	content = strings.TrimSpace(content)
	if inner, fenced := strings.CutPrefix(content, "```"); fenced {
		_, inner, _ = strings.Cut(inner, "\n")
		content = strings.TrimSpace(strings.TrimSuffix(inner, "```"))
	}
	if inner, tagged := strings.CutPrefix(content, opens); tagged {
		content = strings.TrimSpace(strings.TrimSuffix(inner, closes))
	}
	inner := strings.TrimSpace(text)
	before, after, _ := strings.Cut(text, inner)
	return before + content + after
}
