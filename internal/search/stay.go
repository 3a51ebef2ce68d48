package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
	"kith/query/taxonomy"
)

// maxStays is how many stays a relation compares with, the latest first: each is a condition of its own, and engines
// accept only some thousands.
const maxStays = 60

// stay is a job of a person, seen as a time at a company.
type stay struct {
	path query.Path
	// id is the company's identifier, name the key of its name. At most one of them is empty.
	id, name string
	// label is the company's name as written.
	label string
	// from is the first day and to the last, in days since 1970; nil if the first is unknown, or if the job is still
	// held.
	from, to *int64
	founder  bool
	// left is true if the person no longer has a job at the company.
	left bool
	// member and who are the person's id and name.
	member int64
	who    string
}

// stays returns the jobs of a member that satisfy a condition and have a known company.
func (m member) stays(jobs query.Query) []stay {
	stays := append(m.at(query.Current, jobs), m.at(query.Past, jobs)...)
	now := m.at(query.Current, query.All{})
	for i := range stays {
		stays[i].left = !slices.ContainsFunc(now, stays[i].sameCompany)
	}
	return stays
}

func (m member) at(path query.Path, jobs query.Query) []stay {
	var stays []stay
	for i, fields := range m.doc.Nested[path] {
		// The condition is written for current jobs; test it on any job.
		alone := indexed.Document{Nested: map[query.Path][]indexed.Fields{
			query.Current: {fields},
			query.Past:    {fields},
		}}
		if i >= len(m.jobs[path]) || !indexed.Match(alone, jobs) {
			continue
		}
		job := m.jobs[path][i]
		s := stay{
			path: path, label: job.Company.Name, name: analysis.CompanyKey(job.Company.Name), member: m.id,
			who: m.name,
		}
		if ids := fields.Keywords[query.CompanyID]; len(ids) > 0 {
			s.id = ids[0]
		}
		s.from, s.to = number(fields, query.Start), number(fields, query.End)
		s.founder = slices.Contains(fields.Keywords[query.Seniority], taxonomy.LevelFounder)
		if s.id != "" || s.name != "" {
			stays = append(stays, s)
		}
	}
	return stays
}

func number(f indexed.Fields, name query.Field) *int64 {
	if v, known := f.Numbers[name]; known {
		return &v
	}
	return nil
}

// isFor reports whether a relation of this kind refers to the stay's company.
func (s stay) isFor(kind prompt.RelationKind) bool {
	switch kind {
	case prompt.AtTheirCompany:
		return s.path == query.Current
	case prompt.AtCompanyFounded:
		return s.founder
	case prompt.AtTheirPastCompany:
		return s.left
	case prompt.WorkedWith, prompt.FormerColleague, prompt.SameSchool, prompt.Knows, prompt.Like:
	}
	return true
}

// sameCompany compares identifiers if either stay has one, else names.
func (s stay) sameCompany(t stay) bool {
	if s.id != "" || t.id != "" {
		return s.id == t.id
	}
	return s.name == t.name
}

// overlap returns the time that two stays share. It reports none if either start is unknown.
func (s stay) overlap(t stay) (from, to *int64, overlap bool) {
	if s.from == nil || t.from == nil {
		return nil, nil, false
	}
	first, last := max(*s.from, *t.from), min(end(s), end(t))
	from = &first
	if last != math.MaxInt64 {
		to = &last
	}
	return from, to, first <= last
}

func end(s stay) int64 {
	if s.to == nil {
		return math.MaxInt64
	}
	return *s.to
}

// atCompany matches jobs at the company of a stay.
func (s stay) atCompany() query.Query {
	if s.id != "" {
		return query.Term{Field: query.CompanyID, Value: s.id}
	}
	return query.Term{Field: query.CompanyExact, Value: s.name}
}

// anyCompany matches jobs at the company of any of the stays.
func anyCompany(stays []stay) query.Query {
	ids, names := query.Terms{Field: query.CompanyID}, query.Terms{Field: query.CompanyExact}
	for _, s := range stays {
		switch {
		case s.id != "" && !slices.Contains(ids.Values, s.id):
			ids.Values = append(ids.Values, s.id)
		case s.id == "" && !slices.Contains(names.Values, s.name):
			names.Values = append(names.Values, s.name)
		}
	}
	return query.Or{Parts: []query.Query{ids, names}}
}

// overlaps matches people who had a job at the same company at the same time as a member. With former, it excludes
// people who are at a company of that member now.
func (b *bound) overlaps(former bool) (query.Query, []string) {
	stays, notes := b.comparableStays()
	if !former {
		return b.overlapping(merged(stays)), notes
	}
	var parts []query.Query
	for _, m := range b.members {
		theirs := slices.DeleteFunc(slices.Clone(stays), func(s stay) bool { return s.member != m.id })
		if len(theirs) == 0 {
			continue
		}
		part := []query.Query{b.overlapping(merged(theirs))}
		if now := m.at(query.Current, query.All{}); len(now) > 0 {
			part = append(part, query.Not{Part: query.Nested{Path: query.Current, Part: anyCompany(now)}})
		}
		parts = append(parts, query.And{Parts: part})
	}
	return query.Or{Parts: parts}, notes
}

// comparableStays returns the stays used for overlaps: those with a known start, the latest first, at most maxStays.
func (b *bound) comparableStays() (stays []stay, notes []string) {
	dated := slices.DeleteFunc(slices.Clone(b.stays), func(s stay) bool { return s.from == nil })
	if len(dated) == 0 {
		return nil, []string{"no job of " + b.names() + " has a known start, so no overlap can be shown"}
	}
	slices.SortStableFunc(dated, func(s, t stay) int {
		return cmp.Or(cmp.Compare(end(t), end(s)), cmp.Compare(*t.from, *s.from))
	})
	if n := len(dated); n > maxStays {
		notes = append(notes, fmt.Sprintf("of %d jobs of %s the latest %d are compared", n, b.names(), maxStays))
		dated = dated[:maxStays]
	}
	return dated, notes
}

// overlapping matches people with a job that overlaps one of the stays.
func (b *bound) overlapping(stays []stay) query.Query {
	var parts []query.Query
	for _, path := range []query.Path{query.Current, query.Past} {
		for _, s := range stays {
			job := []query.Query{s.atCompany(), query.Exists{Field: query.Start}}
			if s.to != nil {
				job[1] = query.Range{Field: query.Start, Max: s.to}
			}
			if path == query.Past {
				job = append(job, query.Range{Field: query.End, Min: s.from})
			}
			parts = append(parts, query.Nested{Path: path, Part: query.And{Parts: job}})
		}
	}
	return query.Or{Parts: parts}
}

// merged joins stays at one company that overlap or follow each other without a gap: a job that overlaps one of them
// overlaps the whole.
func merged(stays []stay) []stay {
	var out []stay
	for _, s := range slices.SortedStableFunc(slices.Values(stays),
		func(s, t stay) int { return cmp.Compare(*s.from, *t.from) }) {
		i := slices.IndexFunc(out, func(t stay) bool {
			return t.sameCompany(s) && (t.to == nil || *s.from <= *t.to+1)
		})
		if i < 0 {
			out = append(out, s)
		} else if end(s) > end(out[i]) {
			out[i].to = s.to
		}
	}
	return out
}

// daysText formats a period in months: "2015-03 to 2017-08", "since 2019-02".
func daysText(from, to *int64) string {
	switch {
	case from == nil && to == nil:
		return ""
	case to == nil:
		return "since " + month(*from)
	case from == nil:
		return "until " + month(*to)
	}
	return month(*from) + " to " + month(*to)
}

func month(day int64) string {
	return time.Unix(day*24*60*60, 0).UTC().Format("2006-01")
}
