package demo

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"kith"
	"kith/internal/network"
)

const (
	diceExport uint64 = 8
	ownerName         = "Robin Demo"
	ownerURL          = "https://social.example/in/robin-demo"
	// exchangeYears is over how many years the demo user exchanged messages.
	exchangeYears = 5
)

// NamedFile is a file of an export.
type NamedFile struct {
	Name string
	Text []byte
}

// Export returns what the demo user would download from a professional network, for an import like any other: contacts
// with the day of connecting, and messages to and from most of them over five years, more and later ones with those
// who are close. Like the messages of the people it names, the user is invented.
func (d *Dataset) Export(contacts []network.Contact, now time.Time) ([]NamedFile, error) {
	e := exporter{Dataset: d, now: now, luck: roll(d.cfg.Seed, diceExport, 0)}
	connections := [][]string{{
		"First Name", "Last Name", "URL", "Email Address", "Company", "Position", "Connected On",
	}}
	messages := [][]string{{
		"CONVERSATION ID", "CONVERSATION TITLE", "FROM", "SENDER PROFILE URL", "TO", "RECIPIENT PROFILE URLS", "DATE",
		"SUBJECT", "CONTENT", "FOLDER",
	}}
	for i, c := range contacts {
		p := d.Person(c.Person)
		connections = append(connections, e.connection(p))
		messages = append(messages, e.exchange(i, c, p)...)
	}
	first, last, _ := strings.Cut(ownerName, " ")
	files := []struct {
		name string
		rows [][]string
	}{
		{"Connections.csv", connections},
		{"messages.csv", messages},
		{"Profile.csv", [][]string{
			{"First Name", "Last Name", "Maiden Name", "Headline", "Geo Location"},
			{first, last, "", "Partnerships at Kith", ""},
		}},
	}
	out := make([]NamedFile, 0, len(files))
	for _, f := range files {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		if err := w.WriteAll(f.rows); err != nil {
			return nil, fmt.Errorf("demo: writing %s: %w", f.name, err)
		}
		out = append(out, NamedFile{f.name, b.Bytes()})
	}
	return out, nil
}

// exporter generates an export.
type exporter struct {
	*Dataset
	now  time.Time
	luck dice
}

func (e *exporter) daysAgo(n int) time.Time { return e.now.AddDate(0, 0, -n) }

func (e *exporter) connection(p kith.Person) []string {
	company, title := "", ""
	if p.WorkRelevant != nil {
		company, title = e.Company(p.WorkRelevant.Company.ID).Name, p.WorkRelevant.Title
	}
	since := e.daysAgo(365*exchangeYears + e.luck.below(1500)).Format("02 Jan 2006")
	return []string{p.FirstName, p.LastName, p.SocialURL, "", company, title, since}
}

// exchange returns messages with a contact. With a fifth there were none.
func (e *exporter) exchange(conversation int, c network.Contact, p kith.Person) [][]string {
	if e.luck.in1000(200) {
		return nil
	}
	within := 365 * exchangeYears
	latest := e.luck.below(within)
	if c.Score >= 5 {
		latest = e.luck.early(200)
	}
	var days []int
	for range 1 + e.luck.below(2+int(c.Score)) {
		days = append(days, latest+e.luck.early(within-latest))
	}
	slices.SortFunc(days, func(a, b int) int { return b - a })
	rows := make([][]string, len(days))
	for i, n := range days {
		from, to := []string{ownerName, ownerURL}, []string{p.FullName, p.SocialURL}
		if i%2 == 1 {
			from, to = to, from
		}
		at := e.daysAgo(n + 1).Format(time.DateTime)
		rows[i] = []string{
			fmt.Sprintf("c-%d", conversation+1), "", from[0], from[1], to[0], to[1], at + " UTC", "", "Hello.", "INBOX",
		}
	}
	return rows
}
