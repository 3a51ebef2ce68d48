package loader

import (
	"context"
	"fmt"
	"slices"

	"kith/internal/record"
)

// peopleTable has the people of a batch: those already stored, and the changes so far.
type peopleTable struct {
	byID map[int64]*batchPerson
	// byMark maps profiles, sources and addresses to people: see bySocial and the functions next to it.
	byMark map[string][]*batchPerson
	// order is by the first line of each person.
	order []*batchPerson
}

// batchPerson is one person, from one or several lines, of which the last counts.
type batchPerson struct {
	id int64
	// socialKey and socialURL are the profile, or empty.
	socialKey, socialURL string

	row  *record.PersonRow
	refs []*companyEntry
	// last is the line that is stored.
	last *item
}

func bySocial(key string) string    { return "profile " + key }
func bySource(source string) string { return "source " + source }
func byEmail(address string) string { return "email " + address }

// readPeople looks up which people of the items are stored.
func readPeople(ctx context.Context, tx record.Tx, items []item) (*peopleTable, error) {
	t := &peopleTable{byID: map[int64]*batchPerson{}, byMark: map[string][]*batchPerson{}}
	var keys record.PersonKeys
	for i := range items {
		if row := items[i].person; row != nil {
			addKeys(&keys, row)
		}
	}
	if len(keys.IDs)+len(keys.Social)+len(keys.Sources)+len(keys.Emails) == 0 {
		return t, nil
	}
	stored, err := tx.PersonIDs(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("look up people: %w", err)
	}
	for _, s := range stored {
		p := t.byID[s.ID]
		if p == nil {
			p = &batchPerson{id: s.ID, socialKey: s.SocialKey, socialURL: s.SocialURL}
			t.byID[s.ID] = p
			if s.SocialKey != "" {
				t.mark(p, bySocial(s.SocialKey))
			}
		}
		switch {
		case s.Source != "":
			t.mark(p, bySource(s.Source))
		case s.Email != "":
			t.mark(p, byEmail(s.Email))
		case s.Social != "":
			t.mark(p, bySocial(s.Social))
		}
	}
	return t, nil
}

// addKeys adds the lookup keys of a row. A profile or an id is sufficient alone.
func addKeys(k *record.PersonKeys, row *record.PersonRow) {
	if id := row.Person.ID; id != 0 {
		k.IDs = append(k.IDs, id)
	}
	if row.SocialKey != "" {
		k.Social = append(k.Social, row.SocialKey)
		return
	}
	if row.Person.ID == 0 {
		k.Sources = append(k.Sources, row.Person.Sources...)
		k.Emails = append(k.Emails, row.Person.Addresses()...)
	}
}

func (t *peopleTable) mark(p *batchPerson, mark string) {
	if !slices.Contains(t.byMark[mark], p) {
		t.byMark[mark] = append(t.byMark[mark], p)
	}
}

// find returns the person of a row: by id, otherwise by profile, sources or addresses, in this order; nil for a new
// one. If the row contradicts stored data it returns a reason instead. It changes nothing.
func (t *peopleTable) find(row *record.PersonRow) (p *batchPerson, reason string) {
	owner := t.profileOwner(row.SocialKey)
	if id := row.Person.ID; id != 0 {
		p := t.byID[id]
		switch {
		case p != nil && p.socialKey != "" && row.SocialKey != "" && p.socialKey != row.SocialKey:
			return nil, fmt.Sprintf("id: %d belongs to the person at %s already", id, p.socialKey)
		case owner != nil && owner.id != 0 && owner.id != id:
			return nil, fmt.Sprintf("id: the person at %s has the id %d already, not %d", row.SocialKey, owner.id, id)
		case p != nil:
			return p, ""
		}
		return owner, ""
	}
	if row.SocialKey != "" {
		return owner, ""
	}
	var marks []string
	for _, s := range row.Person.Sources {
		marks = append(marks, bySource(s))
	}
	if p, reason := t.findOnly(marks, "sources", "have these"); p != nil || reason != "" {
		return p, reason
	}
	marks = nil
	for _, address := range row.Person.Addresses() {
		marks = append(marks, byEmail(address))
	}
	return t.findOnly(marks, "email", "have this address")
}

func (t *peopleTable) profileOwner(key string) *batchPerson {
	if found := t.byMark[bySocial(key)]; key != "" && len(found) > 0 {
		return found[0]
	}
	return nil
}

// findOnly returns the single person with any of the marks, nil for none, or a reason if there are several.
func (t *peopleTable) findOnly(marks []string, field, have string) (*batchPerson, string) {
	var found []*batchPerson
	for _, m := range marks {
		for _, p := range t.byMark[m] {
			if !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	switch len(found) {
	case 0:
		return nil, ""
	case 1:
		return found[0], ""
	}
	return nil, fmt.Sprintf("%s: %d people %s; give the id or the social_url of one", field, len(found), have)
}

// attach assigns the row to the person that find returned.
func (t *peopleTable) attach(p *batchPerson, it *item, refs []*companyEntry) {
	row := it.person
	if p == nil {
		p = &batchPerson{}
	}
	if row.Person.ID != 0 {
		p.id = row.Person.ID
		t.byID[p.id] = p
	}
	if row.SocialKey != "" {
		if p.socialKey == "" || p.socialKey == row.SocialKey { // else it is another one of a merged person
			p.socialKey, p.socialURL = row.SocialKey, row.Person.SocialURL
		}
		t.mark(p, bySocial(row.SocialKey))
	}
	for _, s := range row.Person.Sources {
		t.mark(p, bySource(s))
	}
	for _, address := range row.Person.Addresses() {
		t.mark(p, byEmail(address))
	}
	if p.last == nil {
		t.order = append(t.order, p)
	}
	p.row, p.refs, p.last = row, refs, it
}
