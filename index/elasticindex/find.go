package elasticindex

import (
	"context"
	"fmt"
	"net/http"

	"kith/index"
	"kith/mappings"
	"kith/query"
)

// maxPage is the most hits of one request: index.max_result_window as
// Elasticsearch sets it.
const maxPage = 10000

// searchParams has a search fail that did not reach every shard: a person that
// is missing from an answer would be missing from a walk.
const searchParams = "allow_partial_search_results=false"

// Find implements [index.Searcher]. A limit above 10,000 is answered in steps.
func (d *Driver) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if _, none := req.Query.(query.None); none {
		return nil, ctx.Err()
	}
	var hits []index.Hit
	for left := req.Limit; left > 0; left = req.Limit - len(hits) {
		size := min(left, maxPage)
		page, err := d.page(ctx, c, req, size)
		if err != nil {
			return nil, err
		}
		hits = append(hits, page...)
		if len(page) < size {
			break
		}
		last := page[len(page)-1]
		req.After = &index.Position{Sort: last.Sort, ID: last.ID}
	}
	return hits, nil
}

func (d *Driver) page(ctx context.Context, c index.Collection, req index.FindRequest, size int) ([]index.Hit, error) {
	a, err := d.do(ctx, request{
		method: http.MethodPost, path: "/" + d.alias(c) + "/_search", params: searchParams, body: d.findBody(req, size),
	})
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		return nil, d.searchError(c, a)
	}
	hits, err := decodeHits(a.body, size)
	if err != nil {
		return nil, fmt.Errorf("read the hits of Elasticsearch: %w", err)
	}
	return hits, nil
}

// findBody is the request of one page. Positions before the page are excluded
// by search_after and, where the index is sorted by it, by a condition on the
// rank as well: that lets Elasticsearch begin at the page instead of skipping
// what comes before.
func (d *Driver) findBody(req index.FindRequest, size int) []byte {
	t := translator{fields: d.fields, buf: make([]byte, 0, 1024)}
	by := req.SortBy
	if by == "" {
		by = query.Rank
	}
	t.text(`{"size":`)
	t.int(int64(size))
	t.text(`,"track_total_hits":false`)
	if req.NoRecord {
		t.text(`,"stored_fields":"_none_","_source":false`)
	}
	t.text(`,"sort":[{`)
	t.string(mappings.ElasticsearchName(query.Person, by))
	t.text(`:"desc"},{"` + mappings.ElasticsearchID + `":"asc"}],"query":`)
	condition := req.Query
	if req.After != nil && by == query.Rank {
		condition = query.And{Parts: []query.Query{req.Query, query.Range{Field: query.Rank, Max: &req.After.Sort}}}
	}
	if _, isAnd := condition.(query.And); !isAnd {
		// A bare query would be scored.
		condition = query.And{Parts: []query.Query{condition}}
	}
	t.query(condition)
	if req.After != nil {
		t.text(`,"search_after":[`)
		t.int(req.After.Sort)
		t.text(`,`)
		t.int(req.After.ID)
		t.text(`]`)
	}
	t.text(`}`)
	return t.buf
}

// searchError explains a search that failed. The alias is missing where no
// version was ever made active.
func (d *Driver) searchError(c index.Collection, a answer) error {
	if a.status == http.StatusNotFound {
		return noActive(c)
	}
	return statusError("search "+string(c), a)
}
