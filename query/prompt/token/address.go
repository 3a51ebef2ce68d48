package token

import (
	"net/mail"
	"strings"
	"unicode"

	"kith/query/analysis"
	"kith/query/prompt/words"
)

// address recognises an e-mail address, a URL and a host name.
func address(w string) (Kind, bool) {
	switch {
	case strings.ContainsAny(w, `"\`):
		return Word, false
	case isEmail(w):
		return Email, true
	case isURL(w):
		if isProfile(w) {
			return Profile, true
		}
		return URL, true
	case isDomain(w):
		return Domain, true
	}
	return Word, false
}

func isEmail(w string) bool {
	at := strings.LastIndexByte(w, '@')
	if at < 1 || !strings.Contains(w[at+1:], ".") {
		return false
	}
	addr, err := mail.ParseAddress(w)
	return err == nil && addr.Address == w && addr.Name == ""
}

// isURL reports whether a word has a host with a dot, and a scheme, a path or "www.".
func isURL(w string) bool {
	if _, ok := analysis.URLKey(w); !ok {
		return false
	}
	host, path, absolute := parts(w)
	return isHost(host) && (absolute || strings.HasPrefix(host, "www.") || path != "" && topLevel(host))
}

// parts splits an address; host and path are in lower case, without query and fragment.
func parts(w string) (host, path string, absolute bool) {
	lower := strings.ToLower(w)
	scheme, rest, absolute := strings.Cut(lower, "://")
	if !absolute {
		rest = lower
	}
	absolute = absolute && strings.HasPrefix(scheme, "http")
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	host, path, _ = strings.Cut(rest, "/")
	return host, strings.Trim(path, "/"), absolute
}

// isProfile reports whether an address is a person's profile page: its path is not a company's or a school's.
func isProfile(w string) bool {
	_, path, absolute := parts(w)
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(segments) == 0 {
		return false
	}
	switch segments[0] {
	case "in", "pub":
		return len(segments) > 1
	case "company", "companies", "school", "schools", "groups", "jobs":
		return false
	}
	return absolute
}

func isHost(h string) bool {
	dot := strings.LastIndexByte(h, '.')
	if dot < 1 || dot == len(h)-1 {
		return false
	}
	return !strings.ContainsFunc(h, func(r rune) bool {
		return r != '.' && r != '-' && r != ':' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// isDomain reports whether the ending of a word makes it a host name. Technologies and degrees that
// look alike (node.js, asp.net, B.Tech) do not count.
func isDomain(w string) bool {
	host := strings.ToLower(w)
	if host == "b.tech" || host == "m.tech" {
		return false
	}
	return isHost(host) && topLevel(host) && !strings.Contains(host, ":") && !strings.HasSuffix(host, "asp.net") &&
		!strings.HasSuffix(host, "ado.net")
}

// topLevel reports whether a host name has an ending that is rarely anything else.
func topLevel(host string) bool {
	ending := host[strings.LastIndexByte(host, '.')+1:]
	return words.In(words.HostEndings, ending)
}
