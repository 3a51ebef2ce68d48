package conn

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kith"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Querier is a pool or a transaction. It and the functions below also serve the stores in packages of their own.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Exec runs a statement that returns nothing. Here and below, what describes the purpose, for the error.
func Exec(ctx context.Context, q Querier, what, sql string, args ...any) error {
	_, err := q.Exec(ctx, sql, args...)
	return Named(what, err)
}

// Value reads a single value.
func Value[T any](ctx context.Context, q Querier, what, sql string, args ...any) (out T, err error) {
	err = q.QueryRow(ctx, sql, args...).Scan(&out)
	return out, Named(what, err)
}

// ForEach scans the rows of a statement into targets one by one, and calls f after each.
func ForEach(ctx context.Context, q Querier, what string, targets []any, f func() error, sql string,
	args ...any,
) error {
	rows, err := q.Query(ctx, sql, args...)
	if err == nil {
		_, err = pgx.ForEachRow(rows, targets, f)
	}
	return Named(what, err)
}

// One reads the row of a statement that has at most one; missing is the error if there is none.
func One[T any](ctx context.Context, q Querier, what string, missing error, scan pgx.RowToFunc[T], sql string,
	args ...any,
) (out T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err == nil {
		out, err = pgx.CollectOneRow(rows, scan)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return out, missing
	}
	return out, Named(what, err)
}

// Collect reads the rows of a statement.
func Collect[T any](ctx context.Context, q Querier, what string, scan pgx.RowToFunc[T], sql string,
	args ...any,
) (out []T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err == nil {
		out, err = pgx.CollectRows(rows, scan)
	}
	return out, Named(what, err)
}

// Into returns a function that scans a row into fields of a T.
func Into[T any](fields func(*T) []any) pgx.RowToFunc[T] {
	return func(row pgx.CollectableRow) (t T, err error) {
		err = row.Scan(fields(&t)...)
		return t, err
	}
}

// Named classifies the error of a statement and puts what was tried before it; nil stays nil.
func Named(what string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", what, Classify(err))
	}
	return err
}

// TextArray is the text form of an array of owner keys, which need no escapes.
func TextArray(keys []string) string {
	if len(keys) == 0 {
		return "{}"
	}
	return `{"` + strings.Join(keys, `","`) + `"}`
}

// ArrayText formats an array for Postgres; arrays of arrays of different lengths cannot be sent otherwise.
func ArrayText[T int32 | int64](all []T) string {
	out := make([]byte, 0, 12*len(all)+2)
	out = append(out, '{')
	for i, n := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(n), 10)
	}
	return string(append(out, '}'))
}

// Refused marks errors about a value: data exceptions, broken constraints, and limits such as the size of an index row.
func Refused(err error) error {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || len(pgErr.Code) < 2 {
		return err
	}
	switch pgErr.Code[:2] {
	case "22", "23", "54":
		return &kith.Error{
			Kind: kith.Invalid, Code: "RECORD_REFUSED",
			Detail: "the database cannot store this record: " + pgErr.Message, Cause: err,
		}
	}
	return err
}
