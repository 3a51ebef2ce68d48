package search

import (
	"cmp"
	"slices"

	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// candidates are all who may satisfy a search, by class, outside the last, each
// in order.
type candidates struct {
	by [outside + 1][]network.Ranked
	// sure is true where all of them do.
	sure bool
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

// straight finds all who satisfy the search at once, where hardly anyone did the
// last time; ok is false where they are too many.
func (w *near) straight() (ok bool, err error) {
	n, tried := w.svc.matching.Get("may" + w.key())
	if !tried || n > w.few {
		return false, nil
	}
	found, err := w.each(func(q query.Query) query.Query { return q }, w.few+1, w.mostWanted(n))
	if err != nil || len(found[len(found)-1]) > w.few {
		return false, err
	}
	places := w.places(found)
	if w.noOneElse() {
		places = slices.DeleteFunc(places, func(p placed) bool { return !inside(p.stage) })
	}
	w.takeBehind(places)
	return true, nil
}

// gather lists who satisfies the search, or may, unless they are too many.
func (w *near) gather() error {
	for _, l := range w.listings() {
		name := l.name + w.key()
		if n, tried := w.svc.matching.Get(name); tried && n >= l.most || l.most == 0 {
			continue
		}
		hits, err := w.svc.cfg.Index.Hits(w.ctx, index.FindRequest{
			Query: w.tier[len(w.tier)-1], SortBy: w.run.asked.sortBy, Limit: l.most, NoRecord: true, Loose: l.loose,
		})
		if err != nil {
			return err
		}
		w.svc.matching.Add(name, len(hits))
		if len(hits) < l.most {
			w.enlist(hits)
			return nil
		}
	}
	return nil
}

// enlist sorts people into their classes.
func (w *near) enlist(hits []index.Hit) {
	slices.SortFunc(hits, func(a, b index.Hit) int { return cmp.Or(cmp.Compare(b.Sort, a.Sort), cmp.Compare(a.ID, b.ID)) })
	w.list = &candidates{sure: !slices.ContainsFunc(hits, func(h index.Hit) bool { return h.Maybe })}
	for _, h := range hits {
		if class := w.classOf(h.ID); class != outside || !w.noOneElse() {
			w.list.by[class] = append(w.list.by[class], network.Ranked{ID: h.ID, Rank: h.Sort})
		}
	}
}

// decided reports whether the list settles who comes next: all who are listed
// satisfy the search, which has one tier.
func (w *near) decided() bool { return w.list != nil && w.list.sure && len(w.tier) == 1 }

// takeListed adds those of the list who come next.
func (w *near) takeListed() {
	var places []placed
	for class, people := range w.list.by {
		for _, r := range people {
			places = append(places, placed{stage: stageOf(network.Class(class), 0), sort: r.Rank, id: r.ID})
		}
	}
	w.takeBehind(places)
}

// known are those of a class who are left by the list or by a sieve; ok is false
// where neither was asked.
func (w *near) known(class network.Class) (people []network.Ranked, ok bool) {
	if w.list != nil {
		return w.list.by[class], true
	}
	people, ok = w.narrowed[class]
	return people, ok
}

// count is how many people of a class there are to ask for.
func (w *near) count(class network.Class) int {
	if left, ok := w.known(class); ok {
		return len(left)
	}
	if class == outside {
		return 0
	}
	return w.circle.Count(class)
}

// ranked lists them in order.
func (w *near) ranked(class network.Class) ([]network.Ranked, error) {
	if left, ok := w.known(class); ok {
		return left, nil
	}
	return w.svc.cfg.Network.ByRank(w.ctx, w.circle, class)
}

// people lists those of some classes in any order.
func (w *near) people(classes []network.Class) []int64 {
	var ids []int64
	for _, class := range classes {
		if left, ok := w.known(class); ok {
			ids = append(ids, rankedIDs(left)...)
		} else {
			ids = append(ids, w.circle.People(class)...)
		}
	}
	return ids
}

func rankedIDs(people []network.Ranked) []int64 {
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	return ids
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
