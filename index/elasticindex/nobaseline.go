//go:build !bulkindexer

package elasticindex

import (
	"context"
	"errors"
	"iter"

	"kith/index"
)

// HasBaseline reports whether this program includes Elasticsearch's own client. The client takes longer to compile than
// all of Kith, and only measurements need it.
const HasBaseline = false

// Baseline is a stub; the tag bulkindexer includes the real one.
type Baseline struct{}

var errNoBaseline = errors.New("this kith was built without Elasticsearch's own client: build it with " +
	"-tags bulkindexer")

// NewBaseline returns an error.
func NewBaseline(context.Context, Config, iter.Seq2[index.Flat, error]) (*Baseline, error) {
	return nil, errNoBaseline
}

// Load returns an error.
func (*Baseline) Load(context.Context) (int, error) { return 0, errNoBaseline }

// Close does nothing.
func (*Baseline) Close(context.Context) error { return nil }
