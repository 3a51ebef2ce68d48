package search

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"kith"
	"kith/index"
	"kith/internal/search/relax"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// closestPerson is one near miss.
type closestPerson struct {
	index.Found
	missing []relax.Missing
}

// ahead drops the near misses that came before the position at which the search resumes. A walk has at most maxClosest.
func (s *search) ahead(found []index.Found) []index.Found {
	if s.at.Closest == 0 {
		return found
	}
	found = slices.DeleteFunc(found, func(f index.Found) bool { return f.Cursor.Compare(s.at.Cursor) <= 0 })
	return found[:min(len(found), max(0, min(s.limit, maxClosest-s.at.Closest)))]
}

// yieldClosest announces the near misses and yields them.
func (r *execution) yieldClosest(ctx context.Context, found []index.Found, variants []relax.Variant) error {
	if len(found) == 0 {
		return nil
	}
	people := make([]int64, len(found))
	r.nearest = make([]closestPerson, len(found))
	for i, f := range found {
		people[i] = f.ID
		r.nearest[i] = closestPerson{Found: f, missing: variants[f.Cursor.Stage-1].Missing}
	}
	matches, err := r.matches(ctx, people)
	if err != nil {
		return err
	}
	r.meta.Closest = &Closest{BeginsAt: r.count, Count: len(found)}
	r.emit(StageEnd{Stage: StageClosest, Results: len(found)})
	for len(r.nearest) > 0 && !r.gone {
		p, err := r.nextClosest(ctx)
		if err != nil {
			return err
		}
		if p.Record == nil {
			continue // deleted meanwhile
		}
		m := matches[p.ID]
		if m == nil {
			m = &match{}
		}
		m.Closest = &closeTo{Missing: p.lacks(r.walk.began())}
		if err := r.yieldClose(p, m); err != nil {
			return err
		}
	}
	return nil
}

// lacks returns what a person lacks indeed: a place, or something of the present job, may be as asked for although the
// stage of the person does not need it.
func (p closestPerson) lacks(now time.Time) []relax.Missing {
	var person kith.Person
	if json.Unmarshal(p.Record, &person) != nil {
		return p.missing
	}
	doc, err := document(person)
	if err != nil {
		return p.missing
	}
	left := slices.DeleteFunc(slices.Clone(p.missing), func(m relax.Missing) bool {
		info := filterInfo(m.Field)
		if info.Path != query.Current && !isHome(info.Field) {
			return false // results do not have it
		}
		asked, problems := analysis.Compile(query.Filters{m.Field: m.Value}, now)
		return len(problems) == 0 && indexed.Match(doc, asked.Query)
	})
	if len(left) == 0 { // the record has changed
		return p.missing
	}
	return left
}

// yieldClose yields one near miss.
func (r *execution) yieldClose(p closestPerson, m *match) error {
	person, err := withMatch(p.Record, m)
	if err != nil {
		return err
	}
	number := r.at.Number + r.count + r.nears
	r.nears++
	token, err := r.sealAt(&position{
		Cursor: p.Cursor, Number: number + 1, Network: r.at.Network + r.near, Closest: r.at.Closest + r.nears,
	})
	if err != nil {
		return err
	}
	r.last = token
	r.emit(Result{Index: number, Person: person, Cursor: token})
	return nil
}

// nextClosest removes and returns the next near miss. It fetches dropped records again.
func (r *execution) nextClosest(ctx context.Context) (closestPerson, error) {
	if r.nearest[0].Record == nil {
		var ids query.IDs
		for _, p := range r.nearest {
			ids.Values = append(ids.Values, p.ID)
		}
		hits, err := r.svc.cfg.Index.Hits(ctx, index.FindRequest{Query: ids, Limit: len(ids.Values)})
		if err != nil {
			return closestPerson{}, err
		}
		for i := range r.nearest {
			at := slices.IndexFunc(hits, func(h index.Hit) bool { return h.ID == r.nearest[i].ID })
			if at >= 0 { // otherwise deleted meanwhile
				r.nearest[i].Record = hits[at].Record
			}
		}
	}
	next := r.nearest[0]
	r.nearest = r.nearest[1:]
	return next, nil
}
