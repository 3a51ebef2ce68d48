package load

import (
	"context"
	"time"

	"kith"
	"kith/index"
	"kith/index/analysis"
)

// Kind is the kind of a load file. People and companies are records; the outbox, the ledger and the index know no
// other kind.
type Kind int16

// The kinds. Their numbers are stored.
const (
	People        Kind = 1
	Companies     Kind = 2
	Relationships Kind = 3
	Sequences     Kind = 4
	// Exports have all data of a user: see [ExportWriter].
	Exports Kind = 5

	// These occur only in exports.
	contacts Kind = 6
	head     Kind = 7
	tail     Kind = 8
)

// kinds lists the kinds.
func kinds() []Kind { return []Kind{People, Companies, Relationships, Sequences, Exports} }

// String is the name of the kind in file names and flags.
func (k Kind) String() string {
	switch k {
	case People:
		return "people"
	case Companies:
		return "companies"
	case Relationships:
		return "relationships"
	case Sequences:
		return "sequences"
	case Exports:
		return "export"
	}
	return "unknown"
}

// collection returns the index collection of the kind.
func (k Kind) collection() index.Collection {
	if k == Companies {
		return index.Companies
	}
	return index.People
}

// PersonRow is a person as a [Tx] stores it.
type PersonRow struct {
	// Person has only the ID of each job's company; other company data is not stored.
	Person kith.Person
	// SocialKey is the normalized profile URL, SocialID its last segment, Email the address in lower case; each may
	// be empty.
	SocialKey, SocialID, Email string
	// Profiles are the keys of all profiles of a person merged from several records.
	Profiles []string
	// Blocks are the keys by which a [Uniter] looks for the person; nil lets the store compute them.
	Blocks []int64
	// Rank is stored for a new person and otherwise ignored.
	Rank int64
	// CompanyIDs are the companies of all jobs, without duplicates.
	CompanyIDs []int64
	// AsOf and Trail are those of [Dated]. They are stored with the person; for a line of a load file only if it
	// changes something.
	AsOf  time.Time
	Trail []byte
	// Refreshed is when a source supplied the person; zero for a line of a load file.
	Refreshed time.Time
	Unqueued
}

// Unqueued is embedded in rows whose caller may write new ones to the index itself.
type Unqueued struct {
	// Direct, set by the caller, keeps a new row out of the queue.
	Direct bool
	// Version is set by a Put that created the row.
	Version int64
}

// CompanyRow is a company as a [Tx] finds and stores it.
type CompanyRow struct {
	Company kith.Company
	// SocialKey, DomainKey and NameKey are the normalized profile URL, site and name; the first two may be empty.
	SocialKey, DomainKey, NameKey string
	// Rank is stored for a new company and otherwise ignored.
	Rank int64
	Unqueued
}

// PersonKeys are lookup keys of people; any of them matches.
type PersonKeys struct {
	IDs                     []int64
	Social, Emails, Sources []string
}

// PersonID is a match of [PersonKeys]: one entry for each matching key, with the other keys empty. A match by id has
// no key.
type PersonID struct {
	ID                    int64
	Social, Email, Source string
	// SocialKey and SocialURL are the profile of the record.
	SocialKey, SocialURL string
}

// CompanyKeys are lookup keys of companies; any of them matches.
type CompanyKeys struct {
	IDs                   []int64
	Social, Domain, Names []string
}

// Store writes records.
type Store interface {
	// Write runs f in one transaction and commits it if f returns nil. Transactions of one dataset never overlap, so
	// data read by f stays valid until the commit. The same transaction queues every record that f changes, and every
	// person of a changed company, for the index; listeners are notified after the commit. If a value cannot be
	// stored the error is a *kith.Error of kind Invalid.
	Write(ctx context.Context, f func(ctx context.Context, tx Tx) error) error
}

// Tx is a write transaction over people and companies. A Put of an unchanged record changes and queues nothing.
type Tx interface {
	TxReader
	// NewIDs returns n new ids, all above the given one, that no record ever had.
	NewIDs(ctx context.Context, kind Kind, n int, above int64) ([]int64, error)
	// PutCompanies and PutPeople create or replace rows with distinct, positive ids, and return the outcome of each.
	// They do not store people who asked to be forgotten. See [Unqueued].
	PutCompanies(ctx context.Context, rows []CompanyRow) ([]Outcome, error)
	PutPeople(ctx context.Context, rows []PersonRow) ([]Outcome, error)
	// DeletePeople removes people; it ignores unknown ids.
	DeletePeople(ctx context.Context, ids []int64) error
	// SetRanks changes the rank of stored records.
	SetRanks(ctx context.Context, kind Kind, ranks map[int64]int64) error
}

// TxReader has the lookups of a write transaction.
type TxReader interface {
	// Companies returns the stored companies with any of the keys, ordered by id.
	Companies(ctx context.Context, keys CompanyKeys) ([]CompanyRow, error)
	// PersonIDs returns the stored people with any of the keys.
	PersonIDs(ctx context.Context, keys PersonKeys) ([]PersonID, error)
	// StoredPerson returns a person with the day of their data; NotFound if there is none.
	StoredPerson(ctx context.Context, id int64) (Dated, error)
}

// Uniter decides which person each row belongs to, and stores the rows.
type Uniter interface {
	// Unite stores rows without ids, whose companies are stored, as new people or merged into others. It returns the
	// outcome of each row: Created, Changed if it added data to a person, Unchanged or Suppressed.
	Unite(ctx context.Context, tx Tx, rows []PersonRow) ([]Outcome, error)
}

// Outcome is the result of storing a record.
type Outcome int

// The outcomes.
const (
	Unchanged Outcome = iota
	Created
	Changed
	// Suppressed is a person who asked to be forgotten: nothing was stored.
	Suppressed
	// Repeated is a relation that a later one in the same transaction repeats; that one has the outcome of both.
	Repeated
)

// Person is a stored person, including the companies of its jobs.
type Person struct {
	Person kith.Person
	Rank   int64
	// Version grows with every change of the person or its companies.
	Version int64
	// Owner is the owner of the record: see [WithOwner].
	Owner string
}

// Company is a stored company.
type Company struct {
	Company kith.Company
	Rank    int64
	Version int64
	// Owner is the owner of the record: see [WithOwner].
	Owner string
}

// Reader reads stored records.
type Reader interface {
	// PeopleByID returns the stored people among ids, ordered by id, all from one snapshot.
	PeopleByID(ctx context.Context, ids []int64) ([]Person, error)
	// CompaniesByID does the same for companies.
	CompaniesByID(ctx context.Context, ids []int64) ([]Company, error)
	// IDs returns the n lowest ids above the given one, in order. It returns fewer if their records are large, but at
	// least one if there is one.
	IDs(ctx context.Context, kind Kind, above int64, n int) ([]int64, error)
	// Count returns the approximate number of records, for progress reports.
	Count(ctx context.Context, kind Kind) (int64, error)
	// Identify returns the ids of the people that an identifier may mean: an id, a profile URL, its last segment, or
	// an e-mail address.
	Identify(ctx context.Context, identifier string) ([]int64, error)
}

// Entry is one row of the queue: a record was changed or deleted.
type Entry struct {
	Seq  int64
	Kind Kind
	ID   int64
	// Fresh is true if the record was stored for the first time.
	Fresh bool
}

// RecordTerms are the terms of one record.
type RecordTerms struct {
	Kind Kind
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
	// Wait returns if something was queued since the last call, or when ctx ends. It may also return without a
	// reason.
	Wait(ctx context.Context) error
}

// Ledger remembers what a reindex must know about earlier ones.
type Ledger interface {
	// Deleted returns the n lowest ids above the given one of records deleted since a time and not stored again. It
	// only knows deletions that [Ledger.SetBuilt] has not forgotten.
	Deleted(ctx context.Context, kind Kind, since time.Time, above int64, n int) ([]int64, error)
	// Now is the time of the clock that dates deletions and refusals.
	Now(ctx context.Context) (time.Time, error)
	// Built names the index that a reindex last brought in sync with the records; empty before the first.
	Built(ctx context.Context) (string, error)
	// Expected returns how many documents an index should have, and the tolerance: changes queued above a number, and
	// records refused since a time.
	Expected(ctx context.Context, kind Kind, above int64, since time.Time) (records, open int64, err error)
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

// Epochs counts the rankings.
type Epochs interface {
	// BumpRankEpoch expires all cursors issued so far.
	BumpRankEpoch(ctx context.Context) error
}
