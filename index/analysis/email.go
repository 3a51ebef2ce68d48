package analysis

import (
	"fmt"
	"strings"

	"kith/query"
)

// emailKey is how an e-mail address is compared.
func emailKey(address string) string { return cut(Fold(trimmed(address)), maxKey) }

// emailMeaning asks for an e-mail address as a whole.
func emailMeaning(f query.Field, text string) (query.Query, error) {
	key := emailKey(text)
	if at := strings.IndexByte(key, '@'); at < 1 || at == len(key)-1 {
		return nil, fmt.Errorf("%q is not an e-mail address: write one as in jane@example.com", text)
	}
	return query.Term{Field: f, Value: key}, nil
}
