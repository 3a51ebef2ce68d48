package analysis

import (
	"slices"
	"strings"
	"sync"
)

//nolint:gochecknoglobals // a memoised pure function, not state
var offices = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, line := range lines("offices.txt") {
		all[line] = true
	}
	return all
})

// IsOffice reports whether an e-mail address is that of an office, such as info@acme.example,
// and not of one person.
func IsOffice(address string) bool {
	local, _, at := strings.Cut(strings.ToLower(address), "@")
	local, _, _ = strings.Cut(local, "+")
	return at && offices()[strings.NewReplacer("-", "", "_", "", ".", "").Replace(local)]
}

// IsOfficeName reports whether a name at the address of an office is that of the office:
// Acme Info or Acme at info@acme.example. No name is.
func IsOfficeName(name, address string) bool {
	_, domain, _ := strings.Cut(strings.ToLower(address), "@")
	label, _, _ := strings.Cut(domain, ".")
	of := strings.ReplaceAll(label, "-", "")
	return !slices.ContainsFunc(Tokens(name), func(word string) bool {
		return !offices()[word] && (len(word) < 3 || !strings.Contains(of, word))
	})
}
