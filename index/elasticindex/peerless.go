//go:build !bulkindexer

package elasticindex

import (
	"context"
	"errors"
	"iter"

	"kith/index"
)

// HasPeer reports whether this program includes Elasticsearch's own client. The client takes longer to compile than
// all of Kith, and only measurements need it.
const HasPeer = false

// Peer is a stub; the tag bulkindexer includes the real one.
type Peer struct{}

var errNoPeer = errors.New("this kith was built without Elasticsearch's own client: build it with -tags bulkindexer")

// NewPeer returns an error.
func NewPeer(context.Context, Config, iter.Seq2[index.Flat, error]) (*Peer, error) {
	return nil, errNoPeer
}

// Load returns an error.
func (*Peer) Load(context.Context) (int, error) { return 0, errNoPeer }

// Close does nothing.
func (*Peer) Close(context.Context) error { return nil }
