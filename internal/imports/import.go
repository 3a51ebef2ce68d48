package imports

import (
	"context"
	"time"

	"kith"
	"kith/internal/operation/tasks"
)

// Limits of imports over the API.
const (
	// MaxBytes limits the total size of the files of one import, MaxFiles their number.
	MaxBytes = 2 << 30
	MaxFiles = 100
	// MaxOpen limits the open imports of a user.
	MaxOpen = 5
	// maxAttempts limits the attempts to store an import.
	maxAttempts = 5
)

// Status is the state of an import.
type Status string

// The statuses. A deleted import lasts until everything that only it contributed has been removed.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Succeeded Status = "succeeded"
	Failed    Status = "failed"
	Deleting  Status = "deleting"
)

// Settings control how the files of an import are read.
type Settings struct {
	// Format and Encoding are as in importer.Options.
	Format   string   `json:"format,omitempty"`
	Encoding string   `json:"encoding,omitempty"`
	Owner    []string `json:"owner,omitempty"`
}

// Import is an import as its user sees it.
type Import struct {
	// Number orders the imports of all users.
	Number   int64
	ID       string
	Status   Status
	Progress int
	Settings Settings
	// Report is nil until there is one.
	Report *Report
	// Reason is why the import failed.
	Reason  tasks.Failure
	Created time.Time
	// Finished is zero while the import is open.
	Finished time.Time
}

// Begun is an import that a process works on.
type Begun struct {
	Import
	// Actor is the user.
	Actor kith.Actor
	// Attempt is the number of attempts so far. Charged is true if its people already count against the quota.
	Attempt int
	Charged bool
	// Disabled is true if the user is disabled.
	Disabled bool
}

// Store stores imports. Users see only their own; any other is NotFound.
type Store interface {
	// Create stores an import; RateLimited if the user has [MaxOpen] open imports.
	Create(ctx context.Context, a kith.Actor, id string, s Settings, detail Size) (Import, error)
	Get(ctx context.Context, a kith.Actor, id string) (Import, error)
	// List returns at most n imports with numbers below the given one, newest first; 0 means from the start.
	List(ctx context.Context, a kith.Actor, below int64, n int) ([]Import, error)
	// Delete starts to undo an import, and stops it if it is running.
	Delete(ctx context.Context, a kith.Actor, id string) (Import, error)
}

// Size describes the files of an import, for the audit log.
type Size struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Desk is the part of the import store that a [Worker] needs.
type Desk interface {
	// Waiting returns an import, ended or not, with its user; ok is false if it does not exist.
	Waiting(ctx context.Context, id string) (b Begun, ok bool, err error)
	// Lock locks all imports of a user; ok is false if another process holds the lock.
	Lock(ctx context.Context, user int64) (release func(), ok bool, err error)
	// Begin begins an attempt, which counts unless it continues one that lost its servers. Advance records the
	// progress; it is NotFound if the import is being deleted.
	Begin(ctx context.Context, id string, continues bool) error
	Advance(ctx context.Context, id string, percent int) error
	// Charge records that the people of an import count against the user's quota.
	Charge(ctx context.Context, id string) error
	// End ends an import; reason has no code if it succeeded.
	End(ctx context.Context, b Begun, r *Report, reason tasks.Failure) error
	// Undo removes what only the import contributed, and the import itself.
	Undo(ctx context.Context, b Begun) error
}
