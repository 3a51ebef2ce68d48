package crash_test

import (
	"context"
	"errors"
	"testing"

	"kith"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
)

// An erased person is in no record and no search, and no load brings the person back.
func TestCrashedErasuresCanBeRepeated(t *testing.T) {
	const people = 10
	erasure := operation{template: "crash_erasure", fill: filling(people, nothing), try: func(_ *testing.T, round int) (
		func(context.Context, servers) error, func(*testing.T, servers, bool),
	) {
		erased := false
		do := func(ctx context.Context, d *dataset) error {
			results, err := privacy.New(d.Privacy(d.keeper.Sealer)).
				Forget(ctx, []string{profile(round)}, kith.OperatorPrincipal())
			if err == nil && results[0].Status == privacy.Failed {
				err = errors.New(results[0].Message)
			}
			erased = err == nil
			return errors.Join(err, d.drain(ctx))
		}
		return doing(do), func(t *testing.T, at servers, acknowledged bool) {
			d := again(t, at)
			if erased {
				d.stores(t, "after an erasure, before the crash", people-1)
			}
			if acknowledged {
				d.holds(t, "after an acknowledged erasure", people-1)
			}
			expect.NoError(t, do(t.Context(), d))
			d.holds(t, "after the second erasure", people-1)
			stats, err := d.load(t.Context(), persons(round, round+people+1)) // the last one is new
			expect.NoError(t, errors.Join(err, d.drain(t.Context())))
			expect.Values(t, "lines of a load that are suppressed", []any{stats.Suppressed}, int64(1))
			d.holds(t, "after a load of everyone and one person more", people)
			expect.Values(t, "erasures in the audit that erased a record",
				[]any{d.count(t, "select count(*) from privacy_audit where action = 'forget' and found")}, round+1)
		}
	}}
	erasure.onPostgres(t)
	erasure.onElasticsearch(t)
}
