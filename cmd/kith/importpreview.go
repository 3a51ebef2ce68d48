package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"kith"
	"kith/internal/imports"
	"kith/internal/imports/importer"
)

// manyColumns limits how many unused columns are named.
const manyColumns = 12

// printPreview prints what was recognised and how people would be stored.
func printPreview(w io.Writer, p *imports.Preview, r *importer.Report) {
	for _, f := range r.Files {
		printFile(w, f)
	}
	for _, user := range p.Exports {
		fmt.Fprintf(w, "\nAn export of the user %s of the app %s.\n", printable(user.ExternalUserID),
			printable(user.App))
	}
	if len(p.People) > 0 {
		fmt.Fprintf(w, "\nThe first %s:\n", kith.Counted(int64(len(p.People)), "person", "people"))
		for i := range p.People {
			fmt.Fprintf(w, "  %s\n", personText(&p.People[i]))
		}
	}
	if len(p.Contacts) > 0 {
		fmt.Fprintf(w, "\nContacts of %s:\n", partyText(r.Owner))
		for _, h := range p.Contacts {
			fmt.Fprintf(w, "  %s: %s, %d out, %d in, %s to %s\n", partyText(h.With), h.Kind, h.Outgoing, h.Incoming,
				h.First.Format(time.DateOnly), h.Last.Format(time.DateOnly))
		}
	}
	fmt.Fprintf(w, "\n%s (%d with a profile URL), %s, %s; %s left out\n", kith.Counted(r.People, "person", "people"),
		p.Profiles, kith.Counted(r.Companies, "company", "companies"),
		kith.Counted(r.Histories, "history of contacts", "histories of contacts"),
		kith.Counted(r.Rejected, "record", "records"))
	if note := p.Note(); note != "" {
		fmt.Fprintln(w, note)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(w, n)
	}
}

func printFile(w io.Writer, f *importer.FileReport) {
	if f.Format == "" {
		fmt.Fprintf(w, "%s: not read: %s\n", printable(f.Name), printable(f.Problem))
		return
	}
	fmt.Fprintf(w, "%s: %s (%s): %s, %d used", printable(f.Name), f.Title, f.Format,
		kith.Counted(f.Records, "record", "records"), f.Taken)
	if f.Encoding != "" && f.Encoding != "UTF-8" {
		fmt.Fprintf(w, "; %s", f.Encoding)
	}
	if f.Separator != "" {
		fmt.Fprintf(w, "; header in line %d, separator %q", f.Header, f.Separator)
	}
	fmt.Fprintln(w)
	var unknown []string
	for _, c := range f.Columns {
		if len(c.Members) > 0 {
			fmt.Fprintf(w, "  %s → %s\n", printable(c.Name), strings.Join(c.Members, ", "))
		} else if !c.Known {
			unknown = append(unknown, printable(c.Name))
		}
	}
	if len(unknown) > 0 {
		more := ""
		if n := len(unknown) - manyColumns; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(w, "  not used: %s%s\n", strings.Join(unknown[:min(len(unknown), manyColumns)], ", "), more)
	}
	for _, c := range f.SortedReasons() {
		fmt.Fprintf(w, "  left out, %d: %s\n", c.N, c.What)
	}
	if f.Problem != "" {
		fmt.Fprintf(w, "  not read to its end: %s\n", printable(f.Problem))
	}
}

func partyText(p importer.Party) string {
	return printable(cmp.Or(p.Name, p.Email, p.SocialURL, "an unknown person"))
}

// personText describes a person in one line.
func personText(p *importer.Person) string {
	parts := []string{p.FullName}
	if job := p.Present(); job != nil {
		parts = append(parts, joinNonEmpty(" at ", job.Title, job.Company.Name))
	}
	parts = append(parts, placeText(p.Location), strings.Join(p.Emails, " "), p.SocialURL)
	if p.Relationship != nil {
		known := p.Relationship.Kind
		if p.Relationship.Since != "" {
			known += " since " + p.Relationship.Since
		}
		parts = append(parts, known)
	}
	return printable(joinNonEmpty(" · ", parts...))
}

func placeText(l kith.Location) string {
	return joinNonEmpty(", ", l.City, l.State, l.Country)
}
