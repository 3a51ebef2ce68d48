package elasticindex

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits for one term: the whitespace analyzer cuts tokens after 255 characters, and Lucene rejects terms over 32,766
// bytes.
const (
	maxToken   = 255
	maxKeyword = 8 << 10
	maxFacet   = 8 << 10
)

// token returns a token in its indexed form. A token that the whitespace analyzer would drop, cut or split is
// replaced by its digest: it still equals only itself, as in every other engine.
func token(s string) string {
	if s == "" || len(s) > maxToken || strings.ContainsFunc(s, splits) {
		return digest(s)
	}
	return s
}

// keyword returns a whole value in its indexed form.
func keyword(s string) string {
	if len(s) > maxKeyword {
		return digest(s)
	}
	return s
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "\u2060" + hex.EncodeToString(sum[:])
}

// splits reports whether the whitespace analyzer splits at r: Java's Character.isWhitespace.
func splits(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || r >= 0x09 && r <= 0x0d || r >= 0x1c
	case r < 0x1680:
		return false
	}
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x205f, 0x3000:
		return true
	case 0x2007: // a non-breaking space
		return false
	}
	return r >= 0x2000 && r <= 0x200a
}

// appendString appends s as a JSON string. Invalid UTF-8 becomes the replacement character.
func appendString[T ~string | ~[]byte](b []byte, s T) []byte {
	b, _ = jsontext.AppendQuote(b, s) // reports invalid UTF-8
	return b
}
