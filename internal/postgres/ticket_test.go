package postgres_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/operation/tasks"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/refresh"
	"kith/internal/record/source"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Users look at ended tasks, request the same people again, or tidy up at the same time. The
// transactions wait for each other, and none fails.
func TestConcurrentTicketsDoNotDeadlock(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	queue, err := tasks.New(db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	user, ctx, tickets := firstUser(t, db), t.Context(), db.Tickets(queue)
	for round := range 20 {
		var profiles []refresh.Profile
		for _, i := range rand.Perm(100) {
			key := fmt.Sprintf("social.example/in/p%d-%d", round, i)
			profiles = append(profiles, refresh.Profile{Key: key, URL: "https://" + key})
		}
		ids, err := tickets.Open(ctx, user, profiles, tasks.Now)
		expect.NoError(t, err)
		_, err = db.Pool().Exec(ctx, "update river_job set state = 'completed', finalized_at = now() where state = "+
			"'available'")
		expect.NoError(t, err)
		var all errgroup.Group
		all.Go(func() error { _, err := tickets.Look(ctx, ids); return err })
		all.Go(func() error { return tickets.Tidy(ctx, time.Now().Add(-refresh.Lifetime)) })
		all.Go(func() error { _, err := tickets.Open(ctx, user, profiles[:50], tasks.Now); return err })
		if err := all.Wait(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

// From the hundredth on, refreshes of one user have a lower priority than those of others, in real time or not.
func TestLargeRefreshesDoNotDelayOtherUsers(t *testing.T) {
	db := pgtest.NewDataset(t)
	queue, err := tasks.New(db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	app, tickets := pgtest.App(t, db, "acme"), db.Tickets(queue)
	open := func(user, name string, n int, priority int) {
		t.Helper()
		profiles := make([]refresh.Profile, n)
		for i := range profiles {
			key := fmt.Sprintf("social.example/in/%s-%d", name, i)
			profiles[i] = refresh.Profile{Key: key, URL: "https://" + key}
		}
		_, err := tickets.Open(t.Context(), pgtest.User(t, db, app, user, user+"@example.com").UserID, profiles,
			priority)
		expect.NoError(t, err)
	}
	order := func() (names []string) {
		t.Helper()
		rows, err := db.Pool().Query(t.Context(), `select substring(args ->> 'key' from '/in/(.*)-') from river_job
			where finalized_at is null group by 1 order by min(priority), min(id)`) // as River takes them
		expect.NoError(t, err)
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		expect.NoError(t, err)
		return names
	}
	open("greedy", "first", 100, tasks.Now)
	open("greedy", "second", 100, tasks.Now)
	open("other", "soon", 1, tasks.Soon)
	open("other", "now", 1, tasks.Now)
	if got, want := order(), []string{"first", "now", "soon", "second"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
	pgtest.Exec(t, db, "update river_job set state = 'completed', finalized_at = now()")
	open("other", "late", 1, tasks.Soon)
	open("greedy", "third", 1, tasks.Now)
	if got, want := order(), []string{"third", "late"}; !slices.Equal(got, want) {
		t.Errorf("after the tasks have ended the order is %v, want %v", got, want)
	}
}

// A request for people who are already being refreshed does not count against the limit.
func TestOpenRefreshesOfAUserAreBounded(t *testing.T) {
	db := pgtest.NewDataset(t)
	queue, err := tasks.New(db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	app, tickets := pgtest.App(t, db, "acme"), db.Tickets(queue)
	user := pgtest.User(t, db, app, "greedy", "greedy@example.com").UserID
	open := func(user int64, names ...string) error {
		var profiles []refresh.Profile
		for _, name := range names {
			profiles = append(profiles, refresh.Profile{
				Key: "social.example/in/" + name,
				URL: "https://social.example/in/" + name,
			})
		}
		_, err := tickets.Open(t.Context(), user, profiles, tasks.Soon)
		return err
	}
	expect.NoError(t, open(user, "first"))
	pgtest.Exec(t, db, `insert into jobs (id, user_id, kind, work_id, social_key)
		select id || n, user_id, kind, work_id, social_key || n from jobs, generate_series(3,
		$1::int) n`, refresh.MaxOpen)
	if err := open(user, "first", "two", "more"); kith.KindOf(err) != kith.RateLimited {
		t.Errorf("two more than allowed: %v", err)
	}
	expect.NoError(t, open(user, "first", "last"))
	if err := open(user, "more"); kith.KindOf(err) != kith.RateLimited {
		t.Errorf("one more than allowed: %v", err)
	}
	expect.NoError(t, open(user, "first", "last"))
	expect.NoError(t, open(pgtest.User(t, db, app, "other", "other@example.com").UserID, "more"))
	pgtest.Exec(t, db, "update river_job set state = 'completed', finalized_at = now()")
	expect.NoError(t, open(user, "more"))
}

// A person erased during a request for refreshes is not stored. The request continues for the others.
func TestErasureDuringARequestDropsItsTickets(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	queue, err := tasks.New(db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	actor := kith.Actor{UserID: firstUser(t, db)}.Viewer()
	const gone, stays = "https://social.example/in/gone", "https://social.example/in/stays"
	forget := func() {
		_, err := forget(t.Context(), db, gone)
		expect.NoError(t, err)
	}
	s := refresh.New(refresh.Config{
		Source: nobody{}, Records: late{DB: db, then: sync.OnceFunc(forget)},
		Tickets: db.Tickets(queue), Logger: zerolog.Nop(),
	})
	answer, err := s.Refresh(t.Context(), actor, []string{gone, stays}, false)
	if err != nil || len(answer.TicketIDs) != 1 || len(answer.Failures) != 1 ||
		answer.Failures[0].Code != refresh.CodeSuppressed {
		t.Errorf("got the answer %+v, %v", answer, err)
	}
	var named int
	expect.NoError(t, db.Pool().QueryRow(t.Context(),
		"select (select count(*) from jobs j where j::text like '%gone%') + (select count(*) from river_job w where "+
			"w.args::text like '%gone%')").Scan(&named))
	if named != 0 {
		t.Errorf("the erased person is named in %d rows", named)
	}
}

// A person may be erased while a source is asked. Neither the answer of the source nor its earlier
// error stays with the task.
func TestErasureDeletesAnswersOfSources(t *testing.T) {
	db := pgtest.NewDataset(t)
	const profile = "https://social.example/in/gone"
	var asked atomic.Int64
	says := saying(func(ctx context.Context) (source.Record, error) {
		if asked.Add(1) == 1 {
			return source.Record{}, kith.Errorf(kith.Unavailable, "SOURCE_AWAY", "no word of Jane Gone")
		}
		_, err := forget(ctx, db, profile)
		return source.Record{Line: []byte(`{"full_name":"Jane Gone"`)}, err
	})
	s := refresh.New(refresh.Config{Source: says, Records: quoting{db}, Logger: zerolog.Nop()})
	queue, err := tasks.New(db.Pool(), tasks.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Work: []func(*river.Config){s.AddWork, pgtest.RetryAtOnce},
	})
	expect.NoError(t, err)
	s.Tickets = db.Tickets(queue)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ran := make(chan error, 1)
	go func() { ran <- queue.Run(ctx) }()
	_, err = s.Refresh(t.Context(), kith.Actor{UserID: firstUser(t, db)}.Viewer(), []string{profile}, true)
	expect.NoError(t, err)
	stop()
	if err := <-ran; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var named int
	expect.NoError(t, db.Pool().QueryRow(t.Context(),
		"select count(*) from river_job w where w::text like '%Gone%' or w::text like '%gone%'").Scan(&named))
	if asked.Load() != 2 || named != 0 {
		t.Errorf("the source was asked %d times; the erased person is named in %d rows", asked.Load(), named)
	}
}

// dying stores the answer of a source, and fails as if the process ended right after the commit.
type dying struct{ quoting }

func (d dying) Merge(ctx context.Context, f record.Fresh, rules record.Rules) (record.Merged, error) {
	_, err := loader.NewMerger(d.DB).Merge(ctx, f, rules)
	return record.Merged{}, cmp.Or(err, errors.New("the process ended"))
}

// A source is not asked again about a person whose answer was stored before a crash.
func TestSourceIsAskedOnceDespiteACrash(t *testing.T) {
	db := pgtest.NewDataset(t)
	const profile = "https://social.example/in/p1"
	var asked atomic.Int64
	says := saying(func(context.Context) (source.Record, error) {
		asked.Add(1)
		return source.Record{Line: []byte(`{"full_name":"Jane Doe","social_url":"` + profile + `"}`)}, nil
	})
	s := refresh.New(refresh.Config{Source: says, Records: dying{quoting{db}}, Logger: zerolog.Nop()})
	queue, err := tasks.New(db.Pool(), tasks.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Work: []func(*river.Config){s.AddWork, pgtest.RetryAtOnce},
	})
	expect.NoError(t, err)
	s.Tickets = db.Tickets(queue)
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- queue.Run(ctx) }()
	answer, err := s.Refresh(t.Context(), kith.Actor{UserID: firstUser(t, db)}.Viewer(), []string{profile}, true)
	stop()
	if ended := <-ran; !errors.Is(ended, context.Canceled) {
		t.Error(ended)
	}
	if err != nil || len(answer.People) != 1 || asked.Load() != 1 {
		t.Errorf("the source was asked %d times: %+v, %v", asked.Load(), answer, err)
	}
}

// After a day without a worker that has a source, refreshes fail with that reason. Later ones keep waiting.
func TestUnclaimedRefreshesFailAfterADay(t *testing.T) {
	db := pgtest.NewDataset(t)
	s := refresh.New(refresh.Config{Records: quoting{db}, Logger: zerolog.Nop()})
	queue, err := tasks.New(db.Pool(), tasks.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Work: []func(*river.Config){s.AddWork},
	})
	expect.NoError(t, err)
	s.Tickets = db.Tickets(queue)
	user := firstUser(t, db)
	ids, err := s.Tickets.Open(t.Context(), user, []refresh.Profile{
		{Key: "social.example/in/old", URL: "https://social.example/in/old"},
		{Key: "social.example/in/new", URL: "https://social.example/in/new"},
	}, tasks.Soon)
	expect.NoError(t, err)
	_, err = db.Pool().Exec(t.Context(),
		"update river_job set created_at = now() - interval '25 hours' where args ->> 'key' like '%old'")
	expect.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ran := make(chan error, 1)
	go func() { ran <- queue.Run(ctx) }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var old refresh.Status
	for old.Finished.IsZero() {
		<-tick.C
		old, err = s.Status(t.Context(), kith.Actor{UserID: user}.Viewer(), ids[0])
		expect.NoError(t, err)
	}
	stop()
	if err := <-ran; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if code, message, failed := old.Error(); !failed || code != refresh.CodeNoSource || message == "" {
		t.Errorf("the older refresh ended with %s: %s", code, message)
	}
	if young, err := s.Status(t.Context(), kith.Actor{UserID: user}.Viewer(), ids[1]); err != nil ||
		young.State != tasks.Waiting {
		t.Errorf("the younger refresh is %+v, %v", young, err)
	}
}

// saying is a source with the given answer.
type saying func(ctx context.Context) (source.Record, error)

func (s saying) Fetch(ctx context.Context, _ string) (source.Record, error) { return s(ctx) }

func (saying) Close() {}

// quoting is a dataset that refuses every record, and quotes it in the error.
type quoting struct{ *postgres.DB }

func (quoting) Merge(_ context.Context, f record.Fresh, _ record.Rules) (record.Merged, error) {
	return record.Merged{}, kith.Errorf(kith.Invalid, refresh.CodeRefused, "the line is refused: %s", f.Line)
}

// late is a dataset that runs a function right after the check for erased people.
type late struct {
	*postgres.DB
	then func()
}

func (l late) Suppressed(ctx context.Context, keys []string) (map[string]bool, error) {
	defer l.then()
	return l.DB.Suppressed(ctx, keys)
}

// Merge is never called here.
func (late) Merge(context.Context, record.Fresh, record.Rules) (record.Merged, error) {
	return record.Merged{}, nil
}

// nobody is a source that is never asked.
type nobody struct{ source.Source }
