package rules

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// aboutAsker makes what the asker says of themselves words that say nothing:
// "we are a small startup looking for engineers".
func (p *parser) aboutAsker() {
	for i := range p.spans {
		if !p.saysWho(i) {
			continue
		}
		end := i + 1
		for end < len(p.spans) && !p.asks(p.spans[end]) {
			end++
		}
		if end == len(p.spans) {
			return // nobody else is asked for
		}
		for j := i; j < end; j++ {
			p.spans[j].Type = lexicon.Filler
			p.spans[j].Sense = lexicon.Sense{Type: lexicon.Filler}
		}
	}
}

// saysWho reports whether "I am a", "we are the" and the like begin at a reading.
func (p *parser) saysWho(i int) bool {
	if !p.filler(i) {
		return false
	}
	words := p.words(p.spans[i])
	for n := i + 1; n < len(p.spans) && n < i+4 && len(words) < len("we are a"); n++ {
		words += " " + p.words(p.spans[n])
	}
	for _, begin := range []string{"i am a ", "i am an ", "im a ", "im an ", "i am the ", "im the ", "we are a ", "we are an ", "were a ", "were an ", "we are the ", "as a ", "my company is a ", "i sell ", "we sell ", "i work at ", "i work for ", "im raising ", "i am raising ", "were raising ", "we are raising "} {
		if len(words) >= len(begin)-1 && (words + " ")[:len(begin)] == begin {
			return true
		}
	}
	return false
}

func (p *parser) filler(i int) bool {
	s := p.spans[i]
	return s.Type == lexicon.Filler || s.Type == lexicon.Cue || s.Type == segment.Unknown
}

// asks reports whether a reading begins what the asker wants.
func (p *parser) asks(s segment.Span) bool {
	return s.Type == lexicon.Filler && (s.Sense.Name == "want" || s.Sense.Name == "ask" || s.Sense.Name == "find")
}
