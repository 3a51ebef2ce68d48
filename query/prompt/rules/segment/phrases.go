package segment

import (
	"strings"

	"kith/index/analysis"
	"kith/query/prompt/rules/cue"
)

// phrases remembers what is asked of the same tokens again and again.
type phrases struct {
	norms     []string   // the folded words
	keys      [][]string // by the first token and the number of tokens
	companies [][]string // the same as the keys of companies; "" for not made yet
	left      []leftCue  // by token
}

// leftCue is the cue that ends before a token, once it is known.
type leftCue struct {
	cue   cue.Cue
	known bool
}

func newPhrases(l *Lattice) phrases {
	n := len(l.Tokens)
	p := phrases{norms: make([]string, n), keys: make([][]string, n), companies: make([][]string, n), left: make([]leftCue, n+1)}
	for i, t := range l.Tokens {
		p.norms[i] = t.Norm
	}
	return p
}

// key joins the folded words of tokens.
func (l *Lattice) key(from, to int) string {
	p := &l.phrases
	for len(p.keys[from]) < to-from {
		n := len(p.keys[from])
		text := p.norms[from+n]
		if n > 0 {
			text = p.keys[from][n-1] + " " + text
		}
		p.keys[from] = append(p.keys[from], text)
	}
	return p.keys[from][to-from-1]
}

// companyKey is the key of the company that tokens name, without its legal form.
func (l *Lattice) companyKey(from, to int) string {
	p := &l.phrases
	for len(p.companies[from]) < to-from {
		end := from + len(p.companies[from]) + 1
		p.companies[from] = append(p.companies[from], analysis.CompanyKey(l.text(from, end)))
	}
	return p.companies[from][to-from-1]
}

// text is what tokens say, with the marks that are part of them.
func (l *Lattice) text(from, to int) string {
	var b strings.Builder
	for i, t := range l.Tokens[from:to] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// leftCue is the cue that ends right before a token, articles and the like
// passed over; None where a mark stands between.
func (l *Lattice) leftCue(at int) cue.Cue {
	if known := &l.phrases.left[at]; !known.known {
		known.cue, known.known = l.findLeftCue(at), true
	}
	return l.phrases.left[at].cue
}
