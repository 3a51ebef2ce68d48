package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/demo"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
)

// expectedVocabulary returns the vocabulary that the stored records should have.
func expectedVocabulary(t testing.TB, db *postgres.DB) (want *prompttest.Vocabulary, texts []string) {
	t.Helper()
	counts := map[analysis.Term]int{}
	ids, err := db.IDs(t.Context(), record.People, 0, 1<<20)
	expect.NoError(t, err)
	people, err := db.PeopleByID(t.Context(), ids)
	expect.NoError(t, err)
	for _, p := range people {
		doc, err := analysis.Person(p.Person, 0, 0)
		expect.NoError(t, err)
		for _, term := range analysis.PersonTerms(p.Person, doc) {
			counts[term]++
		}
	}
	ids, err = db.IDs(t.Context(), record.Companies, 0, 1<<20)
	expect.NoError(t, err)
	companies, err := db.CompaniesByID(t.Context(), ids)
	expect.NoError(t, err)
	for _, c := range companies {
		doc, err := analysis.Company(c.Company, 0, 0)
		expect.NoError(t, err)
		for _, term := range analysis.CompanyTerms(doc) {
			counts[term] += 0
		}
	}
	seen := map[string]bool{}
	for term := range counts {
		seen[term.Text] = true
	}
	return prompttest.Of(counts), slices.Sorted(maps.Keys(seen))
}

// checkVocabulary demands that the stored vocabulary is exactly that of the stored records.
func checkVocabulary(t testing.TB, db *postgres.DB) {
	t.Helper()
	want, texts := expectedVocabulary(t, db)
	terms := 0
	for some := range slices.Chunk(texts, prompt.MaxTerms) {
		expected, err := want.Known(t.Context(), kith.Operator(), some, nil)
		expect.NoError(t, err)
		got, err := db.Known(t.Context(), kith.Operator(), some, nil)
		expect.NoError(t, err)
		if !slices.Equal(got, expected) {
			t.Fatalf("known: %v\nwant: %v", got, expected)
		}
		terms += len(expected)
	}
	size, err := db.VocabularySize(t.Context())
	expect.NoError(t, err)
	if size != int64(terms) {
		t.Fatalf("%d terms are stored, want %d", size, terms)
	}
}

func drained(t testing.TB, db *postgres.DB) *indexer.Drainer {
	t.Helper()
	d := indexer.NewDrainer(db, memindex.New(), zerolog.Nop())
	expect.NoError(t, d.Drain(t.Context()))
	return d
}

func employee(name, company, title string) string {
	return fmt.Sprintf(`{"full_name":%q,"social_url":"https://social.example/in/%s","work_relevant":{"title":%q,`+
		`"company":{"name":%q},"start_date":"2020"}}`,
		name, slug(name), title, company)
}

func slug(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "-")) }

func TestVocabularyFollowsTheRecords(t *testing.T) {
	db := pgtest.NewDataset(t)
	d := drained(t, db)
	pgtest.Load(t, db, record.Companies,
		`{"name":"Nobody's Works Ltd","aliases":["NW"],"industry":"Mining","keywords":["coal"]}`)
	pgtest.Load(t, db, record.People, employee("Ann", "Acme Inc", "Engineer"), employee("Bob", "Acme Inc", "CTO"),
		employee("Cid", "Zeta", "Engineer"))
	expect.NoError(t, d.Drain(t.Context()))
	checkVocabulary(t, db)

	// Loading the same line again changes nothing, nor does a rerank.
	pgtest.Load(t, db, record.People, employee("Ann", "Acme Inc", "Engineer"))
	expect.NoError(t, indexer.NewKeeper(db).Rerank(t.Context(), nil, d.Drain))
	checkVocabulary(t, db)

	// Words of a change are known at once. After a reindex, counts are exact and unused words are gone.
	pgtest.Load(t, db, record.People, employee("Ann", "Acme Inc", "Data Engineer"))
	expect.NoError(t, d.Drain(t.Context()))
	found, err := db.Known(t.Context(), kith.Operator(), []string{"data engineer"}, nil)
	if expect.NoError(t, err); len(found) != 1 || found[0].People != 1 {
		t.Errorf("a new title is not known once: %v", found)
	}
	expect.NoError(t, indexer.NewReindexer(d).Reindex(t.Context(), nil))
	checkVocabulary(t, db)
}

func TestVocabularyForgetsDeletedPeople(t *testing.T) {
	db := pgtest.NewDataset(t)
	d := drained(t, db)
	pgtest.Load(t, db, record.People, employee("Annabel Rarename", "Acme", "Engineer"),
		employee("Bob Common", "Acme", "Engineer"))
	expect.NoError(t, d.Drain(t.Context()))
	_, err := indexer.NewKeeper(db).Delete(t.Context(), "annabel-rarename")
	expect.NoError(t, err)
	for _, drain := range []bool{false, true} {
		if drain {
			expect.NoError(t, d.Drain(t.Context()))
		}
		found, err := db.Known(
			t.Context(),
			kith.Operator(),
			[]string{"annabel", "rarename"},
			[]string{"annabell", "rarenamee"},
		)
		if expect.NoError(t, err); len(found) > 0 {
			t.Errorf("words of a deleted person are known: %v", found)
		}
		checkVocabulary(t, db)
	}

	// A person deleted before the drain was never counted.
	pgtest.Load(t, db, record.People, employee("Cid Common", "Acme", "Engineer"))
	_, err = indexer.NewKeeper(db).Delete(t.Context(), "cid-common")
	expect.NoError(t, err)
	checkVocabulary(t, db)
	expect.NoError(t, d.Drain(t.Context()))
	checkVocabulary(t, db)
}

// Names follow a change at once, so a person who is renamed and then deleted leaves no name.
func TestVocabularyForgetsFormerNames(t *testing.T) {
	db := pgtest.NewDataset(t)
	d := drained(t, db)
	named := func(name string) string {
		return fmt.Sprintf(`{"full_name":%q,"social_url":"https://social.example/in/ann"}`, name)
	}
	pgtest.Load(t, db, record.People, named("Annabel Rarename"), employee("Bob Common", "Acme", "Engineer"))
	for i, name := range []string{"Ann Othername", "Ann Common"} {
		if i > 0 { // the first change comes before the drain
			expect.NoError(t, d.Drain(t.Context()))
			checkVocabulary(t, db)
		}
		pgtest.Load(t, db, record.People, named(name))
	}
	expect.NoError(t, d.Drain(t.Context()))
	checkVocabulary(t, db)
	_, err := indexer.NewKeeper(db).Delete(t.Context(), "ann")
	expect.NoError(t, err)
	found, err := db.Known(t.Context(), kith.Operator(), []string{"ann", "annabel", "rarename", "othername"},
		[]string{"rarenamee", "othernamee"})
	if expect.NoError(t, err); len(found) > 0 {
		t.Errorf("former names are known: %v", found)
	}
	checkVocabulary(t, db)
}

// failing is an engine whose first write of people runs a function, and may fail.
type failing struct {
	*memindex.Index
	once func() error
}

func (f *failing) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	if once := f.once; c == index.People && once != nil {
		f.once = nil
		if err := once(); err != nil {
			return err
		}
	}
	return f.Index.Write(ctx, c, versions, docs, deletes)
}

func TestVocabularyCountsABatchOnce(t *testing.T) {
	db := pgtest.NewDataset(t)
	ix := &failing{Index: memindex.New()}
	d := indexer.NewDrainer(db, ix, zerolog.Nop())
	expect.NoError(t, d.Drain(t.Context()))
	pgtest.Load(t, db, record.People, employee("Ann", "Acme", "Engineer"), employee("Bob", "Acme", "Engineer"))

	ix.once = func() error { return kith.Unreachable("memory", errors.New("refused")) }
	if err := d.Drain(t.Context()); err == nil {
		t.Fatal("the engine did not fail")
	}
	expect.NoError(t, d.Drain(t.Context()))
	checkVocabulary(t, db)

	// A person deleted between reading and counting is not counted.
	pgtest.Load(t, db, record.People, employee("Cid", "Acme", "Engineer"))
	ix.once = func() error {
		_, err := indexer.NewKeeper(db).Delete(t.Context(), "cid")
		return err
	}
	expect.NoError(t, d.Drain(t.Context()))
	checkVocabulary(t, db)
}

func TestVocabularyFollowsWritesDuringARebuild(t *testing.T) {
	db := pgtest.NewDataset(t)
	ix := &failing{Index: memindex.New()}
	d := indexer.NewDrainer(db, ix, zerolog.Nop())
	expect.NoError(t, d.Drain(t.Context()))
	pgtest.Load(t, db, record.People, employee("Ann Rarename", "Acme", "Engineer"), employee("Bob", "Acme", "Engineer"))
	expect.NoError(t, d.Drain(t.Context()))

	// During the copy, one person is deleted and another added.
	ix.once = func() error {
		_, err := indexer.NewKeeper(db).Delete(t.Context(), "ann-rarename")
		pgtest.Load(t, db, record.People, employee("Dora Newcomer", "Zeta", "Pilot"))
		return err
	}
	r := indexer.NewReindexer(d)
	r.Grace = 0
	expect.NoError(t, r.Reindex(t.Context(), nil))
	found, err := db.Known(t.Context(), kith.Operator(), []string{"rarename", "newcomer", "pilot", "zeta", "bob"}, nil)
	expect.NoError(t, err)
	var names []string
	for _, k := range found {
		names = append(names, k.Term)
	}
	if got := strings.Join(names, " "); got != "bob newcomer pilot zeta" {
		t.Errorf("after the rebuild the words %q are known", got)
	}

	// An aborted rebuild leaves the vocabulary in use, and nothing to build on.
	ctx, cancel := context.WithCancel(t.Context())
	ix.once = func() error {
		cancel()
		return ctx.Err()
	}
	if err := r.Reindex(ctx, nil); err == nil {
		t.Fatal("the reindex was not stopped")
	}
	if found, err = db.Known(t.Context(), kith.Operator(), []string{"bob"}, nil); err != nil || len(found) != 1 {
		t.Errorf("after an aborted rebuild %v is known, %v", found, err)
	}
	expect.NoError(t, r.Reindex(t.Context(), nil))
	checkVocabulary(t, db)
}

func TestVocabularyOfConcurrentWritersIsExact(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	drained(t, db)
	pgtest.Load(t, db, record.People, employee("Ann", "Acme", "Engineer"))
	id := identify(t, db, "ann")[0]
	var terms []analysis.Term
	for i := range 300 {
		terms = append(terms, analysis.Term{Kind: analysis.TermSkill, Text: fmt.Sprintf("skill number %d", i)})
	}
	var group errgroup.Group
	for range 4 {
		group.Go(func() error {
			for range 5 {
				if err := db.Done(t.Context(), nil, nil,
					[]indexer.RecordTerms{{Kind: record.People, ID: id, Fresh: true, Terms: terms}}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for range 5 {
			if err := db.BeginVocabulary(t.Context()); err != nil {
				return err
			}
			if err := db.CountTerms(t.Context(),
				[]indexer.RecordTerms{{Kind: record.People, ID: id, Fresh: true, Terms: terms}}); err != nil {
				return err
			}
			if err := db.SetBuilt(t.Context(), "x", 0, time.Unix(0, 0), time.Unix(0, 0)); err != nil {
				return err
			}
		}
		return nil
	})
	for range 2 {
		group.Go(func() error {
			for range 20 {
				_, err := db.Known(t.Context(), kith.Operator(), []string{"skill number 7"},
					[]string{"skil number 299"})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	expect.NoError(t, group.Wait())
	found, err := db.Known(t.Context(), kith.Operator(), []string{"skill number 7"}, nil)
	if expect.NoError(t, err); len(found) != 1 || found[0].People < 1 {
		t.Errorf("known: %v", found)
	}
}

func TestVocabularyOfTheDemoIsExact(t *testing.T) {
	db := pgtest.NewDataset(t)
	cfg := demo.Default()
	cfg.People, cfg.Companies = 3_000, 200
	files, err := demo.WriteFiles(t.Context(), t.TempDir(), cfg, demo.Plain, nil)
	expect.NoError(t, err)
	for _, f := range files {
		_, err := loader.New(db).File(t.Context(), record.ForEveryone(), f.Path, loader.Options{})
		expect.NoError(t, err)
	}
	drained(t, db)
	checkVocabulary(t, db)
}

// However a rebuild ends, the vocabulary in use has its indexes.
func TestVocabularyKeepsItsIndexes(t *testing.T) {
	db := pgtest.NewDataset(t)
	indexes := func() (n int) {
		err := db.Pool().QueryRow(t.Context(), `select count(*) from pg_index where not indisprimary
			and indrelid in ('vocabulary'::regclass, 'vocabulary_spelling'::regclass)`).Scan(&n)
		expect.NoError(t, err)
		return n
	}
	swap := func() error { return db.SetBuilt(t.Context(), "x", 0, time.Unix(0, 0), time.Unix(0, 0)) }
	for _, c := range []struct {
		name  string
		steps []func() error
	}{
		{"made ready", []func() error{func() error { return db.IndexTerms(t.Context()) }, swap}},
		{"switched at once", []func() error{swap}},
		{"dropped", []func() error{func() error { return db.DropVocabulary(t.Context()) }}},
		{"dropped when ready", []func() error{
			func() error { return db.IndexTerms(t.Context()) },
			func() error { return db.DropVocabulary(t.Context()) },
		}},
		{"after one was dropped", []func() error{swap}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect.NoError(t, db.BeginVocabulary(t.Context()))
			for _, step := range c.steps {
				expect.NoError(t, step())
			}
			if n := indexes(); n != 3 {
				t.Errorf("%d indexes, want 3", n)
			}
		})
	}
}
