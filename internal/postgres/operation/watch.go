package operation

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// settingBackup is the time of the last backup.
const settingBackup = "backup_written"

// NoteBackup records that a backup was written, also in the audit.
func (db *Store) NoteBackup(ctx context.Context, encrypted bool) error {
	return db.InTx(ctx, "note a backup", func(tx pgx.Tx) error {
		if err := conn.Exec(ctx, tx, "note a backup",
			"insert into settings (key, value) values ($1, to_jsonb(now())) on conflict (key) do update set value = "+
				"excluded.value", settingBackup); err != nil {
			return err
		}
		return access.Record(ctx, db.DB, tx, kith.OperatorPrincipal(), "backup.written", "",
			map[string]any{"encrypted": encrypted})
	})
}

// Watched is monitoring data of a dataset.
type Watched struct {
	AuditEntries, Servers int64
	// BackupAge is the age of the last backup; negative if there is none.
	BackupAge time.Duration
}

// Watch reads the monitoring data.
func (db *Store) Watch(ctx context.Context) (w Watched, err error) {
	var seconds float64
	err = db.Querier().QueryRow(ctx, `select coalesce((select max(seq) from audit), 0),
			(select count(*) from processes where seen_at >= now() - $1::interval),
			coalesce((select extract(epoch from now() - (value #>> '{}')::timestamptz) from settings
			where key = $2), -1)::float8`, processesSeen, settingBackup).
		Scan(&w.AuditEntries, &w.Servers, &seconds)
	if err != nil {
		return w, conn.Named("watch", err)
	}
	w.BackupAge = time.Duration(seconds * float64(time.Second))
	return w, nil
}
