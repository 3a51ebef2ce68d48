package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// placeStays reports whether the place in a sentence about the asker is where people are
// wanted: where nobody was asked for before, or the asker is there and needs somebody.
func (p *parser) placeStays(st statement, subject int) bool {
	if at := p.spans[subject].From; isIt(p.tokens[at].Norm) { // it's for our office in Leeds, not for a chat there
		return !slices.ContainsFunc(p.tokens[at:p.spans[st.to-1].To], func(t token.Token) bool { return isOccasion(t.Norm) || t.Norm == "chat" })
	}
	switch p.tokens[p.spans[subject].From].Norm {
	case "she", "he": // a lawyer for my sister. She lives in Leeds
		return p.tokens[p.spans[subject].From+1].Norm == "lives"
	case "many", "most": // many moved to Florida
		return false
	}
	first := slices.IndexFunc(p.spans, p.asks)
	if first >= 0 && first < st.from {
		return p.isBased(subject) && p.needs(first) || p.onlyPlaced(st, subject)
	}
	if !p.saysWho(subject) {
		return true
	}
	next := slices.IndexFunc(p.spans[st.to:], p.asks)
	return next >= 0 && p.needs(st.to+next)
}

// isBased reports whether a sentence says where the asker is: we're in Vienna, we are based
// in Vienna.
func (p *parser) isBased(subject int) bool {
	from := p.spans[subject].From
	words := strings.Join(token.Norms(p.tokens[from:min(from+3, len(p.tokens))]), " ")
	return slices.ContainsFunc([]string{"were in ", "we are in ", "im in ", "i am in ", "were based", "we are based", "im based", "i am based", "were located", "we are located"}, func(begin string) bool { return strings.HasPrefix(words+" ", begin) })
}

// placedOutside reports whether a place is named in a prompt but for some readings.
func (p *parser) placedOutside(from, to int) bool {
	return slices.ContainsFunc(p.spans[:from], isPlace) || p.lives(to) ||
		slices.ContainsFunc(p.tokens[p.spans[from].From:p.spans[to-1].To], isEvent)
}

// lives reports whether a place is named from a reading on, but for where somebody is licensed or
// comes from.
func (p *parser) lives(from int) bool {
	for i := from; i < len(p.spans); i++ {
		if isPlace(p.spans[i]) && (i == 0 || !p.isCue(p.spans[i-1], cue.Elsewhere)) {
			return true
		}
	}
	return false
}
