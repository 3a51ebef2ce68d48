package search

import (
	"cmp"
	"iter"
	"slices"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// candidate is someone who satisfies a search, or may.
type candidate struct {
	network.Ranked
	class network.Class
	// tier is the first tier that the person may satisfy; tiers for someone who
	// satisfies none.
	tier int8
	// fits is true where the person satisfies that tier, sure where the last in any
	// case.
	fits, sure bool
}

// candidates are all who satisfy a search, or may, wherever they stand.
type candidates struct {
	// people are in the order of searches: the highest rank first.
	people []candidate
	// by are the same by class, outside the last.
	by [outside + 1][]*candidate
	// changed is true where something was found out of them.
	changed bool
}

// placed is a person with the place in the order.
type placed struct {
	stage    int
	sort, id int64
}

func (p placed) compare(q placed) int {
	return cmp.Or(cmp.Compare(p.stage, q.stage), cmp.Compare(q.sort, p.sort), cmp.Compare(p.id, q.id))
}

// listWay is a way to list who satisfies a search.
type listWay struct {
	name  string
	loose bool
	// most is from how many people on it is given up.
	most int
}

// listings are the ways, the one first that costs less a person.
func (w *near) listings() []listWay {
	return []listWay{{"may", true, w.may}, {"do", false, w.do}}
}

// fewKnown reports whether few were listed the last time; known is false where it
// was not tried.
func (w *near) fewKnown() (few, known bool) {
	for _, l := range w.listings() {
		n, tried := w.svc.matching.Get(l.name + w.key())
		if !tried || n < l.most {
			return tried, tried
		}
	}
	return false, true
}

// maybeFew reports whether it is worth listing who satisfies the search: by what
// is known of it, or by how many did of those who were asked for so far.
func (w *near) maybeFew() bool {
	few, known := w.fewKnown()
	return few || !known && w.selectivity()*float64(w.svc.cfg.Network.People()) < 2*float64(w.may)
}

// straight lists all who satisfy the search, by tier, where hardly anyone did
// the last time.
func (w *near) straight() error {
	n, tried := w.svc.matching.Get("may" + w.key())
	if !tried || n > w.few {
		return nil
	}
	if err := w.readLevel(); err != nil {
		return err
	}
	found, err := w.each(func(q query.Query) query.Query { return q }, w.few+1, w.mostWanted(n))
	if last := len(found) - 1; err == nil && len(found[last]) <= w.few {
		w.setCandidates(w.decided(found))
	}
	return err
}

// listCandidates lists who satisfies the search, or may, unless they are too many.
func (w *near) listCandidates() error {
	for _, l := range w.listings() {
		name := l.name + w.key()
		if n, tried := w.svc.matching.Get(name); tried && n >= l.most || l.most == 0 {
			continue
		}
		if err := w.readLevel(); err != nil {
			return err
		}
		hits, err := w.svc.cfg.Index.Hits(w.ctx, index.FindRequest{
			Query: w.tier[len(w.tier)-1], SortBy: w.asked.sortBy, Limit: l.most, NoRecord: true, Loose: l.loose,
		})
		if err != nil {
			return err
		}
		w.svc.matching.Add(name, len(hits))
		if len(hits) < l.most {
			w.setCandidates(w.undecided(hits))
			return nil
		}
	}
	return nil
}

// undecided are people of whom it is not known which tiers they satisfy, unless
// there is but one and the engine says so.
func (w *near) undecided(hits []index.Hit) []candidate {
	people := make([]candidate, len(hits))
	for i, h := range hits {
		people[i] = candidate{Ranked: network.Ranked{ID: h.ID, Rank: h.Sort}, class: w.classOf(h.ID), sure: !h.Maybe, fits: !h.Maybe && len(w.tier) == 1}
	}
	return people
}

// decided are those whom each tier was found to have, with the first of theirs.
func (w *near) decided(found [][]index.Hit) []candidate {
	places := w.places(found)
	people := make([]candidate, len(places))
	for i, p := range places {
		people[i] = candidate{Ranked: network.Ranked{ID: p.id, Rank: p.sort}, class: network.Class(p.stage / tiers), tier: int8(p.stage % tiers), fits: true}
	}
	return people
}

// setCandidates sorts people, by their classes.
func (w *near) setCandidates(people []candidate) {
	slices.SortFunc(people, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.ID, b.ID)) })
	w.candidates = &candidates{people: people, changed: true}
	for i := range people {
		e := &people[i]
		w.candidates.by[e.class] = append(w.candidates.by[e.class], e)
	}
}

// open is someone of the list of whom it is asked which tier it is that the
// person satisfies: the first that is possible, up to another.
type open struct {
	*candidate
	upTo int8
}

// fromList adds those of the list who come next. Whoever may be one of them is
// decided first, some at a time.
func (w *near) fromList() error {
	few := 2*w.left + 8
	for n := few; ; {
		w.next = nil
		asked := w.takeListed(n)
		if len(asked) == 0 {
			return nil
		}
		fit, err := w.decide(asked, n == few)
		if err != nil {
			return err
		}
		n = min(4*n, w.sizes.last)
		if fit > 0 {
			n = min(n, 8+2*w.left*len(asked)/fit)
		}
	}
}

// takeListed adds people of the list as long as everyone before them is decided,
// and returns the first n who are to be decided before others can be added.
func (w *near) takeListed(n int) (asked []open) {
	for p, e := range w.listed() {
		switch {
		case !e.fits:
			asked = append(asked, open{e, w.upTo(p, e)})
		case len(asked) == 0:
			w.next = append(w.next, p)
		}
		if w.need() == 0 || len(asked) == n {
			break
		}
	}
	return asked
}

// upTo is up to which tier it is asked of someone who may come at a place: of a
// class of few all tiers are needed soon.
func (w *near) upTo(p placed, e *candidate) int8 {
	if len(w.candidates.by[e.class]) <= w.left {
		return int8(len(w.tier) - 1)
	}
	return int8(p.stage % tiers)
}

// listed are those of the list behind the cursor, in order. Who is undecided
// stands at the first place that is possible.
func (w *near) listed() iter.Seq2[placed, *candidate] {
	return func(yield func(placed, *candidate) bool) {
		for class, people := range w.candidates.by {
			if w.past(stageOf(network.Class(class), tiers-1)) || class == outside && w.noOneElse() {
				continue
			}
			for tier := range w.tier {
				for _, e := range people {
					if p := e.place(tier); w.stands(e, tier) && w.behind(p) && !yield(p, e) {
						return
					}
				}
			}
		}
	}
}

// place is where someone stands who satisfies a tier.
func (e *candidate) place(tier int) placed {
	return placed{stage: stageOf(e.class, tier), sort: e.Rank, id: e.ID}
}

// stands reports whether a tier is the first with which someone may come.
func (w *near) stands(e *candidate, tier int) bool {
	if e.fits || int(e.tier) >= tier {
		return int(e.tier) == tier
	}
	return !w.behind(e.place(tier - 1))
}

// behind reports whether a place lies behind the cursor.
func (w *near) behind(p placed) bool {
	return w.after == nil || p.compare(placed{stage: w.after.Stage, sort: w.after.Sort, id: w.after.ID}) > 0
}

// decide asks which tiers people of the list satisfy, and returns how many
// satisfy one that was asked for.
func (w *near) decide(asked []open, records bool) (fit int, err error) {
	found := make([][]index.Hit, len(w.tier))
	var group errgroup.Group
	for tier := range w.tier {
		var ids []int64
		for _, o := range asked {
			if int(o.tier) <= tier && tier <= int(o.upTo) {
				ids = append(ids, o.ID)
			}
		}
		if len(ids) == 0 {
			continue
		}
		group.Go(func() error {
			return kith.Safely(func() (err error) {
				found[tier], err = w.hits(index.Within(w.tier[tier], ids), nil, len(ids), records)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	have := make([]map[int64]bool, len(found))
	for tier, hits := range found {
		have[tier] = map[int64]bool{}
		for _, h := range hits {
			have[tier][h.ID] = true
			w.keep(h)
		}
	}
	for _, o := range asked {
		if o.settle(have, len(w.tier)-1); o.fits {
			fit++
		}
	}
	w.candidates.changed = true
	return fit, nil
}

// settle notes what was found of someone, among those of each tier.
func (o open) settle(found []map[int64]bool, last int) {
	e := o.candidate
	for ; e.tier <= o.upTo; e.tier++ {
		if e.fits = found[e.tier][e.ID]; e.fits {
			return
		}
	}
	e.fits = e.sure && int(e.tier) == last
}
