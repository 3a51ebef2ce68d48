package elasticindex

import (
	"time"

	"kith/index"
)

// Hurry lets a request take so long.
func (d *Driver) Hurry(timeout time.Duration) { d.timeout = timeout }

// CompactFrom makes versions of so many people be compacted, after such a wait.
func (d *Driver) CompactFrom(people int64, wait time.Duration) {
	d.compactFrom, d.compactWait = people, wait
}

// IsNear reports whether requests to these addresses are sent uncompressed.
func IsNear(urls ...string) bool { return Config{URLs: urls}.near() }

// SetFar makes the driver believe that the nodes are on other machines.
func (d *Driver) SetFar() { d.near = false }

// Source is the document that Elasticsearch gets.
func Source(doc index.Flat) []byte { return newFieldTable().appendDocument(nil, doc) }
