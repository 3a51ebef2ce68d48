package elasticindex

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"

	"kith"
	"kith/index"
	"kith/mappings"
	"kith/query"
)

// maxPage is the most hits of one request: Elasticsearch's default for index.max_result_window.
const maxPage = 10000

// searchParams makes a search fail if it did not reach every shard: a missing person would be missing from all pages.
const searchParams = "allow_partial_search_results=false"

// Find implements [index.Searcher]. It splits a limit over 10,000 into several requests.
func (d *Driver) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if _, none := req.Query.(query.None); none {
		return nil, ctx.Err()
	}
	var hits []index.Hit
	for left := req.Limit; left > 0; left = req.Limit - len(hits) {
		size := min(left, maxPage)
		page, err := d.hits(ctx, c, d.findBody(req, 0, size), size)
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

// hits sends a search and reads its hits, about size of them.
func (d *Driver) hits(ctx context.Context, c index.Collection, body []byte, size int) ([]index.Hit, error) {
	a, err := d.search(ctx, c, request{path: "/_search", params: searchParams, body: body})
	if err != nil {
		return nil, err
	}
	hits, err := decodeHits(a.body, size)
	d.recycle(a)
	if err != nil {
		return nil, fmt.Errorf("read the hits of Elasticsearch: %w", err)
	}
	return hits, nil
}

// search sends a search of a collection, whose path is relative.
func (d *Driver) search(ctx context.Context, c index.Collection, r request) (answer, error) {
	r.method, r.path, r.shards = http.MethodPost, "/"+d.alias(c)+r.path, true
	a, err := d.do(ctx, r)
	if err == nil && a.status != http.StatusOK {
		err = searchError(c, a)
	}
	return a, err
}

// findBody is the request for one page, starting at hit number from.
func (d *Driver) findBody(req index.FindRequest, from, size int) []byte {
	t := translator{fields: d.fields, buf: make([]byte, 0, 1024)}
	by := cmp.Or(req.SortBy, query.Rank)
	t.text(`{"size":`)
	t.int(int64(size))
	if from > 0 {
		t.text(`,"from":`)
		t.int(int64(from))
	}
	t.text(`,"track_total_hits":false`)
	if req.NoRecord {
		t.text(`,"stored_fields":"_none_","_source":false`)
	}
	t.text(`,"sort":[{`)
	t.string(mappings.ElasticsearchName(query.Person, by))
	t.text(`:"desc"},{"` + mappings.ElasticsearchID + `":"asc"}]`)
	if req.After != nil && by == query.Rank {
		t.text(`,"search_after":[`)
		t.int(req.After.Sort)
		t.text(`,`)
		t.int(req.After.ID)
		t.text(`]`)
	}
	// A conjunction is a filter; a plain query would be scored.
	t.text(`,"query":{"bool":{"filter":[`)
	t.query(req.Query)
	t.after(by, req.After)
	t.text(`]}}}`)
	return t.buf
}

// after adds the condition of coming after a position.
//
// By rank, the order of the index, search_after already does that; the condition lets Elasticsearch start at the page
// instead of skipping everything before. By other fields the condition works alone: in Elasticsearch versions of
// 2023, search_after loses documents if some have no value (Lucene issue 12521).
func (t *translator) after(by query.Field, after *index.Position) {
	if after == nil {
		return
	}
	t.text(`,`)
	if by == query.Rank {
		t.query(query.Range{Field: by, Max: &after.Sort})
		return
	}
	nextID := after.ID + 1
	laterID := query.Range{Field: mappings.ElasticsearchID, Min: &nextID}
	if after.Sort == math.MinInt64 {
		// Documents without a value, or with the lowest possible one.
		second := after.Sort + 1
		t.query(query.And{Parts: []query.Query{query.Not{Part: query.Range{Field: by, Min: &second}}, laterID}})
		return
	}
	lower := query.Not{Part: query.Range{Field: by, Min: &after.Sort}} // or without a value
	same := query.Range{Field: by, Min: &after.Sort, Max: &after.Sort}
	t.query(query.Or{Parts: []query.Query{lower, query.And{Parts: []query.Query{same, laterID}}}})
}

// searchError explains a failed search. The alias is missing if no version was ever active. A cluster's limit of
// clauses depends on its memory and processors: a small one may allow fewer than a search needs.
func searchError(c index.Collection, a answer) error {
	if a.status == http.StatusNotFound {
		return noActive(c)
	}
	if a.status == http.StatusBadRequest && bytes.Contains(a.body, []byte("too many clauses")) {
		return kith.Errorf(kith.Invalid, "TOO_MANY_CLAUSES",
			"the search has more words than the search engine accepts; give fewer or shorter alternatives")
	}
	return statusError("search "+string(c), a)
}
