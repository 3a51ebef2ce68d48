package elasticindex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"kith/index"
	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
)

// Count implements [index.Searcher].
func (d *Driver) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	if _, none := q.(query.None); none {
		return 0, ctx.Err()
	}
	found, err := d.aggregate(ctx, c, d.countBody(q, limit))
	return found.count(limit), err
}

// countBody is the request for a count.
func (d *Driver) countBody(q query.Query, limit int) []byte {
	t := translator{fields: d.fields}
	t.text(`{"size":0,"track_total_hits":`)
	if limit > 0 {
		t.int(int64(limit))
	} else {
		t.text(`true`)
	}
	t.text(`,"query":`)
	t.query(query.And{Parts: []query.Query{q}})
	t.text(`}`)
	return t.buf
}

// Facets implements [index.Searcher]. Elasticsearch counts every matching person, so Facets first asks for the last
// one to count. Each shard returns as many values as there are people, so the counts are exact.
func (d *Driver) Facets(ctx context.Context, q query.Query, facets []indexed.Facet, size,
	among int,
) (index.FacetValues, error) {
	answer := make(index.FacetValues, len(facets))
	for _, f := range facets {
		answer[f] = []index.FacetValue{}
	}
	if _, none := q.(query.None); none || len(facets) == 0 || size < 1 {
		return answer, ctx.Err()
	}
	last, err := d.nth(ctx, q, among)
	if err != nil {
		return nil, err
	}
	if last != nil {
		q = query.And{Parts: []query.Query{q, upTo(*last)}}
	}
	found, err := d.aggregate(ctx, index.People, d.facetBody(q, facets, size, among))
	if err != nil {
		return nil, err
	}
	for name, values := range found.Aggregations {
		for _, b := range values.Buckets {
			answer[name] = append(answer[name], index.FacetValue{Value: b.Key, Count: b.Count, IsCapped: last != nil})
		}
	}
	return answer, nil
}

// nth returns the position of the nth person by rank who satisfies a query; nil if there are fewer. n is at most
// [maxPage].
func (d *Driver) nth(ctx context.Context, q query.Query, n int) (*index.Position, error) {
	body := d.findBody(index.FindRequest{Query: q, SortBy: query.Rank, NoRecord: true}, n-1, 1)
	hits, err := d.hits(ctx, index.People, body, 1)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	return &index.Position{Sort: hits[0].Sort, ID: hits[0].ID}, nil
}

// upTo matches a person by rank and everyone before.
func upTo(p index.Position) query.Query {
	if p.Sort == math.MaxInt64 {
		return query.Range{Field: mappings.ElasticsearchID, Max: &p.ID}
	}
	above := p.Sort + 1
	same := []query.Query{
		query.Range{Field: query.Rank, Min: &p.Sort},
		query.Range{Field: mappings.ElasticsearchID, Max: &p.ID},
	}
	return query.Or{Parts: []query.Query{query.Range{Field: query.Rank, Min: &above}, query.And{Parts: same}}}
}

func (d *Driver) facetBody(q query.Query, facets []indexed.Facet, size, among int) []byte {
	t := translator{fields: d.fields}
	t.text(`{"size":0,"track_total_hits":false,"query":`)
	t.query(query.And{Parts: []query.Query{q}})
	t.text(`,"aggs":{`)
	for i, f := range facets {
		if i > 0 {
			t.text(`,`)
		}
		t.string(string(f))
		t.text(`:{"terms":{"field":`)
		t.string(mappings.ElasticsearchFacet + "." + string(f))
		t.text(`,"size":` + strconv.Itoa(size) + `,"shard_size":` + strconv.Itoa(max(size, among)))
		t.text(`,"order":[{"_count":"desc"},{"_key":"asc"}]}}`)
	}
	t.text(`}}`)
	return t.buf
}

// aggregation has the parts of a search answer without hits that the driver reads.
type aggregation struct {
	TimedOut bool `json:"timed_out"`
	Hits     struct {
		Total struct {
			Value int `json:"value"`
		} `json:"total"`
	} `json:"hits"`
	Aggregations map[indexed.Facet]struct {
		Buckets []struct {
			Key   string `json:"key"`
			Count int    `json:"doc_count"`
		} `json:"buckets"`
	} `json:"aggregations"`
}

func (d *Driver) aggregate(ctx context.Context, c index.Collection, body []byte) (aggregation, error) {
	a, err := d.search(ctx, c, request{path: "/_search", params: searchParams, body: body})
	if err != nil {
		return aggregation{}, err
	}
	return decodeAggregation(a.body)
}

func decodeAggregation(body []byte) (found aggregation, err error) {
	if err := json.Unmarshal(body, &found); err != nil {
		return found, fmt.Errorf("read the response of Elasticsearch: %w", err)
	}
	if found.TimedOut {
		return found, errors.New("the search ended before it was complete")
	}
	return found, nil
}

// count is the number of documents, at most limit unless that is 0.
func (a aggregation) count(limit int) int {
	if limit > 0 {
		return min(a.Hits.Total.Value, limit)
	}
	return a.Hits.Total.Value
}
