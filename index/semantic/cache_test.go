package semantic_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"kith/index/semantic"
	"kith/internal/test/expect"
	"kith/query/analysis"
)

// vocabulary is a vocabulary that a test changes.
type vocabulary struct {
	revision int64
	terms    []semantic.Term
	reads    int
	err      error
}

func (v *vocabulary) TermsRevision(context.Context) (int64, error) { return v.revision, v.err }

func (v *vocabulary) CommonTerms(_ context.Context, _ analysis.TermKind, limit int) ([]semantic.Term, error) {
	v.reads++
	return v.terms[:min(len(v.terms), limit)], v.err
}

func TestCacheFollowsTheVocabulary(t *testing.T) {
	now := time.Unix(0, 0)
	v := &vocabulary{terms: titles(1, "nurse")}
	cache := semantic.NewCache(table(t), v, func() time.Time { return now })
	near := func() int {
		t.Helper()
		found, err := cache.Neighbours(t.Context(), analysis.TermTitle, "school nurse", 9, 0.3)
		expect.NoError(t, err)
		return len(found)
	}
	steps := []struct {
		does        string
		change      func()
		found, read int
	}{
		{"the first look reads", func() {}, 1, 1},
		{"the second does not", func() {}, 1, 1},
		{"a change waits", func() { v.terms, v.revision = titles(1, "nurse", "head nurse"), 1 }, 1, 1},
		{"until its time is up", func() { now = now.Add(time.Minute) }, 2, 2},
		{"no change is not read", func() { now = now.Add(time.Minute) }, 2, 2},
	}
	for _, s := range steps {
		s.change()
		if found := near(); found != s.found || v.reads != s.read {
			t.Errorf("%s: %d found, want %d; %d reads, want %d", s.does, found, s.found, v.reads, s.read)
		}
	}
	now, v.err = now.Add(time.Minute), errors.New("away")
	if _, err := cache.Neighbours(t.Context(), analysis.TermTitle, "nurse", 9, 0.5); !errors.Is(err, v.err) {
		t.Errorf("the vocabulary is unavailable, but the error is %v", err)
	}
}
