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

// Audit gives the entries of the audit. It implements [audit.Log].
type Audit struct{ db *DB }

// Audit returns the audit of the directory.
func (db *DB) Audit() *Audit { return &Audit{db} }

// record writes an entry of the audit. It is the last thing that a transaction does:
// whoever writes the next entry waits for its end. detail is nil, or encodes as an object.
func record(ctx context.Context, q querier, action, subject string, detail any) error {
	text := []byte("{}")
	if detail != nil {
		var err error
		if text, err = json.Marshal(detail); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
	}
	p := kith.PrincipalFrom(ctx)
	return exec(ctx, q, "audit", "insert into audit (actor, app_id, action, subject, detail) values ($1, nullif($2::bigint, 0), $3, $4, $5)",
		p.Name, p.App, action, strings.ToValidUTF8(subject, "\uFFFD"), text)
}

// Each implements [audit.Log]. An action that ends with a dot chooses all that begin so.
func (a *Audit) Each(ctx context.Context, f audit.Filter, visit func(audit.Entry) error) error {
	var e audit.Entry
	var detail string
	since := f.Since
	if since.IsZero() {
		since = time.Unix(0, 0)
	}
	return forEach(ctx, a.db.pool, "audit", []any{&e.Seq, &e.At, &e.Actor, &e.App, &e.Action, &e.Subject, &detail, &e.Prev, &e.Hash}, func() error {
		e.At, e.Detail = e.At.UTC(), json.RawMessage(detail)
		return visit(e)
	}, `select seq, at, actor, coalesce(app_id, 0), action, subject, detail::text, encode(prev, 'hex'), encode(hash, 'hex') from audit
		where seq > $1 and ($2 = '' or action = $2 or right($2, 1) = '.' and starts_with(action, $2)) and at >= $3 order by seq`, f.After, f.Action, since)
}
