package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// minus reports whether a minus stands right before a reading, as in search
// boxes: -google.
func (p *parser) minus(s segment.Span) bool {
	at := p.tokens[s.From].From
	if at > 0 && (p.runes[at-1] == '"' || p.runes[at-1] == '“') {
		at--
	}
	return at > 1 && p.runes[at-1] == '-' && p.runes[at-2] == ' '
}

// negation begins a negation of the list that follows.
func (p *parser) negation(c cue.Cue) {
	if p.workedOutside() {
		return
	}
	p.beginNot()
	p.both = false
	if c == cue.NotAt {
		if w := p.words(p.spans[p.at]); p.when == current || !p.verb || w != "not at" && w != "not with" && w != "not from" {
			p.endScope()
		}
		p.prep, p.prepAt = cue.At, p.at+1
	}
	if w := p.words(p.spans[p.at]); w == "never" || len(w) > 7 && (hasWord(w, "worked") || hasWord(w, "been") || hasWord(w, "never")) {
		p.beginPhrase(any)
	}
}

// workedOutside leaves out where somebody is said to have worked besides: who have
// worked outside Ireland.
func (p *parser) workedOutside() bool {
	s := p.spans[p.at]
	w := p.words(s)
	if w != "outside" && w != "outside of" || p.when != any || p.spent || !strings.HasSuffix(p.words(p.peek(-1)), "worked") || !p.placeFollows() || !p.saysWhere() {
		return false
	}
	p.passOver(s, segment.GroupPlace)
	p.endScope()
	p.note("that somebody has worked outside of a place is not asked for")
	return true
}

// negates reports whether a negation covers the fact, and ends it where it does
// not.
func (p *parser) negates(f fact, s segment.Span) bool {
	switch {
	case !p.not:
		return false
	case p.heading(), p.notGroup == "", p.notGroup == f.group() && !p.listEnds(f, s), p.joinsLeftOut(s), p.exampleLeftOut(f), p.seatLeftOut(f, s):
		p.notGroup = f.group()
		return true
	}
	p.endNot()
	return false
}

// seatLeftOut reports whether a fact is of those whose place, right before it, was left out: not
// at German banks, no London recruiters; but not in London.
func (p *parser) seatLeftOut(f fact, s segment.Span) bool {
	if p.last < 0 || p.lastAt != s.From || !p.adjoining(s) || !p.facts[p.last].not || p.facts[p.last].group() != segment.GroupPlace {
		return false
	}
	switch f.group() {
	case segment.GroupIndustry:
		return p.facts[p.last].kind() == kindOfSeat
	case segment.GroupRole:
		at := p.negator()
		if at < 0 || p.isCue(p.spans[at], cue.NotAt) {
			return false
		}
		w := p.words(p.spans[at])
		return !strings.HasSuffix(w, " in") && !strings.HasPrefix(w, "outside") && w != "non"
	}
	return false
}

// listEnds reports whether the list of what is left out ended before a fact of the
// same group: "no consultants or agencies, chemicals", "not MSPs, 50-200", where a
// prompt begins with what is left out, "no managers, engineers in Bern", and right
// behind the word that "non" belongs to, "non-luxury fashion brands".
func (p *parser) listEnds(f fact, s segment.Span) bool {
	if p.last < 0 || !p.facts[p.last].not {
		return false
	}
	before := p.facts[p.last]
	if p.tokens[s.From].Comma() {
		ended := p.last > 0 && p.facts[p.last-1].not && p.cueBefore(before.spans[0][0], cue.Or)
		return ended || before.kind() != f.kind() || p.negator() == 0 && !p.orBehind()
	}
	if p.lastAt == s.From && p.adjoining(s) && before.group() == segment.GroupRole && p.severalOf(s) && strings.HasSuffix(p.tokens[s.From-1].Norm, "s") { // no interns product managers
		return true
	}
	negation := p.peek(-2)
	return p.lastAt == s.From && p.adjoining(s) && negation.Type == lexicon.Cue && p.words(negation) == "non"
}

// endUnknown ends a negation behind words that are not understood, where a comma and what
// is no kind of people or companies stand behind them: not EPC contractors, solar, Spain.
func (p *parser) endUnknown() {
	next := p.peek(1)
	if !p.not || p.notGroup != "" || next.Type == "" || !p.tokens[next.From].Comma() || p.heading() {
		return
	}
	switch next.Group() {
	case segment.GroupPlace, segment.GroupSkill, segment.GroupNumber, segment.GroupStudy:
		p.not = false
	case segment.GroupIndustry:
		p.not = strings.HasSuffix(p.tokens[next.To-1].Norm, "s")
	}
}

// negator is where the word stands that began the present negation.
func (p *parser) negator() int {
	at := p.at - 1
	for at >= 0 && !p.isCue(p.spans[at], cue.Not, cue.NotAt, cue.But) {
		at--
	}
	return at
}

// heading reports whether the present negation is one, of all up to the end of the
// sentence: Not wanted: agencies, juniors.
func (p *parser) heading() bool {
	at := p.negator()
	return at >= 0 && at+1 < len(p.spans) && strings.HasPrefix(p.tokens[p.spans[at+1].From].Gap, ":")
}

// talkedTo keeps the companies that "leave those out" speaks of, also where what stands
// before it is of the asker: we have talked to Acme and Globex, leave those out; and where
// none is named the place: I was in Split, so not there.
func (p *parser) talkedTo() {
	var named, places []segment.Span
	for _, s := range p.spans {
		switch {
		case isCampus(s.Group()):
			named = append(named, s)
		case isResidence(s):
			places = append(places, s)
		case isLeftOut(s):
			if len(named) == 0 && p.tokens[s.To-1].Norm == "there" {
				named = places
			}
			p.talked = append(p.talked, named...)
			named, places = nil, nil
		case strings.ContainsAny(p.tokens[s.From].Gap, ".!?\n"):
			named, places = nil, nil
		}
	}
}

// isLeftOut reports whether a reading says that those named before are not wanted.
func isLeftOut(s segment.Span) bool { return s.Type == lexicon.Filler && s.Sense.Name == "leftout" }

// leaveOutTalked leaves out the companies that "leave those out" speaks of.
func (p *parser) leaveOutTalked() {
	for _, s := range p.talked {
		span := [2]int{s.From, s.To}
		p.facts = slices.DeleteFunc(p.facts, func(f fact) bool { return f.spans[0] == span })
		p.ignored = slices.DeleteFunc(p.ignored, func(o segment.Span) bool { return o.From == s.From })
		p.lists++
		f := fact{name: query.FilterCompany, values: p.named(s), not: true, list: p.lists, spans: [][2]int{span}}
		if isPlace(s) {
			f.name, f.values = s.Sense.Filter, s.Sense.Values
		}
		p.facts = append(p.facts, f)
	}
}

// leaveOutBehind leaves out what stands in a clause that ends in "are not what we want".
func (p *parser) leaveOutBehind() {
	for _, s := range p.spans {
		if !isNotWanted(s) {
			continue
		}
		from := s.From
		for from > 0 && !p.tokens[from].Comma() && !p.tokens[from].Stop() {
			from--
		}
		p.lists++
		from = p.listBegins(from, s.From)
		for i := range p.facts {
			if f := &p.facts[i]; f.spans[0][0] >= from && f.spans[0][1] <= s.From && f.query == nil {
				f.not, f.list = true, p.lists
				if f.name == query.FilterFunction { // audit-only people: the word, not everyone of that function
					said := segment.Span{From: f.spans[0][0], To: f.spans[0][1]}
					f.name, f.values = query.FilterPosition, []string{alternative(p.text(said))}
				}
			}
		}
	}
}

// listBegins is where the list begins that goes on behind a token up to another: interns,
// juniors and students are not relevant.
func (p *parser) listBegins(from, to int) int {
	within := func(f fact) bool { return f.spans[0][0] >= from && f.spans[0][1] <= to }
	at := slices.IndexFunc(p.facts, within)
	for at > 0 && p.facts[at-1].list == p.facts[at].list {
		at--
		from = p.facts[at].spans[0][0]
	}
	return from
}

// orBehind reports whether the list that the present reading is in goes on to an "or"
// or "and".
func (p *parser) orBehind() bool {
	for i := p.at + 1; i < len(p.spans) && p.spans[i].Type != segment.Quantity; i++ {
		switch {
		case p.isCue(p.spans[i], cue.And, cue.Or):
			return true
		case p.spans[i].Type == lexicon.Cue, p.tokens[p.spans[i].From].Stop():
			return false
		}
	}
	return false
}

// leavesOutAll reports whether the present negation is a verb, or as good as one, of
// which all that "and" joins is left out: excluding recruiters and staffing agencies.
func (p *parser) leavesOutAll() bool {
	at := p.negator()
	if at < 0 {
		return false
	}
	switch p.words(p.spans[at]) {
	case "excluding", "exclude", "excludes", "please exclude", "leave out", "leaving out", "omit", "omitting", "ignore", "ignoring", "skip", "skipping", "except", "except for", "apart from", "not including", "no", "dont include", "do not include":
		return true
	}
	return false
}

// joinsLeftOut reports whether "or" or a slash joins a reading with what was left
// out last: not in staffing or recruiting.
func (p *parser) joinsLeftOut(s segment.Span) bool {
	if p.last < 0 || !p.facts[p.last].not {
		return false
	}
	all := p.leavesOutAll()
	switch {
	case p.lastAt == s.From-1 && p.cueBefore(s.From, cue.And):
		return all
	case p.lastAt == s.From && p.tokens[s.From].Comma(): // no recruiters, agencies or consultants; but no recruiters, London or Leeds
		if s.Group() != p.facts[p.last].group() && !s.InGroup(segment.GroupRole, segment.GroupFunction, segment.GroupIndustry, segment.GroupCompany) {
			return false
		}
		return p.isCue(p.peek(1), cue.Or) || all && p.isCue(p.peek(1), cue.And)
	}
	return p.lastAt == s.From-1 && p.cueBefore(s.From, cue.Or) || p.lastAt == s.From && p.tokens[s.From].Slash()
}

// exampleLeftOut reports whether a company is an example of those that are left out:
// not at banks like HSBC.
func (p *parser) exampleLeftOut(f fact) bool {
	if f.group() != segment.GroupCompany || p.last < 0 || !p.facts[p.last].not {
		return false
	}
	switch p.words(p.peek(-1)) {
	case "like", "companies like", "firms like", "such as", "including", "eg":
		return true
	}
	return false
}

// kindsLeftOut makes one question of what is left out where one noun says it: not at
// fintech startups leaves out neither all fintechs nor all startups.
func (p *parser) kindsLeftOut() {
	p.narrowerLeftOut()
	for i := 0; i < len(p.facts); i++ {
		n := p.oneKind(i)
		if n == 1 {
			continue
		}
		one := p.allOf(p.facts[i : i+n]...)
		one.not = true
		p.facts = slices.Replace(p.facts, i, i+n, one)
	}
}

// narrowerLeftOut takes back what is left out and asked for in the same breath, where it is
// said in other words, of which filters know no more: at state schools, no private schools.
func (p *parser) narrowerLeftOut() {
	said := func(f fact) int { return len(p.words(segment.Span{From: f.spans[0][0], To: f.spans[0][1]})) }
	p.facts = slices.DeleteFunc(p.facts, func(f fact) bool {
		narrower := f.not && f.query == nil && f.group() == segment.GroupIndustry && slices.ContainsFunc(p.facts, func(o fact) bool {
			return !o.not && o.name == f.name && o.when == f.when && slices.Equal(o.values, f.values) && said(f) > said(o)
		})
		if narrower {
			p.ignored = append(p.ignored, segment.Span{From: f.spans[0][0], To: f.spans[0][1]})
			p.note("what else is said of those who are left out is not on record")
		}
		return narrower
	})
}

// oneKind is how many facts from the i-th on are of one noun for companies that are
// left out, at least 1.
func (p *parser) oneKind(i int) int {
	kind := func(f fact) bool {
		return f.not && f.query == nil && slices.Contains([]segment.Group{segment.GroupIndustry, segment.GroupPlace, segment.GroupRole}, f.group()) && len(f.spans) == 1
	}
	n := 1
	for kind(p.facts[i]) && i+n < len(p.facts) && kind(p.facts[i+n]) && p.leftOutAsOne(p.facts[i+n-1], p.facts[i+n]) {
		n++
	}
	if p.facts[i+n-1].group() == segment.GroupPlace { // not in Berlin or Munich
		return 1
	}
	return n
}

// leftOutAsOne reports whether two facts that are left out are of one noun: fintech startups, Berlin
// or Munich recruiters.
func (p *parser) leftOutAsOne(a, b fact) bool {
	together := a.spans[0] == b.spans[0] || p.oneNoun(a.spans[0], b.spans[0])
	switch {
	case a.group() == segment.GroupPlace && b.group() == segment.GroupPlace:
		return a.list == b.list
	case a.group() == segment.GroupPlace:
		return together
	case a.group() == segment.GroupIndustry && b.group() == segment.GroupIndustry:
		return together && a.name != b.name && a.when == b.when
	}
	return false
}

// oneNoun reports whether the tokens of one reading stand right before those of the
// other.
func (p *parser) oneNoun(a, b [2]int) bool {
	return a[1] == b[0] && p.adjoins(b[0])
}

// asLeftOut is what a reading means in a list of what is left out, where "or" joins
// it with something of another kind that it can be, too: not in staffing or
// recruiting. Behind a heading a company that makes a skill is the company: Avoid:
// agencies, Shopify. Behind a language that people speak it is another one.
func (p *parser) asLeftOut(s segment.Span) segment.Span {
	if p.listedSkill(s) {
		if other, ok := p.otherwise(s, func(o segment.Span) bool { return o.Type == lexicon.Skill }); ok {
			return other
		}
	}
	if p.not && s.Group() == segment.GroupSkill && p.heading() {
		if other, ok := p.otherwise(s, func(o segment.Span) bool { return o.Group() == segment.GroupCompany && o.Type != segment.Named }); ok {
			return other
		}
	}
	if s.Type == lexicon.Nationality && p.cueBefore(s.From, cue.Not) && p.last >= 0 && p.facts[p.last].spoken { // who speak German but not French
		if other, ok := p.otherwise(s, func(o segment.Span) bool { return o.Type == lexicon.Language }); ok {
			return other
		}
	}
	if !p.not || p.notGroup == "" || p.notGroup == s.Group() || !p.cueBefore(s.From, cue.Or) {
		return s
	}
	if other, ok := p.otherwise(s, func(o segment.Span) bool { return o.Group() == p.notGroup }); ok {
		return other
	}
	return s
}

// listedSkill reports whether a title with a capital goes on with a list of skills, and
// is none: know Figma and Illustrator.
func (p *parser) listedSkill(s segment.Span) bool {
	return s.Group() == segment.GroupRole && s.Len() == 1 && p.tokens[s.From].Capital() && p.last >= 0 && p.facts[p.last].name == query.FilterSkills && p.hasLower() &&
		!p.severalOf(s) && p.listed(p.lastAt, s.From)
}

// portuguese reports whether "no" is that of gerentes de produto no Nubank, or no setor
// bancário.
func (p *parser) portuguese(s segment.Span) bool {
	sector := s.To < len(p.tokens) && p.tokens[s.To].Norm == "setor"
	if p.words(s) != "no" || s.To == len(p.tokens) || !sector && !p.tokens[s.To].Capital() || p.tokens[s.From].Comma() || p.tokens[s.From].Stop() {
		return false
	}
	return sector || slices.ContainsFunc(p.tokens[:s.From], func(t token.Token) bool {
		switch strings.ToLower(t.Text) { // as it was written: words of other languages are close
		case "de", "do", "da", "dos", "das", "em", "com", "engenheiro", "engenheiros", "engenheira", "civis", "medico", "medicos", "medicas", "gerente", "gerentes", "diretor", "diretores",
			"desenvolvedor", "desenvolvedores", "advogado", "advogados", "enfermeiros", "analistas", "vendedores", "fundadores", "funcionários", "funcionarios", "trabalham", "médico", "médicos", "médicas", "professores", "engenheiras", "contadores", "gestores", "pessoas", "quem": //nolint:misspell // Portuguese
			return true
		}
		return false
	})
}
