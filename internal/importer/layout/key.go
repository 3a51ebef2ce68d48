package layout

import (
	"strings"
	"unicode"
)

// Key is the form in which headers are compared: letters and digits, in small
// letters. What parts words is left out, as some write it and some do not.
func Key(header string) string { return key(header, false) }

// patternKey is the key of a header in which * stands for any text.
func patternKey(header string) string { return key(header, true) }

func key(header string, star bool) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '*' && star {
			return unicode.ToLower(r)
		}
		return -1
	}, header)
}

// match reports whether a key fits a pattern, in which one * is any text.
func match(pattern, key string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == key
	}
	return len(key) > len(head)+len(tail) && strings.HasPrefix(key, head) && strings.HasSuffix(key, tail)
}
