package load

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kith"
	"kith/index/analysis"
)

// Fresh is one person as a source of fresh data has them.
type Fresh struct {
	// Line is the person as a load file has them, except that ids mean nothing
	// and unknown members are passed over. A line without social_url is about
	// the profile that was asked for; one without full_name can be about a person
	// who is stored.
	Line []byte
	// ProfileURL is the profile that was asked for; a line about another one is
	// refused.
	ProfileURL string
	// AsOf is the day of the data, Refreshed when the source had it.
	AsOf, Refreshed time.Time
}

// Dated is a person with the day of their data, the zero time where it is not
// known. The company of a job is told by its ID alone.
type Dated struct {
	Person kith.Person
	// AsOf is the day of the newest data in it.
	AsOf time.Time
	// Trail is what [Rules] remember beside the person: JSON that means nothing to
	// anyone else; nil where all of the person is of that day.
	Trail []byte
}

// Rules make one person of what is stored, nothing where nobody is, and what is
// fresh. They return the day and the trail of the result too.
type Rules func(stored, fresh Dated) Dated

// Merged is what merging did.
type Merged struct {
	ID      int64
	Outcome Outcome
}

// mergers bounds how many merges of one process wait for their turn with a
// connection of the database in hand.
const mergers = 4

// Merger merges fresh people into the records. It is safe for concurrent use.
type Merger struct {
	store Store
	slots chan struct{}
}

// NewMerger returns a merger into a store.
func NewMerger(store Store) *Merger {
	return &Merger{store: store, slots: make(chan struct{}, mergers)}
}

// Merge stores a fresh person by the rules, in one transaction with what the
// index is to hear of it. A person who is not known yet becomes so. Merging the same again changes nothing. The error
// is of kind Invalid for a line that cannot be stored, and Suppressed for a person who asked to be forgotten.
func (m *Merger) Merge(ctx context.Context, f Fresh, rules Rules) (Merged, error) {
	it, err := f.item()
	if err != nil {
		return Merged{}, &kith.Error{
			Kind: kith.Invalid, Code: "RECORD_REFUSED",
			Detail: "what the source has cannot be stored: " + err.Error(), Cause: err,
		}
	}
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return Merged{}, ctx.Err()
	}
	var out Merged
	err = m.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		g := &merging{batch{items: []item{it}}}
		out, err = g.store(ctx, tx, rules)
		return err
	})
	if err == nil && out.Outcome == Suppressed {
		err = kith.Errorf(kith.Suppressed, "PERSON_SUPPRESSED", "this person asked to be forgotten")
	}
	if err != nil {
		return Merged{}, fmt.Errorf("merge: %w", err)
	}
	return out, nil
}

// item reads and checks the line.
func (f Fresh) item() (item, error) {
	line, err := decode[personLine](f.Line, false)
	if err != nil {
		return item{}, err
	}
	if err := line.dropIDs(); err != nil {
		return item{}, err
	}
	if line.SocialURL == "" {
		line.SocialURL = f.ProfileURL
	}
	nameless := strings.TrimSpace(line.FullName) == ""
	if nameless {
		line.FullName = "?" // passes the check, and is not stored
	}
	row, refs, err := line.row()
	if err != nil {
		return item{}, err
	}
	if nameless {
		row.Person.FullName = ""
	}
	if asked, _ := analysis.URLKey(f.ProfileURL); asked != row.SocialKey {
		return item{}, problem("social_url", "is of another profile than the one that was asked for")
	}
	row.AsOf, row.Refreshed = f.AsOf, f.Refreshed
	return item{person: row, refs: refs}, nil
}

// dropIDs takes the ids off a line: those of a source are its own.
func (l *personLine) dropIDs() error {
	l.ID = nil
	if l.WorkRelevant != nil {
		if err := l.WorkRelevant.Company.dropID("work_relevant.company"); err != nil {
			return err
		}
	}
	for i := range l.WorkHistory {
		if err := l.WorkHistory[i].Company.dropID(at("work_history", i) + ".company"); err != nil {
			return err
		}
	}
	return nil
}

func (l *companyLine) dropID(path string) error {
	if l == nil || l.ID == nil {
		return nil
	}
	if l.Name == "" && l.SocialURL == "" && l.Domain == "" {
		return problem(path, "needs a name, a profile URL or a domain: the ids of a source are its own, and not looked at")
	}
	l.ID = nil
	return nil
}

// merging is one merge within a transaction.
type merging struct{ batch }

func (g *merging) store(ctx context.Context, tx Tx, rules Rules) (Merged, error) {
	p, err := g.placeOnly(ctx, tx)
	if err != nil {
		return Merged{}, err
	}
	known := p.id != 0
	if !known && p.row.Person.FullName == "" {
		return Merged{}, refusal("full_name: is required of someone who is not stored yet")
	}
	if !known {
		if err := assign(ctx, tx, People, 0, 1, func(_ int, id int64) { p.id = id }); err != nil {
			return Merged{}, err
		}
	}
	if err := g.putCompanies(ctx, tx, map[*item]Outcome{}); err != nil {
		return Merged{}, err
	}
	row, stored := p.finish(), Dated{}
	if known {
		if stored, err = tx.StoredPerson(ctx, p.id); err != nil {
			return Merged{}, err
		}
	}
	row = row.Become(rules(stored, Dated{Person: row.Person, AsOf: row.AsOf}))
	done, err := tx.PutPeople(ctx, []PersonRow{row})
	if err != nil {
		return Merged{}, fmt.Errorf("store the person: %w", err)
	}
	return Merged{ID: p.id, Outcome: done[0]}, nil
}

func refusal(reason string) error {
	return kith.Errorf(kith.Invalid, "RECORD_REFUSED", "what the source has cannot be stored: %s", reason)
}

// placeOnly finds the person and the companies of the only line.
func (g *merging) placeOnly(ctx context.Context, tx Tx) (*batchPerson, error) {
	var err error
	if g.companies, err = readCompanies(ctx, tx, g.items); err != nil {
		return nil, err
	}
	if g.people, err = readPeople(ctx, tx, g.items); err != nil {
		return nil, err
	}
	if reason := g.place(&g.items[0]); reason != "" {
		return nil, refusal(reason)
	}
	return g.people.order[0], nil
}

// AddProfile adds the profile of one of the records that the person was merged of.
func (r *PersonRow) AddProfile(record kith.Person) {
	if key, ok := analysis.URLKey(record.SocialURL); ok && !slices.Contains(r.Profiles, key) {
		r.Profiles = append(r.Profiles, key)
	}
}

// Become is the row with the person that merging made.
func (r PersonRow) Become(merged Dated) PersonRow {
	r.Person, r.Email = merged.Person, strings.ToLower(merged.Person.Email)
	if key, ok := analysis.URLKey(merged.Person.SocialURL); ok {
		r.SocialKey, r.SocialID = key, analysis.SocialID(merged.Person.SocialURL)
	}
	r.AsOf, r.Trail = merged.AsOf, merged.Trail
	r.CompanyIDs = nil
	for _, j := range r.Person.Jobs() {
		if id := j.Company.ID; id != 0 && !slices.Contains(r.CompanyIDs, id) {
			r.CompanyIDs = append(r.CompanyIDs, id)
		}
	}
	return r
}
