package layout

import (
	"strings"
	"unicode"
)

// Key normalises a header for comparison: lower-case letters and digits only. It drops
// separators between words, which not all files write.
func Key(header string) string { return key(header, false) }

// patternKey is Key for a pattern in which * matches any text.
func patternKey(header string) string { return key(header, true) }

func key(header string, star bool) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '*' && star {
			return unicode.ToLower(r)
		}
		return -1
	}, header)
}

// match reports whether a key matches a pattern with at most one *.
func match(pattern, key string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == key
	}
	return len(key) > len(head)+len(tail) && strings.HasPrefix(key, head) && strings.HasSuffix(key, tail)
}
