package search

import (
	"context"
	"iter"
	"math"

	"kith"
	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// Network knows who is within reach of callers; [network.Circles] does.
type Network interface {
	Now(ctx context.Context, a kith.Actor, f network.Filter) (*network.Circle, error)
	At(ctx context.Context, a kith.Actor, id string) (*network.Circle, error)
	Keep(ctx context.Context, circle *network.Circle) error
	// People is about how many people there are; 0 where it is not known.
	People() int
	ByRank(ctx context.Context, circle *network.Circle, class network.Class) ([]network.Ranked, error)
	Introducers(ctx context.Context, a kith.Actor, f network.Filter, targets []int64) (map[int64][]network.Introduction, error)
}

// The people within reach come by class, exact before close within a class,
// then everyone else, exact before close. A cursor's stage is the class or, for
// everyone else, outside, in steps of tiers.
const (
	tiers   = 2
	outside = network.Classes
)

// classOf is the class of someone, outside for those who are not within reach.
func (w *near) classOf(person int64) network.Class {
	if class, within := w.circle.Of(person); within {
		return class
	}
	return outside
}

func stageOf(class network.Class, tier int) int { return int(class)*tiers + tier }

// inside reports whether a cursor's stage is one of the people within reach.
func inside(stage int) bool { return stage < stageOf(outside, 0) }

// near is one range over the people of a search, those within reach first. It
// finds out who comes next in one of several ways, whichever costs least; all of
// them give the same people in the same order.
type near struct {
	*run
	sizes
	tier  []query.Query // prepared, by tier; the last holds of everyone
	after *index.Cursor
	left  int

	// next are people who come next, in order, fewer than left or as many.
	next []placed
	// scans go through everyone who satisfies a tier, from the start.
	scans [tiers]*scan
	// lastPiece is of how many people the last piece was.
	lastPiece int
	// of probed people matched satisfied the search.
	probed, matched int
	// candidates are all who may satisfy the search; nil where they are not listed.
	candidates *candidates
	// built and level are how far the index had followed the records before that.
	built, level int64
	sieving
	// digest is what key returns, once it was asked for.
	digest string
}

// nearFirst yields at most n people behind a place, in the order of the stages;
// nil is the start.
func (r *run) nearFirst(after *index.Cursor, n int) iter.Seq2[index.Found, error] {
	return func(yield func(index.Found, error) bool) {
		w := &near{run: r, sizes: r.svc.sizes, after: after, left: n}
		w.may = min(w.may, w.worthListing())
		if r.asked.exact != nil {
			w.tier = append(w.tier, index.Prepare(r.asked.exact))
		}
		w.tier = append(w.tier, index.Prepare(r.asked.query))
		for w.left > 0 {
			w.next = nil
			err := w.findNext()
			w.scans = [tiers]*scan{}
			end := w.need() > 0
			if err == nil {
				err = w.give(yield)
			}
			if err != nil {
				yield(index.Found{}, err)
			}
			if err != nil || end {
				return
			}
		}
	}
}

// worthListing is of how many people, who satisfy the search, it costs less to
// list all than to ask for as many ids as have those wanted among them: a person
// who is listed costs about a tenth of one who is asked for by the id.
func (w *near) worthListing() int {
	return int(math.Sqrt(10 * float64(w.left) * float64(max(w.svc.cfg.Network.People(), 1000))))
}

// need is how many people are still to be found.
func (w *near) need() int { return w.left - len(w.next) }

// block is a part of the order that is searched at once: some classes, or one
// tier of one class.
type block struct {
	classes []network.Class
	people  int
	tier    int
}

// blocks are the parts of the order, those before the cursor left out. Classes
// of few people are taken together.
func (w *near) blocks() iter.Seq2[block, error] {
	return func(yield func(block, error) bool) {
		var few block
		for class := range network.Class(outside) {
			if w.past(stageOf(class, tiers-1)) {
				continue
			}
			if err := w.narrow(class); err != nil {
				yield(block{}, err)
				return
			}
			n := w.count(class)
			if few.people > 0 && n+few.people > w.small() {
				if !yield(few, nil) {
					return
				}
				few = block{}
			}
			switch {
			case n == 0:
			case n <= w.small():
				few.classes, few.people = append(few.classes, class), few.people+n
			case !w.inTiers(class, n, yield):
				return
			}
		}
		if few.people > 0 {
			yield(few, nil)
		}
	}
}

// inTiers yields the tiers of a class of many.
func (w *near) inTiers(class network.Class, people int, yield func(block, error) bool) bool {
	for tier := range w.tier {
		if !w.past(stageOf(class, tier)) && !yield(block{classes: []network.Class{class}, people: people, tier: tier}, nil) {
			return false
		}
	}
	return true
}

// small is up to how many people are asked for at once, whatever classes they
// are of: fewer where most of them satisfy the search.
func (w *near) small() int {
	if !w.sieved() {
		return w.few
	}
	return min(w.few, 2*w.need())
}

// past reports whether the cursor lies behind a whole stage.
func (w *near) past(stage int) bool { return w.after != nil && stage < w.after.Stage }

// findNext finds as many people as the caller wants, or all that there are.
func (w *near) findNext() error {
	for _, find := range []func() error{w.loadList, w.straight, w.inParts} {
		if err := find(); err != nil {
			return err
		}
		if w.candidates != nil {
			defer w.saveList()
			return w.fromList()
		}
	}
	return nil
}

// inParts finds people in one part of the order after the other, unless it finds
// out that few satisfy the search, and lists them.
func (w *near) inParts() error {
	w.recall()
	defer w.remember()
	if err := w.sieve(); err != nil {
		return err
	}
	if few, _ := w.fewKnown(); few {
		if err := w.listCandidates(); err != nil || w.candidates != nil {
			return err
		}
	}
	if err := w.inBlocks(); err != nil || w.candidates != nil || w.need() == 0 || w.noOneElse() {
		return err
	}
	for tier := range w.tier {
		if err := w.beyond(tier); err != nil || w.need() == 0 {
			return err
		}
	}
	return nil
}

// inBlocks finds people within reach in one block after the other, until there
// are enough, or a list of all.
func (w *near) inBlocks() error {
	first := true
	for b, err := range w.blocks() {
		if err != nil {
			return err
		}
		if !first && w.maybeFew() {
			if err := w.listCandidates(); err != nil || w.candidates != nil {
				return err
			}
		}
		first = false
		if err := w.block(b); err != nil || w.candidates != nil || w.need() == 0 {
			return err
		}
	}
	return nil
}

// noOneElse reports whether no one but those within reach is asked for.
func (w *near) noOneElse() bool { return w.walk.Network != nil }

func (w *near) block(b block) error {
	class := b.classes[0]
	switch {
	case len(b.classes) > 1 || b.people <= w.small():
		return w.together(b)
	case b.people > w.many, !w.sieved() && w.share(b.people) > max(w.dense, w.selectivity()):
		return w.through(stageOf(class, b.tier), b.tier, func(id int64) bool { return w.circle.Is(class, id) }, w.share(b.people))
	case w.asked.sortBy != "":
		return w.whole(class, b.tier)
	}
	return w.pieces(class, b.tier)
}

// share is the share of everyone that some people are; 0 where it is not known.
func (w *near) share(people int) float64 {
	if all := w.svc.cfg.Network.People(); all > 0 {
		return min(1, float64(people)/float64(all))
	}
	return 0
}

// selectivity is the share of the people asked for who satisfied the search; 0
// where none were.
func (w *near) selectivity() float64 {
	if w.probed == 0 {
		return 0
	}
	return float64(w.matched) / float64(w.probed)
}

// query is a tier without those of the tiers before.
func (w *near) query(tier int) query.Query {
	if tier == 0 {
		return w.tier[0]
	}
	return query.Simplify(query.And{Parts: []query.Query{w.tier[tier], query.Not{Part: w.tier[0]}}})
}

// hits asks the engine.
func (w *near) hits(q query.Query, after *index.Position, limit int, records bool) ([]index.Hit, error) {
	return w.svc.cfg.Index.Hits(w.ctx, index.FindRequest{
		Query: q, SortBy: w.asked.sortBy, After: after, Limit: limit, NoRecord: !records,
	})
}

// position is where a stage goes on; nil is its start.
func (w *near) position(stage int) *index.Position {
	if w.after == nil || w.after.Stage != stage {
		return nil
	}
	return &index.Position{Sort: w.after.Sort, ID: w.after.ID}
}

// take adds people of a stage to those who come next, as many as are wanted,
// with their records where they came along.
func (w *near) take(hits []index.Hit, stage int) {
	for _, h := range hits[:min(len(hits), w.need())] {
		w.next = append(w.next, placed{stage: stage, sort: h.Sort, id: h.ID})
		w.keep(h)
	}
}
