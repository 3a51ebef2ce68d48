package llm

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/tokenizer"
)

// asks reports whether a model might understand more of a prompt than the rules did. This requires mode auto or
// complex, and unknown words that are not fillers, or a plan with a text search. Plans with an address and
// prompts without a word need no help. Plans with preferences, conditions or network parts do not fit the schema of an
// answer.
func (p *Planner) asks(ruled prompt.Plan, mode prompt.Mode) bool {
	switch {
	case mode != prompt.Auto && mode != prompt.Complex && mode != "":
		return false
	case ruled.Nothing || len(ruled.Preferred) > 0 || len(ruled.Conditions) > 0 || ruled.Network != nil ||
		slices.ContainsFunc(ruled.Filters, isAddress):
		return false
	}
	return slices.ContainsFunc(ruled.Filters, isText) || slices.ContainsFunc(ruled.Ignored, p.hasMeaning)
}

func isText(f prompt.Filter) bool { return f.Name == query.FilterKeywords }

func isAddress(f prompt.Filter) bool {
	return f.Name == query.FilterEmail || f.Name == query.FilterSocialURL || f.Name == query.FilterSocialID
}

// hasMeaning reports whether ignored words are more than fillers. Judgements do not count
// either: a model cannot know what no record holds.
func (p *Planner) hasMeaning(words string) bool {
	tokens := tokenizer.Tokens(words)
	return len(tokens) > 0 && !slices.ContainsFunc(p.lex.Senses(tokens), func(s lexicon.Sense) bool {
		switch s.Type {
		case lexicon.Filler, lexicon.PersonWord, lexicon.CompanyWord, lexicon.Judgement:
			return true
		}
		return false
	})
}

// namesPerson reports whether filters look for one particular person.
func namesPerson(filters []prompt.Filter) bool {
	return slices.ContainsFunc(filters, func(f prompt.Filter) bool {
		return !f.Excluded && (f.Name == query.FilterPersonName || isAddress(f))
	})
}
