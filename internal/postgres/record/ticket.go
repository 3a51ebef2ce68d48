package record

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/riverqueue/river"

	"kith"
	"kith/internal/operation/tasks"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record/enrich"
	"kith/internal/record/refresh"
	"kith/query"
)

var _ refresh.Tickets = (*Tickets)(nil)

// Tickets stores the refresh jobs requested by users, on top of the queue that does the work. It reads the columns id,
// kind, state, errors, metadata and finalized_at of river_job.
type Tickets struct {
	db    *Store
	queue *tasks.Queue
}

// NewTickets returns the tickets over a queue in the same schema.
func NewTickets(db *Store, queue *tasks.Queue) *Tickets { return &Tickets{db, queue} }

// Open implements [refresh.Tickets].
func (t *Tickets) Open(ctx context.Context, user int64, profiles []refresh.Profile,
	priority int,
) ([]string, error) {
	ids := make([]string, len(profiles))
	// A person who is being erased must not be stored again, and concurrent requests of a user share tickets.
	err := t.db.InUsersTx(ctx, user, "open tickets", func(tx pgx.Tx) error {
		gone, err := access.SuppressedAmong(ctx, t.db.DB, tx, profileKeys(profiles))
		if err != nil {
			return err
		}
		if len(gone) > 0 {
			return enrich.ErrSuppressed()
		}
		open, err := openTickets(ctx, tx, user, profiles)
		if err != nil {
			return err
		}
		if priority, err = taskPriority(ctx, tx, user, len(profiles)-len(open), priority); err != nil {
			return err
		}
		queued, err := t.queue.Insert(ctx, tx, insertParams(profiles, priority))
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for i, p := range profiles {
			if ids[i] = open[p.Key]; ids[i] != "" {
				continue
			}
			ids[i] = "job_" + rand.Text()
			batch.Queue("insert into jobs (id, user_id, kind, work_id, social_key, social_url) values ($1, $2, $3, "+
				"$4, $5, $6)", ids[i], user, refresh.Kind, queued[i].Job.ID, p.Key, p.URL)
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	return ids, err
}

// taskPriority returns the priority of further refreshes of a user. A user with as many open jobs as one request may
// contain gets a lower priority than others.
func taskPriority(ctx context.Context, tx pgx.Tx, user int64, further, asked int) (int, error) {
	open, err := conn.Value[int](ctx, tx, "open tasks", `select count(*) from (select from jobs j
		join river_job r on r.id = j.work_id
		where j.user_id = $1 and j.finished_at is null and r.finalized_at is null
		limit $2) open`, user, refresh.MaxOpen)
	switch {
	case err != nil:
		return asked, err
	case further > 0 && open+further > refresh.MaxOpen:
		return asked, &kith.Error{
			Kind: kith.RateLimited, Code: "TOO_MANY_JOBS", RetryAfter: time.Minute,
			Detail: fmt.Sprintf("you have %d open jobs, and at most %d are allowed; try again when some have ended",
				open,
				refresh.MaxOpen),
		}
	case open >= refresh.MaxProfiles:
		asked = max(asked, tasks.Later)
	}
	return asked, nil
}

func profileKeys(profiles []refresh.Profile) []string {
	keys := make([]string, len(profiles))
	for i, p := range profiles {
		keys[i] = p.Key
	}
	return keys
}

func insertParams(profiles []refresh.Profile, priority int) []river.InsertManyParams {
	out := make([]river.InsertManyParams, len(profiles))
	for i, p := range profiles {
		out[i] = river.InsertManyParams{
			Args: refresh.Args{Key: p.Key}, InsertOpts: &river.InsertOpts{Priority: priority},
		}
	}
	return out
}

// openTickets returns the open tickets of a user by profile.
func openTickets(ctx context.Context, tx pgx.Tx, user int64, profiles []refresh.Profile) (map[string]string, error) {
	keys := profileKeys(profiles)
	if err := closeTickets(ctx, tx, "j.user_id = $1 and j.social_key = any($2)", user, keys); err != nil {
		return nil, err
	}
	open := map[string]string{}
	var id, key string
	err := conn.ForEach(ctx, tx, "open tickets", []any{&id, &key}, func() error {
		open[key] = id
		return nil
	}, "select id, social_key from jobs where user_id = $1 and social_key = any($2) and kind = $3 and finished_at is "+
		"null", user, keys, refresh.Kind)
	return open, err
}

// closeTickets copies the outcome of tasks to open tickets. It always locks tickets in the same order, so that
// concurrent calls wait instead of deadlocking.
func closeTickets(ctx context.Context, q conn.Querier, which string, args ...any) error {
	_, err := q.Exec(ctx, `with ended as (
			select j.id, r.state, r.metadata, r.errors, r.finalized_at from jobs j join river_job r on r.id = j.work_id
			where r.state in ('completed', 'cancelled', 'discarded') and j.finished_at is null and `+which+`
			order by j.id for no key update of j)
		update jobs j set finished_at = coalesce(r.finalized_at, now()),
			status = case when r.state = 'completed' then 'succeeded'
				when r.state = 'cancelled' and r.metadata ? 'cancel_attempted_at' then 'canceled' else 'failed' end,
			error = case when r.state <> 'completed' then r.errors[array_upper(r.errors, 1)] ->> 'error' end
		from ended r where r.id = j.id`, args...)
	return err
}

// CloseTicketsForWebhooks closes tickets whose tasks have ended within the last hour, if there are webhooks; older ones
// are left to [Tickets.Tidy]. It skips rows locked by another process, to avoid a deadlock.
func CloseTicketsForWebhooks(ctx context.Context, q conn.Querier) error {
	return closeTickets(ctx, q, `j.id in (select o.id from jobs o join river_job w on w.id = o.work_id
		where o.finished_at is null and w.finalized_at > now() - interval '1 hour' and exists (select from webhooks)
		limit 1000 for no key update of o skip locked)`)
}

const selectTicket = `select j.id, coalesce(j.social_key, ''), coalesce(j.social_url, ''),
		coalesce(j.status, case r.state when 'running' then 'running' else 'queued' end),
		j.created_at, j.finished_at, coalesce(j.error, ''), j.expired
	from jobs j left join river_job r on r.id = j.work_id `

// ticketRow is a row of selectTicket.
type ticketRow struct {
	refresh.Ticket
	expired bool
}

func scanTicket(row pgx.CollectableRow) (t ticketRow, err error) {
	var reason string
	err = row.Scan(&t.ID, &t.Key, &t.URL, &t.State, &t.Created, (*zeronull.Timestamptz)(&t.Finished), &reason,
		&t.expired)
	if reason != "" {
		t.Reason = tasks.ParseReason(reason)
	}
	return t, err
}

// Look implements [refresh.Tickets].
func (t *Tickets) Look(ctx context.Context, ids []string) ([]refresh.Ticket, error) {
	var out []refresh.Ticket
	err := closeTickets(ctx, t.db.Querier(), "j.id = any($1)", ids)
	if err != nil {
		return nil, conn.Named("read tickets", err)
	}
	found, err := conn.Collect(ctx, t.db.Querier(), "read tickets", scanTicket,
		selectTicket+"where j.id = any($1) order by array_position($1, j.id)", ids)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		out = append(out, f.Ticket)
	}
	if len(out) != len(ids) {
		return nil, conn.NoUser() // deleted with their tickets
	}
	return out, nil
}

func errNoTicket() error {
	return kith.Errorf(kith.NotFound, "JOB_NOT_FOUND", "you have no job with this id")
}

// Get implements [refresh.Tickets].
func (t *Tickets) Get(ctx context.Context, user int64, id string) (refresh.Ticket, error) {
	if !query.Storable(id) {
		return refresh.Ticket{}, errNoTicket()
	}
	err := closeTickets(ctx, t.db.Querier(), "j.id = $1 and j.user_id = $2", id, user)
	var out refresh.Ticket
	if err == nil {
		out, err = get(ctx, t.db.Querier(), user, id)
	}
	return out, conn.Named("ticket", err)
}

func get(ctx context.Context, q conn.Querier, user int64, id string) (refresh.Ticket, error) {
	t, err := conn.One(ctx, q, "ticket", errNoTicket(), scanTicket,
		selectTicket+"where j.id = $1 and j.user_id = $2", id, user)
	if err == nil && t.expired {
		return refresh.Ticket{}, kith.Errorf(kith.Gone, "JOB_EXPIRED",
			"jobs are kept for 30 days, and this one is older")
	}
	return t.Ticket, err
}

// Cancel implements [refresh.Tickets].
func (t *Tickets) Cancel(ctx context.Context, user int64, id string) (refresh.Ticket, error) {
	if !query.Storable(id) {
		return refresh.Ticket{}, errNoTicket()
	}
	var out refresh.Ticket
	err := t.db.InTx(ctx, "cancel ticket", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, user); err != nil {
			return err
		}
		if err := closeTickets(ctx, tx, "j.id = $1 and j.user_id = $2", id, user); err != nil {
			return err
		}
		var err error
		if out, err = get(ctx, tx, user, id); err != nil {
			return err
		}
		switch {
		case out.State == tasks.Canceled:
			return nil
		case !out.Finished.IsZero():
			return kith.Errorf(kith.Conflict, "JOB_FINISHED", "the job has ended already, so it cannot be canceled")
		}
		return t.cancel(ctx, tx, &out)
	})
	return out, err
}

// cancel cancels a ticket, and its task if no other ticket waits for it.
func (t *Tickets) cancel(ctx context.Context, tx pgx.Tx, out *refresh.Ticket) error {
	var work int64
	err := tx.QueryRow(ctx, "update jobs set finished_at = now(), status = 'canceled' where id = $1 returning "+
		"coalesce(work_id, 0), finished_at", out.ID).
		Scan(&work, &out.Finished)
	if err != nil {
		return err
	}
	out.State = tasks.Canceled
	// A transaction joining this task waits for the lock, and then finds it canceled.
	if _, err := tx.Exec(ctx, "select from river_job where id = $1 for update", work); err != nil {
		return err
	}
	var shared bool
	err = tx.QueryRow(ctx, "select exists (select from jobs where work_id = $1 and finished_at is null)",
		work).Scan(&shared)
	if err != nil || shared {
		return err
	}
	return t.queue.Cancel(ctx, tx, work)
}
