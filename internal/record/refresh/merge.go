package refresh

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"kith"
	"kith/internal/record"
	"kith/query/tokenizer"
)

// Merge merges stored and fresh data into one person. Each field has a date of its own, and the newer value wins; an
// absent field changes nothing. For the same date, the greater text wins. Jobs, education and skills are united without
// losing any; [spans] defines which entries are the same.
//
// The result depends only on the set of merged records: any order of merging gives the same, whatever their dates and
// absent fields, and merging a record again changes nothing. The trail of the result makes this possible: it holds the
// dates of the fields, and the jobs and schools as records listed them. An unreadable trail counts as none.
//
// Companies are identified by their ids.
func Merge(stored, fresh record.Dated) record.Dated {
	return decodeState(stored).join(decodeState(fresh)).toRecord()
}

// state is everything known about a person, each part with its date. Two states are joined part by part, each by a rule
// that does not depend on order.
type state struct {
	id     int64
	asOf   time.Time
	texts  []dated // of fields
	skills map[string]dated
	// choice is the key of the job chosen as the present one.
	choice        dated
	jobs, schools sightings
	// emails and sources are all values of all records.
	emails, sources map[string]bool
}

// dated is a text with its date. An empty text counts as absent, whatever its date.
type dated struct {
	text string
	day  time.Time
}

// join returns the newer of two texts; for the same date, the greater.
func (a dated) join(b dated) dated {
	if a.text == "" || b.text != "" && cmp.Or(a.day.Compare(b.day), cmp.Compare(a.text, b.text)) < 0 {
		return b
	}
	return a
}

// field is a field of a person with a single text.
type field struct {
	name string
	get  func(p *kith.Person) string
	set  func(p *kith.Person, text string)
}

// fields lists the single-text fields. Their names are stored.
func fields() []field {
	text := func(name string, at func(p *kith.Person) *string) field {
		return field{name, func(p *kith.Person) string { return *at(p) }, func(p *kith.Person, text string) {
			*at(p) = text
		}}
	}
	return []field{
		text("first_name", func(p *kith.Person) *string { return &p.FirstName }),
		text("last_name", func(p *kith.Person) *string { return &p.LastName }),
		text("full_name", func(p *kith.Person) *string { return &p.FullName }),
		text("social_url", func(p *kith.Person) *string { return &p.SocialURL }),
		text("headline", func(p *kith.Person) *string { return &p.Headline }),
		text("about_me", func(p *kith.Person) *string { return &p.AboutMe }),
		text("image_url", func(p *kith.Person) *string { return &p.ImageURL }),
		text("email", func(p *kith.Person) *string { return &p.Email }),
		// One field for the whole location: a city of one record in the country of another would be wrong.
		{
			"location", func(p *kith.Person) string { return locationText(p.Location) },
			func(p *kith.Person, text string) { p.Location = splitLocation(text) },
		},
	}
}

// locationText encodes a location as one text; "" for none.
func locationText(l kith.Location) string {
	if l.IsZero() {
		return ""
	}
	return l.Country + "\x00" + l.State + "\x00" + l.City
}

func splitLocation(whole string) kith.Location {
	country, rest, _ := strings.Cut(whole, "\x00")
	state, city, _ := strings.Cut(rest, "\x00")
	return kith.Location{Country: country, State: state, City: city}
}

// plainState is the state of a person whose parts all have the same date.
func plainState(p kith.Person, day time.Time) state {
	day = day.UTC().Truncate(time.Microsecond) // the precision of the database
	s := state{id: p.ID, asOf: day, skills: map[string]dated{}, jobs: sightings{}, schools: sightings{}}
	s.emails, s.sources = setOf(p.Addresses()), setOf(p.Sources)
	for _, f := range fields() {
		s.texts = append(s.texts, dated{f.get(&p), day})
	}
	for _, skill := range p.Skills {
		s.skills[wordsKey(skill)] = s.skills[wordsKey(skill)].join(dated{skill, day})
	}
	for _, j := range p.WorkHistory {
		s.jobs.add(sighting{span: jobSpan(j), first: day, last: day})
	}
	if r := p.WorkRelevant; r != nil {
		s.jobs.add(sighting{span: jobSpan(*r), first: day, last: day, chosen: day})
		s.choice = dated{jobKey(*r), day}
	}
	for _, e := range p.EducationHistory {
		entry := sighting{span: educationSpan(e), first: day, last: day}
		if e.EndDate != "" {
			entry.ended = day
		}
		s.schools.add(entry)
	}
	return s
}

func (s state) join(t state) state {
	out := state{
		id: max(s.id, t.id), asOf: later(s.asOf, t.asOf), choice: s.choice.join(t.choice), skills: map[string]dated{},
	}
	for i := range s.texts {
		out.texts = append(out.texts, s.texts[i].join(t.texts[i]))
	}
	for _, skills := range []map[string]dated{s.skills, t.skills} {
		for key, skill := range skills {
			out.skills[key] = out.skills[key].join(skill)
		}
	}
	out.emails, out.sources = united(s.emails, t.emails), united(s.sources, t.sources)
	out.jobs, out.schools = s.jobs.join(t.jobs), s.schools.join(t.schools)
	return out
}

func later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

// toRecord returns the person that a state describes, with the trail unless the person alone describes it.
func (s state) toRecord() record.Dated {
	out := record.Dated{Person: s.person(), AsOf: s.asOf}
	if trail := s.trail(); !bytes.Equal(trail, plainState(out.Person, s.asOf).trail()) {
		out.Trail = trail
	}
	return out
}

func (s state) person() kith.Person {
	p := kith.Person{ID: s.id, EducationHistory: s.schools.education()}
	for i, f := range fields() {
		f.set(&p, s.texts[i].text)
	}
	for _, skill := range s.skills {
		p.Skills = append(p.Skills, skill.text)
	}
	slices.SortFunc(p.Skills, func(a, b string) int {
		return cmp.Or(cmp.Compare(wordsKey(a), wordsKey(b)), cmp.Compare(a, b))
	})
	p.WorkRelevant, p.WorkHistory = s.career()
	p.Sources = slices.Sorted(maps.Keys(s.sources))
	if len(s.emails) > 1 {
		p.Emails = slices.Sorted(maps.Keys(s.emails))
		p.Emails = p.Addresses() // the primary address first
	}
	return p
}

func setOf(texts []string) map[string]bool {
	set := make(map[string]bool, len(texts))
	for _, t := range texts {
		set[t] = true
	}
	return set
}

func united(a, b map[string]bool) map[string]bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// wordsKey identifies titles, institutes and skills by their folded words. A text without words is compared as it is.
func wordsKey(s string) string {
	if key := strings.Join(tokenizer.Tokens(s), " "); key != "" {
		return key
	}
	return strings.TrimSpace(s)
}
