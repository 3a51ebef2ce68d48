package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// willing makes words that say nothing of what people might do for the asker: who might
// like to help a charity, who could speak at a school.
func (p *parser) willing() {
	for i := range p.spans {
		from := p.spans[i].From
		w := p.tokens[from].Norm
		said := p.needNot(from)
		if (w == "who" || w == "that") && from+1 < len(p.tokens) {
			said = p.mayWish(from+1) || p.needNot(from+1)
		}
		if !said || p.spans[i].Sense.Name == "introduce" {
			continue
		}
		for at := i; at < len(p.spans) && (at == i || !p.endsWish(at)); at++ {
			p.silence(at)
		}
	}
}

// needNot reports whether what stands at a token says what is not demanded of anybody: they
// don't have to know Go.
func (p *parser) needNot(at int) bool {
	words := func(n int) string { return strings.Join(token.Norms(p.tokens[at:min(at+n, len(p.tokens))]), " ") }
	switch p.tokens[at].Norm {
	case "dont", "doesnt":
		w := words(3)
		return w == p.tokens[at].Norm+" have to" || w == p.tokens[at].Norm+" need to"
	case "do", "does":
		w := words(4)
		return w == p.tokens[at].Norm+" not have to" || w == p.tokens[at].Norm+" not need to"
	}
	return p.tokens[at].Norm == "neednt"
}

// mayWish reports whether "might", "could" or "would like to" stands at a token.
func (p *parser) mayWish(at int) bool {
	if at+1 >= len(p.tokens) {
		return false
	}
	next := p.tokens[at+1].Norm
	switch p.tokens[at].Norm {
	case "might", "could", "may":
		return next != "have" && next != "be" || at+2 < len(p.tokens) && isWilling(p.tokens[at+2].Norm)
	case "would", "wouldnt":
		return next == "like" || next == "love" || next == "want" || next == "enjoy" || next == "mind" || next == "be" && at+2 < len(p.tokens) && isWilling(p.tokens[at+2].Norm)
	}
	return false
}

// isWilling lists what people are who would do something.
func isWilling(w string) bool {
	switch w {
	case "willing", "happy", "keen", "open", "interested", "up", "able", "ready", "prepared", "glad", "available":
		return true
	}
	return false
}

// endsWish reports whether what people might do ends before a reading.
func (p *parser) endsWish(at int) bool {
	s := p.spans[at]
	if p.tokens[s.From].Apart() || p.tokens[s.From].Norm == "but" || p.isCue(s, cue.Lives) || s.Type == segment.Quantity {
		return true
	}
	next := p.peekAt(at + 1)
	if p.isCue(s, cue.And) {
		return p.isCue(next, cue.Lives, cue.Know, cue.Work, cue.Any, cue.Not, cue.With) || slices.Contains([]string{"have", "speak", "are"}, p.words(next))
	}
	return p.isCue(s, cue.In, cue.Near) && isPlace(next)
}
