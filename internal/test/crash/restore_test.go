package crash_test

import (
	"bytes"
	"context"
	"testing"

	"kith/internal/operation/backup"
	operationsql "kith/internal/postgres/operation"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// A restore replaces a dataset as a whole, or not at all.
func TestCrashedRestoresReplaceAllOrNothing(t *testing.T) {
	const before, after = 5, 30
	other := servers{database: pgtest.CopyURL(t, "crash_restored", filling(after, nothing))}
	archive, want := backUp(t, again(t, other))
	operation{template: "crash_restore", fill: filling(before, nothing), try: func(*testing.T, int) (
		func(context.Context, servers) error, func(*testing.T, servers, bool),
	) {
		do := func(ctx context.Context, at servers) error {
			r, err := backup.NewReader(bytes.NewReader(archive))
			if err != nil {
				return err
			}
			defer r.Close()
			return operationsql.Restore(ctx, at.database, r, operationsql.RestoreOptions{Replace: true})
		}
		return do, func(t *testing.T, at servers, acknowledged bool) {
			d := again(t, at)
			people, err := d.Count(t.Context(), record.People)
			if err != nil || people != after && (acknowledged || people != before) {
				t.Errorf("%d people after the crash, acknowledged %v, %v", people, acknowledged, err)
			}
			d.Close()
			expect.NoError(t, do(t.Context(), at))
			d = again(t, at)
			_, got := backUp(t, d)
			for name, sum := range want {
				if got[name] != sum && name != "settings" {
					t.Errorf("table %s: %+v, want %+v", name, got[name], sum)
				}
			}
			expect.Values(t, "schemas of restores",
				[]any{d.count(t, "select count(*) from pg_namespace where nspname like '%restor%'")}, 0)
		}
	}}.onPostgres(t)
}

// backUp returns a backup of a dataset, and the checksums of its tables.
func backUp(t *testing.T, d *dataset) (archive []byte, sums map[string]backup.Sum) {
	t.Helper()
	var out bytes.Buffer
	signer, err := d.keeper.Signer()
	expect.NoError(t, err)
	w, err := backup.NewWriter(&out, signer)
	expect.NoError(t, err)
	expect.NoError(t, d.Snapshot("test").Backup(t.Context(), w))
	expect.NoError(t, w.Close())
	return out.Bytes(), w.Sums()
}
