package prompt

import (
	"net/mail"
	"strings"
	"unicode"

	"kith/index/analysis"
	"kith/query"
)

func isSpace(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// isMark reports whether r may stand around a word without being part of it.
// The plus and hash signs of C++ and C#, and the dot of .NET, are none.
func isMark(r rune) bool { return strings.ContainsRune("\"'“”‘’„«»()[]{}<>,;:!?…", r) }

// isStopWord lists words that say nothing about a person in a text search.
func isStopWord(token string) bool {
	switch token {
	case "a", "an", "the", "this", "that", "these", "those", "some", "any", "all", "every",
		"and", "or", "of", "in", "at", "on", "for", "from", "to", "with", "by", "as", "near", "around", "within",
		"i", "me", "my", "we", "us", "our", "you", "they", "them", "their", "who", "whos", "whom", "whose", "which", "what", "where",
		"is", "are", "am", "be", "been", "was", "were", "has", "have", "had", "do", "does", "can", "could", "should", "would",
		"find", "show", "list", "get", "give", "search", "looking", "look", "want", "need", "please", "tell", "help", "know",
		"people", "person", "persons", "someone", "somebody", "anyone", "anybody", "everyone", "everybody", "folks",
		"work", "works", "working", "based", "living", "live", "lives", "located", "currently", "now":
		return true
	}
	return false
}

// identifier recognises a profile URL or an e-mail address, and gives the
// filter that asks for it; the name is empty for any other word.
func identifier(w string) (name query.FilterName, value string) {
	if strings.ContainsAny(w, `"\`) {
		return "", ""
	}
	if isEmail(w) {
		return query.FilterEmail, quoted(strings.ToLower(w))
	}
	if isProfileURL(w) {
		return query.FilterSocialURL, quoted(w)
	}
	return "", ""
}

// quoted protects characters that the filter grammar would read.
func quoted(v string) string {
	if strings.Contains(v, ",") || strings.HasPrefix(v, "-") {
		return `"` + v + `"`
	}
	return v
}

func isEmail(w string) bool {
	at := strings.LastIndexByte(w, '@')
	if at < 1 || !strings.Contains(w[at+1:], ".") || strings.HasSuffix(w, ".") {
		return false
	}
	addr, err := mail.ParseAddress(w)
	return err == nil && addr.Address == w && addr.Name == ""
}

// isProfileURL reports whether a word is the address of a page that belongs to
// a person: a host with a dot, and a path that is not a company's or a school's.
func isProfileURL(w string) bool {
	if _, ok := analysis.URLKey(w); !ok {
		return false
	}
	address := strings.ToLower(w)
	_, rest, absolute := strings.Cut(address, "://")
	if !absolute {
		rest = address
	} else if !strings.HasPrefix(address, "http") {
		return false
	}
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	host, path, _ := strings.Cut(rest, "/")
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(segments) == 0 || !isHost(host) {
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
