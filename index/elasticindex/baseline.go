//go:build bulkindexer

package elasticindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esutil"

	"kith/index"
)

// HasBaseline reports whether this program includes Elasticsearch's own client.
const HasBaseline = true

// Baseline loads prepared documents with the BulkIndexer of Elasticsearch's own client, as the baseline for bulk loads.
type Baseline struct {
	driver  *Driver
	client  *elasticsearch.Client
	version string
	sources [][]byte
	ids     []int64
}

// NewBaseline prepares documents in memory and creates an index version that never becomes active. Close drops that
// version.
func NewBaseline(ctx context.Context, cfg Config, docs iter.Seq2[index.Flat, error]) (*Baseline, error) {
	driver, err := New(cfg)
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(cfg.CA)
	if err != nil {
		return nil, err
	}
	client, err := elasticsearch.NewClient(elasticsearch.Config{
		Addresses: cfg.URLs, APIKey: cfg.APIKey, Username: cfg.Username, Password: cfg.Password,
		Transport: transport, CompressRequestBody: !cfg.isLocal(),
	})
	if err != nil {
		return nil, fmt.Errorf("set up the Elasticsearch client: %w", err)
	}
	p := &Baseline{driver: driver, client: client}
	for doc, err := range docs {
		if err != nil {
			return nil, err
		}
		p.ids = append(p.ids, doc.ID)
		p.sources = append(p.sources, driver.fields.appendDocument(nil, doc))
	}
	p.version, err = driver.Create(ctx)
	return p, err
}

// Load indexes the documents, makes them visible to searches and returns their number. Call it only once.
func (p *Baseline) Load(ctx context.Context) (int, error) {
	name := p.driver.indexName(index.People, p.version)
	var failed failures
	bulk, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{
		Client: p.client, Index: name, OnError: func(_ context.Context, err error) { failed.add(err) },
	})
	if err != nil {
		return 0, fmt.Errorf("set up the bulk indexer: %w", err)
	}
	for i, source := range p.sources {
		err := bulk.Add(ctx, esutil.BulkIndexerItem{
			Action: "index", DocumentID: strconv.FormatInt(p.ids[i], 10), Body: bytes.NewReader(source),
			OnFailure: func(_ context.Context, _ esutil.BulkIndexerItem, res esutil.BulkIndexerResponseItem, err error) {
				failed.add(errors.Join(err, errors.New(res.Error.Reason)))
			},
		})
		if err != nil {
			return 0, fmt.Errorf("add to the bulk indexer: %w", err)
		}
	}
	if err := errors.Join(bulk.Close(ctx), failed.first()); err != nil {
		return 0, fmt.Errorf("bulk indexer: %w", err)
	}
	refresh := request{method: "POST", path: "/" + name + "/_refresh"}
	return len(p.sources), p.driver.change(ctx, "refresh the index", refresh)
}

// Close drops the version.
func (p *Baseline) Close(ctx context.Context) error {
	defer p.driver.Close()
	return p.driver.Drop(ctx, p.version)
}

// failures keeps the first error of the workers.
type failures struct {
	mu  sync.Mutex
	err error
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

func (f *failures) first() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
