package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kith"
	"kith/internal/audit"
)

var _ audit.Log = (*Audit)(nil)

// Audit reads the audit log and adds entries about actions that change nothing else. It implements [audit.Log].
type Audit struct{ db *DB }

// Audit returns the audit log of the dataset.
func (db *DB) Audit() *Audit { return &Audit{db} }

// Record writes an audit entry. It must be the last statement of a transaction: the next writer waits for its end.
// detail is nil, or encodes as an object. The zero Principal is refused.
func Record(ctx context.Context, q Querier, by kith.Principal, action, subject string, detail any) error {
	e, err := newEntry(by, action, subject, detail)
	if err != nil {
		return err
	}
	return writeEntries(ctx, q, []auditEntry{e})
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
func writeEntries(ctx context.Context, q Querier, entries []auditEntry) error {
	actors, actions, subjects, details := make([]string, len(entries)), make([]string, len(entries)),
		make([]string, len(entries)), make([]string, len(entries))
	apps := make([]int64, len(entries))
	for i, e := range entries {
		actors[i], apps[i], actions[i], subjects[i], details[i] = e.by.Name, e.by.App, e.action, e.subject, e.detail
	}
	return Exec(ctx, q, "audit", `insert into audit (actor, app_id, action, subject, detail)
		select actor, nullif(app, 0), action, subject, detail::jsonb
		from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[]) with ordinality as e (actor, app, action,
		subject, detail, i) order by i`,
		actors, apps, actions, subjects, details)
}

// Each implements [audit.Log]. An action that ends with a dot selects all with that prefix.
func (a *Audit) Each(ctx context.Context, f audit.Filter, visit func(audit.Entry) error) error {
	var e audit.Entry
	var detail string
	since := f.Since
	if since.IsZero() {
		since = time.Unix(0, 0)
	}
	return forEach(ctx, a.db.pool, "audit",
		[]any{&e.Seq, &e.At, &e.Actor, &e.App, &e.Action, &e.Subject, &detail, &e.Prev, &e.Hash}, func() error {
			e.At, e.Detail = e.At.UTC(), json.RawMessage(detail)
			return visit(e)
		}, `select seq, at, actor, coalesce(app_id, 0), action, subject, detail::text, encode(prev, 'hex'), encode(hash,
		'hex') from audit
		where seq > $1 and ($2 = '' or action = $2 or right($2, 1) = '.' and starts_with(action, $2)) and at >= $3
		order by seq limit nullif($4, 0)`, f.After, f.Action, since, f.N)
}
