package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
	"kith/query/tokenizer"
)

const secondsPerDay = 24 * 60 * 60

// bound is a relation bound to the people of its step.
type bound struct {
	prompt.Relation
	// says describes the relation in words.
	says  string
	query query.Query
	// stays are the relevant jobs of the step's people.
	stays []stay
	// members are the step's people.
	members []member
	// shared maps people who share with the caller that they know members to the members they know.
	shared map[int64][]int64
	// nearest are the stages of [prompt.Like], the nearest first.
	nearest []query.Query
	// today is the last day on which time together counts, in days since 1970.
	today int64
}

// related holds the bound relations of a plan or of a step.
type related struct {
	bounds []bound
	// nobody is true if a step found no one, so that the relation matches no one either.
	nobody bool
	notes  []string
	// known are the notes on members the caller knows.
	known []string
}

func (r related) queries() []query.Query {
	return kith.Each(r.bounds, func(b bound) query.Query { return b.query })
}

// relate binds relations to the people of the steps they refer to.
func (f *follower) relate(
	ctx context.Context, relations []prompt.Relation, steps []step, now time.Time,
) (related, error) {
	var out related
	for _, rel := range relations {
		if rel.Step < 0 || rel.Step >= len(steps) {
			return out, planInvalid(fmt.Sprintf("a relation to step %d of %d", rel.Step, len(steps)), nil)
		}
		s := steps[rel.Step]
		b := bound{
			Relation: rel, says: describeRelation(rel, s.Says), members: s.people, query: query.None{},
			today: now.Unix() / secondsPerDay,
		}
		if len(s.people) == 0 {
			out.nobody = true
			out.bounds = append(out.bounds, b)
			continue
		}
		jobs, problems := analysis.Compile(rel.Jobs, now)
		if len(problems) > 0 {
			return out, planInvalid("the filters of a relation", problems)
		}
		var err error
		var known []string
		if b.shared, known, err = f.sharedWith(ctx, b); err != nil {
			return out, err
		}
		out.known = append(out.known, known...)
		notes, err := b.bind(jobs.Query)
		if err != nil {
			return out, err
		}
		out.bounds = append(out.bounds, b)
		out.notes = append(out.notes, notes...)
	}
	return out, nil
}

// bind builds the query. The people of the step never satisfy it, even if the relation is excluded: they are named to
// find others.
func (b *bound) bind(jobs query.Query) (notes []string, err error) {
	for _, m := range b.members {
		b.stays = append(b.stays, m.stays(jobs)...)
	}
	var holds query.Query
	switch b.Kind {
	case prompt.WorkedWith:
		holds, notes = b.overlaps(false)
	case prompt.FormerColleague:
		holds, notes = b.overlaps(true)
	case prompt.SameSchool:
		holds, notes = b.sameSchool()
	case prompt.Knows:
		holds, notes = b.acquainted()
	case prompt.Like:
		holds, notes = b.similar()
	case prompt.AtTheirCompany, prompt.AtCompanyFounded, prompt.AtTheirPastCompany:
		holds, notes = b.atCompanies()
	default:
		return nil, planInvalid("a relation of kind "+string(b.Kind), nil)
	}
	if b.Excluded {
		holds = query.Not{Part: holds}
	}
	b.query = query.Simplify(query.And{Parts: []query.Query{
		holds,
		query.Not{Part: query.IDs{Values: idsOf(b.members)}},
	}})
	return notes, nil
}

// names lists the names of the step's people, for the caller.
func (b *bound) names() string {
	var names []string
	for _, m := range b.members {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], "others")
	}
	return list(names)
}

// describeRelation describes a relation in words.
func describeRelation(rel prompt.Relation, who string) string {
	var says string
	switch rel.Kind {
	case prompt.WorkedWith:
		says = "worked at the same company at the same time as " + who
	case prompt.FormerColleague:
		says = "worked at the same company at the same time as " + who + ", and no longer does"
	case prompt.SameSchool:
		says = "went to the same school as " + who
	case prompt.Knows:
		says = "knows " + who
	case prompt.Like:
		says = "is like " + who
	case prompt.AtTheirCompany:
		says = "works at the company of " + who
	case prompt.AtCompanyFounded:
		says = "works at a company founded by " + who
	case prompt.AtTheirPastCompany:
		says = "works at a former company of " + who
	}
	if rel.Excluded {
		says = "not: " + says
	}
	if len(rel.Jobs) > 0 {
		says += " (" + rel.Jobs.Text() + ")"
	}
	return says
}

// atCompanies matches people who work at one of the companies that the relation means.
func (b *bound) atCompanies() (query.Query, []string) {
	b.stays = slices.DeleteFunc(b.stays, func(s stay) bool { return !s.isFor(b.Kind) })
	if len(b.stays) == 0 {
		return query.None{}, []string{"no such company of " + b.names() + " is known, so no one matches"}
	}
	companies := anyCompany(b.stays)
	return query.Nested{Path: query.Current, Part: companies}, nil
}

// sameSchool matches people with an education entry at one of the members' schools.
func (b *bound) sameSchool() (query.Query, []string) {
	schools := query.Terms{Field: query.SchoolExact}
	for _, m := range b.members {
		for _, entry := range m.doc.Nested[query.Education] {
			schools.Values = tokenizer.AppendNew(schools.Values, entry.Keywords[query.SchoolExact])
		}
	}
	if len(schools.Values) == 0 {
		return query.None{}, []string{"no school of " + b.names() + " is known, so no one matches"}
	}
	return query.Nested{Path: query.Education, Part: schools}, nil
}

// evidence says where and when the relation holds for a person.
func (b *bound) evidence(p kith.Person, doc indexed.Document) string {
	if b.Excluded {
		return ""
	}
	if b.Kind == prompt.SameSchool {
		return b.schoolEvidence(p, doc)
	}
	if b.Kind == prompt.Like {
		return b.likeness(p, doc)
	}
	other, err := makeMember(p, doc)
	if err != nil {
		return ""
	}
	texts := b.acquaintance(other)
	for _, path := range []query.Path{query.Current, query.Past} {
		for _, theirs := range other.at(path, query.All{}) {
			for _, s := range b.stays {
				if text := b.meeting(s, theirs); text != "" && !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
	}
	return few(texts)
}

// meeting describes how a stay of a member and one of the person meet; "" if they do not.
func (b *bound) meeting(s, theirs stay) string {
	if !s.sameCompany(theirs) {
		return ""
	}
	if b.Kind == prompt.WorkedWith || b.Kind == prompt.FormerColleague || b.Kind == prompt.Knows {
		from, to, overlap := s.overlap(theirs)
		if !overlap || b.Kind == prompt.Knows && *from > b.today {
			return ""
		}
		return joinTexts(", ", s.label, daysText(from, to), "with "+s.who)
	}
	if theirs.path != query.Current {
		return ""
	}
	if b.Kind == prompt.AtTheirCompany {
		return joinTexts(", ", theirs.label, "where "+s.who+" works")
	}
	if b.Kind == prompt.AtCompanyFounded {
		return joinTexts(", ", theirs.label, "founded by "+s.who)
	}
	return joinTexts(", ", theirs.label, "where "+s.who+" was", daysText(s.from, s.to))
}

// schoolEvidence names the shared schools.
func (b *bound) schoolEvidence(p kith.Person, doc indexed.Document) string {
	var texts []string
	for i, entry := range doc.Nested[query.Education] {
		for _, m := range b.members {
			shared := slices.ContainsFunc(m.doc.Nested[query.Education], func(theirs indexed.Fields) bool {
				return slices.ContainsFunc(theirs.Keywords[query.SchoolExact], func(school string) bool {
					return slices.Contains(entry.Keywords[query.SchoolExact], school)
				})
			})
			if i >= len(p.EducationHistory) || !shared {
				continue
			}
			if text := joinTexts(", ", p.EducationHistory[i].Institute, "like "+m.name); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return few(texts)
}

// few joins the first three pieces of evidence and counts the rest.
func few(texts []string) string {
	if n := len(texts); n > 3 {
		texts = append(texts[:3:3], fmt.Sprintf("and %d more", n-3))
	}
	return strings.Join(texts, "; ")
}
