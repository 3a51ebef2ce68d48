package record

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/record/refresh"
	"kith/query/analysis"
)

// subject is the person an identifier refers to, or the marks of a person who is not stored.
type subject struct {
	id                         int64
	socialKey, socialID, email string
	// fullName is the person's name, if stored.
	fullName string
	// addresses are the person's lower-case addresses that nobody else has.
	addresses []string
	// sharedID is true if somebody else has the social identifier.
	sharedID bool
	// also are the person's records that belong to other owners.
	also []int64
	// several is how many people the identifier may refer to, if not one.
	several int
}

// Erase implements [privacy.Store].
func (p *Privacy) Erase(ctx context.Context, identifier string, o privacy.Order) (privacy.Result, error) {
	var out privacy.Result
	err := p.db.InWriteTx(ctx, record.ForEveryone(), func(ctx context.Context, w *WriteTx) error {
		// Before locking any of the person's rows: transactions that refer to the person hold locks on users, and would
		// deadlock with this one.
		if err := p.db.LockInTx(ctx, w.Tx, conn.LockPeople); err != nil {
			return err
		}
		refused, err := overLimit(ctx, w.Tx, o)
		if err != nil || refused != nil {
			return take(&out, refused, err)
		}
		s, refused, err := erasureSubject(ctx, w.Tx, identifier, nil, " for update")
		if err != nil || refused != nil {
			return take(&out, refused, err)
		}
		out.Status = privacy.Suppressed
		if s.id != 0 {
			out.Status = privacy.Forgotten
		}
		if out.Erasure, err = p.erase(ctx, w, s, o); err != nil {
			return err
		}
		out.FinalAt = o.FinalAt
		if err := p.db.recordErasure(ctx, w.Tx, o.By, s, "person.erased", out.Erasure); err != nil {
			return err
		}
		return access.ForgetAnswers(ctx, w.Tx)
	})
	return out, err
}

// recordErasure writes an audit entry about a person, identified by a keyed hash.
func (db *Store) recordErasure(ctx context.Context, tx pgx.Tx, by kith.Principal, s subject, action string,
	erasure int64,
) error {
	keep, err := access.ReadSuppression(ctx, db.DB, tx)
	if err != nil {
		return err
	}
	name := "person " + hex.EncodeToString(keep.Person(s.socialKey, s.email, s.id))
	return access.Record(ctx, db.DB, tx, by, action, name,
		map[string]any{"found": s.id != 0, "erasure": erasure})
}

// take copies the reason of a refusal to out.
func take(out, refused *privacy.Result, err error) error {
	if refused != nil {
		*out = *refused
	}
	return err
}

// erasureSubject is [findSubject] for an erasure; refused says why there is no single subject.
func erasureSubject(ctx context.Context, tx pgx.Tx, identifier string, seen access.Sight, lock string,
) (s subject, refused *privacy.Result, err error) {
	s, err = findSubject(ctx, tx, identifier, seen, lock)
	switch {
	case err != nil:
		return s, nil, err
	case s.several > 1:
		return s, &privacy.Result{
			Status: privacy.Failed, Code: privacy.CodeAmbiguous,
			Message: fmt.Sprintf("%d people match; give the profile URL", s.several),
		}, nil
	case s.id == 0 && s.socialKey == "" && s.email == "":
		return s, &privacy.Result{
			Status: privacy.Failed, Code: privacy.CodeNotFound,
			Message: "no record matches; give the profile URL or e-mail address to keep the person out",
		}, nil
	}
	return s, nil, nil
}

// findSubject finds the person an identifier refers to among the records that are seen; lock is appended to the query
// to lock the row.
func findSubject(ctx context.Context, tx pgx.Tx, identifier string, seen access.Sight, lock string) (subject, error) {
	ids, err := networksql.IdentifyPeople(ctx, tx, identifier, seen)
	if err == nil && len(ids) > 1 {
		ids, err = firstOfEach(ctx, tx, ids)
	}
	if err != nil || len(ids) > 1 {
		return subject{several: len(ids)}, err
	}
	var s subject
	if len(ids) == 1 {
		s.id = ids[0]
		err = tx.QueryRow(ctx, "select coalesce(social_key, ''), coalesce(social_id, ''), coalesce(email, ''), "+
			"coalesce(record ->> 'full_name', '') from people where id = $1"+lock, s.id).
			Scan(&s.socialKey, &s.socialID, &s.email, &s.fullName)
	} else if kind, key := analysis.Identifier(identifier); kind == analysis.ProfileIdentifier {
		s.socialKey, s.socialID = key, analysis.SocialID(identifier)
	} else if kind == analysis.EmailIdentifier {
		s.email = key
	}
	if err == nil {
		s.also, err = furtherRecords(ctx, tx, s, lock)
	}
	if err == nil {
		s.addresses, err = ownAddresses(ctx, tx, s, seen)
	}
	if err == nil {
		s.sharedID, err = conn.Value[bool](ctx, tx, "social identifier", `select exists (select from people
			where social_id = $2 and $2 <> '' and id <> all($1))`, s.records(), s.socialID)
	}
	return s, err
}

// ownAddresses returns the lower-case addresses of a person that nobody else has among the records that are seen.
func ownAddresses(ctx context.Context, tx pgx.Tx, s subject, seen access.Sight) ([]string, error) {
	return conn.Collect(ctx, tx, "addresses", pgx.RowTo[string], `with own (email) as (
			select $2::text
			union select p.email from people p where p.id = any($1) and ($3::text[] is null or p.owner = any($3))
			union select i.value from person_identifiers i join people p on p.id = i.person_id
				where i.kind = 2 and p.id = any($1) and ($3::text[] is null or p.owner = any($3)))
		select o.email from own o where o.email <> '' and not exists (select from people p where p.email = o.email
				and p.id <> all($1) and ($3::text[] is null or p.owner = any($3)))
			and not exists (select from person_identifiers i join people p on p.id = i.person_id
				where i.kind = 2 and i.value = o.email and p.id <> all($1)
				and ($3::text[] is null or p.owner = any($3)))
		order by 1`, s.records(), s.email, []string(seen))
}

// erase removes a person from every table. Deleting the person's row deletes what refers to it: relationships, leads,
// their e-mails, activities and history. It returns the hashes that identify the person from then on.
func (w eraseTx) erase(ctx context.Context, s subject, actor string) (marks [][]byte, err error) {
	if err := w.lockConnectedUsers(ctx, s.records()); err != nil {
		return nil, err
	}
	keep, err := access.ReadSuppression(ctx, w.db.DB, w.Tx)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	marks = [][]byte{} // a person with a name only has none
	suppress := func(hash []byte) {
		marks = append(marks, hash)
		batch.Queue("insert into suppressed (hash) values ($1) on conflict (hash) do nothing", hash)
	}
	mark := keep.Person(s.socialKey, s.email, s.id)
	if s.socialKey != "" {
		suppress(mark)
		forgetTickets(batch, s.socialKey)
	}
	if s.socialID != "" && !s.sharedID {
		suppress(keep.Social(s.socialID))
	}
	profiles, err := ownProfiles(ctx, w.Tx, s.records())
	if err != nil {
		return nil, err
	}
	for _, profile := range profiles {
		suppress(keep.Profile(profile))
	}
	for _, address := range s.addresses { // without shared ones, which must not suppress others
		suppress(keep.Email(address))
	}
	batch.Queue("delete from correspondence where email = any($1)", s.addresses)
	batch.Queue("delete from outbox_failed where kind = $1 and id = any($2)", int16(record.People), s.records())
	batch.Queue("insert into privacy_audit (action, subject, actor, found) values ('forget', $1, $2, $3)", mark, actor,
		s.id != 0)
	if err := w.Tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("erase: %w", err)
	}
	if err := w.forgetOutreach(ctx, s, keep); err != nil {
		return nil, err
	}
	if s.id != 0 {
		if err := w.DeletePeople(ctx, s.records()); err != nil {
			return nil, err
		}
	}
	return marks, nil
}

// records returns all records of the person, of every owner.
func (s subject) records() []int64 { return append([]int64{s.id}, s.also...) }

// ownProfiles returns the profiles in the person's records that belong to nobody else.
func ownProfiles(ctx context.Context, tx pgx.Tx, records []int64) ([]string, error) {
	return conn.Collect(ctx, tx, "profiles", pgx.RowTo[string], `select a.value from (
			select value from person_identifiers where person_id = any($1) and kind = 1
			union select social_key from people where id = any($1) and social_key is not null) a
		where not exists (select from person_identifiers o where o.kind = 1 and o.value = a.value
				and o.person_id <> all($1))
			and not exists (select from people p where p.social_key = a.value and p.id <> all($1))`, records)
}

// forgetTickets removes a profile from refresh jobs, and source data from their failures. A running job continues, but
// neither its result nor its failure is stored.
func forgetTickets(batch *pgx.Batch, key string) {
	batch.Queue(`update jobs set social_key = null, social_url = null, finished_at = coalesce(finished_at, now()),
			error = case when status is null or error is not null then $2 end, status = coalesce(status, 'failed')
		where social_key = $1`, key, "PERSON_SUPPRESSED: this person asked to be forgotten")
	batch.Queue("delete from river_job where kind = $2 and args @> jsonb_build_object('key', $1::text) and state <> "+
		"'running'", key, refresh.Kind)
	batch.Queue(`update river_job set args = '{"key": ""}', errors = null where kind = $2
		and args @> jsonb_build_object('key', $1::text)`, key, refresh.Kind)
}
