package load

import (
	"context"
	"time"

	"kith"
	"kith/index"
	"kith/index/analysis"
)

// Kind is what a load file holds. People and companies are records; the
// outbox, the ledger and the index know no other kind.
type Kind int16

// The kinds. Their numbers are stored.
const (
	People        Kind = 1
	Companies     Kind = 2
	Relationships Kind = 3
	Sequences     Kind = 4
	// Exports are all that a user has: see [ExportWriter].
	Exports Kind = 5

	// These are in exports only.
	contacts Kind = 6
	head     Kind = 7
	tail     Kind = 8
)

// kinds lists the kinds.
func kinds() []Kind { return []Kind{People, Companies, Relationships, Sequences, Exports} }

// String is the name of the kind as files and flags spell it.
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

// collection is where documents of the kind are indexed.
func (k Kind) collection() index.Collection {
	if k == Companies {
		return index.Companies
	}
	return index.People
}

// PersonRow is a person as a [Tx] stores it.
type PersonRow struct {
	// Person names the company of each job by its ID alone; the rest of it is
	// not stored.
	Person kith.Person
	// SocialKey is the profile URL in the form that is compared, SocialID its
	// last segment, Email the address in lower case; each may be empty.
	SocialKey, SocialID, Email string
	// Profiles are the keys of all profiles of a person of several records.
	Profiles []string
	// Blocks are the keys by which a [Uniter] looks for the person; nil lets the store make
	// them.
	Blocks []int64
	// Rank is stored when the person is new and ignored otherwise.
	Rank int64
	// CompanyIDs are the companies of all jobs, each once.
	CompanyIDs []int64
	// AsOf and Trail are those of [Dated]. They are stored with the person; of a
	// line of a load file only where that changes something.
	AsOf  time.Time
	Trail []byte
	// Refreshed is when a source had the person, the zero time for a line of a
	// load file.
	Refreshed time.Time
	Unqueued
}

// Unqueued is part of rows whose caller writes them to the index itself where they are new.
type Unqueued struct {
	// Direct is set by the caller: a new row is not queued for the index.
	Direct bool
	// Version is set by a Put that stored a row as new.
	Version int64
}

// CompanyRow is a company as a [Tx] finds and stores it.
type CompanyRow struct {
	Company kith.Company
	// SocialKey, DomainKey and NameKey are the profile URL, site and name in
	// the form that is compared; the first two may be empty.
	SocialKey, DomainKey, NameKey string
	// Rank is stored when the company is new and ignored otherwise.
	Rank int64
	Unqueued
}

// PersonKeys are values to look people up by; a person who has any of them is found.
type PersonKeys struct {
	IDs                     []int64
	Social, Emails, Sources []string
}

// PersonID is a stored person by what the person was looked up with: each key that is
// found has an entry of its own, with the other keys empty. One of a person who was
// looked up by id has none.
type PersonID struct {
	ID                    int64
	Social, Email, Source string
	// SocialKey and SocialURL are the profile of the record.
	SocialKey, SocialURL string
}

// CompanyKeys are values to look companies up by; a company that has any of
// them is found.
type CompanyKeys struct {
	IDs                   []int64
	Social, Domain, Names []string
}

// Store writes records.
type Store interface {
	// Write runs f in one transaction and commits it when f returns nil. No two
	// transactions of one directory run at the same time, so what f reads stays
	// true until it is committed. Every record that f changes is queued for the
	// index in the same transaction, and so is every person of a changed
	// company; listeners are told after the commit. Where a value itself cannot
	// be stored the error is a *kith.Error of kind Invalid.
	Write(ctx context.Context, f func(ctx context.Context, tx Tx) error) error
}

// Tx is a write transaction over people and companies. A Put of a record that
// is stored just so changes nothing and queues nothing.
type Tx interface {
	TxReader
	// NewIDs gives out n ids that no record has or had, all above the given one.
	NewIDs(ctx context.Context, kind Kind, n int, above int64) ([]int64, error)
	// PutCompanies and PutPeople store rows with distinct, positive ids, as new
	// or over what is stored; the answer says of each row what happened. People
	// who asked to be forgotten are not stored. See [Unqueued].
	PutCompanies(ctx context.Context, rows []CompanyRow) ([]Outcome, error)
	PutPeople(ctx context.Context, rows []PersonRow) ([]Outcome, error)
	// DeletePeople removes people; ids that are not stored are passed over.
	DeletePeople(ctx context.Context, ids []int64) error
	// SetRanks changes the rank of stored records.
	SetRanks(ctx context.Context, kind Kind, ranks map[int64]int64) error
}

// TxReader is what a write transaction can look up.
type TxReader interface {
	// Companies returns the stored companies that have one of the keys, by id.
	Companies(ctx context.Context, keys CompanyKeys) ([]CompanyRow, error)
	// PersonIDs returns the stored people who have one of the keys.
	PersonIDs(ctx context.Context, keys PersonKeys) ([]PersonID, error)
	// StoredPerson returns a person with the day of their data; NotFound where
	// there is none.
	StoredPerson(ctx context.Context, id int64) (Dated, error)
}

// Uniter decides which people rows belong to, and stores them.
type Uniter interface {
	// Unite stores rows without ids, whose companies are stored, as new people or merged
	// into others. The answer says of each row what happened: Created, Changed where it
	// told something new of somebody, Unchanged, or Suppressed.
	Unite(ctx context.Context, tx Tx, rows []PersonRow) ([]Outcome, error)
}

// Outcome is what storing a record did.
type Outcome int

// The outcomes.
const (
	Unchanged Outcome = iota
	Created
	Changed
	// Suppressed is a person who asked to be forgotten: nothing was stored.
	Suppressed
	// Repeated is a relation that a later one of the same transaction is about
	// too; that one has the outcome of both.
	Repeated
)

// Person is a stored person with the companies of its jobs filled in.
type Person struct {
	Person kith.Person
	Rank   int64
	// Version grows with every change of the person and of its companies.
	Version int64
	// Owner is whose record it is: see [WithOwner].
	Owner string
}

// Company is a stored company.
type Company struct {
	Company kith.Company
	Rank    int64
	Version int64
	// Owner is whose record it is: see [WithOwner].
	Owner string
}

// Reader reads stored records.
type Reader interface {
	// PeopleByID returns the stored people among ids, by id, all as of one moment.
	PeopleByID(ctx context.Context, ids []int64) ([]Person, error)
	// CompaniesByID is the same for companies.
	CompaniesByID(ctx context.Context, ids []int64) ([]Company, error)
	// IDs returns the n lowest ids above the given one, in order; fewer where their
	// records are large, but one if there is one.
	IDs(ctx context.Context, kind Kind, above int64, n int) ([]int64, error)
	// Count is about how many records there are; it is for showing progress.
	Count(ctx context.Context, kind Kind) (int64, error)
	// Identify returns the ids of the people that an identifier may mean: an id,
	// a profile URL, the last segment of one, or an e-mail address.
	Identify(ctx context.Context, identifier string) ([]int64, error)
}

// Entry is one row of the queue: the record has changed or is gone.
type Entry struct {
	Seq  int64
	Kind Kind
	ID   int64
	// Fresh is true where the record was stored for the first time.
	Fresh bool
}

// RecordTerms are the terms of one record.
type RecordTerms struct {
	Kind Kind
	ID   int64
	// Owner is whose record it is: nobody else is to learn its terms.
	Owner string
	// Fresh is true of a person who is to be counted. Others were counted
	// before: of their terms only new ones are to be learnt.
	Fresh bool
	Terms []analysis.Term
	// Texts returns how the record writes them; nil where that is not known. It is asked where a term is new.
	Texts func() analysis.TermTexts
}

// Refusal is a record that the engine or the analysis does not accept.
type Refusal struct {
	Entry
	Reason string
}

// Outbox is the queue of records that the index has yet to hear of.
type Outbox interface {
	// Take returns at most n entries above the given number, lowest first, and
	// leaves them in the queue; fewer where their records are large, but one if there
	// is one.
	Take(ctx context.Context, above int64, n int) ([]Entry, error)
	// Done removes entries and keeps the refusals, which need not be among
	// them, in a list of their own, in one transaction. A record that was
	// refused before and is not now leaves that list. The terms are brought to
	// the vocabulary in the same transaction, so that a batch that is done
	// again counts once. Entries that are gone already were worked off by a
	// drainer that had the lock after this one lost it. It may have deleted
	// what this one then wrote, so they are queued again; their terms count
	// no more than once.
	Done(ctx context.Context, entries []Entry, refused []Refusal, terms []RecordTerms) error
	// Last is the highest number given out so far; 0 for none.
	Last(ctx context.Context) (int64, error)
	// Backlog is how many entries there are up to the given number.
	Backlog(ctx context.Context, upTo int64) (int64, error)
	// Claim says which engine the queue is for, and in which way documents are
	// made for it. Claimed is the last that said so; empty before the first.
	Claim(ctx context.Context, name string) error
	Claimed(ctx context.Context) (string, error)
	// Wait returns when something was queued since the last call of Wait, or
	// when ctx ends. It may return without a reason.
	Wait(ctx context.Context) error
}

// Ledger remembers what a reindex must know of earlier ones.
type Ledger interface {
	// Deleted returns the n lowest ids above the given one of records that were
	// deleted since a time, as far as [Ledger.SetBuilt] has left them, and are not
	// stored again.
	Deleted(ctx context.Context, kind Kind, since time.Time, above int64, n int) ([]int64, error)
	// Now is the time by the clock that deletions and refusals are dated with.
	Now(ctx context.Context) (time.Time, error)
	// Built names the index that a reindex last brought level with the records;
	// empty before the first.
	Built(ctx context.Context) (string, error)
	// Expected returns how many records an index has documents of, and by how many it may be
	// off: changes that were queued above a number, and records refused since a time.
	Expected(ctx context.Context, kind Kind, above int64, since time.Time) (records, open int64, err error)
	// SetBuilt says that an index is level now: what was queued up to a number
	// is done with, and the refusals and the deletions from before two times are
	// forgotten; the vocabulary that was built is the one in use. It is one
	// transaction.
	SetBuilt(ctx context.Context, name string, queued int64, refusedBefore, deletedBefore time.Time) error
	// Unseen is the version of the newest record; unseen is true where nothing is
	// queued any more and [Ledger.SetSeen] has not heard of that version.
	Unseen(ctx context.Context) (version int64, unseen bool, err error)
	// SetSeen says that searches see all that follows from the records up to a
	// version. It holds until an index is built anew.
	SetSeen(ctx context.Context, version int64) error
}

// Marks are made by the records and given to an index before it is written. So
// an index that has one which the records do not know was written from other
// records than these: these were put back to an earlier day, or it was.
type Marks interface {
	// KnownMarks returns those of the marks that an index of these records may
	// have. No mark, which is the empty one, is known until the first was given.
	KnownMarks(ctx context.Context, marks []string) ([]string, error)
	// NextMark makes a mark, which outlives a crash of the database, and forgets
	// the marks before the oldest of those that indices had. Where one of
	// those is not known it makes none, and ok is false.
	NextMark(ctx context.Context, had []string) (mark index.Mark, ok bool, err error)
}

// Vocabulary counts the terms of the records anew. Meanwhile [Outbox.Done]
// writes terms into the one in use and sees to it that the one being
// built misses none of it, and who is deleted is taken off both. So the counts
// of a directory that rests are exact, and a person who is stored or deleted
// during the count may be counted once too little.
type Vocabulary interface {
	// BeginVocabulary begins to build a vocabulary beside the one in use.
	BeginVocabulary(ctx context.Context) error
	// CountTerms counts records in the one being built, each but once.
	CountTerms(ctx context.Context, terms []RecordTerms) error
	// IndexTerms makes the one being built ready for look-ups, once most is counted.
	IndexTerms(ctx context.Context) error
	// DropVocabulary drops the one being built, if there is one.
	DropVocabulary(ctx context.Context) error
}

// Locks are held by one process at a time, and given back when it dies.
type Locks interface {
	// Lock waits for the lock.
	Lock(ctx context.Context, name string) (release func(), err error)
	// TryLock does not wait; ok is false where another holder has it.
	TryLock(ctx context.Context, name string) (release func(), ok bool, err error)
}

// Epochs counts the rankings.
type Epochs interface {
	// BumpRankEpoch ends the life of every cursor given out so far.
	BumpRankEpoch(ctx context.Context) error
}
