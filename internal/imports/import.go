package imports

import (
	"context"
	"time"

	"kith"
	"kith/internal/jobs"
)

// Limits of imports over the API.
const (
	// MaxBytes is how large the files of one import may be together, MaxFiles how many.
	MaxBytes = 2 << 30
	MaxFiles = 100
	// MaxOpen is how many imports of a user may be open at a time.
	MaxOpen = 5
	// maxAttempts is how often an import is begun.
	maxAttempts = 5
)

// Status is how far an import is.
type Status string

// The statuses. An import that is deleted lasts until all is gone that it alone brought.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Succeeded Status = "succeeded"
	Failed    Status = "failed"
	Deleting  Status = "deleting"
)

// Settings say how the files of an import are read.
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
	// Reason is why it failed.
	Reason  jobs.Failure
	Created time.Time
	// Finished is the zero time for one that goes on.
	Finished time.Time
}

// Begun is an import that a process works on.
type Begun struct {
	Import
	// Actor is the user.
	Actor kith.Actor
	// Attempt counts from 1. Charged is true where its people are taken off the quota.
	Attempt int
	Charged bool
	// Disabled is true where the user is disabled.
	Disabled bool
}

// Store keeps imports. A user reaches only their own: NotFound for any other.
type Store interface {
	// Create keeps an import with its task; RateLimited where the user has [MaxOpen] open ones.
	Create(ctx context.Context, user int64, id string, s Settings, detail Size) (Import, error)
	Get(ctx context.Context, user int64, id string) (Import, error)
	// List returns up to n imports with numbers below one, the newest first; 0 is the start.
	List(ctx context.Context, user, below int64, n int) ([]Import, error)
	// Delete has an import taken back, and stops it where it is at work.
	Delete(ctx context.Context, user int64, id string) (Import, error)
}

// Size is what the files of an import are, for the audit.
type Size struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Desk is what a [Worker] needs of the store of imports.
type Desk interface {
	// Waiting returns an import with its user that has not ended; ok is false otherwise.
	Waiting(ctx context.Context, id string) (b Begun, ok bool, err error)
	// Lock keeps all imports of a user to the caller; ok is false where another process has
	// them.
	Lock(ctx context.Context, user int64) (release func(), ok bool, err error)
	// Begin counts an attempt. Advance notes how far an import is, and fails where it is to
	// be deleted.
	Begin(ctx context.Context, id string) error
	Advance(ctx context.Context, id string, percent int) error
	// Charge notes that the people of an import are taken off the quota of the user.
	Charge(ctx context.Context, id string) error
	// End ends an import; reason has no code where it succeeded.
	End(ctx context.Context, b Begun, r *Report, reason jobs.Failure) error
	// Undo takes out what the import alone brought, and the import.
	Undo(ctx context.Context, b Begun) error
}
