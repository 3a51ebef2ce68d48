// Package imports stores the imports of users, undoes them, and writes exports.
package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"kith"
	"kith/internal/imports"
	"kith/internal/operation/tasks"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
	"kith/query"
)

var (
	_ imports.Store = (*Store)(nil)
	_ imports.Desk  = (*Store)(nil)
)

// Store stores imports. It is safe for concurrent use.
type Store struct{ db *recordsql.Store }

// New returns the store of imports.
func New(db *recordsql.Store) *Store { return &Store{db} }

func errNoImport() error {
	return kith.Errorf(kith.NotFound, "IMPORT_NOT_FOUND", "you have no import with this id; GET /v2/imports shows "+
		"yours")
}

// Create implements [imports.Store].
func (m *Store) Create(ctx context.Context, a kith.Actor, id string, s imports.Settings,
	size imports.Size,
) (imports.Import, error) {
	var out imports.Import
	err := m.db.InTx(ctx, "create import", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, a.UserID); err != nil {
			return err
		}
		open, err := conn.Value[int](ctx, tx, "open imports",
			"select count(*) from imports where user_id = $1 and status in ('queued', 'running')", a.UserID)
		if err != nil {
			return err
		}
		if open >= imports.MaxOpen {
			return &kith.Error{
				Kind: kith.RateLimited, Code: "TOO_MANY_IMPORTS", RetryAfter: time.Minute,
				Detail: fmt.Sprintf("you have %d open imports, and at most %d are allowed; try again when one has "+
					"ended, or "+
					"delete one", open, imports.MaxOpen),
			}
		}
		options, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("settings of an import: %w", err)
		}
		if err := conn.Exec(ctx, tx, "keep an import",
			"insert into imports (id, user_id, status, options) values ($1, $2, 'queued', $3)", id, a.UserID,
			options); err != nil {
			return err
		}
		if out, err = readImport(ctx, tx, a.UserID, id); err != nil {
			return err
		}
		return access.Record(ctx, m.db.DB, tx, a.Principal(), "import.created", "import "+id, size)
	})
	return out, err
}

// Open returns the ids of the imports that wait, run or are being deleted, oldest first.
func (m *Store) Open(ctx context.Context) ([]string, error) {
	return conn.Collect(ctx, m.db.Querier(), "open imports", pgx.RowTo[string],
		"select id from imports where status in ('queued', 'running', 'deleting') order by number")
}

const selectImport = `select m.number, m.id, m.status, m.progress, m.options, m.report, m.code, m.message,
	m.created_at, m.finished_at from imports m `

func scanImport(row pgx.CollectableRow) (m imports.Import, err error) {
	var options, report []byte
	err = row.Scan(&m.Number, &m.ID, &m.Status, &m.Progress, &options, &report, &m.Reason.Code, &m.Reason.Message,
		&m.Created, (*zeronull.Timestamptz)(&m.Finished))
	if err != nil {
		return m, err
	}
	err = json.Unmarshal(options, &m.Settings)
	if report != nil && err == nil {
		m.Report = &imports.Report{}
		err = json.Unmarshal(report, m.Report)
	}
	return m, err
}

func readImport(ctx context.Context, q conn.Querier, user int64, id string) (imports.Import, error) {
	if !query.Storable(id) {
		return imports.Import{}, errNoImport()
	}
	return conn.One(ctx, q, "import", errNoImport(), scanImport, selectImport+"where m.id = $1 and m.user_id = $2",
		id, user)
}

// Get implements [imports.Store].
func (m *Store) Get(ctx context.Context, a kith.Actor, id string) (imports.Import, error) {
	return readImport(ctx, m.db.Querier(), a.UserID, id)
}

// List implements [imports.Store].
func (m *Store) List(ctx context.Context, a kith.Actor, below int64, n int) ([]imports.Import, error) {
	return conn.Collect(ctx, m.db.Querier(), "list imports", scanImport,
		selectImport+"where m.user_id = $1 and ($2 = 0 or m.number < $2) order by m.number desc limit $3", a.UserID,
		below, n)
}

// Delete implements [imports.Store].
func (m *Store) Delete(ctx context.Context, a kith.Actor, id string) (imports.Import, error) {
	var out imports.Import
	err := m.db.InTx(ctx, "delete import", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, a.UserID); err != nil {
			return err
		}
		var err error
		if out, err = readImport(ctx, tx, a.UserID, id); err != nil {
			return err
		}
		if err := conn.Exec(ctx, tx, "delete an import", "update imports set status = 'deleting' where id = $1",
			id); err != nil {
			return err
		}
		if out.Status == imports.Deleting {
			return nil
		}
		out.Status = imports.Deleting
		return access.Record(ctx, m.db.DB, tx, a.Principal(), "import.deleted", "import "+id, nil)
	})
	return out, err
}

// Waiting implements [imports.Desk].
func (m *Store) Waiting(ctx context.Context, id string) (b imports.Begun, ok bool, err error) {
	a := &b.Actor
	err = m.db.Querier().QueryRow(ctx, `select m.attempts, m.charged, u.id, u.app_id, u.external_id, u.email,
		u.disabled_at is not null
		from imports m join users u on u.id = m.user_id where m.id = $1`, id).
		Scan(&b.Attempt, &b.Charged, &a.UserID, &a.AppID, &a.ExternalID, &a.Email, &b.Disabled)
	if errors.Is(err, pgx.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		b.Import, err = readImport(ctx, m.db.Querier(), a.UserID, id)
	}
	if kith.KindOf(err) == kith.NotFound { // deleted meanwhile
		return b, false, nil
	}
	return b, true, conn.Named("import", err)
}

// Lock implements [imports.Desk].
func (m *Store) Lock(ctx context.Context, user int64) (release func(), ok bool, err error) {
	return m.db.TryLock(ctx, fmt.Sprintf("imports of user %d", user))
}

// Begin implements [imports.Desk].
func (m *Store) Begin(ctx context.Context, id string, continues bool) error {
	return m.change(ctx, id, "attempts = attempts + case when $2 then 0 else 1 end, status = 'running'", continues)
}

// Advance implements [imports.Desk].
func (m *Store) Advance(ctx context.Context, id string, percent int) error {
	return m.change(ctx, id, "progress = $2", percent)
}

// Charge implements [imports.Desk].
func (m *Store) Charge(ctx context.Context, id string) error {
	return m.change(ctx, id, "charged = true")
}

// change updates an import unless it is being deleted.
func (m *Store) change(ctx context.Context, id, set string, args ...any) error {
	_, err := conn.One(ctx, m.db.Querier(), "import", errNoImport(), pgx.RowTo[int64],
		"update imports set "+set+" where id = $1 and status <> 'deleting' returning number",
		append([]any{id}, args...)...)
	return err
}

// End implements [imports.Desk].
func (m *Store) End(ctx context.Context, b imports.Begun, r *imports.Report, reason tasks.Failure) error {
	var report []byte
	if r != nil {
		var err error
		if report, err = json.Marshal(r); err != nil {
			return fmt.Errorf("report of an import: %w", err)
		}
	}
	status, progress := imports.Succeeded, 100
	if reason.Code != "" {
		status, progress = imports.Failed, b.Progress
	}
	err := m.change(ctx, b.ID,
		"status = $2, progress = greatest(progress, $3), report = $4, code = $5, message = $6, finished_at = now()",
		string(status), progress, report, reason.Code, reason.Message)
	if kith.KindOf(err) == kith.NotFound { // a deletion has been requested and comes next
		return nil
	}
	return err
}

// Doubtful counts undecided pairs of the user's own people who may be the same.
func (m *Store) Doubtful(ctx context.Context, user int64) (int64, error) {
	return conn.Value[int64](ctx, m.db.Querier(), "doubtful pairs", `select count(*) from duplicates d
		join people p on p.id = d.low
		where d.together is null and p.owner = $1`, access.UserOwner(user))
}
