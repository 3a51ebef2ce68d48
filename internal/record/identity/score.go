package identity

import (
	"strings"

	"kith/query/analysis"
)

// The score of two records without a common mark is the sum of these points for and
// against one person. docs/import.md has the same table.
const (
	sameName     = 4 // first and last word
	nickname     = 3 // Bob and Robert, with the same last word
	sameCompany  = 4
	sameTitle    = 1 // a common word in the titles at that company
	sameSchool   = 3
	sameCity     = 2
	otherTitle   = -2 // no common word in the titles at that company
	otherMiddle  = -4 // middle names or initials
	otherCountry = -3
	otherAddress = -3 // at one domain that is not an e-mail provider's
	otherSource  = -2 // another id in the same source

	// Certain and Doubtful are minimum scores: for pairs that are merged if nothing
	// contradicts them, and for pairs that a person decides about.
	Certain  = 8
	Doubtful = 6
)

// evidence is the comparison of two groups.
type evidence struct {
	score   float64
	reasons []string
	// against is true if any point counts against one person.
	against bool
}

func (e *evidence) add(score float64, reason string) {
	e.score += score
	e.reasons = append(e.reasons, reason)
	e.against = e.against || score < 0
}

// compare scores two groups of records. Different profiles on one site are different people.
func compare(a, b *features) evidence {
	var e evidence
	if otherProfile(a, b) {
		e.against = true
		return e
	}
	e.names(a, b)
	e.companies(a, b)
	if share(a.schools, b.schools) {
		e.add(sameSchool, "same school")
	}
	if share(a.cities, b.cities) && (len(a.country) == 0 || len(b.country) == 0 || share(a.country, b.country)) {
		e.add(sameCity, "same city")
	}
	if len(a.country) > 0 && len(b.country) > 0 && !share(a.country, b.country) {
		e.add(otherCountry, "different countries")
	}
	if otherAtDomain(a, b) {
		e.add(otherAddress, "different addresses at one domain")
	}
	if otherIDs(a, b) {
		e.add(otherSource, "different ids in one source")
	}
	return e
}

func (e *evidence) names(a, b *features) {
	switch {
	case share(a.own, b.own):
		e.add(sameName, "same name")
	case share(a.own, b.keys):
		e.add(nickname, "nickname")
	}
	if otherMiddleName(a, b) {
		e.add(otherMiddle, "different middle names")
	}
}

func (e *evidence) companies(a, b *features) {
	shared, alike, unlike := false, false, false
	for company, words := range a.titles {
		others, both := b.titles[company]
		if !both {
			continue
		}
		shared = true
		switch {
		case len(words) == 0 || len(others) == 0:
		case share(words, others):
			alike = true
		default:
			unlike = true
		}
	}
	if shared {
		e.add(sameCompany, "same company")
	}
	switch {
	case alike:
		e.add(sameTitle, "like titles")
	case unlike:
		e.add(otherTitle, "different titles at the company")
	}
}

// otherProfile reports whether two groups have different profiles on one site.
func otherProfile(a, b *features) bool {
	return differBy(a.profiles, b.profiles, func(key string) string {
		site, _, _ := strings.Cut(key, "/")
		return site
	})
}

func otherAtDomain(a, b *features) bool {
	return differBy(a.emails, b.emails, func(address string) string {
		_, domain, _ := strings.Cut(address, "@")
		if analysis.IsMailProvider(domain) {
			return ""
		}
		return domain
	})
}

func otherIDs(a, b *features) bool {
	return differBy(a.sources, b.sources, func(source string) string {
		name, _, _ := strings.Cut(source, ":")
		if name == ContentSource || name == MailSource {
			return ""
		}
		return name
	})
}

// differBy reports whether two sets have different members of one key, and no common member; "" is no key.
func differBy(a, b []string, key func(string) string) bool {
	if share(a, b) {
		return false
	}
	for _, s := range a {
		for _, t := range b {
			if k := key(s); k != "" && k == key(t) {
				return true
			}
		}
	}
	return false
}

// otherMiddleName reports whether both have middle names and all of them differ.
func otherMiddleName(a, b *features) bool {
	both := false
	for _, n := range a.names {
		for _, m := range b.names {
			if len(n) < 3 || len(m) < 3 {
				continue
			}
			both = true
			if middleAgrees(n[1:len(n)-1], m[1:len(m)-1]) {
				return false
			}
		}
	}
	return both
}

func middleAgrees(a, b []string) bool {
	for _, s := range a {
		for _, t := range b {
			if s == t || strings.HasPrefix(s, t) && len(t) == 1 || strings.HasPrefix(t, s) && len(s) == 1 ||
				analysis.AreNicknames(s, t) {
				return true
			}
		}
	}
	return false
}

// areCompatible reports whether two records with one address or id can be one person.
func areCompatible(a, b *features) bool { return !otherProfile(a, b) && hasCompatibleNames(a, b) }

// hasCompatibleNames reports whether two names with one address can be one person: the first names
// match, since marriage changes only the last name, or a name is missing.
func hasCompatibleNames(a, b *features) bool {
	if len(a.names) == 0 || len(b.names) == 0 {
		return true
	}
	for _, n := range a.names {
		for _, m := range b.names {
			if firstAgrees(n, m) {
				return true
			}
		}
	}
	return false
}

// firstAgrees reports whether the first names of two full names match. It also accepts
// names of one word, and an initial with the same last name.
func firstAgrees(a, b []string) bool {
	first, other := a[0], b[0]
	switch {
	case analysis.AreNicknames(first, other) || differByOneLetter(first, other):
		return true
	case len(a) == 1 || len(b) == 1:
		return share(a, b)
	case len(first) == 1 || len(other) == 1:
		return first[0] == other[0] && a[len(a)-1] == b[len(b)-1]
	}
	return first == b[len(b)-1] && a[len(a)-1] == other // Doe Jane
}

// differByOneLetter reports whether two words differ by at most one letter inserted, removed,
// replaced or swapped. Words of three letters or fewer never match.
func differByOneLetter(a, b string) bool {
	if min(len(a), len(b)) <= 3 || max(len(a), len(b))-min(len(a), len(b)) > 1 {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if i == len(a) {
		return true
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return a[i+1:] == b[i+1:] || swapped
}
