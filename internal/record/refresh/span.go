package refresh

import (
	"cmp"
	"slices"
	"strings"
)

// A span is a job or education entry. Dates are YYYY, YYYY-MM or YYYY-MM-DD; "" is unknown, except for the end of a
// job, where it means that the job is held.
type span struct {
	// key is what two spans must share to be the same: for a job, company and title; for an education, the institute.
	key string
	// text is the title or the institute as written.
	text string
	// labels are the degree and the field of study, which may be absent.
	labels     [2]string
	start, end string
	// company is the employer; 0 for an education.
	company int64
	// openEnd is true if an absent end is unknown; for a job, an absent end means that it is held.
	openEnd bool
}

// Spans are the same if they have the same key and labels and the same start; the later end wins. A span is dropped if
// another says at least as much: 2019 next to March 2019, unless it ends later, or an entry without a degree next to
// one with it.
type spans []span

// normal returns the list without duplicates in a fixed order: held first, then the latest. It depends on the set of
// spans only.
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

// covers reports whether s says at least as much as t.
func (s span) covers(t span) bool {
	for i := range t.labels {
		if t.labels[i] != "" && labelKey(t.labels[i]) != labelKey(s.labels[i]) {
			return false
		}
	}
	return s.key == t.key && strings.HasPrefix(s.start, t.start) && t.end <= s.end
}

// compare sorts held before ended, then the latest first.
func (s span) compare(t span) int {
	switch {
	case s.held() == t.held():
	case s.held():
		return -1
	default:
		return 1
	}
	return cmp.Or(cmp.Compare(t.start, s.start), cmp.Compare(t.end, s.end),
		cmp.Compare(s.key, t.key),
		cmp.Compare(s.labels[0], t.labels[0]), cmp.Compare(s.labels[1], t.labels[1]))
}

func (s span) held() bool { return !s.openEnd && s.end == "" }

// mergeOver merges newer spans over older ones. A newer span replaces the older one that it continues, and keeps what
// only that one knows. Other older spans are dropped if a newer one says at least as much, apart from an outdated end.
func (list spans) mergeOver(older spans) spans {
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

// supersedes reports whether a newer span says at least as much as an older one; of two ends the newer wins.
func (s span) supersedes(older span) bool {
	if !s.openEnd || s.end != "" {
		older.end = s.end
	}
	return s.covers(older)
}

// sameAs returns the index of the older version of s: the span with the same start, else the only candidate; -1 for
// none.
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

// mayBe reports whether two spans may be the same: their labels are equal, and one start is a more precise form of the
// other.
func (s span) mayBe(t span) bool {
	for i := range s.labels {
		if labelKey(s.labels[i]) != labelKey(t.labels[i]) {
			return false
		}
	}
	return s.key == t.key && (strings.HasPrefix(s.start, t.start) || strings.HasPrefix(t.start, s.start))
}

// fill copies what s lacks from its older version.
func (s span) fill(older span) span {
	if len(older.start) > len(s.start) {
		s.start = older.start
	}
	if s.openEnd && s.end == "" {
		s.end = older.end
	}
	return s
}
