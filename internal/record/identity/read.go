package identity

import (
	"context"
	"fmt"

	"kith"
	"kith/internal/record"
	"kith/query/analysis"
)

// Keys are the identifiers and blocks by which related records are found.
type Keys struct {
	Profiles, Emails, Sources []string
	Blocks                    []Block
	// People are ids of people or of their records.
	People []int64
}

// A mark is an identifier that records of one person share.
type mark struct {
	kind byte
	text string
}

const (
	markProfile byte = iota + 1
	markEmail
	markSource
)

// listMarks returns the marks of a record. Addresses of offices do not count.
func listMarks(p *kith.Person) []mark {
	var out []mark
	if key, ok := analysis.URLKey(p.SocialURL); ok {
		out = append(out, mark{markProfile, key})
	}
	for _, address := range p.Addresses() {
		if !analysis.IsOffice(address) {
			out = append(out, mark{markEmail, address})
		}
	}
	for _, source := range p.Sources {
		out = append(out, mark{markSource, source})
	}
	return out
}

func (k *Keys) add(m mark) {
	switch m.kind {
	case markProfile:
		k.Profiles = append(k.Profiles, m.text)
	case markEmail:
		k.Emails = append(k.Emails, m.text)
	default:
		k.Sources = append(k.Sources, m.text)
	}
}

func (k *Keys) none() bool {
	return len(k.Profiles)+len(k.Emails)+len(k.Sources)+len(k.Blocks)+len(k.People) == 0
}

// candidates groups records that a mark makes one person, as [Cluster] does, or that are stored for one person. Their
// combined features determine which blocks to look up.
type candidates struct {
	forest
	records []*Record
	// byMark maps to the positions of the first [MostSharing] records, of a profile and byPerson of the first one.
	byMark   map[mark][]int
	byPerson map[int64]int
	asked    map[int64]bool // looked-up blocking keys
}

// add adds a record. It adds the record's marks to keys unless they have been looked up.
func (k *candidates) add(r *Record, companies map[int64]string, keys *Keys) {
	position := len(k.records)
	k.records, k.forest = append(k.records, r), append(k.forest, position)
	if r.Person != 0 {
		if first, known := k.byPerson[r.Person]; known {
			k.join(first, position)
		} else {
			k.byPerson[r.Person] = position
		}
	}
	f := r.featuresIn(companies)
	for _, m := range f.marks {
		sharing := k.byMark[m]
		if len(sharing) == 0 {
			keys.add(m)
		}
		for _, other := range sharing {
			if m.kind == markProfile || areCompatible(f, k.records[other].featuresIn(companies)) {
				k.join(other, position)
			}
		}
		if len(sharing) == 0 || m.kind != markProfile && len(sharing) < MostSharing {
			k.byMark[m] = append(sharing, position)
		}
	}
}

// askBlocks adds the blocks of all groups with records at position from or later.
func (k *candidates) askBlocks(from int, companies map[int64]string, keys *Keys) {
	grown := map[int]bool{}
	for position := from; position < len(k.records); position++ {
		grown[k.find(position)] = true
	}
	groups := make(map[int]*features, len(grown))
	for position, r := range k.records {
		if root := k.find(position); grown[root] {
			groups[root] = groups[root].with(r.featuresIn(companies))
		}
	}
	for _, f := range groups {
		for _, b := range f.blocks(f.keys) {
			if !k.asked[b.Key] {
				k.asked[b.Key] = true
				keys.Blocks = append(keys.Blocks, b)
			}
		}
	}
}

// read reads all records that are related to the new ones, directly or through others, until there are no more.
func (u *unification) read(ctx context.Context) error {
	for i := range u.rows {
		u.given = append(u.given, &Record{Dated: record.Dated{Person: u.rows[i].Person, AsOf: day(u.rows[i].AsOf)}})
	}
	keys, found := Keys{People: u.seeds}, u.given
	for {
		if err := nameCompanies(ctx, u.tx, u.names, found); err != nil {
			return err
		}
		from := len(u.candidates.records)
		for _, r := range found {
			u.candidates.add(r, u.names, &keys)
		}
		u.candidates.askBlocks(from, u.names, &keys)
		if keys.none() {
			break
		}
		records, overshared, err := u.tx.Related(ctx, keys)
		if err != nil {
			return fmt.Errorf("related people: %w", err)
		}
		for _, key := range overshared {
			u.overshared[key] = true
		}
		keys, found = Keys{}, u.addNew(records)
	}
	for _, id := range sortedKeys(u.known) {
		u.all = append(u.all, u.known[id])
	}
	return nil
}

// addNew stores records in u and returns those that are new to it.
func (u *unification) addNew(records []Record) []*Record {
	var found []*Record
	for i := range records {
		r := &records[i]
		if u.known[r.ID] != nil {
			continue
		}
		u.known[r.ID] = r
		u.people[r.Person] = append(u.people[r.Person], r)
		found = append(found, r)
	}
	return found
}

// nameCompanies looks up the names of the companies of records that are not among names yet.
func nameCompanies(ctx context.Context, tx record.Tx, names map[int64]string, records []*Record) error {
	var ids []int64
	for _, r := range records {
		for _, job := range r.Dated.Person.Jobs() {
			id := job.Company.ID
			if _, known := names[id]; id != 0 && !known {
				names[id] = ""
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	companies, err := tx.Companies(ctx, record.CompanyKeys{IDs: ids})
	for _, c := range companies {
		names[c.Company.ID] = analysis.CompanyKey(c.Company.Name)
	}
	return err
}
