package record

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/privacy"
)

// EraseInApp implements [privacy.Store].
func (p *Privacy) EraseInApp(ctx context.Context, identifier string, o privacy.Order) (privacy.Result, error) {
	var out privacy.Result
	var owned []int64
	err := p.db.InTx(ctx, "erase in an app", func(tx pgx.Tx) error {
		if err := p.db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		seen, err := access.OwnersInApp(ctx, tx, o.By.App)
		if err != nil {
			return err
		}
		s, refused, err := erasureSubject(ctx, tx, identifier, seen, "")
		if err != nil || refused != nil {
			return take(&out, refused, err)
		}
		out.Status = privacy.Forgotten
		if owned, err = ownedInApp(ctx, tx, s, o.By.App); err != nil {
			return err
		}
		if err := p.db.eraseInApp(ctx, tx, s, o); err != nil {
			return err
		}
		if err := p.db.recordErasure(ctx, tx, o.By, s, "person.erased_in_app", 0); err != nil {
			return err
		}
		return access.ForgetAnswers(ctx, tx)
	})
	if err != nil || len(owned) == 0 {
		return out, err
	}
	// Deleting people waits for transactions that refer to them, so it needs its own transaction; repeating the erasure
	// completes it.
	return out, p.db.Write(ctx, record.ForEveryone(), func(ctx context.Context, tx record.Tx) error {
		return tx.DeletePeople(ctx, owned)
	})
}

// ownedInApp returns the records of a person that belong to an app or its users.
func ownedInApp(ctx context.Context, tx pgx.Tx, s subject, app int64) ([]int64, error) {
	return conn.Collect(ctx, tx, "records of an app", pgx.RowTo[int64], `select p.id from people p
		join owners o on o.key = p.owner left join users u on u.id = o.user_id
		where p.id = any($1) and coalesce(o.app_id, u.app_id) = $2 order by p.id`, s.records(), app)
}

// eraseInApp removes a person from the data of an app's users: relationships, leads with everything attached, e-mails
// to addresses of the person, refresh jobs, and mentions as introducer. Suppressed addresses stay: the person does,
// too, and must not be written to again.
func (db *Store) eraseInApp(ctx context.Context, tx pgx.Tx, s subject, o privacy.Order) error {
	users, err := conn.Collect(ctx, tx, "users of the app", pgx.RowTo[int64],
		"select id from users where app_id = $1 order by id for update", o.By.App)
	if err != nil {
		return err
	}
	introduced, err := findIntroductions(ctx, tx, s)
	if err != nil {
		return err
	}
	introduced = introduced.of(users)
	keep, err := access.ReadSuppression(ctx, db.DB, tx)
	if err != nil {
		return err
	}
	mark := keep.Person(s.socialKey, s.email, s.id)
	batch := &pgx.Batch{}
	batch.Queue("delete from leads where person_id = any($1) and user_id = any($2)", s.records(), users)
	batch.Queue("delete from relationships where person_id = any($1) and user_id = any($2)", s.records(), users)
	batch.Queue("delete from known_addresses where person_id = any($1) and user_id = any($2)", s.records(), users)
	batch.Queue("delete from list_people where person_id = any($1) and list_id in (select id from lists where user_id "+
		"= any($2))", s.records(), users)
	batch.Queue("delete from contacts where person_id = any($1) and user_id = any($2)", s.records(), users)
	batch.Queue("delete from moved_rows where to_id = any($1) and (row ->> 'user_id')::bigint = any($2)", s.records(),
		users)
	batch.Queue("delete from correspondence where email = any($1) and user_id = any($2)", s.addresses, users)
	batch.Queue("delete from emails where lower(to_address) = any($1) and to_address <> '' and user_id = any($2)",
		s.addresses, users)
	if s.socialKey != "" {
		batch.Queue("update jobs set social_key = null, social_url = null where social_key = $1 and user_id = any($2) "+
			"and "+"finished_at is not null", s.socialKey, users)
	}
	if len(introduced.leads) > 0 {
		introduced.redact(batch, mentions(slices.Concat(introduced.names, s.addresses, []string{
			s.email, s.fullName, s.socialKey,
		})))
		introduced.erase(batch)
	}
	batch.Queue("insert into privacy_audit (action, subject, actor, found) values ('forget', $1, $2, $3)", mark,
		o.Actor, s.id != 0)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("erase in an app: %w", err)
	}
	return nil
}

// of returns the introductions in the leads of some users.
func (in introductions) of(users []int64) introductions {
	var out introductions
	for i, user := range in.users {
		if slices.Contains(users, user) {
			out.users, out.leads = append(out.users, user), append(out.leads, in.leads[i])
			out.identifiers, out.names = append(out.identifiers, in.identifiers[i]), append(out.names, in.names[i])
		}
	}
	return out
}
