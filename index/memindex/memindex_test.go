package memindex_test

import (
	"testing"

	"kith/index/indextest"
	"kith/index/memindex"
)

func newEngine(*testing.T) indextest.Engine { return memindex.New() }

func TestConformance(t *testing.T) { indextest.Run(t, newEngine) }

func TestFuzz(t *testing.T) { indextest.Fuzz(t, newEngine) }

func TestFuzzCareers(t *testing.T) { indextest.FuzzCareers(t, newEngine) }
