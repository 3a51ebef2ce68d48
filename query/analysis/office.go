package analysis

import (
	"slices"
	"strings"

	"kith/query/tokenizer"
)

// IsOffice reports whether an e-mail address belongs to an office, such as info@acme.example, not to one person.
func IsOffice(address string) bool {
	local, _, at := strings.Cut(strings.ToLower(address), "@")
	local, _, _ = strings.Cut(local, "+")
	return at && words().offices[strings.NewReplacer("-", "", "_", "", ".", "").Replace(local)]
}

// IsOfficeName reports whether a name at an office's address belongs to the office: Acme Info or Acme at
// info@acme.example. An empty name does.
func IsOfficeName(name, address string) bool {
	_, domain, _ := strings.Cut(strings.ToLower(address), "@")
	label, _, _ := strings.Cut(domain, ".")
	of := strings.ReplaceAll(label, "-", "")
	return !slices.ContainsFunc(tokenizer.Tokens(name), func(word string) bool {
		return !words().offices[word] && (len(word) < 3 || !strings.Contains(of, word))
	})
}
