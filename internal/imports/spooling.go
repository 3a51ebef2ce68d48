package imports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"strings"
	"time"

	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/query/analysis"
)

var _ importer.Sink = (*Spool)(nil)

// Person implements [importer.Sink].
func (s *Spool) Person(ctx context.Context, p *importer.Person) error {
	_ = s.preview.Person(ctx, p)
	line, sources, err := lineOf(p)
	if err != nil {
		return err
	}
	if err := s.write(partPeople, p.Source.File, line); err != nil {
		return err
	}
	if s.known == nil {
		to, err := s.part(partKnown)
		if err != nil {
			return err
		}
		s.known = gob.NewEncoder(to)
	}
	return storageError(s.known.Encode(newAcquaintanceship(p, sources)))
}

// lineOf returns a person as a line of a load file, and the line's sources. A person without any identifier gets a hash
// of the line as its source, so that the same line means the same person again.
func lineOf(p *importer.Person) (line []byte, sources []string, err error) {
	person := p.Person
	person.Emails, person.Sources = nil, nil
	if len(p.Emails) > 1 {
		person.Emails = p.Emails[:min(len(p.Emails), importer.MaxList)]
	}
	if id := p.GlobalID(); id != "" {
		person.Sources = []string{id}
	}
	if person.SocialURL == "" && person.Email == "" && person.Sources == nil {
		text, err := loader.PersonLine(person, time.Time{})
		if err != nil {
			return nil, nil, err
		}
		sum := sha256.Sum256(text)
		person.Sources = []string{"content:" + hex.EncodeToString(sum[:16])}
	}
	line, err = loader.PersonLine(person, p.Source.Changed)
	return line, person.Sources, err
}

// newAcquaintanceship returns how the owner of the files knows a person.
func newAcquaintanceship(p *importer.Person, sources []string) network.Acquaintanceship {
	known := network.Acquaintanceship{Identifier: cmp.Or(p.SocialURL, p.Email), Emails: p.Emails, Sources: sources}
	if r := p.Relationship; r != nil {
		if kind, err := network.ParseKind(strings.ReplaceAll(r.Kind, " ", "_")); err == nil {
			known.Kinds = network.KindsOf(kind)
		}
		known.Since = sinceDay(r.Since)
	}
	return known
}

// sinceDay returns the first day of a date, or nil if it cannot be stored.
func sinceDay(date string) *network.Day {
	day, err := analysis.ParseDay(date, false)
	if date == "" || err != nil || day < 0 || day > time.Now().Unix()/(24*60*60) {
		return nil
	}
	since := network.Day(day)
	return &since
}

// Company implements [importer.Sink].
func (s *Spool) Company(ctx context.Context, c *importer.Company) error {
	_ = s.preview.Company(ctx, c)
	line, err := loader.CompanyLine(c.Company)
	if err != nil {
		return err
	}
	return s.write(partCompanies, c.Source.File, line)
}

// Owner implements [importer.Sink]. It stores the owner as a person without a relationship.
func (s *Spool) Owner(_ context.Context, o *importer.Owner) error {
	if len(o.Emails) > 0 && o.Email == "" {
		o.Email = o.Emails[0]
	}
	line, sources, err := lineOf(&importer.Person{Person: o.Person, Emails: o.Emails})
	if err != nil {
		return err
	}
	s.owner = append(append(s.owner, o.SocialURL), o.Emails...)
	for _, source := range sources {
		s.owner = append(s.owner, loader.SourcePrefix+source)
	}
	return s.write(partPeople, "", line)
}

// History implements [importer.Sink].
func (s *Spool) History(ctx context.Context, h *importer.History) error {
	_ = s.preview.History(ctx, h)
	identifier := cmp.Or(h.With.SocialURL, h.With.Email)
	if identifier == "" {
		return nil
	}
	for _, m := range h.Months {
		history := network.History{
			Kind: contactKind(h.Kind), Outgoing: m.Outgoing, Incoming: m.Incoming,
			First: network.DayOf(m.First), Last: network.DayOf(m.Last),
		}
		s.contacts = append(s.contacts,
			network.PastContact{Identifier: identifier, Name: h.With.Name, History: history})
	}
	return nil
}

// contactKind returns the kind of contact with a name in files.
func contactKind(kind string) network.ContactKind {
	if k, err := network.ParseContactKind(kind); err == nil {
		return k
	}
	return network.ContactEmail
}

// Export implements [importer.Sink].
func (s *Spool) Export(ctx context.Context, l *importer.ExportLine) error {
	_ = s.preview.Export(ctx, l)
	return s.write(partExports, l.Source.File, l.Text)
}
