package analysis

import (
	"embed"
	"strings"
	"sync"

	"kith/query/wordlist"
)

//go:embed data
var data embed.FS

// tables are the word lists.
type tables struct {
	legalForms legalForms
	nicknames  map[string][]string
	honorifics map[string]bool
	// sharedSites are hosts with pages of many companies.
	sharedSites map[string]bool
	// offices are the words of addresses of offices, and providers the domains at which anyone can get an address.
	offices, providers map[string]bool
	umlauts            *strings.Replacer // ä → ae
	withoutE           *strings.Replacer // ae → a
}

// words returns the word lists. Parsing takes a few milliseconds, once; after that they never change.
var words = sync.OnceValue(func() *tables {
	return &tables{
		legalForms:  newLegalForms(wordlist.Lines(data, "legal_forms.txt")),
		nicknames:   newNicknames(wordlist.Lines(data, "nicknames.tsv")),
		honorifics:  wordlist.Set(wordlist.Lines(data, "names_drop.txt")),
		sharedSites: wordlist.Set(wordlist.Lines(data, "shared_sites.txt")),
		offices:     wordlist.Set(wordlist.Lines(data, "offices.txt")),
		providers:   wordlist.Set(wordlist.Lines(data, "mail_providers.txt")),
		umlauts: strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue",
			"å", "aa", "Å", "Aa", "ø", "oe", "Ø", "Oe"),
		withoutE: strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "aa", "a"),
	}
})
