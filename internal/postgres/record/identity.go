package record

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/identity"
)

var _ identity.Tx = (*WriteTx)(nil)

// Related implements [identity.Tx].
func (w *WriteTx) Related(ctx context.Context, keys identity.Keys) (
	records []identity.Record, overshared []int64, err error,
) {
	if w.Owner == record.Everyone {
		if err := (blockTx{w}).keepEveryonesBlocks(ctx); err != nil {
			return nil, nil, err
		}
	}
	sharing, overshared, err := (blockTx{w}).sharing(ctx, keys.Blocks)
	if err != nil {
		return nil, nil, err
	}
	ids, err := conn.Collect(ctx, w.Tx, "related people", pgx.RowTo[int64], `
		select unnest($6::bigint[])
		union select p.id from people p join (
			select p.id from unnest($1::text[]) k join people p on p.social_key = k
			union select i.person_id from unnest($1::text[]) k join person_identifiers i on i.kind = 1 and i.value = k
			union select unnest($4::bigint[])
			union select person_id from person_records where id = any($4)) found on found.id = p.id where p.owner = $5
		union select f.id from unnest($2::text[]) k cross join lateral (
			select p.id from people p where p.email = k and p.owner = $5
			union all select p.id from person_identifiers i join people p on p.id = i.person_id
				where i.kind = 2 and i.value = k and p.owner = $5
			limit $7) f
		union select f.id from unnest($3::text[]) k cross join lateral (
			select p.id from person_identifiers i join people p on p.id = i.person_id
				where i.kind = 3 and i.value = k and p.owner = $5
			limit $7) f`,
		keys.Profiles, keys.Emails, keys.Sources, keys.People, w.Owner, sharing, identity.MostSharing+1)
	if err != nil || len(ids) == 0 {
		return nil, overshared, err
	}
	records, err = w.readRecords(ctx, ids)
	return records, overshared, err
}

// Everyones implements [identity.Tx].
func (w *WriteTx) Everyones(ctx context.Context, keys identity.Keys) ([]identity.Marked, error) {
	if w.Owner == record.Everyone {
		return nil, nil
	}
	var out []identity.Marked
	var id int64
	var profiles, addresses []string
	var packed []byte
	// The user's own addresses of a person count, too, although they are not in the record.
	err := conn.ForEach(ctx, w.Tx, "people of everyone", []any{&id, &packed, &addresses, &profiles}, func() error {
		p, err := decodePerson(id, packed)
		p.Emails = append(p.Emails, addresses...)
		out = append(out, identity.Marked{Person: p, Profiles: profiles})
		addresses, profiles = nil, nil
		return err
	}, `select p.id, `+wholeRecord("p")+`,
			array(select k.email from known_addresses k join owners o on o.user_id = k.user_id
				where k.person_id = p.id and o.key = $4),
			array(select p.social_key where p.social_key is not null
				union select i.value from person_identifiers i where i.person_id = p.id and i.kind = 1)
		from people p join (
			select p.id from unnest($1::text[]) k join people p on p.social_key = k
			union select i.person_id from unnest($1::text[]) k join person_identifiers i on i.kind = 1 and i.value = k
			union select p.id from unnest($2::text[]) k join people p on p.email = k
			union select i.person_id from unnest($2::text[]) k join person_identifiers i on i.kind = 2 and i.value = k
			union select a.person_id from unnest($2::text[]) k join known_addresses a on a.email = k
				join owners o on o.user_id = a.user_id and o.key = $4
			union select i.person_id from unnest($3::text[]) k join person_identifiers i on i.kind = 3
			and i.value = k) found on found.id = p.id
		where p.owner = '' order by p.id`, keys.Profiles, keys.Emails, keys.Sources, w.Owner)
	return out, err
}

// readRecords returns the records of people. If a load or refresh has written a person since the last merge, that data
// replaces the first record.
func (w *WriteTx) readRecords(ctx context.Context, people []int64) ([]identity.Record, error) {
	var out []identity.Record
	var id, person int64
	var packed, trail []byte
	var asOf time.Time
	add := func() error {
		p, err := decodePerson(id, packed)
		if err != nil {
			return err
		}
		out = append(out, identity.Record{
			ID: id, Person: person, Dated: record.Dated{Person: p, AsOf: asOf, Trail: trail},
		})
		trail = nil
		return nil
	}
	err := conn.ForEach(ctx, w.Tx, "records of people", []any{&id, &person, &packed, &asOf, &trail}, add, `
		select p.id, p.id, `+wholeRecord("p")+`, coalesce(p.as_of, p.updated_at), p.trail from people p
			where p.id = any($1) and (p.merged_hash is null or p.merged_hash <> p.hash)
		union all
		select r.id, r.person_id, `+plainRecord("r")+`, r.as_of, r.trail
			from person_records r join people p on p.id = r.person_id
			where r.person_id = any($1) and p.merged_hash is not null
			and (r.id <> p.id or p.merged_hash = p.hash)`, people)
	return out, err
}

// Decisions implements [identity.Tx].
func (w *WriteTx) Decisions(ctx context.Context, records []int64) ([]identity.Decision, error) {
	return conn.Collect(ctx, w.Tx, "decisions", pgx.RowToStructByPos[identity.Decision],
		"select low, high, together from duplicates where together is not null and low = any($1) and high = any($1) "+
			"order "+
			"by decided_at, low, high", records)
}

// Apply implements [identity.Tx].
func (w *WriteTx) Apply(ctx context.Context, c identity.Change) ([]record.Outcome, error) {
	if len(c.Gone) > 0 {
		if err := (mergeTx{w}).absorb(ctx, c.Gone); err != nil {
			return nil, err
		}
	}
	if err := (mergeTx{w}).giveUpProfiles(ctx, c.Rows); err != nil {
		return nil, fmt.Errorf("profiles of people: %w", err)
	}
	outcomes, err := w.PutPeople(ctx, c.Rows)
	if err != nil {
		return nil, err
	}
	refused := map[int64]bool{}
	var same []personValues // unchanged people whose records and profiles may still differ
	for i, row := range c.Rows {
		if refused[row.Person.ID] = outcomes[i] == record.Suppressed; outcomes[i] == record.Unchanged {
			same = append(same, personValues{row: &c.Rows[i]})
		}
	}
	if err := w.putIdentifiers(ctx, same, false); err != nil {
		return nil, fmt.Errorf("identifiers of people: %w", err)
	}
	if err := (blockTx{w}).replaceBlocks(ctx, same); err != nil {
		return nil, err
	}
	if err := w.putRecords(ctx, c, refused); err != nil {
		return nil, fmt.Errorf("records of people: %w", err)
	}
	if err := w.date(ctx, c, outcomes); err != nil {
		return nil, fmt.Errorf("date people: %w", err)
	}
	if err := w.putDoubts(ctx, c); err != nil {
		return nil, fmt.Errorf("doubtful pairs: %w", err)
	}
	return outcomes, (mergeTx{w}).undoMerge(ctx, c.Back)
}

// putRecords replaces the records of people.
func (w *WriteTx) putRecords(ctx context.Context, c identity.Change, refused map[int64]bool) error {
	var of []int64
	for _, id := range c.Of {
		if !refused[id] {
			of = append(of, id)
		}
	}
	var rows [][]any
	var ids []int64
	for _, r := range c.Records {
		if refused[r.Person] {
			continue
		}
		e, err := encodePerson(r.Dated.Person)
		if err != nil {
			return err
		}
		ids = append(ids, r.ID)
		rows = append(rows, []any{r.ID, r.Person, e.record, r.AsOf, r.Trail})
	}
	if len(of) > 0 {
		if err := conn.Exec(ctx, w.Tx, "records", "delete from person_records where person_id = any($1) or id = "+
			"any($2)", of, ids); err != nil {
			return err
		}
	}
	return copyRows(ctx, w.Tx, "person_records", rows, "id", "person_id", "record", "as_of", "trail")
}

// date stores the date and the trail of people and, for those with several records, the hash of the merge result.
func (w *WriteTx) date(ctx context.Context, c identity.Change, outcomes []record.Outcome) error {
	several := map[int64]bool{}
	for _, r := range c.Records {
		several[r.Person] = true
	}
	var ids []int64
	var days []time.Time
	var trails []*string
	var merged []bool
	for i, row := range c.Rows {
		id := row.Person.ID
		if outcomes[i] == record.Suppressed || outcomes[i] == record.Created && !several[id] && row.Trail == nil {
			continue
		}
		ids, days, merged = append(ids, id), append(days, row.AsOf), append(merged, several[id])
		trails = append(trails, orNull(string(row.Trail)))
	}
	if len(ids) == 0 {
		return nil
	}
	return conn.Exec(ctx, w.Tx, "date people", `update people p set as_of = n.as_of, trail = n.trail, merged_hash = case
		when n.merged then p.hash end
		from unnest($1::bigint[], $2::timestamptz[], $3::jsonb[], $4::bool[]) as n (id, as_of, trail, merged)
		where p.id = n.id`, ids, days, trails, merged)
}

// putDoubts replaces the undecided pairs of people. Reasons must not contain line breaks.
func (w *WriteTx) putDoubts(ctx context.Context, c identity.Change) error {
	if len(c.Of) > 0 {
		err := conn.Exec(ctx, w.Tx, "doubtful pairs",
			"delete from duplicates where together is null and (low = any($1) or high = any($1))", c.Of)
		if err != nil {
			return err
		}
	}
	n := len(c.Doubtful)
	if n == 0 {
		return nil
	}
	low, high, scores, reasons := make([]int64, n), make([]int64, n), make([]float64, n), make([]string, n)
	for i, p := range c.Doubtful {
		low[i], high[i], scores[i], reasons[i] = p.Low, p.High, p.Score, strings.Join(p.Reasons, "\n")
	}
	return conn.Exec(ctx, w.Tx, "doubtful pairs", `insert into duplicates (low, high, score, reasons)
		select low, high, score, string_to_array(reasons, E'\n')
		from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[]) as n (low, high, score, reasons)
		on conflict (low, high) do nothing`, low, high, scores, reasons)
}
