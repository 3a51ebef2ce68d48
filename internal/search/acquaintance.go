package search

import (
	"context"
	"maps"
	"slices"

	"kith/internal/network"
	"kith/query"
	"kith/query/indexed"
	"kith/query/prompt"
)

// acquainted matches people who know a member: through a shared time at a company or school, or through what they share
// with the caller.
func (b *bound) acquainted() (query.Query, []string) {
	stays, notes := b.comparableStays()
	worked := b.overlapping(merged(b.begun(stays)))
	if len(b.Jobs) > 0 {
		return worked, notes
	}
	parts := []query.Query{worked}
	for _, m := range b.members {
		for _, entry := range m.doc.Nested[query.Education] {
			parts = append(parts, b.studiedWith(entry))
		}
	}
	ids := query.IDs{Values: slices.Sorted(maps.Keys(b.shared))}
	known := query.Simplify(query.Or{Parts: append(parts, ids)})
	switch {
	case query.Equal(known, query.None{}):
		notes = []string{"no job or school of " + b.names() +
			" has a known start, so no acquaintances are known"}
	case len(stays) == 0:
		notes = nil // education and sharing count too
	}
	return known, notes
}

// begun returns the past part of the stays: people whose shared time is still to come do not know each other yet.
func (b *bound) begun(stays []stay) []stay {
	var out []stay
	for _, s := range stays {
		if *s.from > b.today {
			continue
		}
		if until := min(end(s), b.today); s.to == nil || until < *s.to {
			s.to = &until
		}
		out = append(out, s)
	}
	return out
}

// studiedWith matches people who were at the school of an education entry at the same time. If either start date is
// missing, it matches nobody.
func (b *bound) studiedWith(entry indexed.Fields) query.Query {
	from, schools := number(entry, query.Start), entry.Keywords[query.SchoolExact]
	if from == nil || *from > b.today || len(schools) == 0 {
		return query.None{}
	}
	until := b.today
	if to := number(entry, query.End); to != nil {
		until = min(until, *to)
	}
	return query.Nested{Path: query.Education, Part: query.And{Parts: []query.Query{
		query.Terms{Field: query.SchoolExact, Values: schools},
		query.Range{Field: query.Start, Max: &until},
		query.Or{Parts: []query.Query{
			query.Range{Field: query.End, Min: from},
			query.Not{Part: query.Exists{Field: query.End}},
		}},
	}}}
}

// sharedWith returns the caller's acquaintances who share with the caller that they know members of the relation: by
// person, the members they know. notes name the members the caller knows.
func (f *follower) sharedWith(ctx context.Context, b bound) (shared map[int64][]int64, notes []string, err error) {
	actor, has := f.hasNetwork()
	if b.Kind != prompt.Knows || len(b.Jobs) > 0 || !has {
		return nil, nil, nil
	}
	shared = map[int64][]int64{}
	err = f.left.within(ctx, func(ctx context.Context) error {
		ways, err := f.svc.cfg.Network.Introduces(ctx, actor, network.Filter{
			Introducing: idsOf(b.members), TargetKinds: network.KindsOf(network.Team, network.Community),
		})
		for id, list := range ways {
			for _, w := range list {
				shared[id] = append(shared[id], w.Person)
			}
		}
		if err != nil || b.Excluded {
			return err
		}
		known, err := f.svc.readContacts(ctx, actor)
		if err == nil {
			notes = noteKnown(knownAmong(known, b.members))
		}
		return err
	})
	return shared, notes, err
}

// acquaintance describes how a person knows the members other than through jobs.
func (b *bound) acquaintance(p member) []string {
	if b.Kind != prompt.Knows || len(b.Jobs) > 0 {
		return nil
	}
	var texts []string
	for _, m := range b.members {
		if slices.Contains(b.shared[p.id], m.id) {
			texts = append(texts, "shares with you that they know "+m.name)
		}
		for _, theirs := range m.doc.Nested[query.Education] {
			for i, entry := range p.doc.Nested[query.Education] {
				if text := b.studied(theirs, entry); text != "" && i < len(p.education) {
					texts = append(texts, joinTexts(", ", p.education[i].Institute, text, "with "+m.name))
				}
			}
		}
	}
	return texts
}

// studied returns the period for which two education entries are at the same school; "" if they do not overlap.
func (b *bound) studied(one, other indexed.Fields) string {
	if !slices.ContainsFunc(one.Keywords[query.SchoolExact],
		func(s string) bool { return slices.Contains(other.Keywords[query.SchoolExact], s) }) {
		return ""
	}
	s := stay{from: number(one, query.Start), to: number(one, query.End)}
	from, to, overlap := s.overlap(stay{from: number(other, query.Start), to: number(other, query.End)})
	if !overlap || *from > b.today {
		return ""
	}
	return daysText(from, to)
}
