package elasticindex

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"

	"kith"
)

// bulkParams demand that the target be an alias, and shrink the answer to what
// is read of it.
const bulkParams = "require_alias=true&filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason"

// item is what a line of a bulk request is about.
type item struct {
	id      int64
	version string
	// start and end of its lines in the chunk's body.
	start, end int
}

// chunk is the body of one bulk request.
type chunk struct {
	body  []byte
	items []item
}

var chunks = sync.Pool{New: func() any { return &chunk{body: make([]byte, 0, chunkSize+chunkSize/8)} }} //nolint:gochecknoglobals // a pool of buffers

func newChunk() *chunk { return chunks.Get().(*chunk) }

func (c *chunk) release() {
	if cap(c.body) > 2*chunkSize {
		return // a giant is left to the collector
	}
	c.body, c.items = c.body[:0], c.items[:0]
	chunks.Put(c)
}

func (c *chunk) index(target string, it item, version int64, source []byte) {
	it.start = len(c.body)
	c.action("index", target, it.id, version, "external")
	c.body = append(c.body, source...)
	c.body = append(c.body, '\n')
	c.add(it)
}

func (c *chunk) delete(target string, it item, version int64) {
	it.start = len(c.body)
	c.action("delete", target, it.id, version, "external_gte")
	c.add(it)
}

func (c *chunk) action(name, target string, id, version int64, versionType string) {
	c.body = append(c.body, `{"`+name+`":{"_index":"`...)
	c.body = append(c.body, target...)
	c.body = append(c.body, `","_id":"`...)
	c.body = strconv.AppendInt(c.body, id, 10)
	c.body = append(c.body, `","version":`...)
	c.body = strconv.AppendInt(c.body, version, 10)
	c.body = append(c.body, `,"version_type":"`+versionType+"\"}}\n"...)
}

func (c *chunk) add(it item) {
	it.end = len(c.body)
	c.items = append(c.items, it)
}

// only returns a chunk of some of the items.
func (c *chunk) only(items []item) *chunk {
	part := newChunk()
	for _, it := range items {
		start := len(part.body)
		part.body = append(part.body, c.body[it.start:it.end]...)
		it.start = start
		part.add(it)
	}
	return part
}

// collector gathers failures of chunks that run at the same time.
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

// race notes a deletion that a newer document came before.
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

// sendChunk sends a chunk, and then again, with growing pauses, the items of
// it that Elasticsearch was too busy for.
func (d *Driver) sendChunk(ctx context.Context, c *chunk, failed *collector) error {
	left := c
	for attempt := 1; ; attempt++ {
		busy, why, err := d.sendOnce(ctx, left, failed)
		if err == nil && len(busy) > 0 && attempt == attempts {
			err = kith.Away(service, fmt.Errorf("%d documents were not taken in %d attempts: %s", len(busy), attempts, why))
		}
		if err == nil && len(busy) > 0 {
			err = pause(ctx, attempt)
		}
		next := (*chunk)(nil)
		if err == nil && len(busy) > 0 {
			next = left.only(busy)
		}
		if left != c {
			left.release()
		}
		if next == nil {
			return err
		}
		left = next
	}
}

// sendOnce sends a chunk and returns the items to send again, with the reason
// of one of them.
func (d *Driver) sendOnce(ctx context.Context, c *chunk, failed *collector) (busy []item, why string, err error) {
	packed, err := pack(c.body)
	if err != nil {
		return nil, "", err
	}
	a, err := d.do(ctx, request{
		method: http.MethodPost, path: "/_bulk", params: bulkParams,
		body: packed, kind: "application/x-ndjson", gzipped: true, timeout: 4 * d.timeout,
	})
	if err != nil {
		return nil, "", err
	}
	if a.status != http.StatusOK {
		return nil, "", statusError("write documents", a)
	}
	return judge(a.body, c.items, failed)
}

// bulkAnswer is the part of a bulk answer that is read.
type bulkAnswer struct {
	Items []map[string]struct {
		Status int   `json:"status"`
		Error  cause `json:"error"`
	} `json:"items"`
}

// judge sorts out what became of each item. A conflict of a document
// means that the index has it as new already, and a missing document is as good as
// deleted.
func judge(body []byte, items []item, failed *collector) (busy []item, why string, err error) {
	if bytes.HasPrefix(body, []byte(`{"errors":false`)) {
		return nil, "", nil
	}
	var result bulkAnswer
	if err := json.Unmarshal(body, &result); err != nil {
		return nil, "", fmt.Errorf("read the answer of Elasticsearch to a bulk request: %w", err)
	}
	if len(result.Items) != len(items) {
		return nil, "", fmt.Errorf("Elasticsearch answers for %d documents of %d", len(result.Items), len(items)) //nolint:staticcheck // a proper name
	}
	for i, outcome := range result.Items {
		for action, o := range outcome {
			switch {
			case o.Status == http.StatusConflict && action == "delete":
				failed.race(items[i].id)
			case o.Status < 300, o.Status == http.StatusConflict:
			case o.Error.Type == "index_not_found_exception":
				return nil, "", noVersion(items[i].version)
			case o.Status == http.StatusNotFound && action == "delete":
			case patience(o.Status):
				busy, why = append(busy, items[i]), o.Error.String()
			default:
				failed.add(FailedItem{ID: items[i].id, Version: items[i].version, Reason: o.Error.String()})
			}
		}
	}
	return busy, why, nil
}

var zippers = sync.Pool{New: func() any { //nolint:gochecknoglobals // a pool of compressors
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// pack compresses a body. The result is not reused: an answer may arrive, and
// the request be over, while its body is still being read.
func pack(body []byte) ([]byte, error) {
	packed := bytes.NewBuffer(make([]byte, 0, len(body)/4+512))
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(packed)
	_, err := z.Write(body)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress a bulk request: %w", err)
	}
	return packed.Bytes(), nil
}
