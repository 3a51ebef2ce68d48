package planner

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
)

// ranked is a derivation with its meaning.
type ranked struct {
	path  *path
	value value
	feats []feature // features of the whole plan
	score float64
}

// rank sorts derivations by their score, including features of the whole plan, and drops those without a valid value.
func (c *chart) rank(paths []*path) []ranked {
	var out []ranked
	asked := c.hasCueOf(c.networkSym)
	for _, p := range paths {
		v, ok := c.evaluatePath(p)
		if !ok {
			continue
		}
		fs := append(planFeatures(v), c.pathFeatures(p, v, asked)...)
		out = append(out, ranked{path: p, value: v, feats: fs, score: p.score + c.weights.score(fs)})
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	return out
}

// pathFeatures returns features of all phrases of a derivation; asked is true if the prompt has
// words about the network.
func (c *chart) pathFeatures(p *path, v value, asked bool) (fs []feature) {
	person := false
	for _, e := range p.phrases() {
		person = person || e.sym == c.person || e.sym == c.networkSym
	}
	if !person {
		fs = append(fs, feature{featNoPerson, 1})
	}
	if asked && !slices.ContainsFunc(v, func(f fact) bool { return f.network != nil }) {
		fs = append(fs, feature{featNetworkLost, 1})
	}
	fs = append(fs, c.skipFeatures(p)...)
	if n := c.splits(p); n > 0 {
		fs = append(fs, feature{featSplit, n})
	}
	texts := 0
	for _, f := range v {
		if f.name == query.FilterKeywords && !f.soft {
			texts++
		}
	}
	if texts > 1 {
		fs = append(fs, feature{featKeywords, float64(texts - 1)})
	}
	return fs
}

// skipFeatures returns features of skipped words next to understood ones.
func (c *chart) skipFeatures(p *path) (fs []feature) {
	for s := p; s.before != nil && s.before.before != nil; s = s.before {
		if s.before.edge != nil {
			continue
		}
		switch last := s.before.skip; {
		case s.edge != nil && s.edge.sym == c.person && isContent(last):
			fs = append(fs, feature{featSkipModifier, 1})
		case s.edge == nil && last == featSkipClass && isContent(s.skip):
			fs = append(fs, feature{featSkipAfter, 1})
		}
	}
	return fs
}

// isContent reports whether a skipped word is not a grammar word.
func isContent(skip int) bool {
	return skip == featSkipUnknown || skip == featSkipContent || skip == featSkipName
}

// hasCueOf reports whether the prompt has a word class that begins phrases of a category.
func (c *chart) hasCueOf(category grammar.Symbol) bool {
	for _, r := range c.grammar.Rules {
		if r.LHS != category {
			continue
		}
		for _, heads := range c.heads {
			if heads[r.RHS[0]] {
				return true
			}
		}
	}
	return false
}

// evaluatePath returns the value of all phrases of a derivation.
func (c *chart) evaluatePath(p *path) (value, bool) {
	var out value
	for _, e := range p.phrases() {
		v, ok := c.evaluate(e)
		if !ok {
			return nil, false
		}
		out = append(out, v...)
	}
	return heldBefore(applyCorrections(out)), true
}

// planFeatures returns the features of a whole plan.
func planFeatures(v value) (fs []feature) {
	homes, titles, companies, unknown, asked, excluded, useless := map[query.FilterName]int{}, 0, 0, 0, 0, 0, 0
	for _, f := range v {
		if f.instead {
			useless++
		}
		if f.soft {
			continue
		}
		if f.not {
			excluded++
			continue
		}
		asked++
		switch {
		case f.nobody:
			unknown++
		case isPlace(f.name):
			homes[f.name]++
		case f.when > now:
		case f.name == query.FilterPosition:
			titles++
		case f.name == query.FilterCompany:
			companies++
		}
	}
	add := func(id, n int) {
		if n > 0 {
			fs = append(fs, feature{id, float64(n)})
		}
	}
	for _, n := range homes {
		add(featTwoHomes, n-1)
	}
	add(featContradicts, contradictions(v))
	add(featCorrectsNothing, useless)
	add(featTwoTitles, titles-1)
	add(featTwoCompanies, companies-1)
	switch asked {
	case 0:
		if excluded == 0 {
			add(featNothing, 1)
		}
	case unknown:
		add(featOnlyUnknown, 1)
	}
	return fs
}

// contradictions counts the facts that exclude what another requires.
func contradictions(v value) (n int) {
	for _, no := range v {
		if !no.not || no.soft || no.name == "" {
			continue
		}
		if slices.ContainsFunc(v, func(f fact) bool {
			return !f.not && !f.soft && f.name == no.name && f.when == no.when &&
				slices.ContainsFunc(f.values, func(x string) bool { return slices.Contains(no.values, x) })
		}) {
			n++
		}
	}
	return n
}

// reportUnused reports the words of the prompt that a derivation does not use.
func (r *reader) reportUnused(plan *prompt.Plan, d ranked) {
	used := make([]bool, len(r.text.words))
	for _, e := range d.path.phrases() {
		if e.sym == r.asideSym {
			r.report(plan, e.from, e.to)
		}
		for i := e.from; i < e.to; i++ {
			used[i] = true
		}
	}
	isUnused := func(i int) bool { return !used[i] && r.text.words[i].mark == "" && !r.isFiller(i) }
	for _, run := range runs(len(used), isUnused) {
		r.report(plan, run[0], run[1])
	}
}

// runs returns the runs of words that satisfy a condition.
func runs(words int, satisfies func(i int) bool) (out [][2]int) {
	for i := 0; i < words; i++ {
		if !satisfies(i) {
			continue
		}
		to := i + 1
		for to < words && satisfies(to) {
			to++
		}
		out = append(out, [2]int{i, to})
		i = to
	}
	return out
}

func (r *reader) report(plan *prompt.Plan, from, to int) {
	if words := r.text.wording(from, to); words != "" {
		plan.Ignored = append(plan.Ignored, words)
	}
}

// isFiller reports whether a single word is a filler, an article or a word for people.
func (r *reader) isFiller(i int) bool {
	return slices.ContainsFunc(r.leaves[i], func(l *leaf) bool {
		return l.to == i+1 && (l.name == "ARTICLE" || l.name == "Filler" && len(l.value) == 0 ||
			l.sense != nil && l.sense.Type == lexicon.PersonWord)
	})
}

// hasLetter reports whether a text has a letter or digit: no filter can search for other characters.
func hasLetter(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// textSearch returns a plan that searches for all words of a prompt that was not understood.
func (r *reader) textSearch(mode prompt.Mode) prompt.Plan {
	var words []string
	var spans [][2]int
	for _, withFillers := range []bool{false, true} {
		for i, w := range r.text.words {
			if w.mark == "" && (withFillers || !r.isFiller(i)) {
				words, spans = append(words, alternative(r.text.wording(i, i+1))), append(spans, [2]int{i, i + 1})
			}
		}
		if len(words) > 0 {
			break
		}
	}
	plan := prompt.Plan{Mode: prompt.Simple}
	if mode == prompt.Lookup {
		plan.Mode = mode
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	if !hasLetter(text) {
		plan.Nothing = true
		return plan
	}
	b := &builder{reader: r}
	src := b.source(spans)
	src.Text = string(r.text.runes[src.Span[0]:src.Span[1]])
	plan.Filters = []prompt.Filter{{Source: src, Name: query.FilterKeywords, Value: text}}
	return plan
}
