package identity

import (
	"cmp"
	"slices"
	"strings"

	"kith"
	"kith/internal/record"
	"kith/internal/record/refresh"
	"kith/query/analysis"
)

// assignPeople turns groups into people, and maps each record to its person. A group becomes the
// person of the first home record in it.
func (u *unification) assignPeople(groups [][]*Record) map[int64]int64 {
	personOf, homes := map[int64]int64{}, u.homeRecords()
	u.change.Gone = map[int64]int64{}
	for _, group := range groups {
		id := chooseID(group, homes)
		for _, r := range group {
			personOf[r.ID] = id
		}
	}
	for _, group := range groups {
		id := personOf[group[0].ID]
		if !u.differs(group, id) {
			continue
		}
		u.changed[id] = true
		row := u.personRow(group, id)
		if len(group) == 1 {
			row.Rank = u.ranks[group[0]]
		}
		if row.Rank == 0 { // known only for new records
			row.Rank = analysis.Rank(row.Person)
		}
		u.change.Rows = append(u.change.Rows, row)
		if len(u.people[id]) == 0 && u.known[id] != nil {
			u.change.Back = append(u.change.Back, id)
		}
		u.keep(group, id)
	}
	for record, person := range homes {
		if personOf[record] != person {
			u.change.Gone[person] = personOf[record]
			u.changed[person] = true
		}
	}
	u.change.Of = slices.DeleteFunc(sortedKeys(u.changed), func(id int64) bool {
		return u.known[id] == nil && len(u.people[id]) == 0 // new
	})
	u.uniqueProfiles()
	return personOf
}

// keep adds the records of a person to the change if there are several, or if a single
// record's id differs from the person's.
func (u *unification) keep(group []*Record, person int64) {
	for _, r := range group {
		own := *r
		own.Person = person
		if len(group) > 1 || r.ID != person {
			u.change.Records = append(u.change.Records, own)
		}
	}
}

// homeRecords maps the home record of each person to the person: the record with the person's id or, if an import
// removed that one, the first of the others. A person continues to exist in the group of the home record.
func (u *unification) homeRecords() map[int64]int64 {
	homes := make(map[int64]int64, len(u.people))
	for person, records := range u.people {
		home := person
		if !slices.ContainsFunc(records, func(r *Record) bool { return r.ID == person }) {
			home = slices.MinFunc(records, func(a, b *Record) int { return cmp.Compare(a.ID, b.ID) }).ID
		}
		homes[home] = person
	}
	return homes
}

// chooseID returns the id for the person of a group: that of a person who continues to exist in it, else of a stored
// record, which may have been a person, else of the first new one. New ids have no order.
func chooseID(group []*Record, homes map[int64]int64) int64 {
	for _, r := range group { // sorted by id
		if person, ok := homes[r.ID]; ok {
			return person
		}
	}
	return slices.MinFunc(group, func(a, b *Record) int { return cmp.Compare(a.place, b.place) }).ID
}

// differs reports whether a group differs from the stored person.
func (u *unification) differs(group []*Record, id int64) bool {
	if len(group) != len(u.people[id]) || u.newer[id] {
		return true
	}
	return slices.ContainsFunc(group, func(r *Record) bool { return r.Person != id })
}

// uniqueProfiles leaves a profile only to the first of several people who have it because a decision keeps them apart:
// of those that the batch changes the one with the lowest id, if no other's records have it.
func (u *unification) uniqueProfiles() {
	slices.SortFunc(u.change.Rows, func(a, b record.PersonRow) int { return cmp.Compare(a.Person.ID, b.Person.ID) })
	seen := map[string]bool{}
	for person, records := range u.people {
		if !u.changed[person] {
			for _, r := range records {
				if key, ok := analysis.URLKey(r.Dated.Person.SocialURL); ok {
					seen[key] = true
				}
			}
		}
	}
	for i := range u.change.Rows {
		row := &u.change.Rows[i]
		if row.SocialKey != "" && seen[row.SocialKey] {
			row.SocialKey, row.SocialID = "", ""
		}
		seen[row.SocialKey] = true
	}
}

// personRow merges the records of a group into a row.
func (u *unification) personRow(group []*Record, id int64) record.PersonRow {
	merged := tidied(group[0], group)
	row := record.PersonRow{Profiles: []string{}}
	for _, r := range group {
		if r != group[0] {
			merged = refresh.Merge(merged, tidied(r, group))
		}
		row.AddProfile(r.Dated.Person)
	}
	row.Blocks = storedKeys(group, u.names)
	merged.Person.ID = id
	row = row.Become(merged)
	if len(group) == 1 {
		row.AsOf, row.Trail = group[0].AsOf, group[0].Trail
	}
	return row
}

// tidied completes the jobs of a record by those of other records of the person: a title without a company is that of
// the job without a title, and a job without a title goes if another record has a title at the company. Dated jobs stay
// as they are.
func tidied(r *Record, group []*Record) record.Dated {
	out := r.Dated
	if len(group) == 1 {
		return out
	}
	p, employer := out.Person, onlyEmployer(group)
	vague := func(j kith.Job) bool {
		return isUntitled(j) && slices.ContainsFunc(group, func(other *Record) bool {
			return slices.ContainsFunc(other.Dated.Person.Jobs(), func(o *kith.Job) bool {
				at := o.Company.ID
				if isTitleAlone(*o) {
					at = employer
				}
				return at == j.Company.ID && strings.TrimSpace(o.Title) != ""
			})
		})
	}
	complete := func(j kith.Job) kith.Job {
		if isTitleAlone(j) && employer != 0 {
			j.Company = kith.Company{ID: employer}
		}
		return j
	}
	if p.WorkRelevant != nil && vague(*p.WorkRelevant) {
		p.WorkRelevant = nil
	} else if p.WorkRelevant != nil {
		present := complete(*p.WorkRelevant)
		p.WorkRelevant = &present
	}
	p.WorkHistory = slices.DeleteFunc(slices.Clone(p.WorkHistory), vague)
	for i := range p.WorkHistory {
		p.WorkHistory[i] = complete(p.WorkHistory[i])
	}
	out.Person = p
	return out
}

// isUntitled reports whether only the company of a job is known, as from an e-mail address.
func isUntitled(j kith.Job) bool { return j.Title == "" && isUndated(j) && j.Company.ID != 0 }

// isTitleAlone reports whether only the title of a job is known, as from an address book.
func isTitleAlone(j kith.Job) bool {
	return strings.TrimSpace(j.Title) != "" && isUndated(j) && j.Company.ID == 0 && j.Company.Name == ""
}

func isUndated(j kith.Job) bool { return j.StartDate == nil && j.EndDate == nil }

// onlyEmployer is the company of all jobs without a title; 0 if there is none, or several.
func onlyEmployer(group []*Record) (company int64) {
	for _, r := range group {
		for _, j := range r.Dated.Person.Jobs() {
			switch {
			case !isUntitled(*j) || j.Company.ID == company:
			case company != 0:
				return 0
			default:
				company = j.Company.ID
			}
		}
	}
	return company
}

// addDoubts adds the doubtful pairs of changed people to the change.
func (u *unification) addDoubts(pairs []Pair, personOf map[int64]int64) {
	for _, p := range pairs {
		a, b := personOf[p.Low], personOf[p.High]
		if u.changed[a] || u.changed[b] {
			p.Low, p.High = min(a, b), max(a, b)
			u.change.Doubtful = append(u.change.Doubtful, p)
		}
	}
}

// outcomes returns the outcome of each row: a new person, a changed or unchanged one, or one who must not be stored.
func (u *unification) outcomes(personOf map[int64]int64, stored []record.Outcome) []record.Outcome {
	byPerson := map[int64]record.Outcome{}
	for i, row := range u.change.Rows {
		byPerson[row.Person.ID] = stored[i]
	}
	out := make([]record.Outcome, len(u.rows))
	done := map[*Record]bool{}
	for i, r := range u.rowOf {
		person := personOf[r.ID]
		outcome := byPerson[person]
		switch {
		case outcome == record.Suppressed:
			out[i] = record.Suppressed
		case done[r] || r.Person != 0:
			out[i] = record.Unchanged
		case outcome == record.Created && r.ID == person:
			out[i] = record.Created
		default:
			out[i] = record.Changed
		}
		done[r] = true
	}
	return out
}
