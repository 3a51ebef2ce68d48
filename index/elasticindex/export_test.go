package elasticindex

import (
	"time"

	"kith/query/indexed"
)

// Hurry sets the time limit of a request.
func (d *Driver) Hurry(timeout time.Duration) { d.timeout = timeout }

// CompactFrom sets from how many people on a version is compacted, and how long that waits.
func (d *Driver) CompactFrom(people int64, wait time.Duration) {
	d.compactFrom, d.compactWait = people, wait
}

// IsNear reports whether requests to these addresses are sent uncompressed.
func IsNear(urls ...string) bool { return Config{URLs: urls}.isLocal() }

// SetFar makes the driver believe that the nodes are on other machines.
func (d *Driver) SetFar() { d.near = false }

// Source is the document that is sent to Elasticsearch.
func Source(doc indexed.Flat) []byte { return newFieldTable().appendDocument(nil, doc) }
