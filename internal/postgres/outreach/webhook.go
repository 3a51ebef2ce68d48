package outreach

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/riverqueue/river"

	"kith"
	"kith/internal/operation/tasks"
	"kith/internal/outreach"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
)

var (
	_ outreach.Events       = (*Delivery)(nil)
	_ outreach.WebhookStore = (*Delivery)(nil)
)

// AddWebhook implements [outreach.WebhookStore].
func (o *Delivery) AddWebhook(ctx context.Context, of outreach.Subscriber, w outreach.Webhook,
) (outreach.Webhook, error) {
	err := o.db.InTx(ctx, "add webhook", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select from apps where id = $1 for no key update", of.App); err != nil {
			return err
		}
		has, err := conn.Value[int](ctx, tx, "webhooks",
			"select count(*) from webhooks where app_id = $1 and user_id = $2", of.App, of.User)
		if err != nil {
			return err
		}
		if of.User != 0 && has >= outreach.MaxWebhooks {
			return kith.Errorf(kith.Conflict, "TOO_MANY_WEBHOOKS",
				"you have %d webhooks, the maximum; remove one first", has)
		}
		err = tx.QueryRow(ctx, `insert into webhooks (app_id, url, secret, user_id)
			values ($1, $2, $3, nullif($4::bigint, 0)) returning id, created_at`, of.App, w.URL,
			o.vault.Seal(access.PurposeWebhook, access.BindApp(of.App), []byte(w.Secret)), of.User).Scan(&w.ID,
			&w.CreatedAt)
		if err != nil {
			return err
		}
		return o.recordWebhook(ctx, tx, of, "webhook.created", w.ID, w.URL)
	})
	return w, err
}

// Webhooks implements [outreach.WebhookStore]. Secrets that cannot be read are empty.
func (o *Delivery) Webhooks(ctx context.Context, of outreach.Subscriber) ([]outreach.Webhook, error) {
	list, err := conn.Collect(ctx, o.pool, "webhooks", conn.Into(func(w *outreach.Webhook) []any {
		return []any{
			&w.ID, &w.User, &w.URL, &w.Secret, &w.CreatedAt, (*zeronull.Timestamptz)(&w.FailingSince), &w.Failure,
			&w.Waiting,
		}
	}), `select w.id, coalesce(u.external_id, ''), w.url, w.secret, w.created_at, w.failing_since, w.failure,
			(select count(*) from webhook_events e where e.app_id = w.app_id and e.webhook_id = w.id)
		from webhooks w left join users u on u.id = w.user_id where w.app_id = $1 and ($2::bigint = 0 or w.user_id = $2)
		order by w.created_at, w.id`,
		of.App, of.User)
	if err != nil {
		return nil, err
	}
	for i := range list {
		o.unseal(of.App, &list[i])
	}
	return list, nil
}

// unseal opens the secret of a webhook. If it was sealed with another key it becomes "", which fails on use without
// holding up other webhooks.
func (o *Delivery) unseal(app int64, w *outreach.Webhook) {
	secret, err := o.vault.Open(access.PurposeWebhook, access.BindApp(app), w.Secret)
	if err != nil {
		secret = nil
	}
	w.Secret = string(secret)
}

// RemoveWebhook implements [outreach.WebhookStore].
func (o *Delivery) RemoveWebhook(ctx context.Context, of outreach.Subscriber, id int64) error {
	return o.db.InTx(ctx, "remove webhook", func(tx pgx.Tx) error {
		address, err := conn.Value[string](ctx, tx, "remove webhook",
			"delete from webhooks where app_id = $1 and id = $2 and ($3::bigint = 0 or user_id = $3) returning url",
			of.App, id, of.User)
		if errors.Is(err, pgx.ErrNoRows) {
			return outreach.WebhookNotFound(id)
		}
		if err != nil {
			return err
		}
		return o.recordWebhook(ctx, tx, of, "webhook.deleted", id, address)
	})
}

// recordWebhook writes an audit entry about a webhook, without the path of its URL, which may be the receiver's only
// credential.
func (o *Delivery) recordWebhook(ctx context.Context, tx pgx.Tx, of outreach.Subscriber, action string, id int64,
	address string,
) error {
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	var name string
	if err := tx.QueryRow(ctx, "select name from apps where id = $1", of.App).Scan(&name); err != nil {
		return err
	}
	return access.Record(ctx, o.db.DB, tx, of.By, action, name, map[string]any{"webhook": id, "host": host})
}

// QueueWebhooks queues a task for each webhook that has due events and no open task. Tasks that have succeeded are
// forgotten, because a busy webhook has thousands a day.
func (o *Delivery) QueueWebhooks(ctx context.Context, queue *tasks.Queue) error {
	due, err := o.DueWebhooks(ctx, time.Now())
	if err != nil || len(due) == 0 {
		return err
	}
	kind := outreach.AnnounceArgs{}.Kind()
	return o.db.InTx(ctx, "queue webhooks", func(tx pgx.Tx) error {
		open, err := queue.Open(ctx, tx, kind)
		if err != nil {
			return err
		}
		var list []river.InsertManyParams
		for _, r := range due {
			if args := outreach.NewAnnounceArgs(r); !open[args.Key] {
				list = append(list, river.InsertManyParams{Args: args, InsertOpts: &river.InsertOpts{
					Queue: kind, Priority: tasks.Soon, UniqueOpts: tasks.WhileOpen(),
				}})
			}
		}
		if _, err := queue.Insert(ctx, tx, list); err != nil {
			return err
		}
		return queue.Forget(ctx, tx, kind)
	})
}

// DueWebhooks returns the webhooks that have due events. It first turns refresh jobs that have ended into events.
func (o *Delivery) DueWebhooks(ctx context.Context, now time.Time) ([]outreach.Receiver, error) {
	if err := recordsql.CloseTicketsForWebhooks(ctx, o.pool); err != nil {
		return nil, conn.Named("webhook events", err)
	}
	return conn.Collect(ctx, o.pool, "webhooks with events", pgx.RowToStructByPos[outreach.Receiver],
		`select w.app_id, w.id from webhooks w where exists (
			select from webhook_events e where e.app_id = w.app_id and e.webhook_id = w.id and e.next_at <= $1)`, now)
}

// Take implements [outreach.Events]. It skips events that are being erased.
func (o *Delivery) Take(ctx context.Context, r outreach.Receiver, now time.Time, n int) ([]outreach.Event, error) {
	events, err := conn.Collect(ctx, o.pool, "webhook events", scanEvent, `with due as (
			select * from webhook_events where app_id = $1 and webhook_id = $2 and next_at <= $3 order by next_at, id
			limit $4 for no key update skip locked)
		select e.id, e.attempts, w.id, w.url, w.secret, w.failing_since, e.app_id, u.external_id,
		coalesce(h.sequence_id, 0), coalesce(h.lead_id, 0),
			coalesce(h.id, 0), coalesce(h.row_id, 0), coalesce(h.subject, ''), coalesce(h.from_state, ''),
			coalesce(h.to_state, j.status, ''),
			coalesce(h.reason, j.error, ''), coalesce(h.moved_by, ''), coalesce(h.moved_at, j.finished_at, e.at),
			coalesce(e.job_id, ''),
			coalesce(e.list_id, 0), coalesce(e.search_id, 0), coalesce(e.person_id, 0), e.detail::text
		from due e join webhooks w on w.app_id = e.app_id and w.id = e.webhook_id join users u on u.id = e.user_id
		left join outreach_history h on h.user_id = e.user_id and h.id = e.history_id left join jobs j
		on j.id = e.job_id order by e.id`, r.App, r.Webhook, now, n)
	if err != nil {
		return nil, err
	}
	for i := range events {
		o.unseal(events[i].App, &events[i].Webhook)
	}
	return events, nil
}

func scanEvent(row pgx.CollectableRow) (e outreach.Event, err error) {
	err = row.Scan(&e.ID, &e.Attempts, &e.Webhook.ID, &e.Webhook.URL, &e.Webhook.Secret,
		(*zeronull.Timestamptz)(&e.Webhook.FailingSince), &e.App, &e.ExternalID, &e.Sequence, &e.Lead,
		&e.Number, &e.Row, &e.Subject, &e.From, &e.To, &e.Reason, &e.By, &e.At, &e.Ticket, &e.News.List, &e.News.Search,
		&e.News.Person, &e.News.Detail)
	if e.Ticket != "" {
		e.Subject, e.Reason = outreach.OfTicket, failureCode(e.Reason)
	}
	return e, err
}

// failureCode returns the code of a refresh job's failure, without the text: internal errors must not reach clients. It
// is "" for a job that did not fail.
func failureCode(reason string) string {
	if reason == "" {
		return ""
	}
	return tasks.ParseReason(reason).Code
}

// Accepted implements [outreach.Events].
func (o *Delivery) Accepted(ctx context.Context, id int64) error {
	return conn.Exec(ctx, o.pool, "webhook event", `with delivered as (delete from webhook_events where id = $1
		returning app_id, webhook_id)
		update webhooks w set failing_since = null, failure = '' from delivered t where w.app_id = t.app_id
		and w.id = t.webhook_id and failing_since is not null`, id)
}

// Failing implements [outreach.Events].
func (o *Delivery) Failing(ctx context.Context, r outreach.Receiver, why string,
	now time.Time,
) (began bool, err error) {
	began, err = conn.Value[bool](ctx, o.pool, "failing webhook", `with before as (select failing_since
		from webhooks where app_id = $1 and id = $2 for update)
		update webhooks w set failing_since = coalesce(w.failing_since, $4), failure = left($3, 500) from before b
		where app_id = $1 and id = $2 returning b.failing_since is
		null`, r.App, r.Webhook, strings.ToValidUTF8(why, "\uFFFD"), now)
	if errors.Is(err, pgx.ErrNoRows) { // removed meanwhile
		return false, nil
	}
	return began, err
}

// FailingWebhooks is the number of webhooks that do not accept events.
func (o *Store) FailingWebhooks(ctx context.Context) (int64, error) {
	return conn.Value[int64](ctx, o.pool, "failing webhooks",
		"select count(*) from webhooks where failing_since is not null")
}

// RetryAt implements [outreach.Events].
func (o *Delivery) RetryAt(ctx context.Context, id int64, at time.Time) error {
	return conn.Exec(ctx, o.pool, "webhook event",
		"update webhook_events set attempts = attempts + 1, next_at = $2 where id = $1", id, at)
}

// GiveUp implements [outreach.Events].
func (o *Delivery) GiveUp(ctx context.Context, id int64) error {
	return conn.Exec(ctx, o.pool, "webhook event", "delete from webhook_events where id = $1", id)
}

// PutOff implements [outreach.Events]. It skips events that are being erased.
func (o *Delivery) PutOff(ctx context.Context, r outreach.Receiver, now time.Time) (int64, error) {
	waits := make([]float64, outreach.MaxAttempts) // in seconds, by attempts from 1 on
	for i := range waits {
		waits[i] = outreach.Wait(i + 1).Seconds()
	}
	var ended int64
	err := o.db.InTx(ctx, "webhook events", func(tx pgx.Tx) error {
		tried, err := conn.Collect(ctx, tx, "failed attempts", pgx.RowTo[int64], `update webhook_events
			set attempts = attempts + 1,
				next_at = $3::timestamptz + make_interval(secs => ($4::float8[])[least(attempts + 1, $5::int)])
			where id in (select id from webhook_events where app_id = $1 and webhook_id = $2 and next_at <= $3
				for no key update skip locked)
			returning id`, r.App, r.Webhook, now, waits, outreach.MaxAttempts)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, "delete from webhook_events where id = any($1) and attempts >= $2", tried,
			outreach.MaxAttempts)
		ended = tag.RowsAffected()
		return err
	})
	return ended, err
}
