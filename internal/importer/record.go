package importer

import (
	"context"
	"time"

	"kith"
)

// Source is where a record comes from.
type Source struct {
	// File is the path, in archives with that of the archive before it. Line is the
	// first line of the record in it, and Record its number among the records, both
	// from 1. Format is the name of the format.
	File         string
	Line, Record int64
	Format       string
	// Changed is when the file was changed last; the zero time where that is not known.
	Changed time.Time
}

// Person is a person in a file. Of kith.Person the id is 0, and SocialURL may be
// empty; Email is the first of Emails.
type Person struct {
	kith.Person

	Source Source
	// SourceID is the identifier in the file, "" where it has none.
	SourceID string
	// Emails are all addresses, in small letters, the preferred one first.
	Emails []string
	// Relationship is how the owner of the file knows the person; nil where the file
	// does not say that anybody does.
	Relationship *Relationship
}

// Relationship is how the owner of a file knows a person.
type Relationship struct {
	// Kind is connection or contact.
	Kind string
	// Since is a date as kith.Job has them; "" is unknown.
	Since string
}

// Company is a company in a file.
type Company struct {
	kith.Company

	Source   Source
	SourceID string
}

// Owner is the person whose files were read, as far as the files tell. Names may be
// empty.
type Owner struct {
	kith.Person

	Emails []string
}

// Party is one side of a contact, by all that its files say.
type Party struct{ Name, Email, SocialURL string }

// History is how often the owner and one other person were in contact in one way:
// nothing of what was said.
type History struct {
	With Party
	// Kind is message, invitation, mail or meeting.
	Kind string
	// Outgoing are the contacts that the owner began, Incoming those of the other.
	// A meeting counts in both directions.
	Outgoing, Incoming int64
	// First and Last are days, in UTC.
	First, Last time.Time
	// Months are the same by calendar month, in order: files that overlap agree on the
	// months that both have.
	Months []Month
}

// Month is how often there was contact in one calendar month.
type Month struct {
	Outgoing, Incoming int64
	First, Last        time.Time
}

// Reject is a record that was left out.
type Reject struct {
	Source Source
	Reason string
}

// Sink takes what files hold. Owner and History come after all files are read. An
// error ends the import.
type Sink interface {
	Person(context.Context, *Person) error
	Company(context.Context, *Company) error
	Owner(context.Context, *Owner) error
	History(context.Context, *History) error
	Reject(context.Context, Reject) error
	// Export takes a line of an export of Kith. Its text is the sink's until it returns.
	Export(context.Context, *ExportLine) error
}
