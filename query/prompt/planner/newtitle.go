package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt/frame"
)

// newTitle returns what a mark of a title in no table asks for: a known title with a topic after it, doctors for
// children, else its words.
func (s *resolver) newTitle(m marked) value {
	from, to := s.trimmed(m)
	for at := to - 2; at > from && !m.Not && !s.reader.mayBeForeign(from, to); at-- {
		if s.has(at, "ABOUT") || s.has(at, "PARTICLE") {
			return s.titleAbout(m, from, at, to)
		}
	}
	return s.titleInWords(m, from, to)
}

// titleAbout reads a title before a word and a topic after it.
func (s *resolver) titleAbout(m marked, from, at, to int) value {
	if s.best(at+1, to, "Title", "Level", "Leader") != nil { // assistant to the director
		return s.titleInWords(m, from, to)
	}
	for end := at; end > from; end-- {
		if e := s.best(from, end, "Title"); e != nil {
			if end < at {
				s.ignored = append(s.ignored, [2]int{end, at})
			}
			about := marked{frame.Mark{Kind: frame.Topic}, at + 1, to}
			return append(s.use(e), s.topic(about)...)
		}
	}
	return s.titleInWords(m, from, to)
}

// titleInWords reads words as a title.
func (s *resolver) titleInWords(m marked, from, to int) value {
	norms := s.spelled(from, to)
	title := s.reader.title(norms, from, to)
	values := title.Values
	if slices.Contains(values, query.Alternative{}.String()) { // words that titles leave out
		values = []string{alternative(s.text.wording(from, to))}
	}
	return value{{name: title.Filter, values: values, spans: [][2]int{{m.from, m.to}}}}
}

// spelled returns the folded words of a span, misspelt ones corrected.
func (s *resolver) spelled(from, to int) []string {
	norms := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		norm := s.text.norm(i)
		if list := s.reader.instead[i]; len(list) > 0 && list[0].edits > 0 {
			norm = list[0].word
			s.fixes = append(s.fixes, fix{i, list[0]})
		}
		if norm != "" {
			norms = append(norms, norm)
		}
	}
	return norms
}
