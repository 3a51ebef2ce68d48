package imports

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/operation/tasks"
	"kith/internal/record"
)

// Config configures a [Worker].
type Config struct {
	Desk Desk
	// Open returns the ids of the imports that wait, run or are being deleted, oldest first.
	Open    func(ctx context.Context) ([]string, error)
	Network Network
	Folder  Folder
	Logger  zerolog.Logger
	// Loader stores the records.
	Loader *loader.Loader
	// Name returns an app's name for its user. Owner returns the user as an owner of records.
	Name  func(ctx context.Context, user int64) (loader.UserName, error)
	Owner func(ctx context.Context, user int64) (string, error)
	// Doubtful counts the pairs of a user's people that need a decision.
	Doubtful func(ctx context.Context, user int64) (int64, error)
	// Quota refuses that many people of a user with a *kith.Error; nil allows all.
	Quota func(ctx context.Context, user int64, people int) error
	// Note writes to the audit log.
	Note func(ctx context.Context, by kith.Principal, action, subject string, detail any) error
}

// Worker stores and undoes imports: it looks at the open ones again and again, and works on each under a lock that
// Postgres releases if the process dies, so that another process goes on at once.
type Worker struct {
	Config
	wanted chan string
	// cut has the imports whose last attempt here lost its servers. It is their fault, and so does not count.
	cut sync.Map
}

// NewWorker returns a worker.
func NewWorker(cfg Config) *Worker { return &Worker{Config: cfg, wanted: make(chan string)} }

const (
	// atOnce is how many imports a process works on at once.
	atOnce = 2
	// lookAgain is how long a worker waits before it looks at the open imports again.
	lookAgain = 500 * time.Millisecond
	// filesAway is how long files may be missing, because another server may have them.
	filesAway = 24 * time.Hour
)

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
	group.Go(func() error { return w.look(ctx) })
	return group.Wait()
}

// look offers each open import in turn, until ctx ends. It waits until one is taken, because those in progress are
// offered again and again, too, and must not keep others out.
func (w *Worker) look(ctx context.Context) error {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		open, err := w.Open(ctx)
		if err != nil && ctx.Err() == nil {
			w.Logger.Warn().Err(err).Msg("the open imports cannot be read; retrying")
		}
		for _, id := range open {
			select {
			case w.wanted <- id:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Tidy deletes uploads without an open import.
func (w *Worker) Tidy(ctx context.Context) error {
	return w.Folder.Tidy(ctx, func(ctx context.Context, id string) (bool, error) {
		b, ok, err := w.Desk.Waiting(ctx, id)
		return ok && b.Status != Succeeded && b.Status != Failed, err
	})
}

// do stores or undoes an import, unless another process does so.
func (w *Worker) do(ctx context.Context, id string) error {
	b, ok, err := w.Desk.Waiting(ctx, id)
	if err != nil || !ok || w.isElsewhere(b) {
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
	switch b.Status {
	case Succeeded, Failed:
		return nil
	case Deleting:
		if err := w.Desk.Undo(ctx, b); err != nil {
			return err
		}
	case Queued, Running:
		if !w.Folder.has(b.ID) {
			return w.Desk.End(ctx, b, nil, tasks.Failure{
				Code:    "FILES_GONE",
				Message: "the files are no longer there; import them again",
			})
		}
		ended, err := w.store(ctx, b)
		w.noteCut(b.ID, err)
		if !ended || err != nil {
			return err
		}
	}
	return w.Folder.upload(id).Remove()
}

// noteCut notes whether an attempt ended because it lost its servers.
func (w *Worker) noteCut(id string, err error) {
	if kith.KindOf(err) == kith.Unavailable {
		w.cut.Store(id, true)
	} else {
		w.cut.Delete(id)
	}
}

// isElsewhere reports whether another server presumably has the files of an import, and so stores it.
func (w *Worker) isElsewhere(b Begun) bool {
	return b.Status != Deleting && !w.Folder.has(b.ID) && time.Since(b.Created) < filesAway
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
	_, continues := w.cut.Load(b.ID)
	if err := w.Desk.Begin(ctx, b.ID, continues); err != nil {
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
	tick := time.NewTicker(lookAgain)
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
		stats, err := a.spool.Store(ctx, a.Loader, a.origin, kind, &user, a.storing(done))
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
		Each: func(file string, t loader.LineOutcome) {
			if t.Kind == record.Relationships {
				a.report.Relationships.count(t)
			}
			if f := a.report.file(nameBelow(a.folder, file)); f != nil {
				f.count(t.Kind, t.Outcome, t.Reason)
			}
		},
	}
}

func (a *attempt) acquaint(ctx context.Context) error {
	a.percent.Store(afterStore)
	user, total := a.begun.Actor.UserID, max(1, a.preview.Persons)
	known, err := a.spool.StoreContacts(ctx, a.Loader, a.origin, a.Network, user, func(people int64) {
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
