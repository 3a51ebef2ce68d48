package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/access/audit"
	"kith/internal/postgres/conn"
)

var _ audit.Log = (*Audit)(nil)

// Audit reads the audit log and adds entries about actions that change nothing else. It implements [audit.Log].
type Audit struct {
	db    *conn.DB
	reads *auditQueue
}

// Key implements [audit.Log].
func (a *Audit) Key() []byte { return a.db.AuditKey() }

// NewAudit returns the audit log of the dataset.
func NewAudit(db *conn.DB) *Audit { return &Audit{db, &auditQueue{}} }

// In returns the audit log in a transaction.
func (a *Audit) In(tx *conn.DB) *Audit { return &Audit{tx, a.reads} }

// Record writes an audit entry. It must be the last statement of a transaction, except for answers to idempotency keys:
// the next writer waits for its end. detail is nil, or encodes as an object. The zero Principal is refused.
func Record(ctx context.Context, db *conn.DB, tx pgx.Tx, by kith.Principal, action, subject string, detail any) error {
	e, err := newEntry(by, action, subject, detail)
	if err != nil {
		return err
	}
	return writeEntries(ctx, db, tx, []auditEntry{e})
}

// auditEntry is an entry without its position in the chain.
type auditEntry struct {
	by              kith.Principal
	action, subject string
	detail          string
}

func newEntry(by kith.Principal, action, subject string, detail any) (auditEntry, error) {
	if by == (kith.Principal{}) {
		return auditEntry{}, fmt.Errorf("audit: %s without an author; pass the principal", action)
	}
	text := []byte("{}")
	if detail != nil {
		var err error
		if text, err = json.Marshal(detail); err != nil {
			return auditEntry{}, fmt.Errorf("audit: %w", err)
		}
	}
	return auditEntry{by, action, strings.ToValidUTF8(subject, "\uFFFD"), string(text)}, nil
}

// writeEntries appends entries in order.
func writeEntries(ctx context.Context, db *conn.DB, tx pgx.Tx, entries []auditEntry) error {
	if db.AuditKey() == nil {
		return errors.New("the store was given no key of the audit")
	}
	last, details, err := auditHead(ctx, db, tx, entries)
	if err != nil {
		return conn.Named("audit", err)
	}
	var rows [][]any
	for i, e := range entries {
		last = audit.Entry{
			Seq: last.Seq + 1, At: last.At, Actor: e.by.Name, App: e.by.App, Action: e.action, Subject: e.subject,
			Detail: json.RawMessage(details[i]), Prev: last.Hash,
		}
		last.Hash = last.Sum(db.AuditKey())
		rows = append(rows,
			[]any{last.Seq, last.Actor, last.App, last.Action, last.Subject, details[i], last.Prev, last.Hash})
	}
	return insertEntries(ctx, tx, last.At, rows)
}

// auditHead locks the audit until the transaction ends. It returns the last entry, with the time of the next ones, and
// their details as the database will return them.
func auditHead(ctx context.Context, db *conn.DB, tx pgx.Tx, entries []auditEntry) (last audit.Entry, details []string,
	err error,
) {
	for _, e := range entries {
		details = append(details, e.detail)
	}
	// The second statement sees what the owner of the lock committed, as one statement would not.
	var both pgx.Batch
	both.Queue("select pg_advisory_xact_lock(hashtext('kith audit'), hashtext($1))", db.Schema())
	both.Queue(`select coalesce(max(seq), 0),
		coalesce((select encode(hash, 'hex') from audit order by seq desc limit 1), ''),
		clock_timestamp(), array(select d::jsonb::text from unnest($1::text[]) with ordinality as t (d, i) order by i)
		from audit`, details).QueryRow(func(row pgx.Row) error {
		return row.Scan(&last.Seq, &last.Hash, &last.At, &details)
	})
	err = tx.SendBatch(ctx, &both).Close()
	return last, details, err
}

// insertEntries inserts entries of one moment: seq, actor, app, action, subject, detail, prev and hash.
func insertEntries(ctx context.Context, tx pgx.Tx, at time.Time, rows [][]any) error {
	var all pgx.Batch
	for _, row := range rows {
		all.Queue(`insert into audit (at, seq, actor, app_id, action, subject, detail, prev, hash)
			values ($1, $2, $3, nullif($4::bigint, 0), $5, $6, $7::text::jsonb, decode($8, 'hex'), decode($9, 'hex'))`,
			append([]any{at}, row...)...)
	}
	if err := tx.SendBatch(ctx, &all).Close(); err != nil {
		return conn.Named("audit", err)
	}
	return nil
}

// Each implements [audit.Log]. An action that ends with a dot selects all with that prefix.
func (a *Audit) Each(ctx context.Context, f audit.Filter, visit func(audit.Entry) error) error {
	var e audit.Entry
	var detail string
	since := f.Since
	if since.IsZero() {
		since = time.Unix(0, 0)
	}
	return conn.ForEach(ctx, a.db.Querier(), "audit",
		[]any{&e.Seq, &e.At, &e.Actor, &e.App, &e.Action, &e.Subject, &detail, &e.Prev, &e.Hash}, func() error {
			e.Detail = json.RawMessage(detail)
			return visit(e)
		}, `select seq, at, actor, coalesce(app_id, 0), action, subject, detail::text, encode(prev, 'hex'), encode(hash,
		'hex') from audit
		where seq > $1 and ($2 = '' or action = $2 or right($2, 1) = '.' and starts_with(action, $2)) and at >= $3
		order by seq limit nullif($4, 0)`, f.After, f.Action, since, f.N)
}
