package proximity

import (
	"context"
	"math"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"kith/query"
)

// Journal reports how far the index has followed the records, and what was written since.
type Journal interface {
	// Written returns at most n people whose documents depend on records written after a version. Searches see every
	// effect of records up to version level. built changes whenever an index is rebuilt. built and level are read
	// together with the people.
	Written(ctx context.Context, version int64, n int) (built, level int64, people []int64, err error)
}

// level is how far an index has followed the records.
type level struct{ built, version int64 }

// listCache holds the lists of the latest searches, separately for each caller, so that response times reveal nothing
// about other callers. It takes at most 80 MB.
type listCache struct {
	journal Journal
	kept    *lru.Cache[string, cachedList]
}

// cachedLists is how many lists are kept.
const cachedLists = 256

// mostWritten is the most people written since a list was made for which it is updated; after more writes it is made
// anew.
const mostWritten = 300

// cachedList is the list of a search at an index level.
type cachedList struct {
	level  level
	tiers  []query.Query
	sortBy query.Field
	people []candidate
	circle string // the circle that the classes refer to
}

func newListCache(j Journal) listCache {
	kept, _ := lru.New[string, cachedList](cachedLists) // fails for a size of 0 only
	return listCache{journal: j, kept: kept}
}

// level returns the level that a list made from now on has at least.
func (c listCache) level(ctx context.Context) (at level, err error) {
	if c.journal != nil {
		at.built, at.version, _, err = c.journal.Written(ctx, math.MaxInt64, 0)
	}
	return at, err
}

// loadList takes the cached list, if any, and brings it in sync with later writes.
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

// replace queries people again whose membership in a list is no longer known.
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

// saveList caches the list for the next time.
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
