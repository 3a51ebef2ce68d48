package record

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/identity"
)

// blockTx keeps the keys by which records of one person find each other.
type blockTx struct{ *WriteTx }

// ownerBits makes the blocking keys of one owner differ from those of others.
func ownerBits(owner string) int64 {
	if owner == record.Everyone {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(owner)) // a hash takes all
	return int64(h.Sum64())       // any bits will do
}

// sharing returns the owner's people who share blocks, and the keys of blocks that too many people share to be
// compared.
func (w blockTx) sharing(ctx context.Context, blocks []identity.Block) (people, overshared []int64, err error) {
	bits := ownerBits(w.Owner)
	// In this order, each page of the index is visited once.
	blocks = slices.SortedFunc(slices.Values(blocks), func(a, b identity.Block) int {
		return cmp.Compare(a.Key^bits, b.Key^bits)
	})
	keys, most := make([]int64, len(blocks)), make([]int32, len(blocks))
	for i, b := range blocks {
		keys[i], most[i] = b.Key^bits, int32(b.Most)
	}
	var key int64
	var ids []int64
	err = conn.ForEach(ctx, w.Tx, "people who share a block", []any{&key, &ids}, func() error {
		if people = append(people, ids...); ids == nil {
			overshared = append(overshared, key^bits)
		}
		ids = nil
		return nil
	}, `select n.key, case when count(*) <= n.most then array_agg(b.id) end
		from unnest($1::bigint[], $2::int[]) n (key, most) cross join lateral (
			select person_id as id from person_blocks where key = n.key limit n.most + 1) b
		group by n.key, n.most`, keys, most)
	return people, overshared, err
}

// everyonesBlocksMark is set once the blocking keys of everyone's people are stored.
const everyonesBlocksMark = "everyones_blocks_kept"

// blocksBatch is for how many people blocking keys are computed at a time.
const blocksBatch = 5_000

// keepsBlocks reports whether the blocking keys of an owner's people are stored. Those of everyone's people are stored
// from the first merge on, because most datasets are loaded and never merged.
func (w blockTx) keepsBlocks(ctx context.Context, owner string) (bool, error) {
	if owner != record.Everyone {
		return true, nil
	}
	return conn.HasMark(ctx, w.Tx, everyonesBlocksMark)
}

// keepEveryonesBlocks stores the blocking keys of everyone's people, if that was not done before.
func (w blockTx) keepEveryonesBlocks(ctx context.Context) error {
	kept, err := w.keepsBlocks(ctx, record.Everyone)
	if err != nil || kept {
		return err
	}
	if err := conn.Exec(ctx, w.Tx, "mark of blocking keys", conn.MarkSetting, everyonesBlocksMark); err != nil {
		return err
	}
	for above := int64(0); ; {
		ids, err := conn.Collect(ctx, w.Tx, "everyone's people", pgx.RowTo[int64],
			"select id from people where owner = $1 and id > $2 order by id limit $3", record.Everyone, above,
			blocksBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := w.renewBlocks(ctx, ids); err != nil {
			return err
		}
		above = ids[len(ids)-1]
	}
}

// putBlocks stores the blocking keys of new people.
func (w blockTx) putBlocks(ctx context.Context, values []personValues) error {
	made, unmade := blocked{}, []identity.Record{}
	for _, v := range values {
		if made.put(w.Owner, v.row.Person.ID, v.row.Blocks); v.row.Blocks == nil {
			unmade = append(unmade, identity.Record{Person: v.row.Person.ID, Dated: record.Dated{Person: v.row.Person}})
		}
	}
	keeps, err := w.keepsBlocks(ctx, w.Owner)
	if err != nil {
		return err
	}
	if keeps {
		keys, err := identity.BlockingKeys(ctx, w.WriteTx, unmade)
		if err != nil {
			return err
		}
		for person, of := range keys {
			made.put(w.Owner, person, of)
		}
	}
	return w.copyBlocks(ctx, made)
}

// replaceBlocks stores the blocking keys of changed people.
func (w blockTx) replaceBlocks(ctx context.Context, values []personValues) error {
	made := blocked{}
	var known, unknown []int64
	for _, v := range values {
		if made.put(w.Owner, v.row.Person.ID, v.row.Blocks); v.row.Blocks == nil {
			unknown = append(unknown, v.row.Person.ID)
		} else {
			known = append(known, v.row.Person.ID)
		}
	}
	if err := w.deleteBlocks(ctx, known); err != nil {
		return err
	}
	if err := w.copyBlocks(ctx, made); err != nil {
		return err
	}
	return w.renewBlocks(ctx, unknown)
}

// blocked are rows of person_blocks.
type blocked []block

type block struct{ key, person int64 }

func (b *blocked) put(owner string, person int64, keys []int64) {
	bits := ownerBits(owner)
	for _, key := range keys {
		*b = append(*b, block{key ^ bits, person})
	}
}

// copyBlocks writes rows in an order that visits each page of the index once.
func (w blockTx) copyBlocks(ctx context.Context, rows blocked) error {
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b block) int { return cmp.Compare(a.key, b.key) })
	_, err := w.Tx.CopyFrom(ctx, pgx.Identifier{"person_blocks"}, []string{"key", "person_id"},
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) { return []any{rows[i].key, rows[i].person}, nil }))
	return conn.Named("blocking keys", err)
}

func (w blockTx) deleteBlocks(ctx context.Context, people []int64) error {
	if len(people) == 0 {
		return nil
	}
	return conn.Exec(ctx, w.Tx, "blocking keys", "delete from person_blocks where person_id = any($1)", people)
}

// renewBlocks computes the blocking keys of stored people again, for owners whose keys are stored.
func (w blockTx) renewBlocks(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	owners := map[int64]string{}
	var id int64
	var owner string
	err := conn.ForEach(ctx, w.Tx, "owners of people", []any{&id, &owner}, func() error {
		owners[id] = owner
		return nil
	}, "select id, owner from people where id = any($1)", ids)
	if err != nil {
		return err
	}
	everyones, err := w.keepsBlocks(ctx, record.Everyone)
	if err != nil {
		return err
	}
	records, err := w.readRecords(ctx, slices.DeleteFunc(slices.Clone(ids),
		func(id int64) bool { return owners[id] == record.Everyone && !everyones }))
	if err != nil {
		return err
	}
	keys, err := identity.BlockingKeys(ctx, w.WriteTx, records)
	if err != nil {
		return err
	}
	var rows blocked
	for person, of := range keys {
		rows.put(owners[person], person, of)
	}
	if err := w.deleteBlocks(ctx, ids); err != nil {
		return err
	}
	return w.copyBlocks(ctx, rows)
}

// findRenamed returns the companies that are about to get another name.
func (w blockTx) findRenamed(ctx context.Context, ids []int64, names []string) ([]int64, error) {
	return conn.Collect(ctx, w.Tx, "companies with another name", pgx.RowTo[int64], `select c.id
		from unnest($1::bigint[], $2::text[]) as n (id, name_key) join companies c on c.id = n.id
		where c.name_key <> n.name_key`, ids, names)
}

// renewBlocksAt computes the blocking keys of the people of companies again, in batches.
func (w blockTx) renewBlocksAt(ctx context.Context, companies []int64) error {
	if len(companies) == 0 {
		return nil
	}
	ids, err := conn.Collect(ctx, w.Tx, "people of companies", pgx.RowTo[int64],
		"select id from people where company_ids && $1 order by id", companies)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, blocksBatch) {
		if err := w.renewBlocks(ctx, some); err != nil {
			return err
		}
	}
	return nil
}
