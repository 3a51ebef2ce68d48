package search

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"kith"
	"kith/index"
	"kith/query"
)

const (
	// listPage is how many people of a list are fetched at once: somewhat more than chunkKeys, so that one page holds
	// all of a chunk.
	listPage = chunkKeys + 100
	// listBatch is how many people of a list are yielded at once.
	listBatch = 500
	// keepRecords is how many bytes of records are kept while the list is being ordered; the rest is fetched again.
	keepRecords = 16 << 20
)

// wholeList yields the people of a list, best score first. It must find all of them before it yields the first.
func (r *execution) wholeList(ctx context.Context) error {
	people, err := r.gather(ctx)
	if err != nil {
		return err
	}
	r.gathered <- ids(people)
	for r.listed = people; len(r.listed) > 0; {
		if err := r.listBatch(ctx, r.listed[:min(len(r.listed), r.pace.Next(listBatch))]); err != nil || r.gone {
			return err
		}
	}
	r.meta.List = r.list.summary()
	r.emit(StageEnd{Stage: ScopeList, Complete: true, Results: r.count})
	return nil
}

// gather finds the people of the list who satisfy the search, in output order.
func (r *execution) gather(ctx context.Context) ([]listPerson, error) {
	for _, k := range r.list.keys {
		k.matched = false // by another run
	}
	var people []listPerson
	seen := map[int64]bool{}
	kept := 0
	for keys := range slices.Chunk(r.list.order, chunkKeys) {
		asked := query.And{Parts: []query.Query{r.list.matchKeys(keys), r.asked.query}}
		for found, err := range r.eachMatch(ctx, asked) {
			if err != nil {
				return nil, err
			}
			score, err := r.list.match(found.ID, found.Record)
			if err != nil {
				return nil, err
			}
			if seen[found.ID] {
				continue // named in two chunks; match has seen all keys
			}
			seen[found.ID] = true
			p := listPerson{id: found.ID, rank: found.Sort, score: score}
			if kept += len(found.Record); kept <= keepRecords {
				p.record = found.Record
			}
			people = append(people, p)
		}
	}
	slices.SortFunc(people, func(a, b listPerson) int { // equal scores as in every search
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.rank, a.rank), cmp.Compare(a.id, b.id))
	})
	return people, nil
}

// eachMatch yields all people who satisfy q, page by page.
func (r *execution) eachMatch(ctx context.Context, q query.Query) func(yield func(index.Found, error) bool) {
	return func(yield func(index.Found, error) bool) {
		s := index.Search{Stages: []query.Query{q}, SortBy: r.asked.sortBy, Limit: listPage}
		for n := listPage; n == listPage; {
			n = 0
			for found, err := range r.svc.cfg.Index.People(ctx, s) {
				if !yield(found, err) || err != nil {
					return
				}
				n++
				s.After = &index.Cursor{Sort: found.Cursor.Sort, ID: found.Cursor.ID}
			}
		}
	}
}

// listBatch yields the next people of the list: the whole batch, unless buffered people are dropped before its end.
func (r *execution) listBatch(ctx context.Context, batch []listPerson) (err error) {
	if r.records, err = r.fetchRecords(ctx, batch); err != nil {
		return err
	}
	if r.explanations, err = r.matches(ctx, ids(batch)); err != nil {
		return err
	}
	for r.dropped = false; len(batch) > 0 && !r.dropped && !r.gone; batch = batch[1:] {
		id := batch[0].id
		batch[0].record = nil
		r.listed = r.listed[1:]
		record, there := r.records[id]
		if !there {
			continue // deleted meanwhile
		}
		person, err := withMatch(record, r.explanations[id])
		if err != nil {
			return err
		}
		delete(r.records, id)
		delete(r.explanations, id)
		r.result(Result{Index: r.count, Person: person})
	}
	return nil
}

// fetchRecords returns the records of a batch; it fetches those that were not kept.
func (r *execution) fetchRecords(ctx context.Context, batch []listPerson) (map[int64]json.RawMessage, error) {
	records := make(map[int64]json.RawMessage, len(batch))
	var missing []int64
	for _, p := range batch {
		if p.record != nil {
			records[p.id] = p.record
		} else {
			missing = append(missing, p.id)
		}
	}
	if len(missing) == 0 {
		return records, nil
	}
	for found, err := range r.eachMatch(ctx, query.IDs{Values: missing}) {
		if err != nil {
			return nil, err
		}
		records[found.ID] = found.Record
	}
	return records, nil
}

func ids(batch []listPerson) []int64 {
	return kith.Each(batch, func(p listPerson) int64 { return p.id })
}
