package network_test

import (
	"fmt"
	"strings"
	"testing"

	"kith"
	"kith/internal/network"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
)

// onDay parses a day.
func onDay(t *testing.T, date string) network.Day {
	t.Helper()
	d, err := network.ParseDate(date)
	expect.NoError(t, err)
	return d
}

func (d *dataset) contact(t *testing.T, id int, kind network.ContactKind, out, in int64, first,
	last string,
) network.PastContact {
	t.Helper()
	return network.PastContact{Identifier: fmt.Sprintf("https://social.example/in/p%d", id), History: network.History{
		Kind: kind, Outgoing: out, Incoming: in, First: onDay(t, first), Last: onDay(t, last),
	}}
}

// contacts lists a user's relationships and contacts.
func (d *dataset) contacts(t *testing.T, u kith.Actor) string {
	t.Helper()
	list, _, err := d.svc.List(t.Context(), u, nil, 100)
	expect.NoError(t, err)
	var out []string
	for _, r := range list {
		text := fmt.Sprintf("%d given %.3g", r.Person.ID, r.Given)
		if r.Score > r.Given {
			text += " raised"
		}
		if r.Since != nil {
			text += " since " + network.Date(*r.Since)
		}
		for _, h := range r.Contacts {
			text += fmt.Sprintf(" %s %d/%d %s..%s", h.Kind, h.Outgoing, h.Incoming, network.Date(h.First),
				network.Date(h.Last))
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// importFiles stores contacts and acquaintances like an import.
func (d *dataset) importFiles(t *testing.T, u kith.Actor, people []network.Acquaintanceship,
	contacts ...network.PastContact,
) {
	t.Helper()
	nets := d.db.Network()
	if _, _, _, err := nets.Meet(t.Context(), 0, u.UserID, people); err != nil {
		t.Fatal(err)
	}
	if _, _, err := nets.PutContacts(t.Context(), 0, u.UserID, contacts); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, nets.ComputeScores(t.Context(), u.UserID))
}

// Overlapping files agree on each month, so they may be stored in any order and repeatedly.
// Contacts of other users do not change.
func TestOverlappingFilesAreNotCountedTwice(t *testing.T) {
	d := newDataset(t, 4)
	since := onDay(t, "2019-02-01")
	people := []network.Acquaintanceship{
		{Identifier: "https://social.example/in/p1", Since: &since},
		{Identifier: "nobody@example.com"},
	}
	old := []network.PastContact{
		d.contact(t, 1, network.ContactMessage, 2, 1, "2025-01-03", "2025-01-20"),
		d.contact(t, 2, network.ContactEmail, 1, 1, "2025-01-05", "2025-01-05"),
		d.contact(t, 3, network.ContactEmail, 0, 9, "2025-01-05", "2025-01-06"),
	}
	newer := []network.PastContact{
		d.contact(t, 1, network.ContactMessage, 3, 1, "2025-01-03", "2025-01-28"),
		d.contact(t, 1, network.ContactMessage, 1, 0, "2025-02-03", "2025-02-03"),
	}
	want := "1 given 2.5 raised since 2019-02-01 message 4/1 2025-01-03..2025-02-03\n2 given 2.5 raised email 1/1 " +
		"2025-01-05..2025-01-05"
	for name, order := range map[string][][]network.PastContact{
		"ann": {old, newer, old, newer},
		"ben": {newer, newer, old},
	} {
		u := d.user(t, name)
		for _, contacts := range order {
			d.importFiles(t, u, people, contacts...)
		}
		if got := d.contacts(t, u); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		before, err := d.svc.Summary(t.Context(), u)
		expect.NoError(t, err)
		d.importFiles(t, u, people, old...)
		if after, err := d.svc.Summary(t.Context(), u); err != nil || after != before {
			t.Errorf("a second import changes the network: %v, %v, %v", before, after, err)
		}
	}
	if got := d.contacts(t, d.user(t, "eve")); got != "" {
		t.Errorf("another user has %s", got)
	}
}

// A given score is kept beside the contacts, whichever is stored first.
func TestGivenScoreIsKept(t *testing.T) {
	d := newDataset(t, 2)
	for name, given := range map[string]bool{"before": true, "after": false} {
		u := d.user(t, name)
		give := func() {
			if _, err := d.svc.Import(t.Context(), u, []network.Element{{Identifier: "p1", Score: score(6)}},
				5); err != nil {
				t.Fatal(err)
			}
		}
		if given {
			give()
		}
		d.importFiles(t, u, []network.Acquaintanceship{{Identifier: "https://social.example/in/p1"}},
			d.contact(t, 1, network.ContactMeeting, 2, 2, "2025-01-03", "2025-01-20"))
		if !given {
			give()
		}
		if got, want := d.contacts(t, u), "1 given 6 raised meeting 2/2 2025-01-03..2025-01-20"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// A merged person has the relationships and the contacts of both.
func TestMergeAddsUpContacts(t *testing.T) {
	d := newDataset(t, 3)
	u, other := d.user(t, "ann"), d.user(t, "ben")
	since := onDay(t, "2019-02-01")
	d.importFiles(t, u, []network.Acquaintanceship{
		{Identifier: "https://social.example/in/p1", Since: &since},
		{Identifier: "https://social.example/in/p2"},
	},
		d.contact(t, 1, network.ContactEmail, 2, 1, "2025-01-03", "2025-01-20"),
		d.contact(t, 2, network.ContactEmail, 1, 0, "2025-01-25", "2025-01-25"))
	d.importFiles(t, other, []network.Acquaintanceship{{Identifier: "https://social.example/in/p1"}})
	expect.NoError(t, identity.NewService(d.db).Merge(t.Context(), kith.Operator(), "1", "2"))
	for user, want := range map[*kith.Actor]string{
		&u: "1 given 2.5 raised since 2019-02-01 email 3/1 2025-01-03..2025-01-25", &other: "1 given 2.5",
	} {
		if got := d.contacts(t, *user); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
