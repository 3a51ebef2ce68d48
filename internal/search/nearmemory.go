package search

import (
	"context"
	"math"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"kith/index"
	"kith/query"
)

// Journal tells how far the index has followed the records, and what was
// written since.
type Journal interface {
	// Written returns the people whose documents are made of records written after
	// a version, at most n. Of each record whose version is at most level, all that
	// follows from it is visible to searches; built changes whenever an index
	// was built anew. Both are read at once with the people.
	Written(ctx context.Context, version int64, n int) (built, level int64, people []int64, err error)
}

// listCache are the lists of the searches in scope network that were asked last, of
// each caller the caller's own: how fast one is answered tells nothing of
// another. They are at most 80 MB.
type listCache struct {
	journal Journal
	kept    *lru.Cache[string, cachedList]
}

// cachedLists is of how many searches the lists are kept.
const cachedLists = 256

// mostWritten is of how many people, written since a list was made, it is asked
// whether they belong to it.
const mostWritten = 300

// cachedList is the list of a search as it was when the index had reached a level.
type cachedList struct {
	built, level int64
	tier         []query.Query
	people       []candidate
	circle       string // whose classes are noted
}

func newListCache(j Journal) listCache {
	kept, _ := lru.New[string, cachedList](cachedLists) // fails for a size of 0 only
	return listCache{journal: j, kept: kept}
}

// readLevel reads the level that the list is going to have at least.
func (w *near) readLevel() (err error) {
	if j := w.svc.lists.journal; j != nil {
		w.built, w.level, _, err = j.Written(w.ctx, math.MaxInt64, 0)
	}
	return err
}

// cacheKey is under what the list of this search is kept.
func (w *near) cacheKey() string { return w.binding + w.key() }

// loadList takes the list of the last time, where there is one, and brings it level
// with what was written since.
func (w *near) loadList() error {
	old, there := w.svc.lists.kept.Get(w.cacheKey())
	if !there || !slices.EqualFunc(old.tier, w.tier, query.Equal) {
		return nil
	}
	built, level, written, err := w.svc.lists.journal.Written(w.ctx, old.level, mostWritten+1)
	if err != nil || built != old.built || len(written) > mostWritten {
		return err
	}
	w.built, w.level = built, level
	people := slices.Clone(old.people)
	if old.circle != w.circle.ID {
		for i := range people {
			people[i].class = w.classOf(people[i].ID)
		}
	}
	if len(written) > 0 {
		found, err := w.each(func(q query.Query) query.Query { return index.Within(q, written) }, len(written), false)
		if err != nil {
			return err
		}
		slices.Sort(written)
		people = slices.DeleteFunc(people, func(e candidate) bool {
			_, again := slices.BinarySearch(written, e.ID)
			return again
		})
		people = append(people, w.decided(found)...)
	}
	w.setCandidates(people)
	w.candidates.changed = len(written) > 0 || old.circle != w.circle.ID
	return nil
}

// saveList keeps the list for the next time.
func (w *near) saveList() {
	if w.candidates == nil || !w.candidates.changed || w.svc.lists.journal == nil {
		return
	}
	people := slices.DeleteFunc(slices.Clone(w.candidates.people), func(e candidate) bool { return int(e.tier) == len(w.tier) })
	w.svc.lists.kept.Add(w.cacheKey(), cachedList{built: w.built, level: w.level, tier: w.tier, people: people, circle: w.circle.ID})
}

// shareScale is what a share is remembered as parts of.
const shareScale = 10_000

// recall begins with the share of these people that satisfied the search the last
// time, as if it were known of a few; remember keeps it for the next time.
func (w *near) recall() {
	if n, known := w.svc.matching.Get(w.circle.ID + w.key()); known {
		w.probed, w.matched = w.few, w.few*n/shareScale
	}
}

func (w *near) remember() {
	if w.probed > 0 && w.candidates == nil {
		w.svc.matching.Add(w.circle.ID+w.key(), int(w.selectivity()*shareScale))
	}
}

// key stands for the search, whoever asks it.
func (w *near) key() string {
	if w.digest == "" {
		digest, _ := w.identity() // a search without a digest is not remembered well, and found all the same
		w.digest = string(digest)
	}
	return w.digest
}
