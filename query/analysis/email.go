package analysis

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"kith"
	"kith/query"
	"kith/query/tokenizer"
)

// Address normalizes an e-mail address, as a person would type it: without surrounding white space, invisible
// characters or a mailto: scheme, with composed letters, and with its domain as [kith.NormalDomain] writes it.
func Address(text string) string {
	address := norm.NFC.String(tokenizer.Visible(tokenizer.Trimmed(text)))
	if n := len("mailto:"); len(address) >= n && strings.EqualFold(address[:n], "mailto:") {
		address = tokenizer.Trimmed(address[n:])
	}
	return kith.NormalEmail(address)
}

// emailKey is the comparison key of an e-mail address.
func emailKey(address string) string {
	return tokenizer.Cut(tokenizer.Fold(Address(address)), tokenizer.MaxKey)
}

// emailMeaning matches a whole e-mail address.
func emailMeaning(f query.Field, text string) (query.Query, error) {
	key := emailKey(text)
	if at := strings.IndexByte(key, '@'); at < 1 || at == len(key)-1 {
		return nil, fmt.Errorf("%q is not an e-mail address: write one as in jane@example.com", text)
	}
	return query.Term{Field: f, Value: key}, nil
}
