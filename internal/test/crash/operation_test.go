package crash_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"kith/internal/test/effort"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

// operation is what a crash interrupts at each of its points. For all that the servers see, its process dies there: its
// connections close, no new one opens, and its context ends.
type operation struct {
	// template names the template of the databases, which fill fills; see [pgtest.CopyURL].
	template string
	fill     func(url string) error
	// try returns the operation and what checks it. check starts anew, repeats the operation if it may be repeated, and
	// checks that nothing is lost or done twice; acknowledged says that do returned without an error. Rounds on one
	// installation count from 0.
	try func(t *testing.T, round int) (
		do func(ctx context.Context, at servers) error, check func(t *testing.T, at servers, acknowledged bool),
	)
}

// servers are the servers of an installation.
type servers struct {
	database string
	// elasticsearch is the address of the engine, with the prefix of its indices; empty if Postgres is the engine.
	elasticsearch, prefix string
}

// How many of the other points the short part tries, with each engine. The seed chooses them.
const sampled, sampledElastic = 6, 3

// onPostgres crashes the operation with Postgres as the engine, each time on a copy of the database.
func (o operation) onPostgres(t *testing.T) {
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		at := func(t *testing.T) servers { return servers{database: pgtest.CopyURL(t, o.template, o.fill)} }
		var points []point
		t.Run("no crash", func(t *testing.T) { points = o.crash(t, at(t), 0, cut{}).points })
		for _, where := range choose(t, points, false) {
			t.Run(where.String(), func(t *testing.T) {
				t.Parallel()
				o.crash(t, at(t), 0, where)
			})
		}
	})
}

// onElasticsearch crashes the operation with Elasticsearch as the engine, time after time on one installation, because
// a copy of an index takes a second. The first failure ends it.
func (o operation) onElasticsearch(t *testing.T) {
	t.Run("elasticsearch", func(t *testing.T) {
		t.Parallel()
		at := servers{pgtest.CopyURL(t, o.template, o.fill), elastictest.URL(t), elastictest.Prefix(t)}
		again(t, at).createIndex(t)
		o.crash(t, at, 0, cut{}) // the first round has more to do than others
		points, round, crashes := o.crash(t, at, 1, cut{}).points, 1, 0
		for _, where := range choose(t, points, true) {
			round++
			if !t.Run(where.String(), func(t *testing.T) {
				if o.crash(t, at, round, where).crashed.Load() {
					crashes++
				}
			}) {
				return
			}
		}
		if crashes < (round-1)*3/4 { // what a round does may differ a little from the one before
			t.Errorf("%d of %d operations crashed: the others ended before they reached their point", crashes, round-1)
		}
	})
}

// crash runs the operation through proxies that have a cut, and checks it.
func (o operation) crash(t *testing.T, at servers, round int, where cut) *process {
	t.Helper()
	effort.Deadline(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := &process{cut: where, cancel: cancel}
	through, err := p.between(ctx, at)
	expect.NoError(t, err)
	do, check := o.try(t, round)
	err = do(ctx, through)
	p.end()
	if err != nil && !p.crashed.Load() {
		t.Fatalf("the operation failed before the crash: %v", err)
	}
	check(t, at, err == nil)
	return p
}

// cut is a point at which all connections end. The zero value is none.
type cut struct {
	// at is the number of the point, from 1.
	at   int
	kind point
	// executed is true if the server receives and executes what the process sends.
	executed bool
}

func (c cut) String() string {
	when := "before"
	if c.executed {
		when = "after"
	}
	return fmt.Sprintf("%s %d, %s", when, c.at, c.kind)
}

// choose returns the crashes to try: in the long part all of them, else those at points that commit, and a sample of
// the others. If Elasticsearch is the engine, commits in Postgres are others, too, and the seed chooses between before
// and after a request.
func choose(t *testing.T, points []point, elastic bool) []cut {
	t.Helper()
	seed := effort.Seed(t)
	var chosen, others []cut
	for i, cuts := range cutsAt(points) {
		switch {
		case effort.Long(), !elastic && points[i].commits():
			chosen = append(chosen, cuts...)
		case points[i] == request:
			chosen = append(chosen, cuts[(seed+uint64(i))%uint64(len(cuts))])
		default:
			others = append(others, cuts...)
		}
	}
	sample := sampled
	if elastic {
		sample = sampledElastic
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	if len(chosen) == 0 {
		t.Error("the operation commits nothing")
	}
	chosen = append(chosen, others[:min(sample, len(others))]...)
	t.Logf("%d crashes at %d points", len(chosen), len(points))
	return chosen
}

// cutsAt returns the crashes at each point, without those that leave the servers as another one does. Whatever commits
// is cut after the server has executed it and before the answer arrives, which is as before the next point. It is also
// cut before the server receives it, as is all else.
func cutsAt(points []point) [][]cut {
	cuts := make([][]cut, len(points))
	for i, kind := range points {
		if i == 0 || !points[i-1].commits() {
			cuts[i] = []cut{{at: i + 1, kind: kind}}
		}
		if kind.commits() {
			cuts[i] = append(cuts[i], cut{at: i + 1, kind: kind, executed: true})
		}
	}
	return cuts
}

// doing returns an operation on an opened dataset.
func doing(do func(ctx context.Context, d *dataset) error) func(ctx context.Context, at servers) error {
	return func(ctx context.Context, at servers) error {
		d, err := open(ctx, at)
		if err != nil {
			return err
		}
		defer d.Close()
		return do(ctx, d)
	}
}

// filling returns the filling of a template: the tables, some people in them and in the index, and what follows.
func filling(people int, then func(ctx context.Context, d *dataset) error) func(url string) error {
	return func(url string) error {
		ctx := context.Background()
		d, err := connect(ctx, servers{database: url})
		if err != nil {
			return err
		}
		defer d.Close()
		if err := d.Migrate(ctx); err != nil {
			return err
		}
		if err := errors.Join(d.useKeys(ctx), d.ix.Setup(ctx)); err != nil {
			return err
		}
		if _, err := d.load(ctx, persons(0, people)); err != nil {
			return err
		}
		return errors.Join(d.drain(ctx), then(ctx, d))
	}
}

func nothing(context.Context, *dataset) error { return nil }
