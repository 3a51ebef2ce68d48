// Package record defines the records of a dataset, people and companies, as they are stored. [Store] and [Tx] write
// them, [Reader] reads them; an [Origin] names their owner and the import that supplies them. It stores nothing itself:
// see internal/postgres. Package loader fills a dataset, and package indexer keeps the index in sync with it.
package record

import (
	"context"
	"time"

	"kith"
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
	// Exports have all data of a user.
	Exports Kind = 5
)

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

// PersonRow is a person as a [Tx] stores it.
type PersonRow struct {
	// Person has only the ID of each job's company; other company data is not stored.
	Person kith.Person
	// SocialKey is the normalized profile URL, SocialID its last segment, Email the address in lower case; each may
	// be empty.
	SocialKey, SocialID, Email string
	// Profiles are the keys of all profiles of a person merged from several records; nil leaves the stored ones.
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
	// Write runs f in one transaction, which writes records of the origin, and commits it if f returns nil.
	// Transactions of one dataset never overlap, so data read by f stays valid until the commit. The same transaction
	// queues every record that f changes, and every person of a changed company, for the index; listeners are notified
	// after the commit. If a value cannot be stored the error is a *kith.Error of kind Invalid.
	Write(ctx context.Context, o Origin, f func(ctx context.Context, tx Tx) error) error
}

// Tx is a write transaction over people and companies. A Put of an unchanged record changes and queues nothing.
type Tx interface {
	TxReader
	// NewIDs returns n different ids that no stored record has, from 2^46 on and below 2^53. They are random: they tell
	// neither how many records there are nor in which order they were stored.
	NewIDs(ctx context.Context, kind Kind, n int) ([]int64, error)
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
	// Companies returns the stored companies with any of the keys, oldest first, those of one transaction by id.
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
	// Owner is the owner of the record: see [OwnedBy].
	Owner string
}

// Company is a stored company.
type Company struct {
	Company kith.Company
	Rank    int64
	Version int64
	// Owner is the owner of the record: see [OwnedBy].
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
	Identify(ctx context.Context, v kith.Viewer, identifier string) ([]int64, error)
}
