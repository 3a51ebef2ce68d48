package segment

import "kith/query/prompt/token"

// SaysForWhom reports whether a word is a possessive that says for whom a product or a
// house is, and so no name of an owner nor who is looked for: women's health, children's
// hospitals.
func SaysForWhom(t token.Token) bool {
	if !t.Possessive {
		return false
	}
	switch t.Norm {
	case "women", "men", "children", "child", "kid", "kids", "girl", "girls", "boy", "boys", "ladies", "worker", "workers", "veteran", "veterans",
		"farmer", "farmers", "builder", "builders", "consumer", "consumers", "patient", "patients", "teacher", "teachers", "driver", "drivers":
		return true
	}
	return false
}

// saysForWhom reports whether a token is such a word, with something behind it.
func (l *Lattice) saysForWhom(at int) bool {
	return SaysForWhom(l.Tokens[at]) && !l.apart(at+1)
}
