package crash_test

import (
	"context"
	"errors"
	"testing"

	"kith"
	"kith/internal/pgtest"
	"kith/internal/privacy"

	"kith/internal/expect"
)

// An erased person is in no record and no search, and no load brings the person back.
func TestCrashedErasuresCanBeRepeated(t *testing.T) {
	const people = 10
	pgtest.Crash{Template: "crash_erasure", Fill: filling(people, nothing), Try: func(t *testing.T) (
		func(context.Context, string) error, func(string, bool),
	) {
		do := func(ctx context.Context, d *dataset) error {
			results, err := privacy.New(d.Privacy(d.keeper.Sealer)).
				Forget(ctx, []string{profile(3)}, kith.OperatorPrincipal())
			if err == nil && results[0].Status == privacy.Failed {
				err = errors.New(results[0].Message)
			}
			return errors.Join(err, d.drain(ctx))
		}
		return doing(do), func(url string, acknowledged bool) {
			d := again(t, url)
			if acknowledged {
				d.holds(t, "after an acknowledged erasure", people-1)
			}
			expect.NoError(t, do(t.Context(), d))
			d.holds(t, "after the second erasure", people-1)
			stats, err := d.load(t.Context(), persons(0, people))
			expect.NoError(t, errors.Join(err, d.drain(t.Context())))
			expect.Values(t, "lines of a load that are suppressed", []any{stats.Suppressed}, int64(1))
			d.holds(t, "after a load of everyone", people-1)
			expect.Values(t, "erasures in the audit that erased a record",
				[]any{d.count(t, "select count(*) from privacy_audit where action = 'forget' and found")}, 1)
		}
	}}.Run(t)
}
