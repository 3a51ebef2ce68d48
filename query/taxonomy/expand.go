package taxonomy

import (
	"slices"
	"strings"

	"kith/query/tokenizer"
)

// Word is one word of a text during normalization.
type Word struct {
	Text string
	// apart is true if more than a space or a hyphen, or the word "and", precedes the word: a title often names two
	// positions.
	apart bool
	// Short is true for the first of several words that expand one abbreviation; More is their number.
	Short bool
	More  int
}

// expander replaces spellings of one or more words, which it holds by their first word, by a normal form.
type expander map[string][]spelling

type spelling struct {
	rest []string // the words after the first
	form []string
}

func newExpander(entries []string) expander {
	x := expander{}
	for _, line := range entries {
		from, to, _ := strings.Cut(line, "\t")
		form := tokenizer.Tokens(to)
		for i, w := range form {
			form[i] = singular(w)
		}
		for s := range strings.SplitSeq(from, ";") {
			w := tokenizer.Tokens(s)
			x[w[0]] = append(x[w[0]], spelling{rest: w[1:], form: form})
		}
	}
	for _, list := range x {
		slices.SortStableFunc(list, func(a, b spelling) int { return len(b.rest) - len(a.rest) })
	}
	return x
}

// apply appends the normal form of in to out.
func (x expander) apply(out, in []Word) []Word {
	for i := 0; i < len(in); {
		s, found := x.match(in[i:])
		if !found {
			w := in[i]
			w.Text = singular(w.Text)
			out = append(out, w)
			i++
			continue
		}
		for j, form := range s.form {
			w := Word{Text: form}
			if j == 0 {
				w.apart, w.Short, w.More = in[i].apart, len(s.rest) == 0 && len(s.form) > 1, len(s.form)
			}
			out = append(out, w)
		}
		i += 1 + len(s.rest)
	}
	return out
}

func (x expander) match(in []Word) (spelling, bool) {
	list := x[in[0].Text]
	if list == nil && plural(in[0].Text) {
		list = x[singularForm(in[0].Text)]
	}
	for _, s := range list {
		if s.fits(in[1:]) {
			return s, true
		}
	}
	return spelling{}, false
}

func (s spelling) fits(in []Word) bool {
	if len(s.rest) > len(in) {
		return false
	}
	for i, w := range s.rest {
		if in[i].Text != w && singular(in[i].Text) != w {
			return false
		}
	}
	return true
}

// singular removes the plural s of an English word of at least five letters; words that only look like a plural stay.
func singular(w string) string {
	if len(w) < 5 || !plural(w) || keepsS(w) {
		return w
	}
	return singularForm(w)
}

// plural reports whether w looks like an English plural.
func plural(w string) bool {
	n := len(w)
	return n >= 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' && w[n-2] < 0x80
}

func singularForm(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "ies") && n > 5:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"),
		strings.HasSuffix(w, "xes"):
		return w[:n-2]
	}
	return w[:n-1]
}

// keepsS lists words that end in s without being plurals.
func keepsS(w string) bool {
	switch w {
	case "sales", "operations", "analytics", "logistics", "communications", "relations", "resources", "economics",
		"physics", "mathematics", "robotics", "ethics", "electronics", "mechanics", "genomics", "graphics", "genetics",
		"pediatrics", "orthopedics", "obstetrics", "aeronautics", "linguistics", "politics", "athletics", "optics",
		"dynamics", "diagnostics", "acoustics", "aesthetics", "proteomics", "bioinformatics", "informatics", "ceramics",
		"devops", "mlops", "finops", "devsecops", "dataops", "sysops", "aiops", "gitops", "always", "overseas",
		"kubernetes", "windows", "series", "species", "means", "news", "sports", "mergers", "acquisitions", "laws",
		"arts", "salesforce", "presales", "telesales", "rails":
		return true
	}
	return strings.Contains(w, ".") // node.js
}
