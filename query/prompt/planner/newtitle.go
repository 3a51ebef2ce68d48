package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt/frame"
)

// newTitle is a mark of a title in no table.
type newTitle struct {
	*resolver
	mark marked
}

// value returns what the mark asks for: a known title with a topic after it, doctors for children, else its words.
func (t newTitle) value() value {
	from, to := t.trimmed(t.mark)
	for at := to - 2; at > from && !t.mark.Not && !t.reader.mayBeForeign(from, to); at-- {
		if t.has(at, "ABOUT") || t.has(at, "PARTICLE") {
			return t.about(from, at, to)
		}
	}
	return t.words(from, to)
}

// about reads a title before a word and a topic after it.
func (t newTitle) about(from, at, to int) value {
	if t.best(at+1, to, "Title", "Level", "Leader") != nil { // assistant to the director
		return t.words(from, to)
	}
	for end := at; end > from; end-- {
		if e := t.best(from, end, "Title"); e != nil {
			if end < at {
				t.ignored = append(t.ignored, [2]int{end, at})
			}
			about := marked{frame.Mark{Kind: frame.Topic}, at + 1, to}
			return append(t.use(e), t.topic(about)...)
		}
	}
	return t.words(from, to)
}

// words reads words as a title.
func (t newTitle) words(from, to int) value {
	norms := t.spelled(from, to)
	title := t.reader.title(norms, from, to)
	values := title.Values
	if slices.Contains(values, query.Alternative{}.String()) { // words that titles leave out
		values = []string{alternative(t.text.wording(from, to))}
	}
	return value{{name: title.Filter, values: values, spans: [][2]int{{t.mark.from, t.mark.to}}}}
}

// spelled returns the folded words of a span, misspelt ones corrected.
func (t newTitle) spelled(from, to int) []string {
	norms := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		norm := t.text.norm(i)
		if list := t.reader.instead[i]; len(list) > 0 && list[0].edits > 0 {
			norm = list[0].word
			t.fixes = append(t.fixes, fix{i, list[0]})
		}
		if norm != "" {
			norms = append(norms, norm)
		}
	}
	return norms
}
