package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// janes are people of one name, each at their own company.
func janes(n int, city string) (lines []string) {
	for i := range n {
		lines = append(lines,
			fmt.Sprintf(`{"full_name":"Jane Doe","email":"jane%d@c%[1]d.example","location":{"city":%q},`+
				`"work_relevant":{"title":"CTO","company":{"name":"Company %[1]d"}}}`, i, city))
	}
	return lines
}

// The match is by name and company.
func TestDuplicatesAreFoundAmongManyNamesakes(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 20, janes(70, "")...)
	stats := unite(t, db, 20, `{"full_name":"Jane Doe","sources":["a:1"],"work_relevant":{"title":"CTO",`+
		`"company":{"name":"Company 68, Inc."}}}`)
	if stats.Created != 0 || len(everyone(t, db)) != 70 {
		t.Errorf("%s; %d people", stats, len(everyone(t, db)))
	}
}

// The pairs have one name and city. The size of a batch does not matter.
func TestDoubtfulPairsOfNamesakesAreBounded(t *testing.T) {
	for _, batch := range []int{1, 4, 100} {
		db := pgtest.NewDataset(t)
		unite(t, db, batch, janes(40, "Berlin")...)
		pairs, err := identity.NewService(db).Duplicates(t.Context(), kith.Operator(), nil, 1000)
		expect.NoError(t, err)
		if len(pairs) > 45 {
			t.Errorf("batches of %d: %d pairs", batch, len(pairs))
		}
	}
}

func TestDuplicatesAreFoundByANewCompanyName(t *testing.T) {
	db := pgtest.NewDataset(t)
	jane := `{"full_name":"Jane Doe","email":%q,"work_relevant":{"title":"CTO","company":%s}}`
	unite(t, db, 1, fmt.Sprintf(jane, "j@a.example", `{"name":"Acme","domain":"acme.example"}`))
	pgtest.Load(t, db, record.Companies, `{"name":"Globex","domain":"acme.example"}`)
	unite(t, db, 1, fmt.Sprintf(jane, "j@b.example", `{"name":"Globex"}`))
	if all := everyone(t, db); len(all) != 1 {
		t.Error(all)
	}
}

// The first merge computes the keys of loaded people from their records, as a merge does from its lines.
func TestKeysFromRecordsEqualThoseFromLines(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 1, `{"full_name":"Robert Doe","email":"bob@x.example","location":{"city":"Berlin"}}`,
		`{"full_name":"Bob Doe","email":"bob@x.example","location":{"city":"Paris"},`+
			`"education_history":[{"institute":"MIT"}]}`,
		`{"full_name":"Jane Roe","sources":["a:1"],"work_relevant":{"title":"CTO","company":{"name":"Acme Inc."}}}`)
	keys := func() []string {
		rows, err := db.Pool().Query(t.Context(), "select person_id || ' ' || key from person_blocks order by 1")
		expect.NoError(t, err)
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		expect.NoError(t, err)
		return all
	}
	want := keys()
	expect.Len(t, "keys: two names by two cities and a school, and one by a company", want, 2*3+1)
	pgtest.Exec(t, db, "delete from person_blocks; delete from settings where key = 'everyones_blocks_kept'")
	unite(t, db, 1, `{"full_name":"Solo","sources":["a:2"]}`)
	if got := keys(); !slices.Equal(got, want) {
		t.Errorf("from records: %v, from lines: %v", got, want)
	}
}

// People who were loaded before the first merge have no keys yet. Their duplicates are found nevertheless.
func TestLoadedPeopleGetKeysAtTheFirstMerge(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	pgtest.Load(t, db, record.People, janes(3, "")...)
	keys := func() (n int) {
		expect.NoError(t, connect(t, url).QueryRow(t.Context(), "select count(*) from kith.person_blocks").Scan(&n))
		return n
	}
	if n := keys(); n != 0 {
		t.Errorf("%d keys before the first merge", n)
	}
	jane := `{"full_name":"Jane Doe","sources":[%q],"work_relevant":{"title":"CTO","company":{"name":"Company %d"}}}`
	if stats := unite(t, db, 1, fmt.Sprintf(jane, "a:1", 2), fmt.Sprintf(jane, "a:2", 9)); stats.Created != 1 {
		t.Errorf("%s, want one match and one new person", stats)
	}
	if n := keys(); n != 4 {
		t.Errorf("%d keys of 4 people", n)
	}
}

// asking counts the blocks and records that imports ask for.
type asking struct{ blocks, records int }

func (a *asking) Unite(ctx context.Context, tx record.Tx, rows []record.PersonRow) ([]record.Outcome, error) {
	return identity.Uniter{}.Unite(ctx, askingTx{tx.(identity.Tx), a}, rows)
}

type askingTx struct {
	identity.Tx
	of *asking
}

func (tx askingTx) Related(ctx context.Context, keys identity.Keys) ([]identity.Record, []int64, error) {
	records, overshared, err := tx.Tx.Related(ctx, keys)
	tx.of.blocks, tx.of.records = tx.of.blocks+len(keys.Blocks), tx.of.records+len(records)
	return records, overshared, err
}

// A placeholder in a file, such as one address in all rows, does not multiply the names by the companies. Nor is
// everybody with the address read again and again.
func TestPlaceholdersAreNotCompared(t *testing.T) {
	const n = 300
	for member, want := range map[string]struct{ people, records int }{
		`"email":"test@test.example"`:                 {n, n},
		`"sources":["crm:none"]`:                      {n, n},
		`"social_url":"https://social.example/in/me"`: {1, 3 * n},
	} {
		db, lines := pgtest.NewDataset(t), make([]string, n)
		for i := range lines {
			name := fmt.Sprintf("%c%c%c Q%[1]c%[2]c%[3]c", 'a'+i/100, 'a'+i/10%10, 'a'+i%10)
			lines[i] = fmt.Sprintf(`{"full_name":%q,%s,"work_relevant":{"title":"CTO","company":{"name":"C %d"}}}`,
				name, member, i)
		}
		var asked asking
		opts := loader.Options{Kind: record.People, Uniter: &asked, BatchLines: n / 3}
		pgtest.LoadOwned(t, db, record.Everyone, opts, lines...)
		if asked.blocks > 4*n || asked.records > want.records {
			t.Errorf("%s: the import asks for %d blocks and reads %d records", member, asked.blocks, asked.records)
		}
		expect.Len(t, "people with "+member, everyone(t, db), want.people)
	}
}
