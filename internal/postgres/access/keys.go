package access

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/access/keys"
	"kith/internal/postgres/conn"
	"kith/query/cursor"
)

// Keys stores the sealing keys of the dataset and the values sealed with them. It implements [keys.Store].
type Keys struct{ db *conn.DB }

var _ keys.Store = (*Keys)(nil)

// NewKeys returns the store of the sealing keys.
func NewKeys(db *conn.DB) *Keys { return &Keys{db} }

// Ring implements [keys.Store].
func (k *Keys) Ring(ctx context.Context) ([]byte, error) {
	return conn.Value[[]byte](ctx, k.db.Querier(), "sealing keys",
		"select (select convert_to(value::text, 'UTF8') from settings where key = $1)", conn.SettingKeys)
}

// HasSuppressed implements [keys.Store].
func (k *Keys) HasSuppressed(ctx context.Context) (bool, error) {
	return conn.Value[bool](ctx, k.db.Querier(), "suppressed people", "select exists (select from suppressed)")
}

// SwapRing implements [keys.Store].
func (k *Keys) SwapRing(ctx context.Context, old, ring []byte, action string) (bool, error) {
	swapped := false
	err := k.db.InTx(ctx, "sealing keys", func(tx pgx.Tx) error {
		sql, args := "insert into settings (key, value) values ($1, $2::text::jsonb) on conflict (key) do nothing",
			[]any{conn.SettingKeys, string(ring)}
		if old != nil {
			sql, args = "update settings set value = $2::text::jsonb where key = $1 and value = $3::text::jsonb",
				append(args, string(old))
		}
		tag, err := tx.Exec(ctx, sql, args...)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		swapped = true
		if old == nil { // created with the dataset, which is not audited either
			return nil
		}
		return Record(ctx, k.db, tx, kith.OperatorPrincipal(), action, "sealing keys", nil)
	})
	return swapped, err
}

// The sealing purposes of secrets in other packages.
const (
	PurposePassword = "smtp password"
	PurposeFeedback = "feedback secret"
	PurposeWebhook  = "webhook secret"
	// purposeAnswer is that of internal/access/idempotency.
	purposeAnswer = "idempotency"
)

// BindUser and BindApp are the bindings of secrets that belong to a user or an app.
func BindUser(user int64) string { return fmt.Sprintf("user %d", user) }

// BindApp is described at [BindUser].
func BindApp(app int64) string { return fmt.Sprintf("app %d", app) }

// sealed is a column of sealed values in a table with a primary key.
type sealed struct {
	secrets       keys.Secrets
	table, column string
	key           []string
	purpose       string
	binding       func(key []any) string
	text          bool
}

func sealedColumns() []sealed {
	ofUser := func(key []any) string { return BindUser(key[0].(int64)) }
	return []sealed{
		{
			secrets: keys.OfOthers, table: "integrations", column: "password", key: []string{"user_id", "id"},
			purpose: PurposePassword, binding: ofUser, text: true,
		},
		{
			secrets: keys.OfOthers, table: "integrations", column: "feedback_secret", key: []string{"user_id", "id"},
			purpose: PurposeFeedback, binding: ofUser, text: true,
		},
		{
			secrets: keys.OfOthers, table: "webhooks", column: "secret", key: []string{"app_id", "id"},
			purpose: PurposeWebhook,
			binding: func(key []any) string { return BindApp(key[0].(int64)) }, text: true,
		},
		{
			secrets: keys.OfKith, table: "erasures", column: "archive", key: []string{"id"}, purpose: PurposeErasure,
			binding: func([]any) string { return "" },
		},
		{
			secrets: keys.OfKith, table: "idempotency_keys", column: "answer", key: []string{"id"},
			purpose: purposeAnswer,
			binding: func(key []any) string { return hex.EncodeToString(key[0].([]byte)) },
		},
	}
}

// resealPage is how many values one transaction seals again.
const resealPage = 100

// Reseal implements [keys.Store].
func (k *Keys) Reseal(ctx context.Context, secrets keys.Secrets, from,
	to *cursor.Sealer,
) (resealed, closed int, err error) {
	for _, c := range sealedColumns() {
		if c.secrets&secrets == 0 {
			continue
		}
		var after []any
		for more := true; more; {
			var done, shut int
			err := k.db.InTx(ctx, "reseal "+c.column+" of "+c.table, func(tx pgx.Tx) (err error) {
				after, done, shut, err = c.page(ctx, tx, after, from, to)
				return err
			})
			if err != nil {
				return resealed, closed, err
			}
			resealed, closed, more = resealed+done, closed+shut, after != nil
		}
	}
	return resealed, closed, nil
}

// page seals the values after a key again; it returns the last key, nil after the last page.
func (c sealed) page(ctx context.Context, tx pgx.Tx, after []any, from,
	to *cursor.Sealer,
) (last []any, done, closed int, err error) {
	columns, where := strings.Join(c.key, ", "), "true"
	if after != nil {
		params := []string{"$1", "$2"}[:len(c.key)]
		where = "(" + columns + ") > (" + strings.Join(params, ", ") + ")"
	}
	some := " is not null"
	if c.text {
		some = " <> ''"
	}
	rows, err := conn.Collect(
		ctx,
		tx,
		"sealed values",
		func(row pgx.CollectableRow) ([]any, error) { return row.Values() },
		fmt.Sprintf("select %s, %s from %s where %s and %s%s order by %s limit %d for update", columns, c.column,
			c.table,
			where, c.column, some, columns, resealPage),
		after...)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, row := range rows {
		key, value := row[:len(c.key)], row[len(c.key)]
		anew, err := c.reseal(key, value, from, to)
		if err != nil {
			closed++
			continue
		}
		set := fmt.Sprintf("update %s set %s = $1 where (%s) = ($2%s)", c.table, c.column, columns,
			strings.Repeat(", $3", len(c.key)-1))
		if err := conn.Exec(ctx, tx, "sealed value", set, append([]any{anew}, key...)...); err != nil {
			return nil, 0, 0, err
		}
		done++
	}
	if len(rows) == resealPage {
		last = rows[len(rows)-1][:len(c.key)]
	}
	return last, done, closed, nil
}

func (c sealed) reseal(key []any, value any, from, to *cursor.Sealer) (any, error) {
	bound := c.binding(key)
	if !c.text {
		plain, err := from.OpenBytes(c.purpose, bound, value.([]byte))
		return to.SealBytes(c.purpose, bound, plain), err
	}
	plain, err := from.Open(c.purpose, bound, value.(string))
	return to.Seal(c.purpose, bound, plain), err
}

// PurposeErasure is the purpose of sealed erased rows.
const PurposeErasure = "erasure"
