package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/indexed"
)

// people fills an index in Postgres and the oracle with the same documents.
func people(t *testing.T, n int64) (*pgxpool.Pool, *memindex.Oracle) {
	t.Helper()
	pool, oracle := pgtest.Pool(t), memindex.NewOracle()
	ix := pgtest.Engine(t, pool)
	versions, err := ix.Versions(t.Context())
	expect.NoError(t, err)
	var flats []indexed.Flat
	for id := int64(1); id <= n; id++ {
		d := document(id).Example(int(id))
		d.Rank, d.Version, d.Record = id%7, 1, json.RawMessage(fmt.Sprintf(`{"id":%d,"full_name":"Person %d"}`, id, id))
		d.Fields.Keywords[query.JobCount] = []string{[]string{"0", "1", "many"}[min(len(d.Nested[query.Current]), 2)]}
		d.Fields.Keywords[query.State] = []string{strings.Repeat("long ", 150) + fmt.Sprint(id%2)}
		oracle.Put(d)
		flats = append(flats, indexed.Flatten(d))
	}
	expect.NoError(t, ix.Write(t.Context(), index.People, []string{versions[0].Name}, flats, nil))
	return pool, oracle
}

func lowered(stages []query.Query) []query.Query {
	var out []query.Query
	for _, s := range stages {
		out = append(out, index.Prepare(s))
	}
	return out
}

// found runs a statement and returns its people in order.
func found(t *testing.T, conn interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}, sql string,
) []int64 {
	t.Helper()
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	ids, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (id int64, err error) {
		var name *string
		var record json.RawMessage
		return id, row.Scan(&id, &name, &record)
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	return ids
}

// The printed statement finds the same people in the same order as its search, and Postgres can explain it.
func TestSQLFindsThePeopleOfItsSearch(t *testing.T) {
	pool, oracle := people(t, 60)
	for seed := range 150 {
		stages := []query.Query{
			tree(query.Person, 3).Example(seed),
			tree(query.Person, 2).Example(seed + 1000),
		}[:1+seed%2]
		sortBy := []query.Field{query.Rank, query.Experience, ""}[seed%3]
		var want []int64
		for _, c := range oracle.People(stages, sortBy) {
			want = append(want, c.ID)
		}
		stages = append(stages, query.Or{Parts: stages})
		sql := query.Statement{Stages: lowered(stages), SortBy: sortBy}.SQL()
		if got := found(t, pool, sql); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v\n%s\n%s", seed, got, want, query.String(stages[0]), sql)
		}
		page := query.Statement{Stages: lowered(stages), SortBy: sortBy, Limit: 5, Offset: 3}.SQL()
		if got, want := found(t, pool, page), want[min(3, len(want)):min(8, len(want))]; !slices.Equal(got, want) {
			t.Fatalf("seed %d: page %v, want %v", seed, got, want)
		}
		if _, err := pool.Exec(t.Context(), "EXPLAIN "+sql); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, sql)
		}
	}
}

func TestPostgresAcceptsSQLOfEveryNode(t *testing.T) {
	pool, _ := people(t, 1)
	for _, q := range append(samples(), query.Range{Field: query.Start.In(query.Past)},
		query.Phrase{Field: query.Text, Words: []string{"\x00", "b"}}) {
		sql := query.Statement{Stages: []query.Query{q, query.All{}}, Limit: 25}.SQL()
		if _, err := pool.Exec(t.Context(), "EXPLAIN "+sql); err != nil {
			t.Errorf("%v\n%s", err, sql)
		}
	}
}

func TestSQLFindsLongValues(t *testing.T) {
	pool, _ := people(t, 10)
	q := query.Term{Field: query.State, Value: strings.Repeat("long ", 150) + "0"}
	if got := found(t, pool, query.Statement{Stages: []query.Query{q}}.SQL()); len(got) != 5 {
		t.Errorf("found %v, want the five people with even ids", got)
	}
}

// A long list is read from a setting. Without the setting the statement finds no one.
func TestSQLOfLongListsUsesSettings(t *testing.T) {
	pool, _ := people(t, 10)
	ids := make([]int64, 2000)
	for i := range ids {
		ids[i] = int64(i + 3)
	}
	sql := query.Statement{Stages: []query.Query{query.IDs{Values: ids}}}.SQL()
	if len(sql) > 500 {
		t.Errorf("the statement has %d bytes", len(sql))
	}
	conn, err := pool.Acquire(t.Context())
	expect.NoError(t, err)
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "EXPLAIN "+sql); err != nil {
		t.Fatal(err)
	}
	if got := found(t, conn, sql); len(got) != 0 {
		t.Errorf("without the setting it found %v", got)
	}
	if _, err := conn.Exec(t.Context(), "SELECT set_config('kith.list_1', '{3,4,5}', false)"); err != nil {
		t.Fatal(err)
	}
	if got := found(t, conn, sql); len(got) != 3 {
		t.Errorf("with the setting it found %v", got)
	}
}

// A list of synonyms is written once, as values and as phrases alike, and the statement finds the same people.
func TestSQLWritesLongListsOnce(t *testing.T) {
	pool, oracle := people(t, 60)
	for name, words := range map[string][]string{
		"plain": {"a", "b", "c"}, "escaped": {"a", "b", "c", "o'neil", `back\slash`, "100%", "x_y"},
	} {
		var values []string
		var phrases []query.Query
		for i := range 150 {
			first, second := words[i%len(words)], words[i/len(words)%len(words)]
			if i >= len(words)*len(words) {
				second = fmt.Sprint("synonym", i)
			}
			values = append(values, first+" "+second)
			phrases = append(phrases, phrase(query.Text, first, second))
		}
		values = append(values, "a", "b")
		known := or(or(phrases...), query.Terms{Field: query.Text, Values: []string{"c"}})
		exact := and(known, or(query.Terms{Field: query.City, Values: values},
			query.Nested{Path: query.Past, Part: query.Terms{Field: query.Seniority, Values: values}}))
		stages := []query.Query{exact, known}
		var want []int64
		for _, c := range oracle.People(stages, query.Rank) {
			want = append(want, c.ID)
		}
		sql := query.Statement{Stages: lowered(stages)}.SQL()
		if got := found(t, pool, sql); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v\n%s", name, got, want, sql)
		}
		lists := map[string]int{"plain": 1, "escaped": 2}[name] // patterns escape some values
		if n := strings.Count(sql, "synonym77"); n != lists {
			t.Errorf("%s: a synonym is in the statement %d times, want %d\n%s", name, n, lists, sql)
		}
	}
}

// No value can turn the statement into more than one SELECT.
func TestSQLIsOneStatement(t *testing.T) {
	pool, _ := people(t, 3)
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.String().Draw(rt, "value")
		q := or(
			query.Term{Field: query.City, Value: value},
			query.Phrase{Field: query.Text, Words: []string{"a", value}},
			query.Nested{Path: query.Past, Part: query.Terms{Field: query.Title, Values: []string{value, "x"}}})
		if _, err := pool.Exec(t.Context(), "EXPLAIN "+query.Statement{Stages: []query.Query{q}, Limit: 1}.SQL(),
			pgx.QueryExecModeDescribeExec); err != nil {
			rt.Fatalf("%q: %v", value, err)
		}
	})
}
