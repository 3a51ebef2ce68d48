package record

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"kith/index"
	"kith/internal/postgres/conn"
)

// KnownMarks implements [indexer.Marks].
func (db Queue) KnownMarks(ctx context.Context, marks []string) ([]string, error) {
	return conn.Collect(ctx, db.Querier(), "marks of the index", pgx.RowTo[string],
		"select mark from index_marks where mark = any($1)", marks)
}

// NextMark implements [indexer.Marks].
func (db Queue) NextMark(ctx context.Context, had []string) (mark index.Mark, ok bool, err error) {
	err = db.InTx(ctx, "mark of the index", func(tx pgx.Tx) error {
		// The mark and everything committed before it must survive a crash, even if the operator has traded durability
		// for speed.
		_, err := tx.Exec(ctx, "select set_config('synchronous_commit', 'on', true) where "+
			"current_setting('synchronous_commit') = 'off'")
		if err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `with known as (select number from index_marks where mark = any($1)),
			forgotten as (delete from index_marks where number < (select min(number) from known) and (select count(*)
			from known) = cardinality($1))
			insert into index_marks (mark) select gen_random_uuid()::text where (select count(*)
			from known) = cardinality($1)
			returning number, mark`, append([]string{}, had...)).Scan(&mark.Number, &mark.Text)
		if ok = err == nil; errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return mark, ok, err
}
