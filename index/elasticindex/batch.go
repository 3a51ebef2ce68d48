package elasticindex

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"kith/index"
	"kith/mappings"
	"kith/query"
)

// batchHead precedes each search of a batch; see [searchParams].
const batchHead = `{"allow_partial_search_results":false}` + "\n"

// mostClauses is the most values and words in one search for several stages; every cluster accepts that many. A
// larger stage gets a search of its own.
const mostClauses = 512

// stageGroup is consecutive stages of a batch that share one search.
type stageGroup struct {
	from   int
	stages []query.Query
}

// groups divides the stages of a batch among searches.
func groups(b index.Batch) []stageGroup {
	var all []stageGroup
	left := 0
	for i, q := range b.Stages {
		n := query.Clauses(q)
		if len(all) == 0 || b.Apart || n > left {
			all, left = append(all, stageGroup{from: i}), mostClauses
		}
		last := &all[len(all)-1]
		last.stages, left = append(last.stages, q), left-n
	}
	return all
}

// Batch implements [index.Searcher] with one multi-search. A limit over 10,000 is an error.
func (d *Driver) Batch(ctx context.Context, c index.Collection, b index.Batch) (index.BatchAnswer, error) {
	if len(b.Stages)+len(b.Counts) == 0 {
		return index.BatchAnswer{}, ctx.Err()
	}
	if b.Limit > maxPage {
		return index.BatchAnswer{}, fmt.Errorf("a batch has %d documents and may have at most %d", b.Limit, maxPage)
	}
	var body []byte
	add := func(search []byte) { body = append(append(append(body, batchHead...), search...), '\n') }
	groups := groups(b)
	for _, g := range groups {
		add(d.stagesBody(g.stages, b))
	}
	for _, q := range b.Counts {
		add(d.countBody(q, b.CountTo))
	}
	a, err := d.search(ctx, c, request{path: "/_msearch", body: body, kind: "application/x-ndjson"})
	if err != nil {
		return index.BatchAnswer{}, err
	}
	answer, err := decodeBatch(c, a.body, b, groups)
	if err != nil {
		return index.BatchAnswer{}, err
	}
	d.recycle(a)
	return answer, nil
}

// stagesBody is the search for consecutive stages. A document's score shows the first stage that it satisfies; once
// there are enough documents, Elasticsearch skips stages with a lower score.
func (d *Driver) stagesBody(stages []query.Query, b index.Batch) []byte {
	if len(stages) == 1 {
		return d.findBody(index.FindRequest{Query: stages[0], SortBy: b.SortBy}, 0, b.Limit)
	}
	by := cmp.Or(b.SortBy, query.Rank)
	t := translator{fields: d.fields, buf: make([]byte, 0, 4096)}
	t.text(`{"size":`)
	t.int(int64(b.Limit))
	t.text(`,"track_total_hits":false,"sort":[{"_score":"desc"},{`)
	t.string(mappings.ElasticsearchName(query.Person, by))
	t.text(`:"desc"},{"` + mappings.ElasticsearchID + `":"asc"}],"query":{"dis_max":{"queries":[`)
	for i, q := range stages {
		if i > 0 {
			t.text(`,`)
		}
		t.text(`{"constant_score":{"boost":`)
		t.int(int64(len(stages) - i))
		t.text(`,"filter":`)
		t.query(q)
		t.text(`}}`)
	}
	t.text(`]}}}`)
	return t.buf
}

// decodeBatch reads the answers of a multi-search.
func decodeBatch(c index.Collection, data []byte, b index.Batch, groups []stageGroup) (index.BatchAnswer, error) {
	all, err := decodeResponses(data)
	if err != nil {
		return index.BatchAnswer{}, fmt.Errorf("read the responses of Elasticsearch: %w", err)
	}
	if len(all) != len(groups)+len(b.Counts) {
		return index.BatchAnswer{}, fmt.Errorf("got %d responses from Elasticsearch to %d searches", len(all),
			len(groups)+len(b.Counts))
	}
	out := index.BatchAnswer{Hits: make([][]index.Hit, len(b.Stages))}
	seen := map[int64]bool{}
	for i, one := range all {
		switch {
		case one.status != http.StatusOK:
			return index.BatchAnswer{}, searchError(c, one)
		case i < len(groups):
			err := eachHit(one.body, func(h index.Hit, score int) {
				stage := groups[i].stageOf(score)
				if b.Apart || !seen[h.ID] && len(seen) < b.Limit {
					seen[h.ID] = true
					out.Hits[stage] = append(out.Hits[stage], h)
				}
			})
			if err != nil {
				return index.BatchAnswer{}, fmt.Errorf("read the hits of Elasticsearch: %w", err)
			}
		default:
			found, err := decodeAggregation(one.body)
			if err != nil {
				return index.BatchAnswer{}, err
			}
			out.Counts = append(out.Counts, found.count(b.CountTo))
		}
	}
	return out, nil
}

// stageOf returns the stage for a score in the answer to [Driver.stagesBody].
func (g stageGroup) stageOf(score int) int {
	if len(g.stages) == 1 {
		return g.from
	}
	return g.from + len(g.stages) - min(max(score, 1), len(g.stages))
}

// decodeResponses splits the answer of a multi-search.
func decodeResponses(data []byte) ([]answer, error) {
	s := scanner{data: data}
	var all []answer
	s.object(func(key []byte) {
		if string(key) != "responses" {
			s.skip()
			return
		}
		s.array(func() { all = append(all, answer{body: s.raw()}) })
	})
	for i := range all {
		status := scanner{data: all[i].body}
		status.object(func(key []byte) {
			if string(key) != "status" {
				status.skip()
				return
			}
			all[i].status = int(status.int())
		})
		if s.err == nil {
			s.err = status.err
		}
	}
	return all, s.err
}
