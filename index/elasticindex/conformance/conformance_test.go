// Package conformance runs the suite shared by all engines on Elasticsearch. It is apart from the
// tests of the driver so that both run at once.
package conformance_test

import (
	"testing"

	"kith/index/indextest"
	"kith/internal/test/elastictest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

func open(t *testing.T) indextest.Engine { return elastictest.Engine(t) }

func TestConformance(t *testing.T) { indextest.Run(t, open) }

func TestFuzz(t *testing.T) { indextest.Fuzz(t, open) }

func TestFuzzCareers(t *testing.T) { indextest.FuzzCareers(t, open) }
