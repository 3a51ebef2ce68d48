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

// rolls are the lists of the searches in scope network that were asked last, of
// each caller the caller's own: how fast one is answered tells nothing of
// another. They are at most 80 MB.
type rolls struct {
	journal Journal
	kept    *lru.Cache[string, roll]
}

// rememberedRolls is of how many searches the lists are kept.
const rememberedRolls = 256

// mostWritten is of how many people, written since a list was made, it is asked
// whether they belong to it.
const mostWritten = 300

// roll is the list of a search as it was when the index had reached a level.
type roll struct {
	built, level int64
	tier         []query.Query
	people       []enrolled
	circle       string // whose classes are noted
}

func newRolls(j Journal) rolls {
	kept, _ := lru.New[string, roll](rememberedRolls) // fails for a size of 0 only
	return rolls{journal: j, kept: kept}
}

// readLevel reads the level that the list is going to have at least.
func (w *near) readLevel() (err error) {
	if j := w.svc.rolls.journal; j != nil {
		w.built, w.level, _, err = j.Written(w.ctx, math.MaxInt64, 0)
	}
	return err
}

// rollKey is under what the list of this search is kept.
func (w *near) rollKey() string { return w.binding + w.key() }

// unroll takes the list of the last time, where there is one, and brings it level
// with what was written since.
func (w *near) unroll() error {
	old, there := w.svc.rolls.kept.Get(w.rollKey())
	if !there || !slices.EqualFunc(old.tier, w.tier, query.Equal) {
		return nil
	}
	built, level, written, err := w.svc.rolls.journal.Written(w.ctx, old.level, mostWritten+1)
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
		people = slices.DeleteFunc(people, func(e enrolled) bool {
			_, again := slices.BinarySearch(written, e.ID)
			return again
		})
		people = append(people, w.decided(found)...)
	}
	w.enlist(people)
	w.list.changed = len(written) > 0 || old.circle != w.circle.ID
	return nil
}

// enroll keeps the list for the next time.
func (w *near) enroll() {
	if w.list == nil || !w.list.changed || w.svc.rolls.journal == nil {
		return
	}
	people := slices.DeleteFunc(slices.Clone(w.list.people), func(e enrolled) bool { return int(e.tier) == len(w.tier) })
	w.svc.rolls.kept.Add(w.rollKey(), roll{built: w.built, level: w.level, tier: w.tier, people: people, circle: w.circle.ID})
}

// shareScale is what a share is remembered as parts of.
const shareScale = 10_000

// recall begins with the share of these people that satisfied the search the last
// time, as if it were known of a few; remember keeps it for the next time.
func (w *near) recall() {
	if n, known := w.svc.matching.Get(w.circle.ID + w.key()); known {
		w.asked, w.found = w.few, w.few*n/shareScale
	}
}

func (w *near) remember() {
	if w.asked > 0 && w.list == nil {
		w.svc.matching.Add(w.circle.ID+w.key(), int(w.selectivity()*shareScale))
	}
}

// key stands for the search, whoever asks it.
func (w *near) key() string {
	if w.name == "" {
		digest, _ := w.identity() // a search without a name is not remembered well, and found all the same
		w.name = string(digest)
	}
	return w.name
}
