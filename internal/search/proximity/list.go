package proximity

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"kith/index"
	"kith/internal/network"
)

// candidate is a person who satisfies a search, or may.
type candidate struct {
	network.Ranked
	class network.Class
	// tier is the first tier that the person may satisfy; the number of tiers if the person satisfies none.
	tier int8
	// fits is true if the person satisfies that tier; sure is true if the person certainly satisfies the last tier.
	fits, sure bool
}

// position returns the position of a person who satisfies a tier.
func (c *candidate) position(tier int) index.Cursor {
	return index.Cursor{Stage: stageOf(c.class, tier), Sort: c.Rank, ID: c.ID}
}

// list holds everyone who satisfies a search, or may, in every class.
type list struct {
	tiers *tiers
	page  *page
	// people are in search order: highest rank first.
	people []candidate
	// byClass holds the same people by class, as far as the search asks for them: class outside is last, if included.
	byClass [][]*candidate
	level   level
	// changed is true if the list has learned something since it was loaded.
	changed bool
}

func (s *search) newList(people []candidate, at level) *list {
	slices.SortFunc(people, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.ID, b.ID))
	})
	var byClass [outside + 1][]*candidate
	for i := range people {
		c := &people[i]
		byClass[c.class] = append(byClass[c.class], c)
	}
	l := &list{tiers: &s.tiers, page: &s.page, people: people, byClass: byClass[:], level: at, changed: true}
	if s.circleOnly {
		l.byClass = byClass[:outside]
	}
	return l
}

// find adds the next people of the list to the page. It first decides the candidates among them, in growing batches of
// at most most.
func (l *list) find(ctx context.Context, most int) error {
	few := 2*l.page.left + 8
	for n := few; ; {
		l.page.next = nil
		asked := l.take(n)
		if len(asked) == 0 {
			return nil
		}
		fit, err := l.decide(ctx, asked, n == few)
		if err != nil {
			return err
		}
		n = min(4*n, most)
		if fit > 0 {
			n = min(n, 8+2*l.page.left*len(asked)/fit)
		}
	}
}

// take adds people to the page until it meets an undecided candidate, and returns the first n candidates to decide
// before others can be added.
func (l *list) take(n int) (asked []open) {
	for at, c := range l.ahead() {
		switch {
		case !c.fits:
			asked = append(asked, open{c, l.upTo(at, c)})
		case len(asked) == 0:
			l.page.next = append(l.page.next, at)
		}
		if l.page.need() == 0 || len(asked) == n {
			break
		}
	}
	return asked
}

// upTo returns the last tier to ask about for a person at a position: in a small class, all tiers are needed soon.
func (l *list) upTo(at index.Cursor, c *candidate) int8 {
	if len(l.byClass[c.class]) <= l.page.left {
		return int8(l.tiers.last())
	}
	return int8(tierOf(at.Stage))
}

// ahead yields the people still to come, in order. An undecided candidate is at its first possible position.
func (l *list) ahead() iter.Seq2[index.Cursor, *candidate] {
	return func(yield func(index.Cursor, *candidate) bool) {
		for class, people := range l.byClass {
			if l.page.hasPassed(stageOf(network.Class(class), maxTiers-1)) {
				continue
			}
			for tier := range l.tiers.conditions {
				for _, c := range people {
					if at := c.position(tier); l.stands(c, tier) && l.page.ahead(at) && !yield(at, c) {
						return
					}
				}
			}
		}
	}
}

// stands reports whether a tier is the first possible one for a person.
func (l *list) stands(c *candidate, tier int) bool {
	if c.fits || int(c.tier) >= tier {
		return int(c.tier) == tier
	}
	return !l.page.ahead(c.position(tier - 1))
}

// decide asks which tiers people of the list satisfy, and returns how many satisfy a tier asked about.
func (l *list) decide(ctx context.Context, asked []open, records bool) (fit int, err error) {
	found, err := l.tiers.findEach(ctx, func(tier int) index.FindRequest {
		var ids []int64
		for _, o := range asked {
			if o.asks(tier) {
				ids = append(ids, o.ID)
			}
		}
		return index.FindRequest{
			Query: index.Within(l.tiers.conditions[tier], ids), Limit: len(ids),
			NoRecord: !records,
		}
	})
	if err != nil {
		return 0, err
	}
	have := make([]map[int64]bool, len(found))
	for tier, hits := range found {
		have[tier] = map[int64]bool{}
		for _, h := range hits {
			have[tier][h.ID] = true
			l.page.buffer.keep(h)
		}
	}
	for _, o := range asked {
		if o.record(have); o.fits {
			fit++
		}
	}
	l.changed = true
	return fit, nil
}

// open is an undecided candidate with the range of tiers to ask about: from its first possible tier up to upTo.
type open struct {
	*candidate
	upTo int8
}

// asks reports whether to ask if the person satisfies a tier.
func (o open) asks(tier int) bool { return int(o.tier) <= tier && tier <= int(o.upTo) }

// record records the answers for a person; found has the people of each tier.
func (o open) record(found []map[int64]bool) {
	c := o.candidate
	for ; c.tier <= o.upTo; c.tier++ {
		if c.fits = found[c.tier][c.ID]; c.fits {
			return
		}
	}
	c.fits = c.sure && int(c.tier) == len(found)-1
}
