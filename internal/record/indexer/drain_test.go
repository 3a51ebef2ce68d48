package indexer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// These make lines of load files.
var lines, at, worksAt = recordtest.Lines, recordtest.Person, recordtest.Employee

// found returns the record of every person that searches find, by id.
func found(t testing.TB, s index.Searcher) map[int64]string {
	t.Helper()
	hits, err := s.Find(context.Background(), index.People, index.FindRequest{Query: query.All{}, Limit: 1 << 20})
	expect.NoError(t, err)
	records := map[int64]string{}
	for _, h := range hits {
		var p kith.Person
		expect.NoError(t, json.Unmarshal(h.Record, &p))
		records[h.ID] = asJSON(t, p)
	}
	return records
}

// stored returns the records that searches should find.
func stored(t testing.TB, s *recordtest.Store) map[int64]string {
	t.Helper()
	want := map[int64]string{}
	ids, _ := s.IDs(t.Context(), record.People, 0, 1<<20)
	people, _ := s.PeopleByID(t.Context(), ids)
	for _, p := range people {
		want[p.Person.ID] = asJSON(t, p.Person.Result())
	}
	return want
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	expect.NoError(t, err)
	return string(text)
}

func checkSame(t testing.TB, s *recordtest.Store, ix index.Searcher) {
	t.Helper()
	got, want := found(t, ix), stored(t, s)
	for id, w := range want {
		if got[id] != w {
			t.Fatalf("person %d is indexed as\n%s\nand stored as\n%s", id, got[id], w)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d people are indexed, %d stored", len(got), len(want))
	}
}

// engine is an index that can be made to fail.
type engine struct {
	*memindex.Index
	mu sync.Mutex
	// fail, if set, is called before each write call and decides its error.
	fail func(call string, docs []indexed.Flat) error
}

func (e *engine) check(call string, docs []indexed.Flat) error {
	e.mu.Lock()
	fail := e.fail
	e.mu.Unlock()
	if fail == nil {
		return nil
	}
	return fail(call, docs)
}

func (e *engine) set(fail func(call string, docs []indexed.Flat) error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fail = fail
}

func (e *engine) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	if err := e.check("write", docs); err != nil {
		return err
	}
	return e.Index.Write(ctx, c, versions, docs, deletes)
}

func (e *engine) Refresh(ctx context.Context) error {
	return errors.Join(e.check("refresh", nil), e.Index.Refresh(ctx))
}

func (e *engine) Create(ctx context.Context) (string, error) {
	if err := e.check("create", nil); err != nil {
		return "", err
	}
	return e.Index.Create(ctx)
}

func (e *engine) Complete(ctx context.Context, name string) error {
	if err := e.check("complete", nil); err != nil {
		return err
	}
	return e.Index.Complete(ctx, name)
}

func (e *engine) Activate(ctx context.Context, name string) error {
	if err := e.check("activate", nil); err != nil {
		return err
	}
	return e.Index.Activate(ctx, name)
}

func (e *engine) Drop(ctx context.Context, name string) error {
	if err := e.check("drop", nil); err != nil {
		return err
	}
	return e.Index.Drop(ctx, name)
}

func errAway() error { return kith.Unreachable("memory", errors.New("refused")) }

func newDrainer(s *recordtest.Store, e index.Writer) *indexer.Drainer {
	return indexer.NewDrainer(s, e, zerolog.Nop())
}

// newSynced returns a drainer whose index was in sync before anything was stored. Every change must
// then come through the queue.
func newSynced(t testing.TB, s *recordtest.Store, e index.Writer) *indexer.Drainer {
	t.Helper()
	d := newDrainer(s, e)
	expect.NoError(t, d.Drain(t.Context()))
	return d
}

// fillStore loads n people at a few companies.
func fillStore(t testing.TB, s *recordtest.Store, n int) {
	t.Helper()
	var text strings.Builder
	for i := range n {
		text.WriteString(worksAt(fmt.Sprintf("P%d", i), fmt.Sprintf(`{"name":"Company %d"}`, i%7)) + "\n")
	}
	recordtest.Load(t, s, record.People, text.String())
}

func TestDrainAppliesEveryChange(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	d := newSynced(t, s, ix)
	fillStore(t, s, 50)
	expect.NoError(t, d.Drain(t.Context()))
	checkSame(t, s, ix)
	recordtest.Load(t, s, record.Companies, lines(`{"name":"Company 3","industry":"Retail"}`))
	_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/p7")
	expect.NoError(t, err)
	if n, err := d.Backlog(t.Context()); err != nil || n < 3 {
		t.Fatalf("backlog %d, %v", n, err)
	}
	expect.NoError(t, d.Drain(t.Context()))
	checkSame(t, s, ix)
	if n, err := d.Backlog(t.Context()); err != nil || n != 0 {
		t.Fatalf("backlog %d, %v", n, err)
	}
	if n, err := ix.Count(t.Context(), index.Companies, query.All{}, 0); err != nil || n != 7 {
		t.Fatalf("%d companies, %v", n, err)
	}
}

// An outage of the engine loses no change, and is logged once.
func TestRunLogsAnOutageOnce(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	var log bytes.Buffer
	newSynced(t, s, e)
	d := indexer.NewDrainer(s, e, zerolog.New(&log).Level(zerolog.InfoLevel))
	failures := 0
	back := make(chan struct{})
	e.set(func(call string, _ []indexed.Flat) error {
		if call != "write" {
			return nil
		}
		if failures++; failures <= 2 {
			return errAway()
		}
		e.set(nil)
		close(back)
		return nil
	})
	// fail needs no lock: only one drainer calls it.
	ctx, cancel := context.WithCancel(t.Context())
	fillStore(t, s, 20)
	done := make(chan error)
	go func() { done <- d.Run(ctx) }()
	<-back
	expect.NoError(t, d.Drain(t.Context()))
	checkSame(t, s, e)
	fillStore(t, s, 40)
	for n := int64(1); n > 0; {
		n, _ = d.Backlog(t.Context())
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	checkSame(t, s, e)
	if logged := strings.Count(log.String(), "cannot be written"); logged != 1 {
		t.Fatalf("the outage was logged %d times:\n%s", logged, log.String())
	}
}

// The drainer reports records as visible only once the queue is empty and the engine has refreshed.
func TestDrainReportsTheVisibleVersion(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newSynced(t, s, e)
	fillStore(t, s, 20)
	before := s.Seen
	e.set(func(call string, _ []indexed.Flat) error {
		if call == "refresh" {
			return errAway()
		}
		return nil
	})
	for range 2 { // the first empties the queue
		if err := d.Drain(t.Context()); err == nil || s.Seen != before {
			t.Fatalf("drain: %v; visible up to %d, before %d", err, s.Seen, before)
		}
	}
	e.set(nil)
	expect.NoError(t, d.Drain(t.Context()))
	if s.Seen != s.State.Seq {
		t.Fatalf("visible up to %d of %d", s.Seen, s.State.Seq)
	}
}

// A deletion stays queued until searches no longer find the person.
func TestDeletionStaysQueuedUntilVisible(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newSynced(t, s, e)
	recordtest.Load(t, s, record.People, lines(at("Ann", "")))
	expect.NoError(t, d.Drain(t.Context()))
	_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/ann")
	expect.NoError(t, err)
	e.set(func(call string, _ []indexed.Flat) error {
		if call == "refresh" {
			return errAway()
		}
		return nil
	})
	if err := d.Drain(t.Context()); err == nil {
		t.Fatal("the refresh did not fail")
	}
	if n, err := d.Backlog(t.Context()); n == 0 || err != nil {
		t.Fatalf("%d queued, %v", n, err)
	}
	e.set(nil)
	expect.NoError(t, d.Drain(t.Context()))
	if n, err := d.Backlog(t.Context()); n != 0 || err != nil {
		t.Fatalf("%d queued, %v", n, err)
	}
}

// Documents that the engine refuses are set aside. The others of their batch are indexed.
func TestRefusedDocumentsDoNotBlockOthers(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newSynced(t, s, e)
	fillStore(t, s, 40)
	bad := map[int64]bool{
		s.PersonNamed(t, "P3").ID: true, s.PersonNamed(t, "P4").ID: true, s.PersonNamed(t, "P39").ID: true,
	}
	e.set(func(call string, docs []indexed.Flat) error {
		for _, doc := range docs {
			if bad[doc.ID] {
				return fmt.Errorf("cannot parse document %d", doc.ID)
			}
		}
		return nil
	})
	expect.NoError(t, d.Drain(t.Context()))
	if got := len(found(t, e)); got != 37 {
		t.Fatalf("%d people are indexed", got)
	}
	if len(s.State.Refused) != 3 || !bad[s.State.Refused[0].ID] ||
		!strings.Contains(s.State.Refused[0].Reason, "cannot parse") {
		t.Fatalf("refused: %+v", s.State.Refused)
	}
	e.set(nil)
	expect.NoError(t, indexer.NewReindexer(d).Reindex(t.Context(), nil))
	checkSame(t, s, e)
}

func TestConcurrentDrainersLoseNothing(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	newSynced(t, s, ix)
	fillStore(t, s, 300)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 2 {
		d := newDrainer(s, ix)
		group.Go(func() { _ = d.Run(ctx) })
	}
	for i := range 10 {
		fillStore(t, s, 300+i*20)
	}
	expect.NoError(t, newDrainer(s, ix).Drain(t.Context()))
	cancel()
	group.Wait()
	checkSame(t, s, ix)
}

// An engine that never had these records, or has missed changes, is built from scratch.
func TestUnknownOrStaleEngineIsBuiltAnew(t *testing.T) {
	s, first := recordtest.NewStore(), memindex.New()
	fillStore(t, s, 30)
	expect.NoError(t, newDrainer(s, first).Drain(t.Context()))
	second := memindex.New()
	for range 3 { // so that its version names differ
		expect.NoError(t, second.Activate(t.Context(), create(t, second)))
	}
	wantComplete(t, newDrainer(s, first), true)
	wantComplete(t, newDrainer(s, second), false)
	expect.NoError(t, newDrainer(s, second).Drain(t.Context()))
	checkSame(t, s, second)
	wantComplete(t, newDrainer(s, second), true)
	s.BuiltName = strings.Replace(s.BuiltName, " format ", " format old", 1) // serves until its successor is built
	wantComplete(t, newDrainer(s, second), true)

	// Back to the first engine, which has missed a change and a deletion.
	fillStore(t, s, 35)
	_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/p7")
	expect.NoError(t, err)
	expect.NoError(t, newDrainer(s, second).Drain(t.Context()))
	expect.NoError(t, newDrainer(s, first).Drain(t.Context()))
	checkSame(t, s, first)
}

func wantComplete(t *testing.T, d *indexer.Drainer, want bool) {
	t.Helper()
	got, err := d.State(t.Context())
	if expect.NoError(t, err); got.Complete != want {
		t.Errorf("in sync: %v", got.Complete)
	}
}

func create(t testing.TB, w index.Writer) string {
	t.Helper()
	name, err := w.Create(t.Context())
	expect.NoError(t, err)
	return name
}

func TestDeleteIsAllOrNothing(t *testing.T) {
	s := recordtest.NewStore()
	recordtest.Load(t, s, record.People, lines(at("Ann", `,"email":"Ann@x.example"`),
		at("Bob", `,"email":"both@x.example"`),
		at("Cid", `,"email":"both@x.example"`), at("Dan", "")))
	dan := s.PersonNamed(t, "Dan").ID
	keeper := indexer.NewKeeper(s)
	done, err := keeper.Delete(t.Context(), "ann@x.example", "both@x.example", "nobody", "dan")
	expect.NoError(t, err)
	for _, d := range done {
		if d.ID != 0 || d.Problem == "" {
			t.Errorf("got %+v, want no deletion if one identifier is unknown", d)
		}
	}
	if len(s.State.PersonRows) != 4 || len(s.State.Gone) != 0 {
		t.Fatalf("%d people are left, want 4", len(s.State.PersonRows))
	}
	done, err = keeper.Delete(t.Context(), "ann@x.example", "dan")
	expect.NoError(t, err)
	if done[0].Problem != "" || done[1].ID != dan {
		t.Fatalf("got %+v, want both deleted", done)
	}
	if len(s.State.PersonRows) != 2 || len(s.State.Gone) != 2 {
		t.Fatalf("%d people are left, want 2", len(s.State.PersonRows))
	}
}
