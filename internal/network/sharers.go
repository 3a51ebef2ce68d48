package network

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"kith"
)

// Stamp says in what state the things are that a circle is made of.
type Stamp struct {
	// Network changes with the caller's relationships, Records whenever a person
	// or a company is written, and Sharing when a user of the app changes whom it shares with,
	// or who is in a team.
	Network, Records, Sharing int64
	// Sharers are those whose shares count for the caller, by user.
	Sharers []Sharer
	// Seen names whose records the caller may see.
	Seen string
	Day  Day
	// People is about how many people there are; 0 where nobody has counted.
	People int64
}

func (s Stamp) same(o Stamp) bool { return s.sameBut(o) && s.Records == o.Records }

// sameBut reports whether nothing but records differs, as far as it counts for
// the caller.
func (s Stamp) sameBut(o Stamp) bool {
	return s.Network == o.Network && s.Seen == o.Seen && s.Day == o.Day && slices.Equal(s.Sharers, o.Sharers)
}

// SharerStore tells who shares with a user, and whether that may have changed.
type SharerStore interface {
	// Stamp is the present state. Its sharers are those of the given ones who are
	// still users, with their present versions; Day is left to the caller. What is
	// read after it is at least as new.
	Stamp(ctx context.Context, user int64, sharers []Sharer) (Stamp, error)
	// Sharers returns those whose shares count for a user.
	Sharers(ctx context.Context, user int64) ([]Sharer, error)
	// Recast reports whether people written since a state may have made or
	// unmade someone the person of a sharer. It may be wrong in saying so.
	Recast(ctx context.Context, user int64, sharers []Sharer, records int64) (bool, error)
}

// stamp is the present state. Who the sharers are is worked out anew only where
// it may have changed: among many users who share it takes its time.
func (c *Circles) stamp(ctx context.Context, a kith.Actor) (Stamp, error) {
	key := "p" + strconv.FormatInt(a.UserID, 10)
	kept, known := cached[Stamp](c.kept, key)
	stamp, err := c.store.Stamp(ctx, a.UserID, kept.Sharers)
	if err != nil {
		return stamp, err
	}
	c.people.Store(max(stamp.People, 0))
	stamp.Day = c.today()
	slices.SortFunc(stamp.Sharers, bySharer)
	known = known && stamp.Network == kept.Network && stamp.Sharing == kept.Sharing &&
		len(stamp.Sharers) == len(kept.Sharers)
	if known && stamp.Records != kept.Records {
		recast, err := c.store.Recast(ctx, a.UserID, kept.Sharers, kept.Records)
		if err != nil {
			return stamp, err
		}
		known = !recast
	}
	if !known {
		if stamp.Sharers, err = c.store.Sharers(ctx, a.UserID); err != nil {
			return stamp, fmt.Errorf("who shares: %w", err)
		}
		slices.SortFunc(stamp.Sharers, bySharer)
	}
	if !known || stamp.Records != kept.Records {
		c.kept.put(key, stamp, 200+sharerBytes*len(stamp.Sharers))
	}
	return stamp, nil
}

// sharerBytes is how much memory a sharer takes.
const sharerBytes = 48

func bySharer(a, b Sharer) int {
	return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Introducer, b.Introducer))
}

// stillShared reports whether all that some shared is still shared by others
// now; both are in order.
func stillShared(then, now []Sharer) bool {
	return !slices.ContainsFunc(then, func(s Sharer) bool {
		i, there := slices.BinarySearchFunc(now, s, bySharer)
		return !there || !s.holds(now[i])
	})
}

// holds reports whether all that s shared is still shared by now.
func (s Sharer) holds(now Sharer) bool {
	now.Version = s.Version
	return s == now
}
