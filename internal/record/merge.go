package record

import (
	"slices"
	"strings"
	"time"

	"kith"
	"kith/query/analysis"
)

// Fresh is one person from a source of fresh data.
type Fresh struct {
	// Line is the person in the form of a load file, but ids and unknown members are ignored. Without social_url it
	// is about the requested profile. Without full_name it can only be about a stored person.
	Line []byte
	// ProfileURL is the requested profile; a line about another one is rejected.
	ProfileURL string
	// AsOf is the day of the data, Refreshed the time at which the source supplied it.
	AsOf, Refreshed time.Time
}

// Dated is a person with the day of their data, zero if unknown. Jobs identify their company by ID alone.
type Dated struct {
	Person kith.Person
	// AsOf is the day of the newest data in it.
	AsOf time.Time
	// Trail is JSON that only [Rules] understand; nil if all data is from that day.
	Trail []byte
}

// Rules merge a stored person (the zero value if there is none) and a fresh one. The result includes the day and the
// trail.
type Rules func(stored, fresh Dated) Dated

// Merged is the result of a merge.
type Merged struct {
	ID      int64
	Outcome Outcome
}

// AddProfile adds the profile of one of the merged records.
func (r *PersonRow) AddProfile(record kith.Person) {
	if key, ok := analysis.URLKey(record.SocialURL); ok && !slices.Contains(r.Profiles, key) {
		r.Profiles = append(r.Profiles, key)
	}
}

// Become returns the row with the merged person.
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
