package frame

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The characters of the text form. A backslash before one of them takes its meaning away.
const (
	opens   = '{'
	closes  = '}'
	escapes = '\\'
)

// String returns the marked prompt: the prompt with the words of each mark in braces, after its kind and attributes, as
// in "ex-{c.past McKinsey} {t consultants}". [Parse] reads it back.
func (f Frame) String() string {
	var b strings.Builder
	end := 0
	for _, m := range f.Marks {
		b.WriteString(escape(f.Prompt[end:m.From]))
		b.WriteString("{" + m.Tag() + " " + escape(f.Words(m)) + "}")
		end = m.To
	}
	b.WriteString(escape(f.Prompt[end:]))
	return b.String()
}

// escape puts a backslash before each special character.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`).Replace(text)
}

// Parse reads a marked prompt. Attributes may be in any order.
func Parse(text string) (Frame, error) {
	p := parser{text: text}
	for p.at < len(text) {
		if err := p.next(); err != nil {
			return Frame{}, err
		}
	}
	if p.open != nil {
		return Frame{}, fmt.Errorf("%s is not closed: put } after its last word", quote(text[p.begin:]))
	}
	f, err := New(p.prompt.String(), p.marks)
	if err != nil {
		return Frame{}, err
	}
	return f, nil
}

// ParseFor reads a marked prompt that must be a given prompt with nothing but marks added.
func ParseFor(prompt, text string) (Frame, error) {
	f, err := Parse(text)
	if err != nil {
		return Frame{}, err
	}
	if f.Prompt != prompt {
		return Frame{}, differs(prompt, f.Prompt)
	}
	return f, nil
}

// differs returns the error for a text that is not the prompt.
func differs(prompt, got string) error {
	same := 0
	for same < len(prompt) && same < len(got) && prompt[same] == got[same] {
		same++
	}
	inside := func(text string) bool { return same < len(text) && !utf8.RuneStart(text[same]) }
	for same > 0 && (inside(prompt) || inside(got)) {
		same--
	}
	before := prompt[max(0, same-quoted):same]
	for before != "" && !utf8.RuneStart(before[0]) {
		before = before[1:]
	}
	return fmt.Errorf("without its marks the text must be the prompt: after %q the prompt has %s, the text %s",
		before, quote(prompt[same:]), quote(got[same:]))
}

// quoted is the maximum number of bytes that messages quote.
const quoted = 24

// quote returns the beginning of a text in quotation marks.
func quote(text string) string {
	if text == "" {
		return "nothing more"
	}
	if len(text) > quoted {
		end := quoted
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + "…"
	}
	return `"` + text + `"`
}

// parser reads a marked prompt.
type parser struct {
	text   string
	at     int
	prompt strings.Builder
	marks  []Mark
	// open is the mark whose words are being read, which began at begin.
	open  *Mark
	begin int
}

// next reads one character, or the head of a mark.
func (p *parser) next() error {
	switch c := p.text[p.at]; {
	case c == escapes && p.at+1 < len(p.text) && strings.IndexByte(`\{}`, p.text[p.at+1]) >= 0:
		p.prompt.WriteByte(p.text[p.at+1])
		p.at += 2
	case c == opens:
		return p.head()
	case c == closes:
		return p.end()
	default:
		p.prompt.WriteByte(c)
		p.at++
	}
	return nil
}

// head reads the kind and the attributes of a mark, and the space after them.
func (p *parser) head() error {
	if p.open != nil {
		return fmt.Errorf("%s stands inside another mark: close the first, as in {t engineers} in {p Dublin}",
			quote(p.text[p.at:]))
	}
	p.begin = p.at
	tag, _, spaced := strings.Cut(p.text[p.at+1:], " ")
	if !spaced || strings.ContainsAny(tag, "{}") {
		return fmt.Errorf("%s must have a kind, a space and words, as in {t engineers}", quote(p.text[p.at:]))
	}
	m, err := ParseTag(tag)
	if err != nil {
		return err
	}
	m.From = p.prompt.Len()
	p.open = &m
	p.at += len("{") + len(tag) + len(" ")
	return nil
}

// ParseTag returns a mark without words from a kind and attributes, as [Mark.Tag] writes them.
func ParseTag(tag string) (Mark, error) {
	codes := strings.Split(tag, ".")
	kind, ok := kindOf(codes[0])
	if !ok {
		return Mark{}, fmt.Errorf("{%s …} has an unknown kind: use one of %s", tag, kindHelp())
	}
	m := Mark{Kind: kind}
	for i, code := range codes[1:] {
		a, ok := attributeOf(kind, code)
		switch {
		case !ok:
			return Mark{}, fmt.Errorf("{%s …}: a %s has no attribute .%s: use one of .%s", tag, kind, code,
				strings.Join(attributeCodes(kind), " ."))
		case a.get(m) != "":
			return Mark{}, fmt.Errorf("{%s …}: .%s says the same thing again or contradicts .%s: keep one of them",
				tag, code, strings.Join(codes[1:1+i], "."))
		}
		a.set(&m)
	}
	return m, nil
}

// end ends a mark.
func (p *parser) end() error {
	if p.open == nil {
		return fmt.Errorf(`} closes nothing after %s: write \} for a brace of the prompt`,
			quote(p.text[max(0, strings.LastIndexByte(p.text[:p.at], ' ')):p.at]))
	}
	p.open.To = p.prompt.Len()
	p.marks, p.open = append(p.marks, *p.open), nil
	p.at++
	return nil
}

// kindHelp lists the codes of the kinds with their names.
func kindHelp() string {
	var all []string
	for _, c := range kindCodes() {
		all = append(all, c.code+" ("+string(c.kind)+")")
	}
	return strings.Join(all, ", ")
}
