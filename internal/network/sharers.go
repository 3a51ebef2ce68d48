package network

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"kith"
)

// Stamp is the version of everything that a circle depends on.
type Stamp struct {
	// Network changes with the caller's relationships, Records with every write of a person or company, and Sharing
	// when a user of the app changes their sharing or a team changes its members.
	Network, Records, Sharing int64
	// Sharers are the users whose shares count for the caller, ordered by user.
	Sharers []Sharer
	// Seen identifies the owners whose records the caller may see.
	Seen string
	Day  Day
	// People is the approximate number of people; 0 if not counted.
	People int64
}

func (s Stamp) same(o Stamp) bool { return s.sameBut(o) && s.Records == o.Records }

// sameBut reports whether only Records may differ. Sharing is compared through Sharers.
func (s Stamp) sameBut(o Stamp) bool {
	return s.Network == o.Network && s.Seen == o.Seen && s.Day == o.Day && slices.Equal(s.Sharers, o.Sharers)
}

// SharerStore reports who shares with a user, and whether that may have changed.
type SharerStore interface {
	// Stamp returns the current stamp for a caller. Its sharers are the given ones who are still users, with their
	// current versions; Day is left to the caller. Anything read later is at least as new.
	Stamp(ctx context.Context, a kith.Actor, sharers []Sharer) (Stamp, error)
	// Sharers returns the users whose shares count for a user.
	Sharers(ctx context.Context, user int64) ([]Sharer, error)
	// SharersChanged reports whether people written since a record version may have changed which person a sharer is.
	// It may return a false positive.
	SharersChanged(ctx context.Context, user int64, sharers []Sharer, records int64) (bool, error)
}

// stamp returns the current stamp. It determines the sharers again only if they may have changed, because that is slow
// with many sharing users.
func (c *Circles) stamp(ctx context.Context, a kith.Actor) (Stamp, error) {
	key := "p" + strconv.FormatInt(a.UserID, 10)
	kept, known := cached[Stamp](c.kept, key)
	stamp, err := c.store.Stamp(ctx, a, kept.Sharers)
	if err != nil {
		return stamp, err
	}
	c.people.Store(max(stamp.People, 0))
	stamp.Day = DayOf(c.now())
	slices.SortFunc(stamp.Sharers, bySharer)
	known = known && stamp.Network == kept.Network && stamp.Sharing == kept.Sharing &&
		len(stamp.Sharers) == len(kept.Sharers)
	if known && stamp.Records != kept.Records {
		changed, err := c.store.SharersChanged(ctx, a.UserID, kept.Sharers, kept.Records)
		if err != nil {
			return stamp, err
		}
		known = !changed
	}
	if !known {
		if stamp.Sharers, err = c.store.Sharers(ctx, a.UserID); err != nil {
			return stamp, fmt.Errorf("sharers: %w", err)
		}
		slices.SortFunc(stamp.Sharers, bySharer)
	}
	if !known || stamp.Records != kept.Records {
		c.kept.put(key, stamp, 200+sharerBytes*len(stamp.Sharers))
	}
	return stamp, nil
}

// sharerBytes is the memory used by a sharer.
const sharerBytes = 48

func bySharer(a, b Sharer) int {
	return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Introducer, b.Introducer))
}

// stillShared reports whether everything shared then is still shared now; both lists are sorted.
func stillShared(then, now []Sharer) bool {
	return !slices.ContainsFunc(then, func(s Sharer) bool {
		i, there := slices.BinarySearchFunc(now, s, bySharer)
		return !there || !s.stillHolds(now[i])
	})
}

// stillHolds reports whether everything that s shared is still shared.
func (s Sharer) stillHolds(now Sharer) bool {
	now.Version = s.Version
	return s == now
}
