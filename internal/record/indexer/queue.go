package indexer

import (
	"context"
	"time"

	"kith/index"
	"kith/internal/record"
	"kith/query/analysis"
)

// Entry is one row of the queue: a record was changed or deleted.
type Entry struct {
	Seq  int64
	Kind record.Kind
	ID   int64
	// Fresh is true if the record was stored for the first time.
	Fresh bool
}

// RecordTerms are the terms of one record.
type RecordTerms struct {
	Kind record.Kind
	ID   int64
	// Owner is the owner of the record: nobody else may learn its terms.
	Owner string
	// Fresh is true for a person to count. Others were counted before: only their new terms are added.
	Fresh bool
	Terms []analysis.Term
	// Texts returns the record's spelling of its terms; it is called for new terms and may be nil.
	Texts func() analysis.TermTexts
}

// Refusal is a record that the engine or the analysis rejects.
type Refusal struct {
	Entry
	Reason string
}

// Outbox is the queue of changed records for the index.
type Outbox interface {
	// Take returns at most n entries above the given number, lowest first, and leaves them in the queue. It returns
	// fewer if their records are large, but at least one if there is one.
	Take(ctx context.Context, above int64, n int) ([]Entry, error)
	// Done, in one transaction, removes entries and stores refusals, whose records need not be among the entries, in
	// a separate list. A record that is no longer refused leaves that list. The same transaction adds the terms to
	// the vocabulary, so a repeated batch counts once. If entries are already gone, this drainer had lost the lock
	// and a later holder removed them. That one may have deleted documents that this one then wrote, so Done queues
	// the entries again; their terms still count only once.
	Done(ctx context.Context, entries []Entry, refused []Refusal, terms []RecordTerms) error
	// Last is the highest number used so far; 0 for none.
	Last(ctx context.Context) (int64, error)
	// Backlog is the number of entries up to the given number.
	Backlog(ctx context.Context, upTo int64) (int64, error)
	// Claim sets the engine and document format that the queue serves. Claimed returns the last claim; empty before
	// the first.
	Claim(ctx context.Context, name string) error
	Claimed(ctx context.Context) (string, error)
	// Wait returns if something was queued since the last call, or when ctx ends. It may also return without a reason.
	Wait(ctx context.Context) error
}

// Ledger remembers what a reindex must know about earlier ones.
type Ledger interface {
	// Deleted returns the n lowest ids above the given one of records deleted since a time and not stored again. It
	// only knows deletions that [Ledger.SetBuilt] has not forgotten.
	Deleted(ctx context.Context, kind record.Kind, since time.Time, above int64, n int) ([]int64, error)
	// Now is the time of the clock that dates deletions and refusals.
	Now(ctx context.Context) (time.Time, error)
	// Built names the index that a reindex last brought in sync with the records; empty before the first.
	Built(ctx context.Context) (string, error)
	// Expected returns how many documents an index should have, and the tolerance: changes queued above a number, and
	// records refused since a time.
	Expected(ctx context.Context, kind record.Kind, above int64, since time.Time) (records, open int64, err error)
	// SetBuilt records, in one transaction, that an index is in sync. It removes entries queued up to a number, and
	// the refusals and deletions before two times. The new vocabulary becomes the active one.
	SetBuilt(ctx context.Context, name string, queued int64, refusedBefore, deletedBefore time.Time) error
	// Unseen is the version of the newest record; unseen is true if the queue is empty and [Ledger.SetSeen] has not
	// recorded that version.
	Unseen(ctx context.Context) (version int64, unseen bool, err error)
	// SetSeen records that searches see all effects of the records up to a version. It is reset when an index is
	// rebuilt.
	SetSeen(ctx context.Context, version int64) error
}

// Marks come from the records and are set on an index before it is written. If the records do not know the mark of an
// index, it was written from other records: one of the two was restored from a backup.
type Marks interface {
	// KnownMarks returns the marks that an index of these records may have. The empty mark is known until the first
	// mark was made.
	KnownMarks(ctx context.Context, marks []string) ([]string, error)
	// NextMark makes a mark that survives a crash of the database, and forgets all marks older than those in had. If
	// it does not know one of those it makes none, and ok is false.
	NextMark(ctx context.Context, had []string) (mark index.Mark, ok bool, err error)
}

// Vocabulary recounts the terms of the records. Meanwhile [Outbox.Done] writes terms to the active vocabulary and
// ensures that the new one misses none; deletions are subtracted from both. The counts of an idle dataset are exact.
// A person stored or deleted during the recount may be counted once too few.
type Vocabulary interface {
	// BeginVocabulary starts a new vocabulary next to the active one.
	BeginVocabulary(ctx context.Context) error
	// CountTerms counts records in the new vocabulary; pass each record once.
	CountTerms(ctx context.Context, terms []RecordTerms) error
	// IndexTerms makes the new vocabulary ready for lookups, once most terms are counted.
	IndexTerms(ctx context.Context) error
	// DropVocabulary drops the new vocabulary, if there is one.
	DropVocabulary(ctx context.Context) error
}

// Locks are held by one process at a time, and released when it dies.
type Locks interface {
	// Lock waits for the lock.
	Lock(ctx context.Context, name string) (release func(), err error)
	// TryLock does not wait; ok is false if another holder has the lock.
	TryLock(ctx context.Context, name string) (release func(), ok bool, err error)
}
