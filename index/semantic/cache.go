package semantic

import (
	"context"
	"sync"
	"time"

	"kith/index/analysis"
)

// Vocabulary is where the terms of a directory come from.
type Vocabulary interface {
	// TermsRevision is another number whenever terms have come or gone.
	TermsRevision(ctx context.Context) (int64, error)
	// CommonTerms returns the terms of a kind that most people have, at most limit, the commonest first.
	CommonTerms(ctx context.Context, kind analysis.TermKind, limit int) ([]Term, error)
}

// patience is for how long vectors serve although terms have come or gone meanwhile. While records are loaded, they do
// so all the time.
const patience = 30 * time.Second

// Cache finds neighbours among the terms of a vocabulary, with vectors that it keeps: [MaxTerms] at most of each kind
// that was asked for. It is safe for concurrent use.
type Cache struct {
	table *Table
	from  Vocabulary
	now   func() time.Time

	mu    sync.Mutex
	kinds map[analysis.TermKind]*kept
}

// kept are the terms of a kind. Its lock is held while they are read, so that they are read once.
type kept struct {
	mu       sync.Mutex
	terms    *Terms
	revision int64
	checked  time.Time
	// found are the neighbours of phrases that were asked for among the terms: to look at all terms takes long.
	found map[asked][]Neighbour
}

// asked is a question for neighbours.
type asked struct {
	phrase    string
	limit     int
	threshold float64
}

// mostFound bounds the phrases whose neighbours are kept.
const mostFound = 2000

// NewCache returns a cache for a vocabulary. The default of now is time.Now.
func NewCache(table *Table, from Vocabulary, now func() time.Time) *Cache {
	if now == nil {
		now = time.Now
	}
	return &Cache{table: table, from: from, now: now, kinds: map[analysis.TermKind]*kept{}}
}

// Neighbours is [Terms.Neighbours] for the terms of the vocabulary. They are those of at most 30 s ago. Nobody may
// change what it returns.
func (c *Cache) Neighbours(
	ctx context.Context, kind analysis.TermKind, phrase string, limit int, threshold float64,
) ([]Neighbour, error) {
	c.mu.Lock()
	k := c.kinds[kind]
	if k == nil {
		k = &kept{}
		c.kinds[kind] = k
	}
	c.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := c.read(ctx, kind, k); err != nil {
		return nil, err
	}
	question := asked{phrase: phrase, limit: limit, threshold: threshold}
	if found, known := k.found[question]; known {
		return found, nil
	}
	if len(k.found) >= mostFound {
		clear(k.found)
	}
	found := k.terms.Neighbours(kind, phrase, limit, threshold)
	k.found[question] = found
	return found, nil
}

// read brings the terms of a kind up to date.
func (c *Cache) read(ctx context.Context, kind analysis.TermKind, k *kept) error {
	now := c.now()
	if k.terms != nil && now.Sub(k.checked) < patience {
		return nil
	}
	// Asked before the terms are read: what comes in between is read again next time.
	revision, err := c.from.TermsRevision(ctx)
	if err != nil {
		return err
	}
	if k.terms == nil || revision != k.revision {
		terms, err := c.from.CommonTerms(ctx, kind, MaxTerms)
		if err != nil {
			return err
		}
		k.terms, k.revision, k.found = c.table.Terms(terms), revision, map[asked][]Neighbour{}
	}
	k.checked = now
	return nil
}
