package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"kith"
	"kith/index/load"
	"kith/internal/importer"
)

// shown is how many people a preview shows.
const shown = 10

// preview is a sink that keeps what a person wants to see before anything is stored.
type preview struct {
	people    []importer.Person
	contacts  []importer.History
	persons   int64
	profiles  int64
	companies int64
	// known are people whom the owner of the files knows, owner is that person as far as
	// the files tell, and employers are where some of the people work.
	known     int64
	owner     importer.Party
	employers map[string]int
	seen      int64
	progress  func(int64)
}

func (p *preview) count() {
	if p.seen++; p.progress != nil && p.seen%1000 == 0 {
		p.progress(p.seen)
	}
}

// Person implements [importer.Sink].
func (p *preview) Person(_ context.Context, person *importer.Person) error {
	p.count()
	p.persons++
	if person.SocialURL != "" {
		p.profiles++
	}
	if person.Relationship != nil {
		p.known++
	}
	if job := person.Present(); job != nil && job.Company.Name != "" && len(p.employers) < manyEmployers {
		if p.employers == nil {
			p.employers = map[string]int{}
		}
		p.employers[job.Company.Name]++
	}
	if len(p.people) < shown {
		p.people = append(p.people, *person)
	}
	return nil
}

// Company implements [importer.Sink].
func (p *preview) Company(context.Context, *importer.Company) error {
	p.count()
	p.companies++
	return nil
}

// Owner implements [importer.Sink].
func (p *preview) Owner(context.Context, *importer.Owner) error { return nil }

// History implements [importer.Sink].
func (p *preview) History(_ context.Context, h *importer.History) error {
	if len(p.contacts) < shown {
		p.contacts = append(p.contacts, *h)
	}
	return nil
}

// Reject implements [importer.Sink].
func (p *preview) Reject(context.Context, importer.Reject) error {
	p.count()
	return nil
}

// manyEmployers bounds those of whom it is counted how many people they employ.
const manyEmployers = 10_000

// personal reports whether the files are of somebody who knows the people in them.
func (p *preview) personal() bool { return p.known > 0 || len(p.contacts) > 0 }

func (p *preview) storable() int64 { return p.persons + p.companies }

// manyColumns is how many columns that are not used are named.
const manyColumns = 12

// print shows what was recognised and how people would be stored.
func (p *preview) print(w io.Writer, r *importer.Report) {
	for _, f := range r.Files {
		printFile(w, f)
	}
	if len(p.people) > 0 {
		fmt.Fprintf(w, "\nThe first %s:\n", plural(int64(len(p.people)), "person", "people"))
		for i := range p.people {
			fmt.Fprintf(w, "  %s\n", personText(&p.people[i]))
		}
	}
	if len(p.contacts) > 0 {
		fmt.Fprintf(w, "\nContacts of %s:\n", partyText(r.Owner))
		for _, h := range p.contacts {
			fmt.Fprintf(w, "  %s: %s, %d out, %d in, %s to %s\n", partyText(h.With), h.Kind, h.Outgoing, h.Incoming,
				h.First.Format(time.DateOnly), h.Last.Format(time.DateOnly))
		}
	}
	fmt.Fprintf(w, "\n%s (%d with a profile URL), %s, %s; %s left out\n", plural(r.People, "person", "people"), p.profiles,
		plural(r.Companies, "company", "companies"), plural(r.Histories, "history of contacts", "histories of contacts"), plural(r.Rejected, "record", "records"))
	for _, n := range r.Notes {
		fmt.Fprintln(w, n)
	}
}

func printFile(w io.Writer, f *importer.FileReport) {
	if f.Format == "" {
		fmt.Fprintf(w, "%s: not read: %s\n", f.Name, f.Problem)
		return
	}
	fmt.Fprintf(w, "%s: %s (%s): %s, %d used", f.Name, f.Title, f.Format, plural(f.Records, "record", "records"), f.Taken)
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
			fmt.Fprintf(w, "  %s → %s\n", c.Name, strings.Join(c.Members, ", "))
		} else if !c.Known {
			unknown = append(unknown, c.Name)
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
		fmt.Fprintf(w, "  not read to its end: %s\n", f.Problem)
	}
}

func partyText(p importer.Party) string {
	for _, s := range []string{p.Name, p.Email, p.SocialURL} {
		if s != "" {
			return s
		}
	}
	return "a person who is not known"
}

// personText is a person in one line.
func personText(p *importer.Person) string {
	parts := []string{p.FullName}
	if job := p.Present(); job != nil {
		switch {
		case job.Title != "" && job.Company.Name != "":
			parts = append(parts, job.Title+" at "+job.Company.Name)
		default:
			parts = append(parts, job.Title+job.Company.Name)
		}
	}
	parts = append(parts, placeText(p.Location), strings.Join(p.Emails, " "), p.SocialURL)
	if p.Relationship != nil {
		known := p.Relationship.Kind
		if p.Relationship.Since != "" {
			known += " since " + p.Relationship.Since
		}
		parts = append(parts, known)
	}
	kept := parts[:0]
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " · ")
}

func placeText(l kith.Location) string {
	var parts []string
	for _, part := range []string{l.City, l.State, l.Country} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// lines is a sink that writes records of one kind as lines of a load file.
type lines struct {
	w    io.Writer
	kind load.Kind
}

// Person implements [importer.Sink].
func (l *lines) Person(_ context.Context, p *importer.Person) error {
	if l.kind != load.People {
		return nil
	}
	return l.write(p.Line())
}

// Company implements [importer.Sink].
func (l *lines) Company(_ context.Context, c *importer.Company) error {
	if l.kind != load.Companies {
		return nil
	}
	return l.write(c.Line())
}

func (l *lines) write(line []byte, err error) error {
	if err == nil {
		_, err = l.w.Write(append(line, '\n'))
	}
	return err
}

// Owner implements [importer.Sink]. The owner is a person like others.
func (l *lines) Owner(ctx context.Context, o *importer.Owner) error {
	if len(o.Emails) > 0 && o.Email == "" {
		o.Email = o.Emails[0]
	}
	return l.Person(ctx, &importer.Person{Person: o.Person})
}

// History implements [importer.Sink].
func (*lines) History(context.Context, *importer.History) error { return nil }

// Reject implements [importer.Sink].
func (*lines) Reject(context.Context, importer.Reject) error { return nil }
