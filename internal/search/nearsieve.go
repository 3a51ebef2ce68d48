package search

import (
	"kith/index"
	"kith/internal/network"
)

// sieving is what is known of the people within reach without asking the engine.
type sieving struct {
	// by are the sieves of the tiers, nil for one of which nothing can be told;
	// none where the engine has none.
	by []index.Sieve
	// narrowed are the people of some classes, in order, without those who cannot
	// satisfy the search.
	narrowed map[network.Class][]network.Ranked
}

// common is the share of people who satisfy a search from which on those who do
// are soon among any who are asked for.
const common = 1.0 / 16

// sieve asks for sieves, unless so few satisfy the search that to list them costs
// less, or so many that no one need be left out. With sieves a list that is not
// remembered is worth it for few.
func (w *near) sieve() error {
	n, tried := w.svc.matching.Get("may" + w.key())
	if tried && n < w.rare || w.selectivity() > common || w.asked.sortBy != "" {
		return nil
	}
	sieves, err := w.svc.cfg.Index.Sieves(w.ctx, w.tier)
	if err != nil || len(sieves) == 0 || sieves[len(sieves)-1] == nil {
		return err
	}
	w.sieving = sieving{by: sieves, narrowed: map[network.Class][]network.Ranked{}}
	w.do = 0
	if w.svc.lists.journal == nil {
		w.may = min(w.may, w.rare)
	}
	return nil
}

// sieved reports whether there is a sieve for the whole search.
func (w *near) sieved() bool { return len(w.by) > 0 }

// narrow leaves those of a class who may satisfy the search, where that is a
// class of not so many.
func (w *near) narrow(class network.Class) error {
	_, done := w.narrowed[class]
	if done || !w.sieved() || w.circle.Count(class) > w.sizes.whole {
		return nil
	}
	all, err := w.svc.cfg.Network.ByRank(w.ctx, w.circle, class)
	if err != nil {
		return err
	}
	left := pick(w.by[len(w.by)-1], all)
	if len(left) == 0 {
		w.probed += len(all)
	}
	w.narrowed[class] = left
	return nil
}

// pick returns those whom a sieve leaves.
func pick(sieve index.Sieve, all []network.Ranked) []network.Ranked {
	may := sieve(rankedIDs(all))
	left := make([]network.Ranked, 0, len(may))
	for _, r := range all {
		if len(left) < len(may) && r.ID == may[len(left)] {
			left = append(left, r)
		}
	}
	return left
}

// weight is for how many people of a class one who is left stands.
func (w *near) weight(class network.Class) float64 {
	if left := len(w.narrowed[class]); left > 0 {
		return float64(w.circle.Count(class)) / float64(left)
	}
	return 1
}

// sieveStep is how many people go through a sieve at once.
const sieveStep = 512

// pieceOf takes the next piece of a class: people to ask for, and how many were
// looked at for it.
func (w *near) pieceOf(ranked []network.Ranked, tier int) (people []network.Ranked, looked int) {
	n := w.piece()
	if !w.sieved() {
		n = min(n, len(ranked))
		return ranked[:n], n
	}
	for len(people) < n && looked < len(ranked) && looked < w.sizes.last {
		step := min(sieveStep, len(ranked)-looked)
		left := pick(w.by[len(w.by)-1], ranked[looked:looked+step]) // the last tier holds of everyone
		if w.by[tier] != nil {
			left = pick(w.by[tier], left)
		}
		people, looked = append(people, left...), looked+step
	}
	return people, looked
}

// count is how many people of a class there are to ask for.
func (w *near) count(class network.Class) int {
	if left, ok := w.narrowed[class]; ok {
		return len(left)
	}
	return w.circle.Count(class)
}

// ranked lists them in order.
func (w *near) ranked(class network.Class) ([]network.Ranked, error) {
	if left, ok := w.narrowed[class]; ok {
		return left, nil
	}
	return w.svc.cfg.Network.ByRank(w.ctx, w.circle, class)
}

// idsIn lists those of some classes in any order.
func (w *near) idsIn(classes []network.Class) []int64 {
	var ids []int64
	for _, class := range classes {
		if left, ok := w.narrowed[class]; ok {
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
