package record

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// PutPeople implements [record.Tx].
func (w *WriteTx) PutPeople(ctx context.Context, rows []record.PersonRow) ([]record.Outcome, error) {
	outcomes := make([]record.Outcome, len(rows))
	if err := w.markSuppressed(ctx, rows, outcomes); err != nil {
		return nil, err
	}
	created, changed, err := divide(ctx, w, record.People, rows, outcomes,
		func(r record.PersonRow) int64 { return r.Person.ID },
		func(r record.PersonRow) (encoded, error) { return encodePerson(r.Person) })
	if err != nil {
		return nil, err
	}
	return outcomes, w.writePeople(ctx, rows, outcomes, created, changed)
}

// writePeople stores the new and changed people of a batch.
func (w *WriteTx) writePeople(ctx context.Context, rows []record.PersonRow, outcomes []record.Outcome,
	created, changed []personValues,
) error {
	var queue []int64
	var fresh []bool
	for i, r := range rows {
		if isNew := outcomes[i] == record.Created; isNew && !r.Direct || outcomes[i] == record.Changed {
			queue, fresh = append(queue, r.Person.ID), append(fresh, isNew)
		}
	}
	if err := w.insertPeople(ctx, created); err != nil {
		return fmt.Errorf("insert people: %w", err)
	}
	if err := w.changePeople(ctx, changed); err != nil {
		return fmt.Errorf("update people: %w", err)
	}
	if err := w.setSourceDates(ctx, rows, outcomes); err != nil {
		return fmt.Errorf("date people: %w", err)
	}
	if err := w.enqueueAs(ctx, record.People, queue, fresh); err != nil {
		return err
	}
	return (mergeTx{w}).absorbOwned(ctx, slices.Concat(created, changed))
}

type personValues = values[record.PersonRow]

func (w *WriteTx) insertPeople(ctx context.Context, values []personValues) error {
	if len(values) == 0 {
		return nil
	}
	first, err := w.versions(ctx, len(values))
	if err != nil {
		return err
	}
	for i := range values {
		values[i].row.Version = first + int64(i)
	}
	_, err = w.Tx.CopyFrom(ctx, pgx.Identifier{"people"},
		[]string{
			"id", "social_key", "social_id", "email", "record", "packed", "hash", "rank", "version", "company_ids",
			"as_of",
			"owner",
		},
		pgx.CopyFromSlice(len(values), func(i int) ([]any, error) {
			v := values[i]
			record, packed, err := packPerson(v.row.Person, v.encoded)
			return []any{
				v.row.Person.ID, orNull(v.row.SocialKey), orNull(v.row.SocialID), orNull(v.row.Email),
				record, packed, v.hash, v.row.Rank, v.row.Version, notNil(v.row.CompanyIDs), v.row.AsOf, w.Owner,
			}, err
		}))
	if err != nil {
		return err
	}
	if err := w.putIdentifiers(ctx, values, true); err != nil {
		return err
	}
	if err := (blockTx{w}).putBlocks(ctx, values); err != nil {
		return err
	}
	return w.putTimes(ctx, values, true)
}

func idsOf(values []personValues) []int64 {
	ids := make([]int64, len(values))
	for i, v := range values {
		ids[i] = v.row.Person.ID
	}
	return ids
}

// versions reserves n consecutive versions and returns the first. Writers are serialised, so no other version is taken
// in between.
func (w *WriteTx) versions(ctx context.Context, n int) (first int64, err error) {
	err = w.Tx.QueryRow(ctx, "select setval('record_version', nextval('record_version') + $1 - 1) - $1 + 1",
		n).Scan(&first)
	return first, err
}

// changePeople updates people, and reports new jobs of people on lists.
func (w *WriteTx) changePeople(ctx context.Context, values []personValues) error {
	before, err := (listTx{w}).readListed(ctx, values)
	if err != nil {
		return err
	}
	if err := w.updatePeople(ctx, values); err != nil {
		return err
	}
	return (listTx{w}).announceJobs(ctx, before)
}

func (w *WriteTx) updatePeople(ctx context.Context, values []personValues) error {
	if len(values) == 0 {
		return nil
	}
	var c personColumns
	for _, v := range values {
		if err := c.add(v); err != nil {
			return err
		}
	}
	if err := (mergeTx{w}).lockKeys(ctx, c.ids, c.profiles); err != nil {
		return err
	}
	if err := (vocabularyTx{w}).rename(ctx, values); err != nil {
		return fmt.Errorf("names of the vocabulary: %w", err)
	}
	// Records merged into another owner's record must not carry over to this owner.
	err := conn.Exec(ctx, w.Tx, "records of another owner", `with others as (
			select id from people where id = any($1) and owner <> $2
		), marks as (delete from person_identifiers where person_id in (select id from others))
		delete from person_records where person_id in (select id from others)`, c.ids, w.Owner)
	if err != nil {
		return err
	}
	_, err = w.Tx.Exec(ctx, `update people p set record = n.record, packed = n.packed, hash = n.hash,
		social_key = n.social_key, social_id = n.social_id, email = n.email,
			company_ids = n.company_ids::bigint[], version = nextval('record_version'),
			updated_at = now(), as_of = n.as_of,
			trail = null, merged_hash = case when p.owner = $9 then p.merged_hash end, owner = $9
		from unnest($1::bigint[], $2::jsonb[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[],
		$8::timestamptz[], $10::bytea[])
			as n (id, record, hash, social_key, social_id, email, company_ids, as_of, packed)
		where p.id = n.id`,
		c.ids, c.records, c.hashes, c.profiles, c.socialIDs, c.emails, c.companies, c.days, w.Owner, c.packed)
	if err != nil {
		return err
	}
	if err := w.putIdentifiers(ctx, values, false); err != nil {
		return err
	}
	if err := (blockTx{w}).replaceBlocks(ctx, values); err != nil {
		return err
	}
	return w.putTimes(ctx, values, false)
}

// personColumns are the columns of people as arrays.
type personColumns struct {
	ids                         []int64
	records, companies          []string
	profiles, socialIDs, emails []*string
	hashes, packed              [][]byte
	days                        []time.Time
}

func (c *personColumns) add(v personValues) error {
	r := v.row
	record, packed, err := packPerson(r.Person, v.encoded)
	c.ids, c.records, c.packed = append(c.ids, r.Person.ID), append(c.records, string(record)), append(c.packed, packed)
	c.hashes = append(c.hashes, v.hash)
	c.profiles, c.socialIDs = append(c.profiles, orNull(r.SocialKey)), append(c.socialIDs, orNull(r.SocialID))
	c.emails, c.days = append(c.emails, orNull(r.Email)), append(c.days, r.AsOf)
	c.companies = append(c.companies, conn.ArrayText(r.CompanyIDs))
	return err
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func notNil(ids []int64) []int64 {
	if ids == nil {
		return []int64{}
	}
	return ids
}

// deletePeople deletes the rows of people and queues the change for the index.
func (w *WriteTx) deletePeople(ctx context.Context, ids []int64) error {
	if err := (vocabularyTx{w}).forget(ctx, ids); err != nil {
		return fmt.Errorf("take off the vocabulary: %w", err)
	}
	if err := w.db.LockInTx(ctx, w.Tx, conn.LockPeople); err != nil {
		return err
	}
	if err := w.lockConnectedUsers(ctx, ids); err != nil {
		return err
	}
	gone, err := conn.Collect(ctx, w.Tx, "delete people", pgx.RowTo[int64],
		"delete from people where id = any($1) returning id", ids)
	if err != nil || len(gone) == 0 {
		return err
	}
	if err := w.deleteTimes(ctx, gone); err != nil {
		return err
	}
	if err := (blockTx{w}).deleteBlocks(ctx, gone); err != nil {
		return err
	}
	return w.NoteDeleted(ctx, record.People, gone)
}

// lockConnectedUsers locks the users connected to people. As in an import, users are locked before their data.
func (w *WriteTx) lockConnectedUsers(ctx context.Context, people []int64) error {
	return conn.Exec(ctx, w.Tx, "lock the users who know them",
		`select id from users where person_id = any($1) or id in (
			select user_id from relationships where person_id = any($1) union select user_id from contacts
			where person_id = any($1)
			union select user_id from known_addresses where person_id = any($1))
		order by id for update`, people)
}

// PeopleByID returns the stored people among ids, by id, with the companies of their jobs, from one snapshot.
func (db *Store) PeopleByID(ctx context.Context, ids []int64) (people []record.Person, err error) {
	err = db.InSnapshot(ctx, "read people", func(tx pgx.Tx) error {
		people, err = db.ReadPeople(ctx, tx, ids)
		return err
	})
	return people, err
}

// People returns the stored people among ids that a viewer may see, by id.
func (db *Store) People(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Person, error) {
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil {
		return nil, err
	}
	stored, err := db.PeopleByID(ctx, ids)
	people := make([]kith.Person, 0, len(stored))
	for _, p := range stored {
		if seen.Has(p.Owner) {
			people = append(people, p.Person)
		}
	}
	return people, err
}

// ReadPeople reads people, by id, with the companies of their jobs.
func (db *Store) ReadPeople(ctx context.Context, tx pgx.Tx, ids []int64) ([]record.Person, error) {
	companies, err := db.readEmployers(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	var people []record.Person
	var id, rank, version int64
	var packed []byte
	var companyIDs []int64
	var owner string
	err = conn.ForEach(
		ctx,
		tx,
		"read people",
		[]any{&id, (*pgtype.DriverBytes)(&packed), &rank, &version, &companyIDs, &owner},
		func() error {
			person, err := decodePerson(id, packed)
			if err != nil {
				return err
			}
			for _, j := range person.Jobs() {
				// A company no longer stored is still identified by its id.
				id := j.Company.ID
				j.Company = companies[id].row.Company
				j.Company.ID = id
			}
			for _, c := range companyIDs {
				version = max(version, companies[c].version)
			}
			people = append(people, record.Person{Person: person, Rank: rank, Version: version, Owner: owner})
			return nil
		},
		"select id, "+wholeRecord("people")+`, rank, version, company_ids, owner from people where id = any($1)
			order by id`,
		ids,
	)
	return people, err
}

// IDs implements [record.Reader].
func (db *Store) IDs(ctx context.Context, kind record.Kind, above int64, n int) ([]int64, error) {
	return conn.Collect(ctx, db.Querier(), fmt.Sprintf("list %s", kind), pgx.RowTo[int64], `select id from (
			select id, sum(size) over (order by id) - size as before from (
				select id, `+recordSize(kind, "r")+` as size from `+table(kind)+` r where id > $1 order by id
				limit $2) n) n
		where before < $3 order by id`, above, n, pageBytes)
}

// exactCount is the most records counted exactly.
const exactCount = 100_000

// Count returns the number of records, estimated if there are very many: from the density that the last analyze found
// and the current table size, so that it includes a load just before.
func (db *Store) Count(ctx context.Context, kind record.Kind) (int64, error) {
	var n int64
	err := db.Querier().
		QueryRow(ctx, "select count(*) from (select from "+table(kind)+" limit $1) t", exactCount).
		Scan(&n)
	if err == nil && n == exactCount {
		err = db.Querier().QueryRow(ctx, `select greatest($2, (reltuples / greatest(relpages,
			1) * (pg_relation_size(oid) / current_setting('block_size')::int))::bigint)
			from pg_class where oid = $1::regclass`, table(kind), n).Scan(&n)
	}
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", kind, conn.Classify(err))
	}
	return n, nil
}
