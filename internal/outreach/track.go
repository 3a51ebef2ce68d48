package outreach

import (
	"html"
	"net/url"
	"strings"

	nethtml "golang.org/x/net/html"
)

// Links are the addresses of this server in an e-mail.
type Links struct {
	// Unsubscribe is the address to unsubscribe the recipient; "" for none.
	Unsubscribe string
	// Opened is the address of the tracking image; loading it counts as an open.
	Opened string
	// Clicked returns the address that records a click and redirects to target.
	Clicked func(target string) string
}

// maxTracked limits tracked addresses, in bytes: tracking makes them half as long again,
// and mail programs cut long ones.
const maxTracked = 1500

// Tracked adds to an HTML text the tracking that its integration enables. It changes nothing else, not even a byte.
func (l Links) Tracked(text string, in Integration) string {
	if text == "" {
		return ""
	}
	if in.TrackClicks && l.Clicked != nil {
		text = l.follow(text)
	}
	if in.TrackOpens && l.Opened != "" {
		text = atEnd(text, `<img src="`+html.EscapeString(l.Opened)+`" alt="" width="1" height="1">`)
	}
	return text
}

// follow replaces the links of a text by tracked ones.
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

// rewrite replaces the target of a link tag, and reports whether it did.
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

// tracks reports whether to track clicks on an address: not on the unsubscribe link, and only on web addresses.
func (l Links) tracks(target string) bool {
	return Followable(target) && target != l.Unsubscribe && len(target) <= maxTracked
}

// Followable reports whether a tracked link may redirect to an address: an http or https URL.
func Followable(target string) bool {
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" &&
		!strings.ContainsFunc(target, func(r rune) bool { return r < ' ' || r == '\\' })
}

// atEnd inserts a fragment at the end of the HTML body.
func atEnd(text, what string) string {
	for _, tag := range []string{"</body", "</html"} {
		if at := strings.LastIndex(strings.ToLower(text), tag); at >= 0 && len(strings.ToLower(text)) == len(text) {
			return text[:at] + what + text[at:]
		}
	}
	return text + what
}
