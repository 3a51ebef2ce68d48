package pgindex_test

import (
	"testing"

	"kith/index/indextest"
	"kith/index/pgindex"
	"kith/internal/pgtest"
)

func newEngine(t *testing.T) indextest.Engine {
	ix := pgindex.New(pgtest.Pool(t))
	if err := ix.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ix
}

func TestConformance(t *testing.T) { indextest.Run(t, newEngine) }

func TestFuzz(t *testing.T) { indextest.Fuzz(t, newEngine) }
