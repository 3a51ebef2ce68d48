package elasticindex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"kith/index"
)

// batchHead precedes each search of a batch; see [searchParams].
const batchHead = `{"allow_partial_search_results":false}` + "\n"

// Batch implements [index.Searcher], by one multi-search. A find of more than 10,000 documents is refused.
func (d *Driver) Batch(ctx context.Context, c index.Collection, b index.Batch) (index.BatchAnswer, error) {
	if len(b.Finds)+len(b.Counts) == 0 {
		return index.BatchAnswer{}, ctx.Err()
	}
	var body []byte
	add := func(search []byte) { body = append(append(append(body, batchHead...), search...), '\n') }
	for _, req := range b.Finds {
		if req.Limit > maxPage {
			return index.BatchAnswer{}, fmt.Errorf("a find of %d documents in a batch, which may have %d", req.Limit, maxPage)
		}
		add(d.findBody(req, 0, req.Limit))
	}
	for _, q := range b.Counts {
		add(d.countBody(q, b.CountTo))
	}
	a, err := d.do(ctx, request{
		method: http.MethodPost, path: "/" + d.alias(c) + "/_msearch", body: body, kind: "application/x-ndjson",
	})
	if err != nil {
		return index.BatchAnswer{}, err
	}
	if a.status != http.StatusOK {
		return index.BatchAnswer{}, searchError(c, a)
	}
	answer, err := decodeBatch(c, a.body, b)
	if err != nil {
		return index.BatchAnswer{}, err
	}
	d.done(a)
	return answer, nil
}

// decodeBatch reads the answers of a multi-search. It changes data.
func decodeBatch(c index.Collection, data []byte, b index.Batch) (index.BatchAnswer, error) {
	all, err := decodeResponses(data)
	if err != nil {
		return index.BatchAnswer{}, fmt.Errorf("read the answers of Elasticsearch: %w", err)
	}
	if len(all) != len(b.Finds)+len(b.Counts) {
		return index.BatchAnswer{}, fmt.Errorf("Elasticsearch gave %d answers to %d searches", len(all), len(b.Finds)+len(b.Counts)) //nolint:staticcheck // a proper name
	}
	var out index.BatchAnswer
	for i, one := range all {
		switch {
		case one.status != http.StatusOK:
			return index.BatchAnswer{}, searchError(c, one)
		case i < len(b.Finds):
			hits, err := decodeHits(one.body, b.Finds[i].Limit)
			if err != nil {
				return index.BatchAnswer{}, fmt.Errorf("read the hits of Elasticsearch: %w", err)
			}
			out.Hits = append(out.Hits, hits)
		default:
			n, err := decodeCount(one.body, b.CountTo)
			if err != nil {
				return index.BatchAnswer{}, err
			}
			out.Counts = append(out.Counts, n)
		}
	}
	return out, nil
}

// decodeResponses takes the answers of a multi-search apart.
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

func decodeCount(body []byte, limit int) (int, error) {
	var found aggregation
	if err := json.Unmarshal(body, &found); err != nil {
		return 0, fmt.Errorf("read the answer of Elasticsearch: %w", err)
	}
	if found.TimedOut {
		return 0, errors.New("Elasticsearch ended a search before it was complete") //nolint:staticcheck // a proper name
	}
	if limit > 0 {
		return min(found.Hits.Total.Value, limit), nil
	}
	return found.Hits.Total.Value, nil
}
