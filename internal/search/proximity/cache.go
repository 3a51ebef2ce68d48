package proximity

import (
	"context"
	"math"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

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

// level is how far an index had followed the records.
type level struct{ built, version int64 }

// listCache are the lists of the searches that were asked last, of each caller
// the caller's own: how fast one is answered tells nothing of another. They are
// at most 80 MB.
type listCache struct {
	journal Journal
	kept    *lru.Cache[string, cachedList]
}

// cachedLists is how many searches keep their list.
const cachedLists = 256

// mostWritten is the most people written since a list was made for which it is
// updated; after more writes it is made anew.
const mostWritten = 300

// cachedList is the list of a search as it was when the index had reached a level.
type cachedList struct {
	level  level
	tiers  []query.Query
	sortBy query.Field
	people []candidate
	circle string // whose classes are noted
}

func newListCache(j Journal) listCache {
	kept, _ := lru.New[string, cachedList](cachedLists) // fails for a size of 0 only
	return listCache{journal: j, kept: kept}
}

// level is the one that a list is going to have at least.
func (c listCache) level(ctx context.Context) (at level, err error) {
	if c.journal != nil {
		at.built, at.version, _, err = c.journal.Written(ctx, math.MaxInt64, 0)
	}
	return at, err
}

// loadList takes the list of the last time, where there is one, and brings it
// level with what was written since.
func (s *search) loadList(ctx context.Context) error {
	old, there := s.lists.kept.Get(s.listKey)
	if !there || old.sortBy != s.tiers.sortBy || !slices.EqualFunc(old.tiers, s.tiers.conditions, query.Equal) {
		return nil
	}
	built, version, written, err := s.lists.journal.Written(ctx, old.level.version, mostWritten+1)
	if err != nil || built != old.level.built || len(written) > mostWritten {
		return err
	}
	people := slices.Clone(old.people)
	if old.circle != s.members.circle.ID {
		for i := range people {
			people[i].class = s.members.classOf(people[i].ID)
		}
	}
	if len(written) > 0 {
		if people, err = s.replace(ctx, people, written); err != nil {
			return err
		}
	}
	s.list = s.newList(people, level{built, version})
	s.list.changed = len(written) > 0 || old.circle != s.members.circle.ID
	return nil
}

// replace asks anew about some people, of whom it is not known any more whether
// they belong to a list.
func (s *search) replace(ctx context.Context, people []candidate, written []int64) ([]candidate, error) {
	found, err := s.tiers.findAmong(ctx, written, false)
	if err != nil {
		return nil, err
	}
	slices.Sort(written)
	people = slices.DeleteFunc(people, func(c candidate) bool {
		_, again := slices.BinarySearch(written, c.ID)
		return again
	})
	return append(people, s.decided(found)...), nil
}

// saveList keeps the list for the next time.
func (s *search) saveList() {
	if s.lists.journal == nil || !s.list.changed {
		return
	}
	none := func(c candidate) bool { return int(c.tier) == len(s.tiers.conditions) }
	s.lists.kept.Add(s.listKey, cachedList{
		level: s.list.level, tiers: s.tiers.conditions, sortBy: s.tiers.sortBy, circle: s.members.circle.ID,
		people: slices.DeleteFunc(slices.Clone(s.list.people), none),
	})
}
