// Package conformance holds the suite that all engines share to Elasticsearch, apart from
// the tests of the driver: each has go test's ten minutes to itself.
package conformance_test

import (
	"testing"

	"kith/index/indextest"
	"kith/internal/elastictest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

func open(t *testing.T) indextest.Engine { return elastictest.Engine(t) }

func TestConformance(t *testing.T) { indextest.Run(t, open) }

func TestFuzz(t *testing.T) { indextest.Fuzz(t, open) }

func TestFuzzCareers(t *testing.T) { indextest.FuzzCareers(t, open) }
