package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// longestSubject is how many words may stand before the verb of a sentence about something.
const longestSubject = 6

// ofThing reports whether a sentence between two tokens says how something is, and not how those
// should be who are wanted: the museum plans an exhibition on lace; it's a kitchen of 20 people.
func (p *parser) ofThing(first, end int) bool {
	verb := first
	if t := p.tokens[first]; t.Norm != "its" && !t.Possessive { // it's
		for verb++; verb < end && verb <= first+longestSubject && !p.tokens[verb].Apart() && !isFinite(p.tokens[verb].Norm); verb++ {
		}
		if verb == end || !isFinite(p.tokens[verb].Norm) || p.tokens[verb].Apart() {
			return false
		}
	}
	if slices.ContainsFunc(p.tokens[verb:end], demands) {
		return false
	}
	return !slices.ContainsFunc(p.spans, func(s segment.Span) bool {
		subject := s.From >= first && s.To <= verb
		return subject && (wanted(s) || isPlace(s) || p.negated(s) || s.Group() == segment.GroupSkill || s.Group() == segment.GroupStudy || s.Type == lexicon.Judgement)
	})
}

// tellsWhy reports whether the asker gives a reason from a token on: because we're opening in
// Madrid, as our customers are there; no consultants, they waste my time.
func (p *parser) tellsWhy(at int) bool {
	if at+1 >= len(p.tokens) {
		return false
	}
	t, w := p.tokens[at], p.tokens[at+1].Norm
	switch t.Norm {
	case "because", "since":
	case "as":
		if !t.Comma() {
			return false
		}
	case "they":
		return t.Comma() && !p.mustBe(at+1, len(p.tokens)) && p.toAsker(at+1)
	default:
		return false
	}
	return isFirstPerson(w) || w == "our" || w == "my"
}

// toAsker reports whether what is said up to the next mark is done to the asker: waste my time.
func (p *parser) toAsker(from int) bool {
	for at := from; at < len(p.tokens) && !p.tokens[at].Comma() && !p.tokens[at].Stop(); at++ {
		switch p.tokens[at].Norm {
		case "should", "must", "need", "have", "would", "could", "can":
			return false
		case "me", "us", "my", "our":
			return true
		}
	}
	return false
}

// butThing reports whether "but" begins to say at a token how something is: Polish would help, but
// the panel is in English.
func (p *parser) butThing(at int) bool {
	if p.tokens[at].Norm != "but" || !p.tokens[at].Comma() || at+2 >= len(p.tokens) || p.tokens[at+1].Norm != "the" || isEmployer(p.tokens[at+2].Norm) {
		return false
	}
	end := at + 1
	for end < len(p.tokens) && !p.tokens[end].Stop() {
		end++
	}
	return p.ofThing(at+1, end)
}

// takesTime reports whether a sentence begins with how long a talk takes: half an hour on Zoom.
func takesTime(words []string) bool {
	for i, w := range words[:min(3, len(words))] {
		if w == "minutes" || w == "hour" || w == "hours" && i > 0 {
			return true
		}
	}
	return false
}

// onlyPlaced reports whether a sentence says nothing of the asker but where they are: our food bank
// is in Leeds.
func (p *parser) onlyPlaced(st statement, subject int) bool {
	last := st.to - 1
	return p.spans[last].To-p.spans[subject].From <= longestSubject+2 && isPlace(p.spans[last]) && p.isCue(p.spans[last-1], cue.In, cue.Near) &&
		slices.ContainsFunc(p.tokens[p.spans[subject].From:p.spans[last].From], func(t token.Token) bool { return t.Norm == "is" || t.Norm == "are" || t.Norm == "based" })
}

// ofKin reports whether the asker has named somebody of theirs before a token, whom a pronoun
// there is for: my daughter wants to be a biologist. She speaks Greek.
func (p *parser) ofKin(at int) bool {
	for i := 1; i < at; i++ {
		switch p.tokens[i].Norm {
		case "daughter", "son", "husband", "wife", "sister", "brother", "mother", "mum", "mom", "father", "dad", "friend", "boss", "cousin", "niece", "nephew", "uncle", "aunt", "grandmother", "grandfather", "girlfriend", "boyfriend", "fiancee", "neighbour", "neighbor":
			if w := p.tokens[i-1].Norm; w == "my" || w == "our" {
				return true
			}
		}
	}
	return false
}

// isFinite lists the verbs with which it is said how something is.
func isFinite(w string) bool {
	switch w {
	case "is", "are", "was", "has", "had", "will", "makes", "made", "produces", "sells", "treats", "runs", "plans", "wants", "needs", "takes", "took", "pays", "starts", "opens", "opened",
		"lasts", "works", "helps", "teaches", "offers", "serves", "employs", "lost", "got", "comes", "closes", "ends", "begins", "just", "grew", "moved", "speaks":
		return true
	}
	return false
}

// mustBe reports whether "should" or "must" stands at a token: the company should be small.
func (p *parser) mustBe(at, end int) bool {
	return at < end && (p.tokens[at].Norm == "should" || p.tokens[at].Norm == "must")
}

// demands reports whether a word says that something is asked for, or how much.
func demands(t token.Token) bool {
	switch t.Norm {
	case "must", "should", "need", "required", "mandatory", "essential", "obligatory", "necessary", "desirable", "preferred", "welcome", "plus", "ideal", "ideally", "preferably",
		"fine", "ok", "okay", "great", "helpful", "bonus", "advantage", "asset", "better", "best", "important":
		return true
	}
	return false
}
