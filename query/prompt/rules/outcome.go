package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// addCriteria makes criteria of judgements.
func (p *parser) addCriteria(plan *prompt.Plan) {
	for _, s := range p.criteria {
		j, ok := analysis.JudgementNamed(judged(s.Sense.Name))
		if !ok {
			plan.Notes = append(plan.Notes, "nothing on record says who is "+p.words(s))
			p.ignored = append(p.ignored, s)
			continue
		}
		if slices.ContainsFunc(plan.Criteria, func(c prompt.Criterion) bool { return c.Name == j.Name }) {
			continue
		}
		plan.Criteria = append(plan.Criteria, prompt.CriterionOf(j, p.source([][2]int{{s.From, s.To}}), p.now))
	}
}

// judged is the judgement of package analysis for one of the lexicon.
func judged(name string) string {
	switch name {
	case lexicon.JudgeRising:
		return "rising"
	case lexicon.JudgeExperienced:
		return "experienced"
	case lexicon.JudgeConnected, lexicon.JudgeInfluential:
		return "connected"
	case lexicon.JudgeBest, lexicon.JudgeNotable:
		return "standing"
	case lexicon.JudgeLoyal:
		return "loyal"
	case lexicon.JudgeSerial:
		return "founded"
	case lexicon.JudgeHopper:
		return "hops"
	}
	return ""
}

// fallBack lists the words that say nothing, and makes a text search of a prompt
// that says nothing else.
func (p *parser) fallBack(plan *prompt.Plan) {
	rest := p.unknown
	if p.excludesNobody() {
		plan.Filters, plan.Conditions, rest = nil, nil, p.spans
	}
	if head := p.unknownHead(plan); len(head) > 0 {
		p.keywords(plan, head)
		rest = slices.DeleteFunc(slices.Clone(rest), func(s segment.Span) bool { return s.From < head[len(head)-1].To })
	}
	if topics := p.topics(plan); len(topics) > 0 {
		p.keywords(plan, topics...)
		rest = slices.DeleteFunc(slices.Clone(rest), func(s segment.Span) bool {
			return slices.ContainsFunc(slices.Concat(topics...), func(e segment.Span) bool { return e.From == s.From })
		})
	}
	if len(plan.Filters)+len(plan.Conditions)+len(plan.Steps)+len(plan.Relations) == 0 {
		if len(plan.Criteria) == 0 && len(rest) == 0 {
			rest = p.spans
		}
		p.keywords(plan, rest)
		if len(rest) > 0 {
			rest = nil
		}
	}
	said := slices.Concat(p.ignored, rest)
	slices.SortFunc(said, func(a, b segment.Span) int { return a.From - b.From })
	for _, s := range said {
		if !p.inFilter(plan, s) && !p.saysNothing(s) {
			plan.Ignored = append(plan.Ignored, p.sourceText(s))
		}
	}
	plan.Notes = append(plan.Notes, p.notes...)
}

// saysNothing reports whether a reading that is left over is an article, which nobody
// misses.
func (p *parser) saysNothing(s segment.Span) bool {
	t := p.tokens[s.From]
	return s.Len() == 1 && (t.Article() || t.Norm == "the")
}

// excludesNobody reports whether all that is asked is not to be what nobody is,
// or not to be something among words that are not understood: either would be to
// ask for everyone.
func (p *parser) excludesNobody() bool {
	if len(p.facts) == 0 || len(p.steps) > 0 || slices.ContainsFunc(p.facts, func(f fact) bool { return !f.not }) {
		return false
	}
	return len(p.unknown) > 0 || !slices.ContainsFunc(p.facts, func(f fact) bool { return !f.nobody })
}

// unknownHead are the first words of a prompt where they say who is looked for
// and are not understood: "falconers in Berlin" must not be everyone there.
func (p *parser) unknownHead(plan *prompt.Plan) []segment.Span {
	if len(plan.Filters) == 0 || len(plan.Steps)+len(plan.Criteria) > 0 || len(p.unknown) == 0 {
		return nil
	}
	from := slices.IndexFunc(p.spans, func(s segment.Span) bool { return !s.Is(lexicon.Filler, lexicon.Seniority) })
	if from >= 0 && isPlace(p.spans[from]) && p.unknownBehind(from+1) {
		from++
	}
	to := from
	for to >= 0 && to < len(p.spans) && p.spans[to].Is(segment.Unknown, lexicon.Modifier) {
		to++
	}
	for to > from && len(p.tokens[p.spans[to-1].From].Norm) < shortestHead { // falcoeiros de Lisboa
		to--
	}
	if to == from+1 && isOccasional(p.words(p.spans[from])) && p.aboutWhat(to) {
		return nil
	}
	if to <= from || len(plan.Conditions) > 0 && !p.doers(to-1) {
		return nil
	}
	for _, f := range p.facts {
		switch f.group() {
		case segment.GroupPlace, segment.GroupIndustry, segment.GroupCompany, segment.GroupOther:
		case segment.GroupSkill, segment.GroupStudy, segment.GroupSchool:
			if !p.doers(to - 1) {
				return nil
			}
		default:
			if f.name != query.FilterSeniority || !f.bare || !p.doers(to-1) {
				return nil
			}
		}
	}
	if to < len(p.spans) && (p.spans[to].Type == segment.Quantity || p.spans[to].Type == lexicon.PersonWord && !p.topic(p.spans[from])) {
		return nil
	}
	if p.tokens[p.spans[to-1].From].Kind != token.Word {
		return nil
	}
	return p.spans[from:to]
}

// unknownBehind reports whether the reading at a place, right behind where people are, says who
// they are and is not understood: Berlin falconers, Paris Hilton.
func (p *parser) unknownBehind(at int) bool {
	s := p.peekAt(at)
	if !s.Is(segment.Unknown, lexicon.Modifier) || !p.adjoining(s) {
		return false
	}
	return p.doers(at) || at+1 == len(p.spans) && len(p.tokens[s.From].Norm) > shortestHead
}

// aboutWhat reports whether it is said at a reading what those before it are to speak about, and
// that is asked for: speakers on space law, not whoever speaks.
func (p *parser) aboutWhat(at int) bool {
	for i := at; i < len(p.spans); i++ {
		if w := p.words(p.spans[i]); w == "on" || w == "about" {
			return p.talkedAbout(i+1) || slices.ContainsFunc(p.facts, func(f fact) bool { return len(f.spans) > 0 && f.spans[0][0] == p.spans[i].To })
		}
	}
	return false
}

// doers reports whether a word that is not understood names, by its ending, those who do
// something: limnologists with Python, and not everyone who has it.
func (p *parser) doers(at int) bool {
	return segment.IsDoers(p.tokens[p.spans[at].To-1].Norm)
}

// shortestHead is how many letters a word has at least that says who is looked
// for.
const shortestHead = 4

// inFilter reports whether a reading is part of what became keywords.
func (p *parser) inFilter(plan *prompt.Plan, s segment.Span) bool {
	from := p.tokens[s.From].From
	return slices.ContainsFunc(plan.Filters, func(f prompt.Filter) bool {
		return f.Name == query.FilterKeywords && f.Span[0] <= from && from < f.Span[1] && strings.Contains(f.Text, p.tokens[s.From].Text)
	})
}

// keywords asks for words anywhere in the text of a person: for all of one of the
// alternatives, and for those of which a fact was made, too.
func (p *parser) keywords(plan *prompt.Plan, alternatives ...[]segment.Span) {
	var values []string
	var at [][2]int
	for _, spans := range alternatives {
		var words, one []string
		for _, t := range p.told(spans) {
			text := alternativeWord(t)
			words, one = append(words, text), append(one, singular(t, text))
		}
		for _, s := range spans {
			at = append(at, [2]int{s.From, s.To})
		}
		if len(words) > mostTopics { // a sentence, not who is looked for
			one = words
		}
		if len(words) > 0 {
			values = appendNew(values, strings.Join(words, " "), strings.Join(one, " "))
			values = append(values, p.members(spans)...)
		}
	}
	if len(values) == 0 {
		plan.Nothing = len(plan.Criteria) == 0
		if plan.Nothing {
			plan.Notes = append(plan.Notes, "the prompt has no word to search for, so no one matches")
		}
		return
	}
	value := shorter(strings.Join(values, ", "))
	if slices.ContainsFunc(plan.Filters, func(f prompt.Filter) bool { return f.Name == query.FilterKeywords }) { // falconers at Stripe in fintech
		asked := query.Filters{query.FilterKeywords: value}
		plan.Conditions = append(plan.Conditions, prompt.Condition{Source: p.source(at), Says: asked.Text(), Query: p.filtered(asked)})
		return
	}
	plan.Filters = append(plan.Filters, prompt.Filter{Source: p.source(at), Name: query.FilterKeywords, Value: value})
}

// told are the words of readings that text is searched for; those that only ask where nothing
// in the prompt is a word of its own, too.
func (p *parser) told(spans []segment.Span) (words []token.Token) {
	own := func(s segment.Span) bool {
		return s.Type == segment.Unknown && len(p.words(s)) >= shortestHead && !onlyAsks(p.words(s))
	}
	all := !slices.ContainsFunc(spans, own)
	for _, s := range spans {
		for _, t := range p.tokens[s.From:s.To] {
			if len(analysis.Tokens(alternativeWord(t))) > 0 && (all || !onlyAsks(t.Norm)) {
				words = append(words, t)
			}
		}
	}
	return words
}

// onlyAsks lists the words of a question that no profile has to have.
func onlyAsks(w string) bool {
	switch w {
	case "who", "whom", "whose", "that", "which", "people", "person", "persons", "folks", "someone", "somebody", "anyone", "anybody",
		"i", "me", "we", "us", "could", "would", "can", "should", "might", "about":
		return true
	}
	return false
}

// members are what the members of a body write behind their names, where the readings name
// it: MRICS, of RICS membership.
func (p *parser) members(spans []segment.Span) []string {
	last := spans[len(spans)-1]
	if len(spans) > 1 || last.Len() > 1 || last.To == len(p.tokens) || p.tokens[last.To].Norm != "membership" || !p.tokens[last.From].Shout() {
		return nil
	}
	return []string{"M" + p.tokens[last.From].Text, "F" + p.tokens[last.From].Text}
}

// singular is a word as it is in the title of one of those who are looked for: falconer.
func singular(t token.Token, text string) string {
	if segment.IsDoers(t.Norm) {
		return strings.TrimSuffix(text, "s")
	}
	return text
}

// shorter cuts a value to what a filter may have.
func shorter(value string) string {
	runes := []rune(value)
	if len(runes) <= query.MaxFilterLength {
		return value
	}
	return strings.TrimSpace(string(runes[:query.MaxFilterLength]))
}

func alternativeWord(t token.Token) string {
	text := strings.Trim(alternative(t.Text), `"`)
	return strings.TrimLeft(text, "-+")
}

// settleMode resolves the mode that was asked for.
func (p *parser) settleMode(plan *prompt.Plan, asked prompt.Mode) {
	found := p.mode(plan)
	switch {
	case asked == prompt.Auto || asked == "" || asked == found:
		plan.Mode = found
	case asked == prompt.Complex:
		plan.Mode = prompt.Simple
		if found == prompt.Lookup {
			plan.Mode = found
		}
		plan.Notes = append(plan.Notes, "the prompt needs no judgement and no second search; it is answered in mode "+string(plan.Mode))
	case found == prompt.Complex:
		plan.Mode = found
		plan.Notes = append(plan.Notes, "the prompt cannot be answered in mode "+string(asked)+"; it is answered in mode complex")
	default:
		plan.Mode = asked
	}
}

// mode is what kind of question the plan is.
func (p *parser) mode(plan *prompt.Plan) prompt.Mode {
	switch {
	case len(plan.Steps)+len(plan.Relations)+len(plan.Criteria) > 0 || p.career:
		return prompt.Complex
	case slices.ContainsFunc(plan.Filters, namesSomebody):
		return prompt.Lookup
	}
	return prompt.Simple
}

func namesSomebody(f prompt.Filter) bool {
	switch f.Name {
	case query.FilterPersonName, query.FilterEmail, query.FilterSocialURL, query.FilterSocialID:
		return !f.Excluded
	}
	return false
}

func quoted(text string) string {
	return query.Alternative{Text: text, Phrase: strings.Contains(text, " ")}.String()
}
