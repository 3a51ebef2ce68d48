package elasticindex

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"

	"kith"
)

// bulkParams require the target to be an alias, limit the time that documents wait for a shard on no node, and limit
// the answer to the parts that are read.
const bulkParams = "require_alias=true&timeout=10s&" +
	"filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason"

// item is one action of a bulk request.
type item struct {
	id      int64
	version string
	// at is the version of a document to index, or of the one to delete.
	at int64
	// start and end delimit its lines in the chunk's body.
	start, end int
}

// chunk is the body of one bulk request.
type chunk struct {
	body  []byte
	items []item
}

func (d *Driver) newChunk() *chunk {
	c, again := d.chunks.Get().(*chunk)
	if !again {
		c = &chunk{body: make([]byte, 0, chunkSize+chunkSize/8)}
	}
	return c
}

func (d *Driver) release(c *chunk) {
	if cap(c.body) > 2*chunkSize {
		return // too large to keep
	}
	c.body, c.items = c.body[:0], c.items[:0]
	d.chunks.Put(c)
}

// write adds an action: the source of a document, or its deletion without one.
func (c *chunk) write(target string, it item, source []byte) {
	name, versionType := "delete", "external_gte"
	if source != nil {
		name, versionType = "index", "external"
	}
	it.start = len(c.body)
	c.body = append(c.body, `{"`+name+`":{"_index":"`...)
	c.body = append(c.body, target...)
	c.body = append(c.body, `","_id":"`...)
	c.body = strconv.AppendInt(c.body, it.id, 10)
	c.body = append(c.body, `","version":`...)
	c.body = strconv.AppendInt(c.body, it.at, 10)
	c.body = append(c.body, `,"version_type":"`+versionType+"\"}}\n"...)
	if source != nil {
		c.body = append(append(c.body, source...), '\n')
	}
	c.add(it)
}

func (c *chunk) add(it item) {
	it.end = len(c.body)
	c.items = append(c.items, it)
}

// take copies items of another chunk.
func (c *chunk) take(from *chunk, items []item) {
	for _, it := range items {
		start := len(c.body)
		c.body = append(c.body, from.body[it.start:it.end]...)
		it.start = start
		c.add(it)
	}
}

// collector gathers failures of chunks that run concurrently.
type collector struct {
	mu    sync.Mutex
	items []FailedItem
	raced []int64
}

func (f *collector) add(item FailedItem) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.items = append(f.items, item)
}

// race records a deletion that conflicts with a newer document.
func (f *collector) race(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raced = append(f.raced, id)
}

func (f *collector) err() error {
	if len(f.items) == 0 {
		return nil
	}
	return &WriteError{Items: f.items}
}

// sendChunk sends a chunk, and resends, after growing pauses, the items that Elasticsearch could not accept yet.
func (w *bulk) sendChunk(ctx context.Context, c *chunk) error {
	left := c
	for attempt := 1; ; attempt++ {
		v, err := w.sendOnce(ctx, left, attempt == attempts)
		if err == nil && len(v.again) > 0 && attempt == attempts {
			err = kith.Unreachable(service,
				fmt.Errorf("%d documents were refused in %d attempts: %s", len(v.again), attempts, v.why))
		}
		if err == nil && len(v.again) > 0 {
			err = pause(ctx, attempt)
		}
		next := (*chunk)(nil)
		if err == nil && len(v.again) > 0 {
			next = w.driver.newChunk()
			next.take(left, v.again)
		}
		if left != c {
			w.driver.release(left)
		}
		if next == nil {
			return err
		}
		left = next
	}
}

// sendOnce sends a chunk and classifies the outcome of each item; last means that there is no further attempt.
func (w *bulk) sendOnce(ctx context.Context, c *chunk, last bool) (verdict, error) {
	body, gzipped, err := w.driver.pack(c.body)
	if err != nil {
		return verdict{}, err
	}
	a, err := w.driver.do(ctx, request{
		method: http.MethodPost, path: "/_bulk", params: bulkParams,
		body: body, kind: "application/x-ndjson", gzipped: gzipped, timeout: w.driver.changeTimeout(),
	})
	if err != nil {
		return verdict{}, err
	}
	if a.status == http.StatusRequestEntityTooLarge {
		return verdict{}, w.halve(ctx, c, a)
	}
	if a.status != http.StatusOK {
		// The status is not about the documents: the next chunk would fail as well.
		if err = statusError("write documents", a); isForbidden(a.status) ||
			a.status == http.StatusInternalServerError {
			err = kith.Unreachable(service, err)
		}
		return verdict{}, err
	}
	v, err := judge(a.body, c.items, last, &w.failed)
	if err != nil || len(v.conflicts) == 0 {
		return v, err
	}
	err = w.forgetDeletions(ctx, &v)
	return v, err
}

// halve splits and resends a chunk that is too large for Elasticsearch or a proxy. A single document that is too
// large is rejected.
func (w *bulk) halve(ctx context.Context, c *chunk, refused answer) error {
	if len(c.items) == 1 {
		w.failed.add(FailedItem{
			ID: c.items[0].id, Version: c.items[0].version, Reason: statusError("write the document", refused).Error(),
		})
		return nil
	}
	half := len(c.items) / 2
	for _, items := range [][]item{c.items[:half], c.items[half:]} {
		part := w.driver.newChunk()
		part.take(c, items)
		err := w.sendChunk(ctx, part)
		w.driver.release(part)
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetDeletions handles documents that Elasticsearch rejected as outdated, although it has no newer document: it
// still remembers a deletion. A refresh makes it forget deletions older than a fifth of a second; then the items can
// be sent again. Elasticsearch may also have an older version of the document, from before a forgotten deletion; that
// one is replaced.
func (w *bulk) forgetDeletions(ctx context.Context, v *verdict) error {
	byVersion := map[string][]item{}
	for _, it := range v.conflicts {
		byVersion[it.version] = append(byVersion[it.version], it)
	}
	for version, items := range byVersion {
		ids := kith.Each(items, func(it item) int64 { return it.id })
		have, err := w.driver.existingVersions(ctx, w.c, version, ids)
		if err != nil {
			return err
		}
		items = slices.DeleteFunc(items, func(it item) bool { at, ok := have[it.id]; return ok && at >= it.at })
		if len(items) == 0 {
			continue
		}
		refresh := request{method: http.MethodPost, path: "/" + w.driver.writeAlias(w.c, version) + "/_refresh"}
		if err := w.driver.change(ctx, "forget deletions", refresh); err != nil {
			return err
		}
		v.again, v.why = append(v.again, items...), "their deletion is recorded"
	}
	return nil
}

// bulkAnswer has the parts of a bulk answer that are read.
type bulkAnswer struct {
	Items []map[string]bulkOutcome `json:"items"`
}

type bulkOutcome struct {
	Status int   `json:"status"`
	Error  cause `json:"error"`
}

// verdict has the items of a chunk that are neither stored nor rejected.
type verdict struct {
	// again are items to resend; why is the reason.
	again []item
	why   string
	// conflicts are documents that Elasticsearch claims to have in a version at least as new.
	conflicts []item
}

// judge classifies the outcome of each item. A missing document counts as deleted. Server errors are usually
// temporary, for example while a node stops; one that persists until the last attempt is a rejection, so that one
// document does not block all others.
func judge(body []byte, items []item, last bool, failed *collector) (v verdict, err error) {
	if bytes.HasPrefix(body, []byte(`{"errors":false`)) {
		return v, nil
	}
	var result bulkAnswer
	if err := json.Unmarshal(body, &result); err != nil {
		return v, fmt.Errorf("read the response of Elasticsearch to a bulk request: %w", err)
	}
	if len(result.Items) != len(items) {
		return v, fmt.Errorf("got results from Elasticsearch for %d of %d documents", len(result.Items), len(items))
	}
	for i, outcome := range result.Items {
		for action, o := range outcome {
			if o.Status < http.StatusMultipleChoices {
				continue
			}
			if err := v.failure(items[i], action, o, last, failed); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// failure classifies an item that was not written. It returns an error if all further items would fail as well.
func (v *verdict) failure(it item, action string, o bulkOutcome, last bool, failed *collector) error {
	switch {
	case o.Status == http.StatusConflict && action == "delete":
		failed.race(it.id)
	case o.Status == http.StatusConflict:
		v.conflicts = append(v.conflicts, it)
	case o.Error.Type == "index_not_found_exception":
		return noVersion(it.version)
	case o.Status == http.StatusNotFound && action == "delete":
	case isFloodStage(o.Error.Reason):
		return kith.DiskFull(service, fmt.Errorf("write documents: %s", o.Error))
	case isForbidden(o.Status):
		// The status is not about the document: the next would fail as well.
		return kith.Unreachable(service, explainForbidden(o.Status, fmt.Errorf("write documents: %s", o.Error)))
	case isRetryable(o.Status), o.Status >= http.StatusInternalServerError && !last:
		v.again, v.why = append(v.again, it), o.Error.String()
	default:
		failed.add(FailedItem{ID: it.id, Version: it.version, Reason: o.Error.String()})
	}
	return nil
}

// pack compresses a body for the network, or copies it. The result is not reused: an answer may arrive, and end the
// request, while its body is still being sent.
func (d *Driver) pack(body []byte) (packed []byte, gzipped bool, err error) {
	if d.near {
		return bytes.Clone(body), false, nil
	}
	zipped := bytes.NewBuffer(make([]byte, 0, len(body)/4+512))
	z, again := d.zippers.Get().(*gzip.Writer)
	if !again {
		z, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	}
	defer d.zippers.Put(z)
	z.Reset(zipped)
	if _, err = z.Write(body); err == nil {
		err = z.Close()
	}
	if err != nil {
		return nil, false, fmt.Errorf("compress a bulk request: %w", err)
	}
	return zipped.Bytes(), true, nil
}
