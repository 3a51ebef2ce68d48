package semantic

import (
	"context"
	"sync"
	"time"

	"kith/query/analysis"
)

// Vocabulary supplies the terms of a dataset.
type Vocabulary interface {
	// TermsRevision changes whenever terms are added or removed.
	TermsRevision(ctx context.Context) (int64, error)
	// CommonTerms returns the terms of a kind that most people have, at most limit, the commonest first.
	CommonTerms(ctx context.Context, kind analysis.TermKind, limit int) ([]Term, error)
}

// refreshInterval is how long vectors are used before checking for changed terms. During a load terms change all the
// time.
const refreshInterval = 30 * time.Second

// Cache finds neighbours among the terms of a vocabulary. It caches at most [MaxTerms] vectors for each requested
// kind. It is safe for concurrent use.
type Cache struct {
	table *Table
	from  Vocabulary
	now   func() time.Time

	mu    sync.Mutex
	kinds map[analysis.TermKind]*kept
}

// kept has the terms of a kind. Its lock is held while reading them, so that they are read once.
type kept struct {
	mu       sync.Mutex
	terms    *Terms
	revision int64
	checked  time.Time
	// found caches the neighbours of phrases: comparing all terms takes long.
	found map[asked][]Neighbour
}

// asked is a request for neighbours.
type asked struct {
	phrase    string
	limit     int
	threshold float64
}

// mostFound is the most phrases with cached neighbours.
const mostFound = 2000

// NewCache returns a cache for a vocabulary. now may be nil for time.Now.
func NewCache(table *Table, from Vocabulary, now func() time.Time) *Cache {
	if now == nil {
		now = time.Now
	}
	return &Cache{table: table, from: from, now: now, kinds: map[analysis.TermKind]*kept{}}
}

// Neighbours is [Terms.Neighbours] for the terms of the vocabulary, at most 30 s old. Do not modify the result.
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

// read updates the terms of a kind.
func (c *Cache) read(ctx context.Context, kind analysis.TermKind, k *kept) error {
	now := c.now()
	if k.terms != nil && now.Sub(k.checked) < refreshInterval {
		return nil
	}
	// Read the revision before the terms: changes in between are read next time.
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
