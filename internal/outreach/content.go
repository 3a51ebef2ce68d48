package outreach

import (
	"html"
	"regexp"
	"strings"
)

// Content is the text of an e-mail: the original, and the HTML and plain forms that are sent.
type Content struct {
	Body     string `json:"body"`
	HTMLBody string `json:"html_body"`
	TextBody string `json:"text_body"`
}

// Written returns the content for plain text from a person. Blank lines separate
// paragraphs, and web addresses become links, as in mail programs. It escapes all markup.
func Written(body string) *Content {
	text := strings.ReplaceAll(body, "\r\n", "\n")
	var b strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.TrimSpace(paragraph) == "" {
			continue
		}
		b.WriteString("<p>")
		writeParagraph(&b, strings.Trim(paragraph, "\n"))
		b.WriteString("</p>\n")
	}
	return &Content{Body: body, HTMLBody: b.String(), TextBody: text}
}

var webAddress = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"]+`)

func writeParagraph(b *strings.Builder, text string) {
	plain := func(s string) { b.WriteString(strings.ReplaceAll(html.EscapeString(s), "\n", "<br>\n")) }
	end := 0
	for _, at := range webAddress.FindAllStringIndex(text, -1) {
		address := text[at[0]:at[1]]
		address = address[:len(address)-len(trailing(address))]
		if !Followable(address) {
			continue
		}
		plain(text[end:at[0]])
		b.WriteString(`<a href="` + html.EscapeString(address) + `">` + html.EscapeString(address) + `</a>`)
		end = at[0] + len(address)
	}
	plain(text[end:])
}

// trailing returns the end of an address that belongs to the sentence around it:
// punctuation, and a closing bracket that the address did not open.
func trailing(address string) string {
	rest := address
	for {
		cut := strings.TrimRight(rest, `.,;:!?'*`)
		if strings.HasSuffix(cut, ")") && strings.Count(cut, ")") > strings.Count(cut, "(") {
			cut = cut[:len(cut)-1]
		}
		if cut == rest {
			return address[len(rest):]
		}
		rest = cut
	}
}
