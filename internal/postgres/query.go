package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

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
	if _, err := q.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("%s: %w", what, classify(err))
	}
	return nil
}

// Value reads a single value.
func Value[T any](ctx context.Context, q Querier, what, sql string, args ...any) (out T, err error) {
	if err := q.QueryRow(ctx, sql, args...).Scan(&out); err != nil {
		return out, fmt.Errorf("%s: %w", what, classify(err))
	}
	return out, nil
}

// forEach scans the rows of a statement into targets one by one, and calls f after each.
func forEach(ctx context.Context, q Querier, what string, targets []any, f func() error, sql string,
	args ...any,
) error {
	rows, err := q.Query(ctx, sql, args...)
	if err == nil {
		_, err = pgx.ForEachRow(rows, targets, f)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, classify(err))
	}
	return nil
}

// Collect reads the rows of a statement.
func Collect[T any](ctx context.Context, q Querier, what string, scan pgx.RowToFunc[T], sql string,
	args ...any,
) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, classify(err))
	}
	out, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, classify(err))
	}
	return out, nil
}

// textArray is the text form of an array of owner keys, which need no escapes.
func textArray(keys []string) string {
	if len(keys) == 0 {
		return "{}"
	}
	return `{"` + strings.Join(keys, `","`) + `"}`
}

// arrayText formats an array for Postgres; arrays of arrays of different lengths cannot be sent otherwise.
func arrayText[T int32 | int64](all []T) string {
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
