package imports

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index/load"
	"kith/internal/jobs"
)

// Kind is the kind of task that imports are. It has a queue of its own.
const Kind = "import"

// Config is what a [Worker] works with.
type Config struct {
	Desk    Desk
	Records load.Store
	Network Network
	Folder  Folder
	Logger  zerolog.Logger
	// Exports loads exports of Kith.
	Exports *load.Loader
	// Name is how an app names a user of its, Owner names the user as the owner of records.
	Name  func(ctx context.Context, user int64) (load.UserName, error)
	Owner func(ctx context.Context, user int64) (string, error)
	// Doubtful counts the pairs of a user's people that wait for a decision.
	Doubtful func(ctx context.Context, user int64) (int64, error)
	// Quota refuses so many people of a user with a *kith.Error; nil lets all pass.
	Quota func(ctx context.Context, user int64, people int) error
	// Requeue queues the tasks of imports that have none any more.
	Requeue func(ctx context.Context) error
	// Note tells the audit.
	Note func(ctx context.Context, action, subject string, detail any) error
}

// Worker stores imports and takes them back. A task only looks after its import, and looks
// again a moment later, since it may last longer than a task may; the work goes on in
// [Worker.Run], under a lock that Postgres gives back when the process dies.
type Worker struct {
	Config
	wanted chan string
}

// NewWorker returns a worker.
func NewWorker(cfg Config) *Worker { return &Worker{cfg, make(chan string)} }

const (
	// atOnce is how many imports a process works on at a time.
	atOnce = 2
	// lookAgain is when a task looks again.
	lookAgain = time.Second
	// filesAway is how long files may be missing: another server may have them.
	filesAway = 24 * time.Hour
)

// deletion ends the key of a task that takes an import back: the task that stored it may be
// ending just then, and must not be joined.
const deletion = "/delete"

// DeletionKey is the key of the task that takes an import back; that of the one that stores
// it is its id.
func DeletionKey(id string) string { return id + deletion }

// Kind is what the queue works on.
func (w *Worker) Kind() jobs.Kind {
	return jobs.Kind{Name: Kind, Workers: atOnce, Work: w.look}
}

// look hands an import to [Worker.Run] unless it has ended.
func (w *Worker) look(ctx context.Context, t jobs.Task) error {
	b, ok, err := w.Desk.Waiting(ctx, strings.TrimSuffix(t.Key, deletion))
	again := &jobs.Failure{Code: "IMPORT_RUNNING", Message: "it goes on", Again: true, After: lookAgain, Cause: err}
	switch {
	case err != nil:
		return again
	case !ok || b.Status == Succeeded:
		return nil
	case b.Status == Failed:
		return &b.Reason
	case b.Status != Deleting && !w.Folder.has(b.ID):
		if time.Since(b.Created) > filesAway {
			return w.Desk.End(ctx, b, nil, jobs.Failure{
				Code:    "FILES_GONE",
				Message: "the files are no longer there; import them again",
			})
		}
		again.After = 5 * lookAgain
		return again
	}
	select {
	case w.wanted <- b.ID:
	default: // all are at work
	}
	return again
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
						w.Logger.Warn().Err(err).Str("import", id).Msg("an import does not go on; it will be tried again")
					}
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		})
	}
	return group.Wait()
}

// Tidy sees to it that imports which have not ended have a task, and drops uploads that no
// import waits for.
func (w *Worker) Tidy(ctx context.Context) error {
	if err := w.Requeue(ctx); err != nil {
		return err
	}
	return w.Folder.Tidy(ctx, func(ctx context.Context, id string) (bool, error) {
		b, ok, err := w.Desk.Waiting(ctx, id)
		return ok && b.Status != Succeeded && b.Status != Failed, err
	})
}

// do stores an import or takes it back, unless another process is at it.
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
	if b, ok, err = w.Desk.Waiting(ctx, id); err != nil || !ok { // as it is now
		return err
	}
	ctx = kith.WithActor(ctx, b.Actor)
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

// store stores an import to its end; ended is false where it is to be begun again.
func (w *Worker) store(ctx context.Context, b Begun) (ended bool, err error) {
	fail := func(r *Report, code, message string) (bool, error) {
		return true, w.Desk.End(ctx, b, r, jobs.Failure{Code: code, Message: message})
	}
	switch {
	case b.Disabled:
		return fail(nil, "USER_DISABLED", "the user is disabled")
	case b.Attempt >= maxAttempts:
		return fail(nil, "IMPORT_GIVEN_UP",
			"it was begun five times and did not come to its end; import smaller files, or ask the operator")
	}
	if err := w.Desk.Begin(ctx, b.ID); err != nil {
		return false, err
	}
	a := &attempt{Worker: w, begun: b}
	err = kith.Safely(func() error { return a.run(ctx) })
	refused, told := errors.AsType[*kith.Error](err)
	switch {
	case err == nil:
		return true, w.Desk.End(ctx, b, a.report, jobs.Failure{})
	case ctx.Err() != nil || errors.Is(err, errDeleted) || told && refused.Kind == kith.Unavailable:
		return false, err
	case told && refused.Kind != kith.Internal:
		return fail(a.report, refused.Code, refused.Detail)
	}
	w.Logger.Error().Err(err).Str("import", b.ID).Msg("an import failed")
	return fail(a.report, jobs.CodeInternal,
		"something went wrong on our side; what was stored stays, and importing the files again completes it")
}

// errDeleted ends an import that its user deletes.
var errDeleted = errors.New("the import is being deleted")

// attempt is one attempt to store an import.
type attempt struct {
	*Worker

	begun   Begun
	files   Files
	spool   *Spool
	folder  string
	report  *Report
	preview Preview
	percent atomic.Int64
}

// run reads the files and stores what is in them.
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

// follow notes how far the import is until ctx ends, and ends it where it is deleted.
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

// The shares of the steps of an import, in percent.
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
	ctx = load.WithImport(load.WithOwner(ctx, owner), a.begun.Number)
	if err := a.store(ctx); err != nil {
		return err
	}
	return a.acquaint(ctx)
}

// look reads the files, says what is in them, and takes the people off the quota of the user.
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
	if err := a.Quota(ctx, a.begun.Actor.UserID, int(a.preview.Persons)); err != nil {
		return err
	}
	return a.Desk.Charge(ctx, a.begun.ID)
}

// store stores companies, people and exports of Kith.
func (a *attempt) store(ctx context.Context) error {
	user, err := a.Name(ctx, a.begun.Actor.UserID)
	if err != nil {
		return err
	}
	done := int64(0)
	for _, kind := range []load.Kind{load.Companies, load.People, load.Exports} {
		var stats load.Stats
		how := a.storing(done)
		if kind == load.Exports {
			stats, err = a.spool.StoreExports(ctx, a.Exports, &user, how)
		} else {
			stats, err = a.spool.Store(ctx, a.Records, kind, how)
		}
		done += stats.Read
		if stats.Stored > 0 {
			detail := map[string]any{"stored": stats.Stored, "rejected": stats.Rejected}
			noted := a.Note(context.WithoutCancel(ctx), "records.imported", "import "+a.begun.ID, detail)
			err = errors.Join(err, noted)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// storing tells what becomes of records after some are done.
func (a *attempt) storing(done int64) Storing {
	total := max(1, a.preview.Storable())
	return Storing{
		Progress: func(s load.Stats) {
			a.percent.Store(min(afterStore, afterLook+(done+s.Read)*(afterStore-afterLook)/total))
		},
		Each: func(t Told) {
			if t.Kind == load.Relationships {
				a.report.Relationships.tell(t)
			}
			if f := a.report.file(nameBelow(a.folder, t.File)); f != nil {
				f.tell(t.Kind, t.Outcome, t.Reason)
			}
		},
	}
}

func (a *attempt) acquaint(ctx context.Context) error {
	a.percent.Store(afterStore)
	user, total := a.begun.Actor.UserID, max(1, a.preview.Persons)
	known, err := a.spool.Acquaint(ctx, a.Network, user, func(people int64) {
		a.percent.Store(min(almostDone, afterStore+people*(almostDone-afterStore)/total))
	})
	r := &a.report.Relationships // with those of exports
	r.Created, r.Updated, r.Unchanged = r.Created+known.Created, r.Updated+known.Updated, r.Unchanged+known.Unchanged
	a.report.Contacts = Contacts{known.InContact, known.Unknown}
	if err != nil {
		return err
	}
	a.report.sort()
	a.report.Doubtful, err = a.Doubtful(ctx, user)
	return err
}
