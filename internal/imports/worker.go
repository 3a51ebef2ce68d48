package imports

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index/fair"
	"kith/internal/imports/loader"
	"kith/internal/operation/tasks"
	"kith/internal/record"
)

// Args are the arguments of the task of an import. Key is the import's id, or [DeletionKey].
type Args struct {
	Key string `json:"key" river:"unique"`
}

const kind = "import"

// Kind implements [river.JobArgs].
func (Args) Kind() string { return kind }

// InsertOpts implements [river.JobArgsWithInsertOpts].
func (Args) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: kind, Priority: tasks.Soon, UniqueOpts: tasks.WhileOpen()}
}

// Config configures a [Worker].
type Config struct {
	Desk    Desk
	Records record.Store
	Network Network
	Folder  Folder
	Logger  zerolog.Logger
	// Exports loads Kith exports.
	Exports *loader.Loader
	// Name returns an app's name for its user. Owner returns the user as an owner of records.
	Name  func(ctx context.Context, user int64) (loader.UserName, error)
	Owner func(ctx context.Context, user int64) (string, error)
	// Doubtful counts the pairs of a user's people that need a decision.
	Doubtful func(ctx context.Context, user int64) (int64, error)
	// Quota refuses that many people of a user with a *kith.Error; nil allows all.
	Quota func(ctx context.Context, user int64, people int) error
	// Requeue queues tasks for open imports that have lost theirs.
	Requeue func(ctx context.Context) error
	// Note writes to the audit log.
	Note func(ctx context.Context, by kith.Principal, action, subject string, detail any) error
}

// Worker stores and undoes imports. An import may last longer than a task may. The task therefore only checks on its
// import, again and again. [Worker.Run] does the work, under a lock that Postgres releases if the process dies.
type Worker struct {
	Config
	wanted chan string
}

// NewWorker returns a worker.
func NewWorker(cfg Config) *Worker { return &Worker{cfg, make(chan string)} }

const (
	// atOnce is how many imports a process works on at once.
	atOnce = 2
	// lookAgain is how long a task waits before it checks again.
	lookAgain = time.Second
	// filesAway is how long files may be missing, because another server may have them.
	filesAway = 24 * time.Hour
)

// deletion is the key suffix of a task that undoes an import. It has its own key because
// the task that stored the import may still be ending, and must not be joined.
const deletion = "/delete"

// DeletionKey is the key of the task that undoes an import. The key of the task that stores it is the import's id.
func DeletionKey(id string) string { return id + deletion }

// AddWork adds the tasks of imports, in a queue of their own. Without a worker, nil, they are left to other processes.
func (w *Worker) AddWork(c *river.Config) {
	river.AddWorker(c.Workers, river.WorkFunc(w.look))
	if w != nil {
		c.Queues[kind] = river.QueueConfig{MaxWorkers: atOnce}
	}
}

// look passes an import to [Worker.Run] unless it has ended.
func (w *Worker) look(ctx context.Context, task *river.Job[Args]) error {
	b, ok, err := w.Desk.Waiting(ctx, strings.TrimSuffix(task.Args.Key, deletion))
	again := func(delay time.Duration) error {
		return tasks.Postpone(task.JobRow, delay, &tasks.Failure{Code: "IMPORT_RUNNING", Message: "it is running"})
	}
	switch {
	case err != nil:
		return again(lookAgain)
	case !ok || b.Status == Succeeded:
		return nil
	case b.Status == Failed:
		return river.JobCancel(&b.Reason)
	case b.Status != Deleting && !w.Folder.has(b.ID):
		if time.Since(b.Created) > filesAway {
			return w.Desk.End(ctx, b, nil, tasks.Failure{
				Code:    "FILES_GONE",
				Message: "the files are no longer there; import them again",
			})
		}
		return again(5 * lookAgain)
	}
	select {
	case w.wanted <- b.ID:
	default: // all are busy
	}
	return again(lookAgain)
}

// Run works until ctx ends.
func (w *Worker) Run(ctx context.Context) error {
	var group errgroup.Group
	for range atOnce {
		group.Go(func() error {
			for {
				select {
				case id := <-w.wanted:
					if err := w.do(ctx, id); err != nil && ctx.Err() == nil {
						w.Logger.Warn().Err(err).Str("import", id).Msg("an import stopped; it will be retried")
					}
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		})
	}
	return group.Wait()
}

// Tidy ensures that open imports have a task, and deletes uploads without an open import.
func (w *Worker) Tidy(ctx context.Context) error {
	if err := w.Requeue(ctx); err != nil {
		return err
	}
	return w.Folder.Tidy(ctx, func(ctx context.Context, id string) (bool, error) {
		b, ok, err := w.Desk.Waiting(ctx, id)
		return ok && b.Status != Succeeded && b.Status != Failed, err
	})
}

// do stores or undoes an import, unless another process does so.
func (w *Worker) do(ctx context.Context, id string) error {
	b, ok, err := w.Desk.Waiting(ctx, id)
	if err != nil || !ok {
		return err
	}
	release, ok, err := w.Desk.Lock(ctx, b.Actor.UserID)
	if err != nil || !ok {
		return err
	}
	defer release()
	if b, ok, err = w.Desk.Waiting(ctx, id); err != nil || !ok { // read again under the lock
		return err
	}
	ctx = fair.WithUser(ctx, b.Actor.UserID)
	switch b.Status {
	case Succeeded, Failed:
		return nil
	case Deleting:
		if err := w.Desk.Undo(ctx, b); err != nil {
			return err
		}
	case Queued, Running:
		if ended, err := w.store(ctx, b); !ended || err != nil {
			return err
		}
	}
	return w.Folder.upload(id).Remove()
}

// store stores an import completely; ended is false if it must be tried again.
func (w *Worker) store(ctx context.Context, b Begun) (ended bool, err error) {
	fail := func(r *Report, code, message string) (bool, error) {
		return true, w.Desk.End(ctx, b, r, tasks.Failure{Code: code, Message: message})
	}
	switch {
	case b.Disabled:
		return fail(nil, "USER_DISABLED", "the user is disabled")
	case b.Attempt >= maxAttempts:
		return fail(nil, "IMPORT_GIVEN_UP",
			"it was started five times and never finished; import smaller files, or ask the operator")
	}
	if err := w.Desk.Begin(ctx, b.ID); err != nil {
		return false, err
	}
	a := &attempt{Worker: w, begun: b}
	err = kith.Safely(func() error { return a.run(ctx) })
	refused, isKnown := errors.AsType[*kith.Error](err)
	switch {
	case err == nil:
		return true, w.Desk.End(ctx, b, a.report, tasks.Failure{})
	case ctx.Err() != nil || errors.Is(err, errDeleted) || isKnown && refused.Kind == kith.Unavailable:
		return false, err
	case isKnown && refused.Kind != kith.Internal:
		return fail(a.report, refused.Code, refused.Detail)
	}
	w.Logger.Error().Err(err).Str("import", b.ID).Msg("an import failed")
	return fail(a.report, tasks.CodeInternal,
		"internal error; stored records stay, and importing the files again completes them")
}

// errDeleted stops an import that its user deletes.
var errDeleted = errors.New("the import is being deleted")

// attempt is one attempt to store an import.
type attempt struct {
	*Worker

	begun   Begun
	origin  record.Origin
	files   Files
	spool   *Spool
	folder  string
	report  *Report
	preview Preview
	percent atomic.Int64
}

// run reads the files and stores their contents.
func (a *attempt) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go a.follow(ctx, cancel)
	err := a.steps(ctx)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errDeleted) {
		return cause
	}
	return err
}

// follow records the progress until ctx ends, and cancels the import if it is deleted.
func (a *attempt) follow(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(lookAgain / 2)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if kith.KindOf(a.Desk.Advance(ctx, a.begun.ID, int(a.percent.Load()))) == kith.NotFound {
			cancel(errDeleted)
		}
	}
}

// Progress after the steps of an import, in percent.
const (
	afterLook  = 20
	afterStore = 80
	almostDone = 99
)

func (a *attempt) steps(ctx context.Context) error {
	upload := a.Folder.upload(a.begun.ID)
	var err error
	if a.files, err = upload.Files(a.begun.Settings); err != nil {
		return err
	}
	a.folder = upload.filesDir()
	if err := a.look(ctx, upload); err != nil {
		return err
	}
	owner, err := a.Owner(ctx, a.begun.Actor.UserID)
	if err != nil {
		return err
	}
	a.origin = record.OwnedBy(owner).Supplied(a.begun.Number)
	if err := a.store(ctx); err != nil {
		return err
	}
	return a.acquaint(ctx)
}

// look reads the files, builds the report, and charges the people to the user's quota.
func (a *attempt) look(ctx context.Context, upload *Upload) error {
	spool, report, err := a.files.Read(ctx, &a.preview, upload.spoolDir())
	if err != nil {
		return err
	}
	a.spool = spool
	a.report = newReport(report, &a.preview, a.folder)
	if nothing := nothingIn(report, &a.preview, a.folder); nothing != "" {
		return kith.Errorf(kith.Invalid, "NOTHING_TO_STORE", "%s", nothing)
	}
	a.percent.Store(afterLook)
	if a.Quota == nil || a.begun.Charged {
		return nil
	}
	if err := a.Quota(ctx, a.begun.Actor.UserID, int(a.preview.Persons+a.preview.Correspondents)); err != nil {
		return err
	}
	return a.Desk.Charge(ctx, a.begun.ID)
}

// store stores companies, people and Kith exports.
func (a *attempt) store(ctx context.Context) error {
	user, err := a.Name(ctx, a.begun.Actor.UserID)
	if err != nil {
		return err
	}
	done := int64(0)
	for _, kind := range []record.Kind{record.Companies, record.People, record.Exports} {
		var stats loader.Stats
		how := a.storing(done)
		if kind == record.Exports {
			stats, err = a.spool.StoreExports(ctx, a.Exports, a.origin, &user, how)
		} else {
			stats, err = a.spool.Store(ctx, a.Records, a.origin, kind, how)
		}
		done += stats.Read
		if stats.Stored > 0 {
			detail := map[string]any{"stored": stats.Stored, "rejected": stats.Rejected}
			noted := a.Note(context.WithoutCancel(ctx), a.begun.Actor.Principal(), "records.imported",
				"import "+a.begun.ID, detail)
			err = errors.Join(err, noted)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// storing returns callbacks that report progress and outcomes; done records were stored before.
func (a *attempt) storing(done int64) Storing {
	total := max(1, a.preview.Storable())
	return Storing{
		Progress: func(s loader.Stats) {
			a.percent.Store(min(afterStore, afterLook+(done+s.Read)*(afterStore-afterLook)/total))
		},
		Each: func(t RecordOutcome) {
			if t.Kind == record.Relationships {
				a.report.Relationships.count(t)
			}
			if f := a.report.file(nameBelow(a.folder, t.File)); f != nil {
				f.count(t.Kind, t.Outcome, t.Reason)
			}
		},
	}
}

func (a *attempt) acquaint(ctx context.Context) error {
	a.percent.Store(afterStore)
	user, total := a.begun.Actor.UserID, max(1, a.preview.Persons)
	known, err := a.spool.StoreContacts(ctx, a.Records, a.origin, a.Network, user, func(people int64) {
		a.percent.Store(min(almostDone, afterStore+people*(almostDone-afterStore)/total))
	})
	r := &a.report.Relationships // together with those of exports
	r.Created, r.Updated, r.Unchanged = r.Created+known.Created, r.Updated+known.Updated, r.Unchanged+known.Unchanged
	a.report.Contacts = Contacts{known.InContact, known.Unknown, known.Correspondents.Stored}
	if err != nil {
		return err
	}
	a.report.sort()
	a.report.Doubtful, err = a.Doubtful(ctx, user)
	return err
}
