package refresh

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kith"
)

// A sighting is a job or education entry as records listed it, with the same words and the same start.
type sighting struct {
	span
	// first and last are the dates of the records that listed it.
	first, last time.Time
	// ended is the date of the record that gave the end of an education; zero if none did. A job always has a known end
	// state: an absent end means that it is held.
	ended time.Time
	// chosen is the first date of a record in which the job was the present one; zero for none.
	chosen time.Time
}

// sightings maps [span.id] to sightings.
type sightings map[[4]string]sighting

func (list sightings) add(s sighting) {
	if known, ok := list[s.id()]; ok {
		s = s.join(known)
	}
	list[s.id()] = s
}

func (list sightings) join(other sightings) sightings {
	out := maps.Clone(list)
	for _, s := range other {
		out.add(s)
	}
	return out
}

// join merges two sightings of the same entry: the spelling and end of the newer one; for the same date, the later end.
func (s sighting) join(t sighting) sighting {
	if s.last.Before(t.last) {
		s, t = t, s
	}
	out := s
	if s.last.Equal(t.last) {
		out.text, out.end = max(s.text, t.text), max(s.end, t.end)
		for i := range out.labels {
			out.labels[i] = max(s.labels[i], t.labels[i])
		}
	}
	if s.openEnd {
		end := dated{s.end, s.ended}.join(dated{t.end, t.ended})
		out.end, out.ended = end.text, end.day
	}
	out.first = earliest(s.first, t.first)
	switch {
	case s.chosen.IsZero():
		out.chosen = t.chosen
	case !t.chosen.IsZero():
		out.chosen = earliest(s.chosen, t.chosen)
	}
	return out
}

func earliest(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

// sorted returns the sightings in a fixed order.
func (list sightings) sorted() []sighting {
	ids := slices.SortedFunc(maps.Keys(list), func(a, b [4]string) int { return slices.Compare(a[:], b[:]) })
	return kith.Each(ids, func(id [4]string) sighting { return list[id] })
}

// spans merges sightings: those of each date over those of the dates before. Equal words get their latest spelling.
func (list sightings) spans() spans {
	all := list.sorted()
	spell(all)
	if len(all) > 0 && !all[0].openEnd {
		end(all)
	}
	slices.SortStableFunc(all, func(s, t sighting) int { return s.last.Compare(t.last) })
	var out spans
	for len(all) > 0 {
		var day spans
		last := all[0].last
		for len(all) > 0 && all[0].last.Equal(last) {
			day, all = append(day, all[0].span), all[1:]
		}
		out = day.normal().mergeOver(out)
	}
	return out
}

// spell gives equal words the same spelling everywhere.
func spell(all []sighting) {
	type word struct {
		key, words string
		label      int
	}
	best := map[word]dated{}
	each := func(visit func(w word, text *string, day time.Time)) {
		for i := range all {
			s := &all[i]
			visit(word{key: s.key, label: -1}, &s.text, s.last)
			for k := range s.labels {
				visit(word{s.key, labelKey(s.labels[k]), k}, &s.labels[k], s.last)
			}
		}
	}
	each(func(w word, text *string, day time.Time) { best[w] = best[w].join(dated{*text, day}) })
	each(func(w word, text *string, _ time.Time) { *text = best[w].text })
}

// end ends jobs that were held when last listed, but are missing from newer records that list jobs.
func end(all []sighting) {
	var latest time.Time
	for _, s := range all {
		latest = later(latest, s.last)
	}
	for i, s := range all {
		superseded := slices.ContainsFunc(all, func(n sighting) bool { return n.last.After(s.last) && n.mayBe(s.span) })
		if s.held() && s.last.Before(latest) && !superseded {
			all[i].end = max(s.endAfter(all, latest), s.start)
		}
	}
}

// endAfter returns the end of a job that is no longer listed. It is the start of the next chosen job if that began
// later than this one, else the last date on which the job was listed.
func (s sighting) endAfter(all []sighting, latest time.Time) string {
	var next *sighting
	for i, n := range all {
		if n.chosen.After(s.last) && n.start > s.start &&
			(next == nil || cmp.Or(n.chosen.Compare(next.chosen), cmp.Compare(n.start, next.start)) < 0) {
			next = &all[i]
		}
	}
	switch {
	case next != nil:
		return next.start
	case s.last.IsZero():
		return latest.Format(time.DateOnly)
	}
	return s.last.Format(time.DateOnly)
}

// education returns the education entries that sightings of schools describe.
func (list sightings) education() []kith.Education {
	var out []kith.Education
	for _, s := range list.spans() {
		out = append(out, kith.Education{
			Institute: s.text, Degree: s.labels[0], FieldOfStudy: s.labels[1],
			StartDate: s.start, EndDate: s.end,
		})
	}
	return out
}

func educationSpan(e kith.Education) span {
	return span{
		key: wordsKey(e.Institute), text: e.Institute, labels: [2]string{e.Degree, e.FieldOfStudy},
		start: e.StartDate, end: e.EndDate, openEnd: true,
	}
}
