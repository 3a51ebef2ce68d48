package rules

import "strings"

// reduced drops the alternatives that another makes needless: a phrase that
// holds another phrase whole finds no one whom that does not find.
func reduced(values []string) []string {
	var out []string
	for i, v := range values {
		if !needless(values, i) {
			out = append(out, v)
		}
	}
	return out
}

func needless(values []string, i int) bool {
	words, isPhrase := phrase(values[i])
	if !isPhrase {
		return false
	}
	for j, other := range values {
		inner, ok := phrase(other)
		if j == i || !ok || len(inner) > len(words) || inner == words && j > i {
			continue
		}
		if strings.Contains(" "+words+" ", " "+inner+" ") {
			return true
		}
	}
	return false
}

// phrase returns the words of an alternative that asks for them in order, or
// for one word.
func phrase(v string) (string, bool) {
	if strings.HasPrefix(v, `"`) {
		return strings.Trim(v, `"`), true
	}
	return v, !strings.Contains(v, " ")
}
