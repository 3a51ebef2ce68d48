package search

import (
	"cmp"
	"context"
	"iter"
	"slices"

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

func stageOf(class network.Class, tier int) int { return int(class)*tiers + tier }

// inside reports whether a cursor's stage is one of the people within reach.
func inside(stage int) bool { return stage < stageOf(outside, 0) }

// sizes decide in which way a class is searched.
type sizes struct {
	// few is up to how many people are asked for by their ids at once, all of
	// them, and put in order here.
	few int
	// many is up to how many people of a class are asked for by their ids, in
	// pieces, the highest rank first; more are found by going through everyone who
	// satisfies the search.
	many int
	// first and last bound such a piece.
	first, last int
	// matches is how many people may satisfy a search for which it is cheaper to
	// take all of them and see who is within reach.
	matches int
	// scan is how many people are gone through at once.
	scan int
	// dense is the share of everyone from which on a class is found by going
	// through those who satisfy the search, where that is more than the share of
	// people who satisfy it: whichever looks at fewer.
	dense float64
	// short is up to how many people come with their records, where it is known
	// that no more satisfy the search.
	short int
	// seldom is the share of people asked for by ids below which a search is taken
	// for one that few satisfy.
	seldom float64
}

// usual are the sizes that took least time with 1,000,000 people.
func usual() sizes {
	return sizes{few: 1000, many: 20_000, first: 512, last: 16_384, matches: 10_000, scan: 5000, dense: 1.0 / 64, short: 50, seldom: 0.01}
}

// near is one range over the people of a search, those within reach first. It
// gives the order of the stages in one of three ways, whichever costs least;
// all of them give the same people in the same order.
type near struct {
	*job
	sizes
	ctx   context.Context //nolint:containedctx // one range
	tier  []query.Query   // prepared, by tier; the last holds of everyone
	after *index.Cursor
	left  int
	yield func(index.Found, error) bool

	// asked and found tell how many people who were asked for satisfied the
	// search.
	asked, found int
	all          *matches
	// have are people whose records came along.
	have map[int64]index.Hit
	name string
}

// matches are those who satisfy a search, as far as they were looked for.
type matches struct {
	complete bool
	places   []placed
}

// placed is a person with the place in the order.
type placed struct {
	stage    int
	sort, id int64
}

func (p placed) compare(q placed) int {
	return cmp.Or(cmp.Compare(p.stage, q.stage), cmp.Compare(q.sort, p.sort), cmp.Compare(p.id, q.id))
}

// nearFirst yields at most n people behind a place, in the order of the stages;
// nil is the start.
func (r *run) nearFirst(after *index.Cursor, n int) iter.Seq2[index.Found, error] {
	return func(yield func(index.Found, error) bool) {
		w := &near{job: r.job, sizes: r.svc.sizes, ctx: r.ctx, after: after, left: n, yield: yield}
		if r.asked.exact != nil {
			w.tier = append(w.tier, index.Prepare(r.asked.exact))
		}
		w.tier = append(w.tier, index.Prepare(r.asked.query))
		if err := w.walk(); err != nil {
			yield(index.Found{}, err)
		}
	}
}

// block is a part of the order that is searched at once: some classes, or one
// tier of one class.
type block struct {
	classes []network.Class
	people  int
	tier    int
}

// blocks are the parts of the order, those before the cursor left out. Classes
// of few people are taken together.
func (w *near) blocks() []block {
	var out []block
	var few block
	flush := func() {
		if few.people > 0 {
			out = append(out, few)
		}
		few = block{}
	}
	for class := range network.Class(network.Classes) {
		n := w.circle.Count(class)
		if n == 0 || w.past(stageOf(class, tiers-1)) {
			continue
		}
		if n+few.people > w.few {
			flush()
		}
		if n <= w.few {
			few.classes, few.people = append(few.classes, class), few.people+n
			continue
		}
		for tier := range w.tier {
			if !w.past(stageOf(class, tier)) {
				out = append(out, block{classes: []network.Class{class}, people: n, tier: tier})
			}
		}
	}
	flush()
	return out
}

// past reports whether the cursor lies behind a whole stage.
func (w *near) past(stage int) bool { return w.after != nil && stage < w.after.Stage }

// walk goes through the order until the caller has enough.
func (w *near) walk() error {
	if n, known := w.svc.matching.Get(w.key()); known && n < w.few && w.look() {
		return w.listed(w.all.places)
	}
	for i, b := range w.blocks() {
		if i > 0 && b.people > w.few && w.look() {
			return w.listed(w.all.places)
		}
		if err := w.block(b); err != nil || w.left == 0 {
			return err
		}
		if w.known() {
			return w.listed(w.all.places) // found out within the block
		}
	}
	if w.noOneElse() {
		return nil
	}
	for tier := range w.tier {
		if err := w.beyond(tier); err != nil || w.left == 0 {
			return err
		}
	}
	return nil
}

// noOneElse reports whether no one but those within reach is asked for.
func (w *near) noOneElse() bool { return w.job.walk.Network != nil }

func (w *near) block(b block) error {
	class := b.classes[0]
	switch {
	case b.people <= w.few:
		return w.together(b)
	case b.people > w.many || w.share(b.people) > max(w.dense, w.selectivity()):
		return w.through(stageOf(class, b.tier), w.query(b.tier), func(id int64) bool { return w.circle.Is(class, id) }, w.share(b.people))
	case w.job.asked.sortBy != "":
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
	if w.asked == 0 {
		return 0
	}
	return float64(w.found) / float64(w.asked)
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
		Query: q, SortBy: w.job.asked.sortBy, After: after, Limit: limit, NoRecord: !records,
	})
}

// position is where a stage goes on; nil is its start.
func (w *near) position(stage int) *index.Position {
	if w.after == nil || w.after.Stage != stage {
		return nil
	}
	return &index.Position{Sort: w.after.Sort, ID: w.after.ID}
}

// give yields a person; false is the end of the range.
func (w *near) give(h index.Hit, stage int) bool {
	w.left--
	w.after = &index.Cursor{Stage: stage, Sort: h.Sort, ID: h.ID}
	if !w.yield(index.Found{Hit: h, Cursor: *w.after}, nil) {
		w.left = 0
	}
	return w.left > 0
}

// giveAll yields people who all belong to a stage.
func (w *near) giveAll(hits []index.Hit, stage int) {
	for _, h := range hits {
		if w.left == 0 || !w.give(h, stage) {
			return
		}
	}
}

// together searches among few people: it takes all who satisfy the search and puts
// them in order.
func (w *near) together(b block) error {
	ids := w.circle.People(b.classes...)
	places, err := w.placed(func(q query.Query) ([]index.Hit, error) {
		return w.hits(index.Within(q, ids), nil, len(ids), false)
	})
	w.asked, w.found = w.asked+len(ids), w.found+len(places)
	if err != nil {
		return err
	}
	return w.listed(places)
}

// placed finds people with each tier and says where in the order they stand.
func (w *near) placed(find func(query.Query) ([]index.Hit, error)) ([]placed, error) {
	last := len(w.tier) - 1
	hits, err := find(w.tier[last])
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	exact := map[int64]bool{}
	if last > 0 {
		first, err := find(w.tier[0])
		if err != nil {
			return nil, err
		}
		for _, h := range first {
			exact[h.ID] = true
		}
	}
	places := make([]placed, 0, len(hits))
	for _, h := range hits {
		class, within := w.circle.Of(h.ID)
		if !within {
			class = outside
		}
		tier := last
		if exact[h.ID] {
			tier = 0
		}
		if within || !w.noOneElse() {
			places = append(places, placed{stage: stageOf(class, tier), sort: h.Sort, id: h.ID})
		}
	}
	return places, nil
}

// listed yields people whose places are known, behind the cursor, in order.
func (w *near) listed(places []placed) error {
	if w.after != nil {
		at := placed{stage: w.after.Stage, sort: w.after.Sort, id: w.after.ID}
		places = slices.DeleteFunc(slices.Clone(places), func(p placed) bool { return p.compare(at) <= 0 })
	}
	slices.SortFunc(places, placed.compare)
	for len(places) > 0 && w.left > 0 {
		n := min(len(places), w.left)
		if err := w.records(places[:n]); err != nil {
			return err
		}
		places = places[n:]
	}
	return nil
}

// records yields people with their records; who is gone meanwhile is left out.
func (w *near) records(places []placed) error {
	ids := make([]int64, len(places))
	for i, p := range places {
		ids[i] = p.id
	}
	byID := w.have
	if byID == nil {
		hits, err := w.svc.cfg.Index.Hits(w.ctx, index.FindRequest{Query: query.IDs{Values: ids}, Limit: len(ids)})
		if err != nil {
			return err
		}
		byID = make(map[int64]index.Hit, len(hits))
		for _, h := range hits {
			byID[h.ID] = h
		}
	}
	for _, p := range places {
		if h, there := byID[p.id]; there {
			h.Sort = p.sort
			if !w.give(h, p.stage) {
				return nil
			}
		}
	}
	return nil
}

// pieces searches a class in pieces, the highest rank first: what one piece
// has comes before all that the next has.
func (w *near) pieces(class network.Class, tier int) error {
	stage, q := stageOf(class, tier), w.query(tier)
	ranked, err := w.svc.cfg.Network.ByRank(w.ctx, w.circle, class)
	if err != nil {
		return err
	}
	after := w.position(stage)
	if after != nil {
		i, _ := slices.BinarySearchFunc(ranked, *after, func(r network.Ranked, p index.Position) int {
			return cmp.Or(cmp.Compare(p.Sort, r.Rank), cmp.Compare(r.ID, p.ID))
		})
		ranked = ranked[i:]
	}
	for size := w.first; len(ranked) > 0; size = min(4*size, w.last) {
		n := min(size, len(ranked))
		ids := make([]int64, n)
		for i, r := range ranked[:n] {
			ids[i] = r.ID
		}
		ranked = ranked[n:]
		hits, err := w.hits(index.Within(q, ids), after, w.left, true)
		if err != nil {
			return err
		}
		if w.giveAll(hits, stage); w.left == 0 {
			return nil
		}
		w.asked, w.found = w.asked+n, w.found+len(hits)
		if len(ranked) > w.first && w.look() {
			return nil // the walk goes on with all who satisfy the search
		}
	}
	return nil
}

// whole searches a class that comes by a judgement.
func (w *near) whole(class network.Class, tier int) error {
	stage := stageOf(class, tier)
	hits, err := w.hits(index.Within(w.query(tier), w.circle.People(class)), w.position(stage), w.left, true)
	if err == nil {
		w.giveAll(hits, stage)
	}
	return err
}

// through goes through everyone who satisfies a query, in order, and keeps some:
// about a share of them, as far as it is known. Where most are kept their
// records come along.
func (w *near) through(stage int, q query.Query, keep func(int64) bool, share float64) error {
	after := w.position(stage)
	most := share > 0.5
	n := w.left + w.left/4 + 4
	if share > 0 {
		n = max(n, int(1.3*float64(w.left)/share))
	}
	for n = min(n, w.scan); ; n = min(4*n, w.scan) {
		hits, err := w.hits(q, after, n, most)
		if err != nil {
			return err
		}
		end := len(hits) < n
		if len(hits) > 0 {
			last := hits[len(hits)-1]
			after = &index.Position{Sort: last.Sort, ID: last.ID}
		}
		passed := len(hits)
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return !keep(h.ID) })
		if err := w.kept(hits, stage, most); err != nil || w.left == 0 || end {
			return err
		}
		most = most && 2*len(hits) > passed
	}
}

// kept yields those whom a scan kept.
func (w *near) kept(hits []index.Hit, stage int, records bool) error {
	if records {
		w.giveAll(hits, stage)
		return nil
	}
	places := make([]placed, 0, w.left)
	for _, h := range hits[:min(len(hits), w.left)] {
		places = append(places, placed{stage: stage, sort: h.Sort, id: h.ID})
	}
	if len(places) == 0 {
		return nil
	}
	return w.records(places)
}

// beyond searches among everyone who is not within reach.
func (w *near) beyond(tier int) error {
	stage := stageOf(outside, tier)
	if w.past(stage) {
		return nil
	}
	if w.circle.Size() > w.few {
		return w.through(stage, w.query(tier), func(id int64) bool { return !w.circle.Contains(id) }, max(1-w.share(w.circle.Size()), 0.01))
	}
	hits, err := w.hits(index.Without(w.query(tier), w.circle.People()), w.position(stage), w.left, true)
	if err == nil {
		w.giveAll(hits, stage)
	}
	return err
}

// look reports whether all who satisfy the search are known, after it has
// looked for them, once: where it is likely that few do, further.
func (w *near) look() bool {
	if w.all == nil {
		w.all = w.everyone()
	}
	return w.known()
}

// known reports whether all who satisfy the search are known.
func (w *near) known() bool { return w.all != nil && w.all.complete }

// rare reports whether few of those who were asked for satisfied the search.
func (w *near) rare() bool { return w.asked > 0 && w.selectivity() < w.seldom }

// everyone looks for all who satisfy the search, up to a number. An error will
// show again in the way that is taken instead.
func (w *near) everyone() *matches {
	last, wasKnown := w.svc.matching.Get(w.key())
	brief := wasKnown && last <= w.short
	tooMany, most := false, 0
	have := map[int64]index.Hit{}
	places, err := w.placed(func(q query.Query) ([]index.Hit, error) {
		limit := max(w.few, 1)
		hits, err := w.hits(q, nil, limit, brief)
		if err == nil && len(hits) == limit && w.rare() {
			at := hits[len(hits)-1]
			first := limit
			limit = w.matches
			var more []index.Hit
			more, err = w.hits(q, &index.Position{Sort: at.Sort, ID: at.ID}, limit-first, brief)
			hits = append(hits, more...)
		}
		for _, h := range hits {
			have[h.ID] = h
		}
		most, tooMany = max(most, len(hits)), tooMany || len(hits) == limit
		return hits, err
	})
	if err == nil {
		w.svc.matching.Add(w.key(), most)
	}
	complete := err == nil && !tooMany
	if brief && complete {
		w.have = have
	}
	return &matches{places: places, complete: complete}
}

// key stands for the search, whoever asks it.
func (w *near) key() string {
	if w.name == "" {
		digest, _ := w.identity() // a search without a name is not remembered well, and found all the same
		w.name = string(digest)
	}
	return w.name
}
