package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
)

// maxLike is how many people the filter like may name.
const maxLike = 10

// likeKeys parses the filter like into list keys; an e-mail becomes "e:" and the address.
func likeKeys(value string) (keys []string, err error) {
	alts, err := query.ParseFilter(value)
	if err != nil {
		return nil, err
	}
	for _, alt := range alts {
		kind, key := analysis.Identifier(alt.Text)
		number, notNumber := strconv.ParseInt(alt.Text, 10, 64)
		switch {
		case alt.Excluded, alt.Required, alt.Whole:
			return nil, fmt.Errorf("%q has a sign: name people by their id, profile URL or e-mail address alone",
				alt.String())
		case notNumber == nil && number > 0:
			keys = append(keys, "p:"+strconv.FormatInt(number, 10))
		case kind == analysis.ProfileIdentifier:
			keys = append(keys, "u:"+key)
		case kind == analysis.EmailIdentifier:
			keys = append(keys, "e:"+key)
		default:
			return nil, fmt.Errorf("%q does not identify a person: give an id, profile URL or e-mail address", alt.Text)
		}
	}
	if len(keys) > maxLike {
		return nil, fmt.Errorf("%d people are named, and at most %d are allowed", len(keys), maxLike)
	}
	return keys, nil
}

// likeQuery matches the people that the keys name.
func likeQuery(keys []string) query.Query {
	emails := query.Terms{Field: query.Email}
	var others []string
	for _, key := range keys {
		if address, is := strings.CutPrefix(key, "e:"); is {
			emails.Values = append(emails.Values, address)
		} else {
			others = append(others, key)
		}
	}
	return query.Simplify(query.Or{Parts: []query.Query{keysQuery(others), emails}})
}

// like checks the filter like.
func (c *checker) like(filters query.Filters) {
	value, given := filters[query.FilterLike]
	if !given {
		return
	}
	if _, err := likeKeys(value); err != nil {
		c.add("filters.like", "INVALID_IDENTIFIER", "%v", err)
	}
}

// withoutLike returns the filters without like, which is not about a field of the record.
func withoutLike(filters query.Filters) query.Filters {
	out := maps.Clone(filters)
	delete(out, query.FilterLike)
	return out
}

// addLike turns the filter like into a step and a relation.
func (s *checkedRequest) addLike(ctx context.Context, plan prompt.Plan) (prompt.Plan, error) {
	value, given := s.walk.Filters[query.FilterLike]
	if !given || plan.Nothing {
		return plan, nil
	}
	keys, err := likeKeys(value)
	if err != nil {
		return plan, planInvalid("the filter like", nil)
	}
	if keys, err = s.withIDs(ctx, keys); err != nil {
		return plan, err
	}
	plan.Steps = append(slices.Clone(plan.Steps), prompt.Step{Says: value, Keys: keys, Limit: maxLike})
	plan.Relations = append(slices.Clone(plan.Relations), prompt.Relation{Kind: prompt.Like, Step: len(plan.Steps) - 1})
	plan.Mode = prompt.Complex
	return plan, nil
}

// withIDs adds the ids of people whose keys the index does not have.
func (s *checkedRequest) withIDs(ctx context.Context, keys []string) ([]string, error) {
	if s.svc.cfg.Identifiers == nil {
		return keys, nil
	}
	having, err := s.svc.cfg.Identifiers.PeopleByKey(ctx, s.viewer, keys)
	for _, key := range keys {
		for _, id := range having[key] {
			keys = append(keys, "p:"+strconv.FormatInt(id, 10))
		}
	}
	return keys, err
}

// trait is a property that people can have in common.
type trait struct {
	says  string
	query query.Query
}

// traits returns what people can have in common with the members: role traits first, then others.
func (b *bound) traits() (role, beside []trait) {
	add := func(to *[]trait, says string, fields ...query.Field) {
		var alike []query.Query
		for _, m := range b.members {
			for _, sub := range m.doc.Nested[query.Current] {
				if q, some := sameFields(sub, fields); some {
					alike = append(alike, query.Nested{Path: query.Current, Part: q})
				}
			}
		}
		if len(alike) > 0 {
			*to = append(*to, trait{says: says, query: query.Simplify(query.Or{Parts: alike})})
		}
	}
	add(&role, "the same title", query.TitleExact)
	add(&role, "the same function and level", query.Function, query.Seniority)
	add(&role, "the same function", query.Function)
	add(&beside, "the same industry", query.CompanyIndustry)
	add(&beside, "an employer of a like size", query.CompanySize)
	for _, shared := range []func() (trait, bool){b.skills, b.schoolOrPlace} {
		if t, some := shared(); some {
			beside = append(beside, t)
		}
	}
	return role, beside
}

// sameFields matches jobs that have the same values as sub in all fields; numbers within a factor of two. some is false
// if sub lacks one of the fields.
func sameFields(sub indexed.Fields, fields []query.Field) (q query.Query, some bool) {
	var all []query.Query
	for _, f := range fields {
		size, sized := sub.Numbers[f]
		switch {
		case len(sub.Keywords[f]) > 0:
			all = append(all, query.Terms{Field: f, Values: sub.Keywords[f]})
		case len(sub.Words[f]) > 0 && len(sub.Words[f][0]) > 0:
			all = append(all, query.Phrase{Field: f, Words: sub.Words[f][0]})
		case sized:
			all = append(all, query.Range{Field: f, Min: new(size / 2), Max: new(2 * size)})
		default:
			return nil, false
		}
	}
	return query.And{Parts: all}, true
}

// mostSkills is how many skills of the members are compared.
const mostSkills = 10

// skills matches people who share two skills with the members, or one if the members have only one.
func (b *bound) skills() (trait, bool) {
	var have []query.Query
	for _, m := range b.members {
		for _, words := range m.doc.Fields.Words[query.Skill] {
			if len(words) > 0 && len(have) < mostSkills {
				have = append(have, query.Phrase{Field: query.Skill, Words: words})
			}
		}
	}
	if len(have) < 2 {
		return trait{says: "a skill", query: query.Or{Parts: have}}, len(have) > 0
	}
	return trait{says: "two skills", query: query.Simplify(query.AtLeast(2, have))}, true
}

// schoolOrPlace matches people who went to a school of the members or live in one of their cities.
func (b *bound) schoolOrPlace() (trait, bool) {
	schools, cities := query.Terms{Field: query.SchoolExact}, query.Terms{Field: query.Place}
	for _, m := range b.members {
		cities.Values = append(cities.Values, m.doc.Fields.Keywords[query.Place]...)
		for _, entry := range m.doc.Nested[query.Education] {
			schools.Values = append(schools.Values, entry.Keywords[query.SchoolExact]...)
		}
	}
	q := query.Or{Parts: []query.Query{cities, query.Nested{Path: query.Education, Part: schools}}}
	return trait{says: "a school or the city", query: query.Simplify(q)}, len(schools.Values)+len(cities.Values) > 0
}

// similar matches people who do what the members do and do not work with them. If the members' role is unknown, it
// matches people with enough else in common. The nearest come first: see [bound.nearest].
func (b *bound) similar() (query.Query, []string) {
	role, beside := b.traits()
	b.nearest = rankStages(role, beside)
	if len(b.nearest) == 0 {
		return query.None{}, []string{"the records of " + b.names() + " do not say what they do, so no one is similar"}
	}
	holds := query.Query(query.Or{Parts: b.nearest})
	if len(role) > 0 {
		holds = query.Or{Parts: queriesOf(role)}
	}
	var own []stay
	for _, m := range b.members {
		own = append(own, m.at(query.Current, query.All{})...)
	}
	if len(own) == 0 {
		return holds, nil
	}
	return query.And{Parts: []query.Query{
		holds,
		query.Not{Part: query.Nested{Path: query.Current, Part: anyCompany(own)}},
	}}, nil
}

// rankStages returns stages of similarity: by role, and within a role by the number of other traits in common.
func rankStages(role, beside []trait) []query.Query {
	others := queriesOf(beside)
	var stages []query.Query
	for _, r := range role {
		for n := min(len(others), 3); n >= 0; n-- {
			stages = append(stages, query.Simplify(query.And{Parts: []query.Query{r.query, query.AtLeast(n, others)}}))
		}
	}
	if len(role) == 0 && len(others) > 1 {
		for n := len(others); n > 1; n-- {
			stages = append(stages, query.Simplify(query.AtLeast(n, others)))
		}
	}
	return stages
}

func queriesOf(traits []trait) []query.Query {
	return kith.Each(traits, func(t trait) query.Query { return t.query })
}

// likeness describes what a person has in common with the members.
func (b *bound) likeness(p kith.Person, doc indexed.Document) string {
	role, beside := b.traits()
	var texts []string
	for _, t := range role {
		if indexed.Match(doc, t.query) {
			texts = append(texts, t.says) // the nearest implies the others
			break
		}
	}
	for _, t := range beside {
		if indexed.Match(doc, t.query) {
			texts = append(texts, t.says)
		}
	}
	if present := p.Present(); present != nil {
		texts = append([]string{jobText(*present)}, strings.Join(texts, ", "))
	}
	return joinTexts(": ", texts...)
}

// nearestFirst returns the stages of a search for similar people. Within a network there are only two: the
// nearer half of them together, then everyone.
func (u understood) nearestFirst(near bool) []query.Query {
	var stages []query.Query
	for _, n := range u.nearest {
		stages = append(stages, query.Simplify(query.And{Parts: []query.Query{n, u.query}}))
	}
	if near {
		stages = []query.Query{query.Simplify(query.Or{Parts: stages[:(len(stages)+1)/2]})}
	}
	return append(stages, u.query)
}
