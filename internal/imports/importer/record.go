package importer

import (
	"context"
	"time"

	"kith"
)

// Source is the origin of a record.
type Source struct {
	// File is the path, prefixed by that of the archive. Line is the first line of the record, from 1. Format is the
	// name of the format.
	File   string
	Line   int64
	Format string
	// Changed is the modification time of the file; zero if unknown.
	Changed time.Time
}

// Person is a person in a file. The id of kith.Person is 0, and SocialURL may be empty; Email is the first of Emails.
type Person struct {
	kith.Person

	Source Source
	// SourceID is the identifier in the file, or "".
	SourceID string
	// Emails are all addresses in lower case, preferred first.
	Emails []string
	// Relationship is the relationship of the file's owner to the person; nil if the file does not tell.
	Relationship *Relationship
}

// GlobalID is the identifier of the person in the system that wrote the file, as a source; empty if there is none. A
// column named id in an arbitrary table belongs to no system.
func (p *Person) GlobalID() string {
	switch p.Source.Format {
	case "people", "companies", "mapping", "kith-people":
		return ""
	}
	if p.SourceID == "" {
		return ""
	}
	return p.Source.Format + ":" + p.SourceID
}

// Relationship is the relationship of a file's owner to a person.
type Relationship struct {
	// Kind is connection or contact.
	Kind string
	// Since is a date in the form of kith.Job; "" if unknown.
	Since string
}

// Company is a company in a file.
type Company struct {
	kith.Company

	Source   Source
	SourceID string
}

// Owner is the person whose files were read, as far as the files tell. Names may be empty.
type Owner struct {
	kith.Person

	Emails []string
}

// Party is one side of a contact, with everything the files tell about it.
type Party struct{ Name, Email, SocialURL string }

// History counts the contacts of one kind between the owner and one other person. It has no content.
type History struct {
	With Party
	// Kind is message, invitation, mail or meeting.
	Kind string
	// Outgoing counts contacts that the owner began, Incoming those of the other. A meeting counts in both directions.
	Outgoing, Incoming int64
	// First and Last are days in UTC.
	First, Last time.Time
	// Months are the counts by calendar month, in order, so that overlapping files agree on the months they share.
	Months []Month
}

// Month counts the contacts in one calendar month.
type Month struct {
	Outgoing, Incoming int64
	First, Last        time.Time
}

// Reject is a record that was left out.
type Reject struct {
	Source Source
	Reason string
}

// Sink receives the records of files. Owner and History follow after all files have been
// read. An error ends the import.
type Sink interface {
	Person(context.Context, *Person) error
	Company(context.Context, *Company) error
	Owner(context.Context, *Owner) error
	History(context.Context, *History) error
	Reject(context.Context, Reject) error
	// Export receives a line of a Kith export. The line is valid only during the call.
	Export(context.Context, *ExportLine) error
}
