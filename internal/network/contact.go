package network

import (
	"time"

	"kith"
	"kith/query/analysis"
)

// ContactKind is the channel of a contact.
type ContactKind string

// The kinds of contact.
const (
	ContactMessage    ContactKind = "message"
	ContactInvitation ContactKind = "invitation"
	ContactEmail      ContactKind = "email"
	ContactMeeting    ContactKind = "meeting"
)

// ContactKinds lists the kinds. Their indices are stored: append only.
func ContactKinds() []ContactKind {
	return []ContactKind{ContactMessage, ContactInvitation, ContactEmail, ContactMeeting}
}

// ParseContactKind reads the name of a kind.
func ParseContactKind(text string) (ContactKind, error) { return parseName(text, ContactKinds()) }

// History counts the contacts of one kind between a user and a person. It never holds what was said. A meeting counts
// in both directions.
type History struct {
	Kind ContactKind
	// Outgoing counts contacts begun by the user, Incoming those begun by the person.
	Outgoing, Incoming int64
	First, Last        Day
}

// Total adds up the histories of all kinds; ok is false if there are none.
func Total(histories []History) (all History, ok bool) {
	for i, h := range histories {
		if i == 0 {
			all = History{First: h.First, Last: h.Last}
		}
		all.Outgoing, all.Incoming = all.Outgoing+h.Outgoing, all.Incoming+h.Incoming
		all.First, all.Last = min(all.First, h.First), max(all.Last, h.Last)
	}
	return all, len(histories) > 0
}

// DayOf is the day of a time, in UTC.
func DayOf(t time.Time) Day { return Day(t.UTC().Unix() / secondsOfDay) } // days fit for millions of years

// Date writes a day as YYYY-MM-DD.
func Date(d Day) string {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}

// ParseDate reads a day as [Date] writes it.
func ParseDate(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1970 {
		return 0, kith.Errorf(kith.Invalid, "INVALID_DATE", "must be a day from 1970-01-01 on, written YYYY-MM-DD "+
			"(got %q)", text)
	}
	return DayOf(t), nil
}

const secondsOfDay = 24 * 60 * 60

// Acquaintanceship is a person in an imported file of a user, identified by profile URL, e-mail addresses or, without
// these, source ids, and the kinds of the relationship.
type Acquaintanceship struct {
	Identifier string
	// Kinds are added to those of an existing relationship; a new one without kinds is SocialContact.
	Kinds KindSet
	// Since is the first day of the relationship; nil if the file has none.
	Since *Day
	// Sources are ids of the person in other systems, each as source:id.
	Sources []string
	// Emails are the person's addresses known to the user.
	Emails []string
}

// PastContact is one month of contacts with one person, from a user's file. Name is the name in the file; it may be
// empty.
type PastContact struct {
	Identifier, Name string
	History
}

// IsPersonalMail reports whether the contact is mail with the address of one person instead of an office.
func (c PastContact) IsPersonalMail() bool {
	kind, key := analysis.Identifier(c.Identifier)
	return c.Kind == ContactEmail && kind == analysis.EmailIdentifier && key == c.Identifier && !analysis.IsOffice(key)
}

// Correspondent is an unknown person with whom a user exchanged mail in both directions. Name may be empty.
type Correspondent struct{ Email, Name string }

// LastContact restricts when the caller and a person were last in contact. The zero value is no restriction.
type LastContact struct {
	Asked bool
	// After is the first day that counts, Before the first day that no longer counts; nil is no bound. Without After,
	// people without any contact count as well.
	After, Before *Day
	// Kind is the only kind of contact that counts; empty for any.
	Kind ContactKind
}

// isSatisfiedBy reports whether a last contact satisfies l; ok is false if there was no contact.
func (l LastContact) isSatisfiedBy(last Day, ok bool) bool {
	if !ok {
		return l.After == nil
	}
	return (l.After == nil || last >= *l.After) && (l.Before == nil || last < *l.Before)
}
