package record

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record/identity"
)

var (
	_ identity.Store      = (*Store)(nil)
	_ identity.DecisionTx = (*WriteTx)(nil)
)

// Duplicates implements [identity.Store].
func (db *Store) Duplicates(
	ctx context.Context, v kith.Viewer, after *identity.Position, n int,
) ([]identity.Duplicate, error) {
	if after == nil {
		after = &identity.Position{Score: math.Inf(1)}
	}
	var out []identity.Duplicate
	err := db.InSnapshot(ctx, "list duplicates", func(tx pgx.Tx) error {
		seen, err := access.VisibleOwners(ctx, tx, v)
		if err != nil {
			return err
		}
		var ids []int64
		var d identity.Duplicate
		var low, high int64
		var owner string
		err = conn.ForEach(ctx, tx, "duplicates", []any{
			&d.At.Low, &d.At.High, &d.Score, &d.Reasons, &d.FoundAt, &low, &high, &owner,
		},
			func() error {
				d.At.Score, d.Decidable = d.Score, mayDecide(v, owner)
				d.People = [2]kith.Person{{ID: low}, {ID: high}}
				out, ids = append(out, d), append(ids, low, high)
				d.Reasons = nil
				return nil
			}, `select d.low, d.high, d.score, d.reasons, d.found_at, a.id, b.id, a.owner from duplicates d
			join people a on a.id = coalesce((select r.person_id from person_records r where r.id = d.low), d.low)
			join people b on b.id = coalesce((select r.person_id from person_records r where r.id = d.high), d.high)
			where d.together is null and a.id <> b.id and a.owner = b.owner
			and ($5::text[] is null or a.owner = any($5))
				and (d.score < $1 or d.score = $1 and (d.low, d.high) > ($2, $3))
			order by d.score desc, d.low, d.high limit $4`, after.Score, after.Low, after.High, n, []string(seen))
		if err != nil {
			return err
		}
		people, err := db.byID(ctx, tx, ids)
		for i := range out {
			for k := range out[i].People {
				out[i].People[k] = people[out[i].People[k].ID]
			}
		}
		return err
	})
	return out, err
}

func (db *Store) byID(ctx context.Context, tx pgx.Tx, ids []int64) (map[int64]kith.Person, error) {
	people, err := db.ReadPeople(ctx, tx, ids)
	byID := make(map[int64]kith.Person, len(people))
	for _, p := range people {
		byID[p.Person.ID] = p.Person
	}
	return byID, err
}

// mayDecide reports whether a viewer may decide about an owner's records.
func mayDecide(v kith.Viewer, owner string) bool {
	actor, isUser := v.User()
	return v.Decides() || isUser && owner == access.UserOwner(actor.UserID)
}

// MayDecide implements [identity.Store].
func (db *Store) MayDecide(v kith.Viewer, owner string) error {
	if mayDecide(v, owner) {
		return nil
	}
	return kith.Errorf(kith.Forbidden, "NOT_YOUR_RECORDS",
		"others see these records, too: only the operator may merge them or keep them apart")
}

// Decided implements [identity.Store].
func (db *Store) Decided(ctx context.Context, v kith.Viewer, n int) ([]identity.Decided, error) {
	owners := []string{}
	if actor, isUser := v.User(); v.Decides() {
		owners = nil // all
	} else if isUser {
		owners = append(owners, access.UserOwner(actor.UserID))
	}
	var out []identity.Decided
	var ids [2]int64
	var records [2][]byte
	var d identity.Decided
	err := conn.ForEach(ctx, db.Querier(), "decisions", []any{
		&ids[0], &ids[1], &records[0], &records[1], &d.Together, &d.At,
		&d.By,
	}, func() error {
		for i := range ids {
			var err error
			d.Records[i], err = decodePerson(ids[i], records[i])
			if err != nil {
				return err
			}
		}
		out = append(out, d)
		return nil
	}, `select d.low, d.high, coalesce(`+plainRecord("l")+`, `+wholeRecord("a")+`),
			coalesce(`+plainRecord("h")+`, `+wholeRecord("b")+`), d.together, d.decided_at,
			coalesce(d.decided_by, '')
		from duplicates d
		left join person_records l on l.id = d.low left join people a on a.id = d.low
		left join person_records h on h.id = d.high left join people b on b.id = d.high
		join people p on p.id = coalesce(l.person_id, a.id)
		where d.together is not null and ($1::text[] is null or p.owner = any($1))
			and coalesce(h.person_id, b.id) is not null
		order by d.decided_at desc, d.low, d.high limit $2`, owners, n)
	return out, conn.Named("list decisions", err)
}

// Merged implements [identity.Store].
func (db *Store) Merged(ctx context.Context, above int64, n int) ([]identity.Merged, error) {
	var out []identity.Merged
	err := db.InSnapshot(ctx, "list merged people", func(tx pgx.Tx) error {
		var m identity.Merged
		var ids []int64
		err := conn.ForEach(ctx, tx, "merged people", []any{&m.Person.ID, &m.Records}, func() error {
			out, ids = append(out, m), append(ids, m.Person.ID)
			m.Records = nil
			return nil
		}, "select person_id, array_agg(id order by id) from person_records where person_id > $1 group by person_id "+
			"having count(*) > 1 order by person_id limit $2", above, n)
		if err != nil {
			return err
		}
		people, err := db.byID(ctx, tx, ids)
		for i := range out {
			out[i].Person = people[out[i].Person.ID]
		}
		return err
	})
	return out, err
}

// RecordOf implements [identity.Store].
func (db *Store) RecordOf(
	ctx context.Context,
	v kith.Viewer,
	identifier string,
) (record int64, owner string, err error) {
	found, err := db.Identify(ctx, v, identifier)
	switch {
	case err != nil:
		return 0, "", err
	case len(found) == 0:
		return 0, "", kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "no one in the dataset is %s", identifier)
	case len(found) > 1:
		return 0, "", kith.Errorf(kith.Conflict, "PERSON_AMBIGUOUS", "%d people are %s; give the id of one", len(found),
			identifier)
	}
	owner, err = conn.Value[string](ctx, db.Querier(), "owner of a person", "select owner from people where id = $1",
		found[0])
	if id, notID := strconv.ParseInt(strings.TrimSpace(identifier), 10, 64); notID == nil {
		return id, owner, err
	}
	return found[0], owner, err
}

// Decide implements [identity.DecisionTx].
func (w *WriteTx) Decide(ctx context.Context, low, high int64, together *bool, by kith.Principal) error {
	var err error
	if together == nil {
		err = conn.Exec(ctx, w.Tx, "forget a decision", `with doubtful as (update duplicates
			set together = null, decided_at = null, decided_by = null where low = $1 and high = $2 and score > 0)
			delete from duplicates where low = $1 and high = $2 and score = 0`, low, high)
	} else {
		err = conn.Exec(ctx, w.Tx, "keep a decision", `insert into duplicates
			(low, high, together, decided_at, decided_by) values ($1, $2, $3, clock_timestamp(), $4)
			on conflict (low, high) do update set together = excluded.together, decided_at = excluded.decided_at,
			decided_by = excluded.decided_by`, low, high, together, by.Name)
	}
	if err != nil {
		return err
	}
	return access.Record(ctx, w.db.DB, w.Tx, by, "people.decided", fmt.Sprintf("people %d and %d", low, high),
		map[string]any{"together": together})
}
