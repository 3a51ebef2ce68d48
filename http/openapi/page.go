package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// lineWidth is the maximum length of a line in bytes, except for a longer word.
const lineWidth = 120

// page is a Markdown document.
type page struct{ strings.Builder }

// line adds a paragraph unchanged; an empty one ends a list.
func (p *page) line(s string) {
	if p.Len() > 0 && !strings.HasSuffix(p.String(), "\n\n") {
		p.WriteString("\n")
	}
	if s != "" {
		p.WriteString(wrap(s, "") + "\n")
	}
}

// text adds paragraphs, joining the lines of each.
func (p *page) text(s string) {
	for paragraph := range strings.SplitSeq(s, "\n\n") {
		if one := oneLine(paragraph); one != "" {
			p.line(one)
		}
	}
}

// item adds a list entry.
func (p *page) item(s string) {
	if text := p.String(); !strings.HasSuffix(text, "\n\n") && !inList(text) {
		p.WriteString("\n")
	}
	p.WriteString("- " + wrap(s, "  ") + "\n")
}

// inList reports whether a text ends within a list.
func inList(text string) bool {
	last := text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1:]
	return strings.HasPrefix(last, "- ") || strings.HasPrefix(last, "  ")
}

// examples adds examples as JSON, each with its summary.
func (p *page) examples(examples *yaml.Node) error {
	for i := 0; i+1 < len(examples.Content); i += 2 {
		value := member(examples.Content[i+1], "value")
		shown, language := value.Value, "text"
		if value.Kind != yaml.ScalarNode {
			compact, err := appendNode(nil, value)
			if err != nil {
				return err
			}
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, compact, "", "  "); err != nil {
				return fmt.Errorf("openapi.yaml: %w", err)
			}
			shown, language = pretty.String(), "json"
		}
		if summary := text(examples.Content[i+1], "summary"); summary != "" {
			p.line(summary + ":")
		}
		p.line("```" + language + "\n" + strings.TrimRight(shown, "\n") + "\n```")
	}
	return nil
}

// oneLine returns a text as one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// wrap wraps a text between words; code blocks and headings stay unchanged.
func wrap(s, indent string) string {
	if strings.HasPrefix(s, "```") || strings.HasPrefix(s, "#") {
		return s
	}
	var out strings.Builder
	width := len(indent)
	for i, word := range strings.Fields(s) {
		switch {
		case i == 0:
		case width+1+len(word) > lineWidth:
			out.WriteString("\n" + indent)
			width = len(indent)
		default:
			out.WriteString(" ")
			width++
		}
		out.WriteString(word)
		width += len(word)
	}
	return out.String()
}

// breakCommand breaks a long command before its options.
func breakCommand(command string) string {
	if len(command) <= lineWidth {
		return command
	}
	for _, option := range []string{" -H ", " --json ", " -F "} {
		command = strings.ReplaceAll(command, option, " \\\n "+option)
	}
	return command
}

// slug returns a heading as Markdown renderers write it in an address.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == ' ':
			return '-'
		}
		return -1
	}, name)
}
