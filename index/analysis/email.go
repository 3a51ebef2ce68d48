package analysis

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"kith"
	"kith/query"
)

// Address is an e-mail address without white space around it, without what is
// invisible or makes a link of it, with its letters composed and its domain as
// [kith.NormalDomain] has it: as whoever types it would.
func Address(text string) string {
	address := norm.NFC.String(visible(trimmed(text)))
	if n := len("mailto:"); len(address) >= n && strings.EqualFold(address[:n], "mailto:") {
		address = trimmed(address[n:])
	}
	return kith.NormalEmail(address)
}

// emailKey is how the index compares an e-mail address.
func emailKey(address string) string { return cut(Fold(Address(address)), maxKey) }

// emailMeaning asks for an e-mail address as a whole.
func emailMeaning(f query.Field, text string) (query.Query, error) {
	key := emailKey(text)
	if at := strings.IndexByte(key, '@'); at < 1 || at == len(key)-1 {
		return nil, fmt.Errorf("%q is not an e-mail address: write one as in jane@example.com", text)
	}
	return query.Term{Field: f, Value: key}, nil
}
