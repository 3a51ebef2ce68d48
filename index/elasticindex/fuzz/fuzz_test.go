// Package fuzz runs the random plans shared by all engines on Elasticsearch. It is apart from package conformance
// because go test gives each package ten minutes.
package fuzz_test

import (
	"testing"

	"kith/index/indextest"
	"kith/internal/elastictest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

func TestFuzz(t *testing.T) {
	indextest.Fuzz(t, func(t *testing.T) indextest.Engine { return elastictest.Engine(t) })
}
