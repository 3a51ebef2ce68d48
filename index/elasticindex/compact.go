package elasticindex

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/index"
)

const (
	// compactFrom is the number of people from which a version is compacted. Below, waiting would take longer than
	// loading, to save less than 250 MB.
	compactFrom = 100_000
	// compactWait limits the wait for the retention lease, which Elasticsearch renews every 30 seconds.
	compactWait = time.Minute
	// compactPause is the pause between looks at the lease.
	compactPause = 500 * time.Millisecond
	// compactLimit limits the time for merging, which goes on in Elasticsearch after it.
	compactLimit = time.Hour
	// segmentPeople is about the number of people of a segment. Merges while loading make the largest, which stay.
	segmentPeople = 250_000
)

// compact merges the people of a new version into few segments, which are faster to search and a third of the size.
//
// The mapping keeps only the record of a document's source. Until Elasticsearch knows that no copy of the shard needs
// an operation for its recovery, it stores the whole source too, which takes twice the space of everything else. Only
// merges remove it, and only of operations that are committed and that no retention lease of the shard holds.
func (d *Driver) compact(ctx context.Context, version string) error {
	people, err := d.Documents(ctx, index.People, version)
	if err != nil || people < d.compactFrom {
		return err
	}
	path := "/" + d.indexName(index.People, version)
	flush := request{method: http.MethodPost, path: path + "/_flush"}
	if err := d.change(ctx, "commit an index version", flush); err != nil {
		return err
	}
	if err := d.awaitLease(ctx, path); err != nil {
		return err
	}
	segments := 1 + people/int64(d.shards)/segmentPeople
	a, err := d.do(ctx, request{
		method: http.MethodPost, path: path + "/_forcemerge", params: "max_num_segments=" + strconv.FormatInt(segments,
			10),
		timeout: compactLimit, once: true,
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case kith.KindOf(err) == kith.Unavailable, a.status == http.StatusGatewayTimeout, isRetryable(a.status):
		return nil // a proxy did not wait for the answer: Elasticsearch goes on merging, and can be searched meanwhile
	case err != nil:
		return err
	case a.status != http.StatusOK:
		return statusError("compact an index version", a)
	}
	return nil
}

// awaitLease waits until no retention lease holds any of the operations until now. It gives up after compactWait:
// compacting then saves less.
func (d *Driver) awaitLease(ctx context.Context, path string) error {
	var until int64
	for end := time.Now().Add(d.compactWait); ; {
		written, released, err := d.operations(ctx, path)
		if err != nil {
			return err
		}
		until = cmp.Or(until, written)
		if released >= until || time.Now().After(end) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(compactPause):
		}
	}
}

// operations returns the number of operations of the shards of an index, and how many of them no lease holds.
func (d *Driver) operations(ctx context.Context, path string) (written, released int64, err error) {
	body, err := d.ask(ctx, "look at the shards of an index version", request{
		method: http.MethodGet, path: path + "/_stats",
		params: "level=shards&filter_path=indices.*.shards.*.routing.primary,indices.*.shards.*.seq_no.max_seq_no," +
			"indices.*.shards.*.retention_leases.leases.retaining_seq_no",
	})
	if err != nil {
		return 0, 0, err
	}
	var stats struct {
		Indices map[string]struct {
			Shards map[string][]shardStats `json:"shards"`
		} `json:"indices"`
	}
	if err := json.Unmarshal(body, &stats); err != nil {
		return 0, 0, fmt.Errorf("read the statistics of Elasticsearch: %w", err)
	}
	for _, in := range stats.Indices {
		for _, copies := range in.Shards {
			for _, s := range copies {
				w, r := s.operations()
				written, released = written+w, released+r
			}
		}
	}
	return written, released, nil
}

// shardStats are the statistics of a copy of a shard.
type shardStats struct {
	Routing struct {
		Primary bool `json:"primary"`
	} `json:"routing"`
	SeqNo struct {
		Max int64 `json:"max_seq_no"`
	} `json:"seq_no"`
	RetentionLeases struct {
		Leases []struct {
			Retaining int64 `json:"retaining_seq_no"`
		} `json:"leases"`
	} `json:"retention_leases"`
}

// operations returns how many operations a primary shard has, and how many of them no lease holds.
func (s shardStats) operations() (written, released int64) {
	if !s.Routing.Primary {
		return 0, 0
	}
	written, released = s.SeqNo.Max+1, s.SeqNo.Max+1
	for _, l := range s.RetentionLeases.Leases {
		released = min(released, l.Retaining)
	}
	return written, released
}
