package refresh

import (
	"cmp"
	"slices"
	"strings"
)

// A span is a job or an entry of an education. Dates are YYYY, YYYY-MM or
// YYYY-MM-DD; "" is unknown, or for the end of a job that it is held.
type span struct {
	// key is what two spans must have in common to be one: of a job the company
	// and the title, of an education the institute.
	key string
	// text is how the title or the institute is written.
	text string
	// labels are what may be absent: degree and field of study.
	labels     [2]string
	start, end string
	// company is the employer; 0 for an education.
	company int64
	// openEnd says that an absent end is an unknown one; of a job it means that
	// the job is held.
	openEnd bool
}

// Spans are one and the same if they have the same key and labels and begin on
// the same day; the later end counts. A span that says no more than another is
// left out: one that began in 2019 beside one that began in March 2019, where
// it does not end later, or one without a degree beside one with it.
type spans []span

// normal is the list without repeats, in an order of its own: what is held
// first, then the latest. It depends on the set of spans alone.
func (list spans) normal() spans {
	byID := map[[4]string]span{}
	for _, s := range list {
		id := s.id()
		if known, ok := byID[id]; ok {
			s.end = max(s.end, known.end)
		}
		byID[id] = s
	}
	var out spans
	for id, s := range byID {
		covered := false
		for other, t := range byID {
			covered = covered || other != id && t.covers(s)
		}
		if !covered {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, span.compare)
	return out
}

func (s span) id() [4]string {
	return [4]string{s.key, labelKey(s.labels[0]), labelKey(s.labels[1]), s.start}
}

func labelKey(s string) string {
	if s == "" {
		return ""
	}
	return wordsKey(s)
}

// covers reports whether all that t says is in s.
func (s span) covers(t span) bool {
	for i := range t.labels {
		if t.labels[i] != "" && labelKey(t.labels[i]) != labelKey(s.labels[i]) {
			return false
		}
	}
	return s.key == t.key && strings.HasPrefix(s.start, t.start) && t.end <= s.end
}

// compare orders held before ended, then the latest first.
func (s span) compare(t span) int {
	return cmp.Or(compareBool(t.held(), s.held()), cmp.Compare(t.start, s.start), cmp.Compare(t.end, s.end),
		cmp.Compare(s.key, t.key),
		cmp.Compare(s.labels[0], t.labels[0]), cmp.Compare(s.labels[1], t.labels[1]))
}

func (s span) held() bool { return !s.openEnd && s.end == "" }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// over puts newer spans over older ones. A newer one replaces the older one that
// it continues, and keeps what only that one knows; of the others, those that
// say no more than a newer one, but for an end that is out of date, are left out.
func (list spans) over(older spans) spans {
	rest := slices.Clone(older)
	out := make(spans, 0, len(list)+len(rest))
	for _, s := range list {
		if i := rest.sameAs(s); i >= 0 {
			s = s.fill(rest[i])
			rest = slices.Delete(rest, i, i+1)
		}
		out = append(out, s)
	}
	rest = slices.DeleteFunc(rest, func(s span) bool {
		return slices.ContainsFunc(out, func(n span) bool { return n.supersedes(s) })
	})
	return append(out, rest...).normal()
}

// supersedes reports whether a newer span says all that an older one does; of
// two ends the newer counts.
func (s span) supersedes(older span) bool {
	if !s.openEnd || s.end != "" {
		older.end = s.end
	}
	return s.covers(older)
}

// sameAs is the place of the span that s is a newer version of, -1 for none: the
// one that begins on the same day, else the only one that may.
func (list spans) sameAs(s span) int {
	only, n := -1, 0
	for i, t := range list {
		if t.id() == s.id() {
			return i
		}
		if t.mayBe(s) {
			only, n = i, n+1
		}
	}
	if n != 1 {
		return -1
	}
	return only
}

// mayBe reports whether nothing keeps two spans from being one: the labels are
// the same, and one beginning may be the other, told more exactly.
func (s span) mayBe(t span) bool {
	for i := range s.labels {
		if labelKey(s.labels[i]) != labelKey(t.labels[i]) {
			return false
		}
	}
	return s.key == t.key && (strings.HasPrefix(s.start, t.start) || strings.HasPrefix(t.start, s.start))
}

// fill takes from an older version of the span what this one lacks.
func (s span) fill(older span) span {
	if len(older.start) > len(s.start) {
		s.start = older.start
	}
	if s.openEnd && s.end == "" {
		s.end = older.end
	}
	return s
}
