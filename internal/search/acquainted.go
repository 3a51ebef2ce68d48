package search

import (
	"context"
	"slices"

	"kith/index"
	"kith/internal/network"
	"kith/query"
	"kith/query/prompt"
)

// acquainted holds of people who know one of the members: by a time together at
// a company or a school, or by what they share with the caller.
func (b *bound) acquainted() (query.Query, []string) {
	worked, notes := b.overlaps(false)
	if b.ofJobs() {
		return worked, notes
	}
	parts := []query.Query{worked}
	for _, m := range b.members {
		for _, entry := range m.doc.Nested[query.Education] {
			parts = append(parts, studiedWith(entry))
		}
	}
	var ids query.IDs
	for id := range b.shared {
		ids.Values = append(ids.Values, id)
	}
	slices.Sort(ids.Values)
	known := query.Simplify(query.Or{Parts: append(parts, ids)})
	if query.Equal(known, query.None{}) {
		return known, []string{"no time of " + b.names() + " at a company or school with a known start, so that nobody is known to know them"}
	}
	if len(b.stays) == 0 || query.Equal(query.Simplify(worked), query.None{}) {
		notes = nil // of jobs, which are not all that counts
	}
	return known, notes
}

// ofJobs reports whether the relation speaks of jobs, so that nothing else
// relates people.
func (b *bound) ofJobs() bool { return len(b.Jobs) > 0 || b.Past || b.Current }

// studiedWith holds of people who were at the school of an education entry at the
// same time. Without the first day of both it cannot be shown.
func studiedWith(entry index.Fields) query.Query {
	from, to := number(entry, query.Start), number(entry, query.End)
	schools := entry.Keywords[query.SchoolExact]
	if from == nil || len(schools) == 0 {
		return query.None{}
	}
	parts := []query.Query{
		query.Terms{Field: query.SchoolExact, Values: schools}, query.Exists{Field: query.Start},
		query.Or{Parts: []query.Query{query.Range{Field: query.End, Min: from}, query.Not{Part: query.Exists{Field: query.End}}}},
	}
	if to != nil {
		parts[1] = query.Range{Field: query.Start, Max: to}
	}
	return query.Nested{Path: query.Education, Part: query.And{Parts: parts}}
}

// sharedWith are people whom the caller knows and who share with the caller that
// they know members of the relation: whom, by person.
func (j *job) sharedWith(ctx context.Context, b bound) (map[int64][]int64, error) {
	actor, has := j.hasNetwork()
	if b.Kind != prompt.Knows || b.ofJobs() || !has {
		return nil, nil
	}
	shared := map[int64][]int64{}
	return shared, j.withinBudget(ctx, func(ctx context.Context) error {
		ways, err := j.svc.cfg.Network.Introduces(ctx, actor, network.Filter{
			Introducing: idsOf(b.members), TargetKinds: network.KindsOf(network.Team, network.Community),
		})
		for id, list := range ways {
			for _, w := range list {
				shared[id] = append(shared[id], w.Person)
			}
		}
		return err
	})
}

// acquaintance says how a person knows the members otherwise than by jobs.
func (b *bound) acquaintance(p member) []string {
	if b.Kind != prompt.Knows || b.ofJobs() {
		return nil
	}
	var texts []string
	for _, m := range b.members {
		if slices.Contains(b.shared[p.id], m.id) {
			texts = append(texts, "shares with you that they know "+m.name)
		}
		for _, theirs := range m.doc.Nested[query.Education] {
			for i, entry := range p.doc.Nested[query.Education] {
				if text := studied(theirs, entry); text != "" && i < len(p.education) {
					texts = append(texts, joined(", ", p.education[i].Institute, text, "with "+m.name))
				}
			}
		}
	}
	return texts
}

// studied says when two education entries are of the same school at the same
// time; "" where they are not.
func studied(a, b index.Fields) string {
	if !slices.ContainsFunc(a.Keywords[query.SchoolExact], func(s string) bool { return slices.Contains(b.Keywords[query.SchoolExact], s) }) {
		return ""
	}
	s := stay{from: number(a, query.Start), to: number(a, query.End)}
	from, to, overlap := s.overlap(stay{from: number(b, query.Start), to: number(b, query.End)})
	if !overlap {
		return ""
	}
	return daysText(from, to)
}
