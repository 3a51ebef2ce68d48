package loader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kith"
	"kith/internal/record"
)

// These kinds occur only in exports.
const (
	contacts record.Kind = 6
	head     record.Kind = 7
	tail     record.Kind = 8
)

// Head is the first line of an export; it names the user.
type Head struct {
	App            string `json:"app"`
	ExternalUserID string `json:"external_user_id"`
	// Self is the identifier of the user's own person record; empty if unknown.
	Self string `json:"self"`
}

// Contact counts the contacts of a user and a person, of one kind, in one month.
type Contact struct {
	Identifier string `json:"identifier"`
	Kind       string `json:"kind"`
	Outgoing   int64  `json:"outgoing"`
	Incoming   int64  `json:"incoming"`
	// First and Last are days, as YYYY-MM-DD.
	First string `json:"first"`
	Last  string `json:"last"`
}

// end is the last line of an export: the number of lines before it.
type end struct {
	Lines int64 `json:"lines"`
}

// exportLine is a line of an export; exactly one member is set.
type exportLine struct {
	Export       *Head          `json:"export"`
	Company      jsontext.Value `json:"company"`
	Person       jsontext.Value `json:"person"`
	Relationship jsontext.Value `json:"relationship"`
	Contact      jsontext.Value `json:"contact"`
	Sequence     jsontext.Value `json:"sequence"`
	End          *end           `json:"end"`
}

// UserStore stores the contacts and users of an export.
type UserStore interface {
	// OwnerOf returns the owner of a user's records; it creates an unknown user.
	OwnerOf(ctx context.Context, app, externalID string) (string, error)
	// LoadContacts stores contacts of a user; entry i of the answer belongs to entry i of the request. number is that
	// of the import that supplies them, or 0.
	LoadContacts(ctx context.Context, number int64, app, externalID string, contacts []Contact) ([]Related, error)
	// Complete records which person the user is, and derives data from everything stored for the user.
	Complete(ctx context.Context, head Head) error
}

// ExportWriter writes an export: first the head, then companies, people, relationships, contacts and sequences, in
// this order, and finally the end.
type ExportWriter struct {
	w     io.Writer
	lines int64
}

// NewExportWriter returns a writer that has already written the head.
func NewExportWriter(w io.Writer, head Head) (*ExportWriter, error) {
	e := &ExportWriter{w: w}
	return e, e.write("export", head)
}

// Company writes a company without id.
func (e *ExportWriter) Company(c kith.Company) error {
	c.ID = 0
	return e.write("company", c)
}

// Person writes a person without id, with companies by their keys. asOf is cut to the day, like that of a file.
func (e *ExportWriter) Person(p kith.Person, asOf time.Time) error {
	p.ID = 0
	p = p.WithCompanies(func(c kith.Company) kith.Company {
		return kith.Company{Name: c.Name, SocialURL: c.SocialURL, Domain: c.Domain}
	})
	return e.write("person", lineOfPerson(p, asOf))
}

// Relation writes a relationship without app and user, which the head has.
func (e *ExportWriter) Relation(r Relation) error { return e.write("relationship", r) }

// Contact writes the contacts of one month.
func (e *ExportWriter) Contact(c Contact) error { return e.write("contact", c) }

// Sequence writes a sequence without app and user, which the head has.
func (e *ExportWriter) Sequence(s Sequence) error { return e.write("sequence", s) }

// Lines returns the number of lines written.
func (e *ExportWriter) Lines() int64 { return e.lines }

// Close writes the end; without it the export counts as truncated.
func (e *ExportWriter) Close() error { return e.write("end", end{e.lines}) }

func (e *ExportWriter) write(member string, line any) error {
	text, err := json.Marshal(map[string]any{member: line}, json.OmitZeroStructFields(true))
	if err == nil {
		e.lines++
		_, err = e.w.Write(append(text, '\n'))
	}
	return err
}

// ExportIdentifier is the identifier of a person in other lines of the export. A person without profile, source and
// address gets a source made from the id.
func ExportIdentifier(p *kith.Person) string {
	if p.SocialURL != "" {
		return p.SocialURL
	}
	for _, source := range p.Sources {
		if !strings.ContainsFunc(source, unicode.IsSpace) {
			return SourcePrefix + source
		}
	}
	if p.Email != "" {
		return p.Email
	}
	own := fmt.Sprintf("kith:%d", p.ID)
	p.Sources = sorted(append(p.Sources, own))
	return SourcePrefix + own
}

// SourcePrefix precedes an id of a source in an identifier.
const SourcePrefix = "source:"

var errOneMember = errors.New("must have one member: export, company, person, relationship, contact, sequence or end")

// parseExport parses a line of an export.
func parseExport(number int64, text []byte) item {
	line, err := decode[exportLine](text, true)
	if err != nil {
		return item{line: number, text: text, reason: err.Error()}
	}
	var inner []item
	for kind, value := range map[record.Kind]jsontext.Value{
		record.Companies: line.Company, record.People: line.Person, record.Relationships: line.Relationship,
		record.Sequences: line.Sequence, contacts: line.Contact,
	} {
		if value != nil {
			inner = append(inner, parseInner(kind, number, value))
		}
	}
	if line.Export != nil {
		inner = append(inner, item{line: number, kind: head, head: line.Export})
	}
	if line.End != nil {
		inner = append(inner, item{line: number, kind: tail, end: line.End})
	}
	if len(inner) != 1 {
		return item{line: number, text: text, reason: errOneMember.Error()}
	}
	inner[0].text = text
	return inner[0]
}

// parseInner parses the member of a line of an export. The line belongs to the user of the head, so it may not name
// one.
func parseInner(kind record.Kind, number int64, text []byte) item {
	it := item{line: number, kind: kind}
	var err error
	switch kind {
	case record.Relationships:
		if it.relation, err = decode[Relation](text, true); err == nil {
			err = notOfOthers(it.relation.App + it.relation.ExternalUserID)
		}
	case record.Sequences:
		if it.sequence, err = decode[Sequence](text, true); err == nil {
			err = notOfOthers(it.sequence.App + it.sequence.ExternalUserID)
		}
	case contacts:
		if it.contact, err = decode[Contact](text, true); err == nil {
			err = it.contact.check()
		}
	default:
		it = parseLine(kind, number, text)
		it.kind = kind
	}
	if err != nil {
		it = item{line: number, kind: kind, reason: err.Error()}
	}
	return it
}

func notOfOthers(named string) error {
	if named != "" {
		return errors.New("app and external_user_id may be given only in the first line of an export")
	}
	return nil
}

func (c *Contact) check() error {
	switch {
	case c.Identifier == "":
		return problem("identifier", "is required")
	case c.Outgoing < 0 || c.Incoming < 0:
		return errors.New("outgoing and incoming must not be negative")
	}
	return nil
}

// beginExport handles the first line of an export. The following lines belong to its user, or to the one in the
// options. A file may have several exports.
func (r *run) beginExport(ctx context.Context, first item) error {
	if r.head != nil && !r.ended {
		return errCut
	}
	h := *first.head
	if u := r.opts.ExportUser; u != nil {
		h.App, h.ExternalUserID = u.App, u.ExternalUserID
	}
	if err := checkUser(h.App, h.ExternalUserID); err != nil {
		return fmt.Errorf("export.%w", err)
	}
	r.head, r.first, r.ended = &h, first.line, false
	owner, err := r.Users.OwnerOf(ctx, h.App, h.ExternalUserID)
	r.owner = record.OwnedBy(owner).Supplied(r.origin.Import())
	return err
}

// exported stores a batch of an export, of one kind.
func (r *run) exported(ctx context.Context, items []item) (result, error) {
	if r.head == nil && items[0].kind != head {
		return result{}, errors.New("an export begins with a line that says whose it is, such as " +
			`{"export":{"app":"acme","external_user_id":"u1"}}`)
	}
	switch items[0].kind {
	case head:
		return result{}, r.beginExport(ctx, items[0])
	case tail:
		r.ended = true
		if n := items[0].line - r.first; items[0].end.Lines != n {
			return result{}, NotWholeError(fmt.Sprintf(
				"the export has %d lines and says that it has %d: lines are missing or were added", n,
				items[0].end.Lines))
		}
		return result{}, r.Users.Complete(ctx, *r.head)
	case contacts:
		return r.putContacts(ctx, items)
	case record.Relationships:
		for i := range items {
			if rel := items[i].relation; rel != nil {
				rel.App, rel.ExternalUserID = r.head.App, r.head.ExternalUserID
			}
		}
		return r.relate(ctx, items)
	case record.Sequences:
		for i := range items {
			if s := items[i].sequence; s != nil {
				s.App, s.ExternalUserID = r.head.App, r.head.ExternalUserID
			}
			if r.Sequences == nil && items[i].reason == "" {
				items[i].reason = reasonNoSequences
			}
		}
		return r.putSequences(ctx, items)
	}
	return r.putRecords(ctx, r.owner, items, r.opts.ExportUniter)
}

func (r *run) putContacts(ctx context.Context, items []item) (result, error) {
	return storeRelated(items, func(it item) *Contact { return it.contact }, func(all []Contact) ([]Related, error) {
		return r.Users.LoadContacts(ctx, r.origin.Import(), r.head.App, r.head.ExternalUserID, all)
	})
}

// ofOneKind returns how many items at the start have one kind. Only exports mix kinds; their first and last lines stand
// alone.
func ofOneKind(items []item) int {
	for i, it := range items {
		if i > 0 && (it.kind != items[0].kind || it.kind == head || it.kind == tail) {
			return i
		}
	}
	return len(items)
}

// reasonNoSequences is the reason for rejecting sequences if the loader cannot store them.
const reasonNoSequences = "sequences are not stored here; kith load and kith import store them"

// NotWholeError reports an export that lacks lines. Its other lines are stored.
type NotWholeError string

// Error says what is missing.
func (e NotWholeError) Error() string { return string(e) }

const errCut NotWholeError = "the export was cut: its last line is missing; the lines before it are stored. " +
	"Export again and load the new file"

// checkWhole returns an error for an export without its last line.
func (r *run) checkWhole() error {
	if r.opts.Kind == record.Exports && !r.ended {
		return errCut
	}
	return nil
}
