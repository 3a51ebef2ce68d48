package outreach

import (
	"html"
	"net/url"
	"strings"

	nethtml "golang.org/x/net/html"
)

// Links are the addresses in an e-mail that lead back here.
type Links struct {
	// Unsubscribe is the address that ends the e-mails to the lead; "" is none.
	Unsubscribe string
	// Opened is the address of a picture: whoever shows it has the e-mail open.
	Opened string
	// Clicked returns the address that notes a click and leads on to target.
	Clicked func(target string) string
}

// maxTracked is the longest address that is noted when it is clicked, in bytes:
// what leads to it is half as long again, and mail programs cut long ones.
const maxTracked = 1500

// Tracked returns an HTML text with those of the links that its account asks for. Nothing
// else in it changes, not by a byte.
func (l Links) Tracked(text string, a Account) string {
	if text == "" {
		return ""
	}
	if a.TrackClicks && l.Clicked != nil {
		text = l.follow(text)
	}
	if a.TrackOpens && l.Opened != "" {
		text = atEnd(text, `<img src="`+html.EscapeString(l.Opened)+`" alt="" width="1" height="1">`)
	}
	return text
}

// follow changes the links of a text to ones that note a click and lead on.
func (l Links) follow(text string) string {
	var out strings.Builder
	z := nethtml.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		if kind == nethtml.ErrorToken {
			out.Write(z.Raw()) // a tag that is cut off at the end
			return out.String()
		}
		raw := string(z.Raw())
		if kind == nethtml.StartTagToken || kind == nethtml.SelfClosingTagToken {
			if token := z.Token(); l.rewrite(&token) {
				raw = token.String()
			}
		}
		out.WriteString(raw)
	}
}

// rewrite changes where a tag links to, and reports whether it did.
func (l Links) rewrite(tag *nethtml.Token) bool {
	if tag.Data != "a" && tag.Data != "area" {
		return false
	}
	for i, attribute := range tag.Attr {
		if target := strings.TrimSpace(attribute.Val); attribute.Key == "href" && l.tracks(target) {
			tag.Attr[i].Val = l.Clicked(target)
			return true
		}
	}
	return false
}

// tracks reports whether a click on an address is noted: not where it only ends
// the e-mails, nor where it is no page of the web.
func (l Links) tracks(target string) bool {
	return Followable(target) && target != l.Unsubscribe && len(target) <= maxTracked
}

// Followable reports whether an address is one of the web, as a click may lead
// to.
func Followable(target string) bool {
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" &&
		!strings.ContainsFunc(target, func(r rune) bool { return r < ' ' || r == '\\' })
}

// atEnd puts something at the end of the body of a text.
func atEnd(text, what string) string {
	for _, tag := range []string{"</body", "</html"} {
		if at := strings.LastIndex(strings.ToLower(text), tag); at >= 0 && len(strings.ToLower(text)) == len(text) {
			return text[:at] + what + text[at:]
		}
	}
	return text + what
}
