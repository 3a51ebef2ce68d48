package postgres

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index/analysis"
	"kith/index/load"
	"kith/internal/identity"
)

// ownerBits make the blocking keys of one owner differ from those of the others.
func ownerBits(owner string) int64 {
	if owner == load.Everyone {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(owner)) // a hash takes all
	return int64(h.Sum64())       //nolint:gosec // any bits will do
}

// ownBlocks are the keys as those of the owner are stored, in order, which is quicker to look up.
func (w *writeTx) ownBlocks(blocks []identity.Block) (keys []int64, most []int32) {
	bits := ownerBits(w.owner)
	blocks = slices.SortedFunc(slices.Values(blocks), func(a, b identity.Block) int {
		return cmp.Compare(a.Key^bits, b.Key^bits)
	})
	for _, b := range blocks {
		keys, most = append(keys, b.Key^bits), append(most, int32(b.Most)) //nolint:gosec // tens
	}
	return keys, most
}

// putBlocks replaces the blocking keys of people. Fresh people have nothing to replace.
func (w *writeTx) putBlocks(ctx context.Context, values []personValues, fresh bool) error {
	people := make([]blocked, len(values))
	for i, v := range values {
		people[i] = blocked{v.row.Person.ID, w.owner, v.row.Records}
		if len(v.row.Records) == 0 {
			people[i].records = []kith.Person{v.row.Person}
		}
	}
	return w.writeBlocks(ctx, people, fresh)
}

// blocked is a person with the records that make the blocking keys.
type blocked struct {
	id      int64
	owner   string
	records []kith.Person
}

func (w *writeTx) writeBlocks(ctx context.Context, people []blocked, fresh bool) error {
	companies, err := w.companyKeys(ctx, people)
	if err != nil {
		return err
	}
	var ids []int64
	type row struct{ key, person int64 }
	var rows []row
	for _, p := range people {
		ids = append(ids, p.id)
		bits := ownerBits(p.owner)
		for _, key := range identity.BlockingKeys(p.records, companies) {
			rows = append(rows, row{key ^ bits, p.id})
		}
	}
	if !fresh {
		if err := w.deleteBlocks(ctx, ids); err != nil {
			return err
		}
	}
	// In order each page of the index is visited once.
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.person, b.person)) })
	_, err = w.tx.CopyFrom(ctx, pgx.Identifier{"person_blocks"}, []string{"key", "person_id"},
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) { return []any{rows[i].key, rows[i].person}, nil }))
	if err != nil {
		return fmt.Errorf("blocking keys: %w", err)
	}
	return nil
}

// companyKeys are the names of the companies where people are or were, by id.
func (w *writeTx) companyKeys(ctx context.Context, people []blocked) (map[int64]string, error) {
	names := map[int64]string{}
	var ids []int64
	for _, p := range people {
		for i := range p.records {
			for _, job := range p.records[i].Jobs() {
				id := job.Company.ID
				if _, known := names[id]; id != 0 && !known {
					names[id] = ""
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 0 {
		return names, nil
	}
	found, err := w.db.readCompanies(ctx, w.tx, "select id, version from companies where id = any($1)", ids)
	for _, c := range found {
		names[c.row.Company.ID] = analysis.CompanyKey(c.row.Company.Name)
	}
	return names, err
}

func (w *writeTx) deleteBlocks(ctx context.Context, people []int64) error {
	return exec(ctx, w.tx, "blocking keys", "delete from person_blocks where person_id = any($1)", people)
}

// renewBlocks makes the blocking keys of stored people anew.
func (w *writeTx) renewBlocks(ctx context.Context, ids []int64) error {
	var people []blocked
	byID := map[int64]int{}
	var id int64
	var owner string
	err := forEach(ctx, w.tx, "owners of people", []any{&id, &owner}, func() error {
		byID[id], people = len(people), append(people, blocked{id: id, owner: owner})
		return nil
	}, "select id, owner from people where id = any($1)", ids)
	if err != nil || len(people) == 0 {
		return err
	}
	records, err := w.recordsOf(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range records {
		p := &people[byID[r.Person]]
		p.records = append(p.records, r.Dated.Person)
	}
	return w.writeBlocks(ctx, people, false)
}

// renamed are those of some companies that are about to get another name.
func (w *writeTx) renamed(ctx context.Context, ids []int64, names []string) ([]int64, error) {
	return collect(ctx, w.tx, "companies with another name", pgx.RowTo[int64], `select c.id
		from unnest($1::bigint[], $2::text[]) as n (id, name_key) join companies c on c.id = n.id
		where c.name_key <> n.name_key`, ids, names)
}

// renewBlocksAt makes the blocking keys of the people of companies anew, some at a time.
func (w *writeTx) renewBlocksAt(ctx context.Context, companies []int64) error {
	if len(companies) == 0 {
		return nil
	}
	ids, err := collect(ctx, w.tx, "people of companies", pgx.RowTo[int64],
		"select id from people where company_ids && $1 order by id", companies)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, fillBatch) {
		if err := w.renewBlocks(ctx, some); err != nil {
			return err
		}
	}
	return nil
}
