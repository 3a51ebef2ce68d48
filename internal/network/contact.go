package network

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kith"
)

// ContactKind is how two people were in contact.
type ContactKind string

// The kinds of contact.
const (
	ContactMessage    ContactKind = "message"
	ContactInvitation ContactKind = "invitation"
	ContactEmail      ContactKind = "email"
	ContactMeeting    ContactKind = "meeting"
)

// ContactKinds lists the kinds. Their places are stored.
func ContactKinds() []ContactKind {
	return []ContactKind{ContactMessage, ContactInvitation, ContactEmail, ContactMeeting}
}

// ParseContactKind reads the name of a kind.
func ParseContactKind(text string) (ContactKind, error) {
	if k := ContactKind(text); slices.Contains(ContactKinds(), k) {
		return k, nil
	}
	names := make([]string, 0, len(ContactKinds()))
	for _, k := range ContactKinds() {
		names = append(names, string(k))
	}
	return "", fmt.Errorf("must be one of %s", strings.Join(names, ", "))
}

// History is how often a user and a person were in contact in one way, and never
// what was said. A meeting counts in both directions.
type History struct {
	Kind ContactKind
	// Outgoing are the contacts that the user began, Incoming those of the person.
	Outgoing, Incoming int64
	First, Last        Day
}

// Total is the history of all kinds together; ok is false where there is none.
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
func DayOf(t time.Time) Day { return Day(t.UTC().Unix() / secondsOfDay) } //nolint:gosec // days fit for millions of years

// Date writes a day as YYYY-MM-DD.
func Date(d Day) string {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}

// ParseDate reads a day as [Date] writes it.
func ParseDate(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1970 {
		return 0, kith.Errorf(kith.Invalid, "INVALID_DATE", "must be a day from 1970-01-01 on, written YYYY-MM-DD (got %q)",
			text)
	}
	return DayOf(t), nil
}

const secondsOfDay = 24 * 60 * 60

// Acquaintanceship is a person in the files of a user: by profile URL, e-mail
// addresses or, where there are neither, what a source calls the person, and as what.
type Acquaintanceship struct {
	Identifier string
	// Kinds are added to those that the relationship has; none means SocialContact
	// for a new one.
	Kinds KindSet
	// Since is the first day of the relationship; nil where the file has none.
	Since *Day
	// Sources are what other systems call the person, each as source:id.
	Sources []string
	// Emails are addresses of the person that the user has.
	Emails []string
}

// PastContact is what the files of a user say of one month and one other person.
type PastContact struct {
	Identifier string
	History
}

// LastContact asks when the caller and a person were last in contact. The zero value
// asks nothing.
type LastContact struct {
	Asked bool
	// After is the first day that counts, Before the first that counts no longer;
	// 0 is no bound. Without After, people with whom there never was contact count
	// as well.
	After, Before Day
	// Kind is the only kind of contact that counts; empty for any.
	Kind ContactKind
}

// holds reports whether a last contact will do; ok is false where there was none.
func (l LastContact) holds(last Day, ok bool) bool {
	if !ok {
		return l.After == 0
	}
	return last >= l.After && (l.Before == 0 || last < l.Before)
}
