package refresh

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"kith"
	"kith/internal/record"
)

// trail is the stored form of what a state holds beyond its person. Dates are indices into Days.
type trail struct {
	Days []time.Time `json:"days"`
	// Fields and Skills have the dates that differ from the date of the record as a whole.
	Fields map[string]int  `json:"fields,omitempty"`
	Skills map[string]int  `json:"skills,omitempty"`
	Jobs   []sightingTrail `json:"jobs,omitempty"`
	// Relevant is the job chosen as the present one.
	Relevant *choiceTrail    `json:"relevant,omitempty"`
	Schools  []sightingTrail `json:"education,omitempty"`
}

type sightingTrail struct {
	Text    string `json:"text"`
	Company int64  `json:"company,omitzero"`
	Degree  string `json:"degree,omitempty"`
	Field   string `json:"field,omitempty"`
	Start   string `json:"start,omitempty"`
	End     string `json:"end,omitempty"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Ended   *int   `json:"ended,omitempty"`
	Chosen  *int   `json:"chosen,omitempty"`
}

type choiceTrail struct {
	// Job is the index in Jobs of an entry with the same company and title.
	Job int `json:"job"`
	Day int `json:"day"`
}

// calendar maps dates to indices.
type calendar []time.Time

func (c calendar) at(day time.Time) int {
	i, _ := slices.BinarySearchFunc(c, day, time.Time.Compare)
	return i
}

// orNone returns nil for a zero date.
func (c calendar) orNone(day time.Time) *int {
	if day.IsZero() {
		return nil
	}
	i := c.at(day)
	return &i
}

// days returns all dates of a state, sorted.
func (s state) days() calendar {
	c := calendar{}
	for _, texts := range []map[string]dated{s.skills, s.presentFields()} {
		for _, t := range texts {
			c = append(c, t.day)
		}
	}
	for _, list := range []sightings{s.jobs, s.schools} {
		for _, t := range list {
			c = append(c, t.first, t.last)
			for _, day := range []time.Time{t.ended, t.chosen} {
				if !day.IsZero() {
					c = append(c, day)
				}
			}
		}
	}
	if s.choice.text != "" {
		c = append(c, s.choice.day)
	}
	slices.SortFunc(c, time.Time.Compare)
	return slices.CompactFunc(c, time.Time.Equal)
}

// presentFields returns the present fields by name.
func (s state) presentFields() map[string]dated {
	out := map[string]dated{}
	for i, f := range fields() {
		if s.texts[i].text != "" {
			out[f.name] = s.texts[i]
		}
	}
	return out
}

// trail encodes the trail of a state; equal states have equal trails.
func (s state) trail() []byte {
	c := s.days()
	t := trail{
		Days: c, Fields: map[string]int{}, Skills: map[string]int{}, Jobs: c.sightings(s.jobs),
		Schools: c.sightings(s.schools),
	}
	for name, text := range s.presentFields() {
		if !text.day.Equal(s.asOf) {
			t.Fields[name] = c.at(text.day)
		}
	}
	for _, skill := range s.skills {
		if !skill.day.Equal(s.asOf) {
			t.Skills[skill.text] = c.at(skill.day)
		}
	}
	for i, job := range s.jobs.sorted() {
		if s.choice.text == job.key {
			t.Relevant = &choiceTrail{i, c.at(s.choice.day)}
			break
		}
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil // a day beyond the year 9999, which no record has
	}
	return text
}

func (c calendar) sightings(list sightings) []sightingTrail {
	var out []sightingTrail
	for _, s := range list.sorted() {
		out = append(out, sightingTrail{
			Text: s.text, Company: s.company, Degree: s.labels[0], Field: s.labels[1], Start: s.start, End: s.end,
			First: c.at(s.first), Last: c.at(s.last), Ended: c.orNone(s.ended), Chosen: c.orNone(s.chosen),
		})
	}
	return out
}

// decodeState decodes the stored state of a person.
func decodeState(d record.Dated) state {
	s := plainState(d.Person, d.AsOf)
	var t trail
	if d.Trail == nil || json.Unmarshal(d.Trail, &t) != nil || !t.sound() {
		return s
	}
	for i, f := range fields() {
		if day, ok := t.Fields[f.name]; ok {
			s.texts[i].day = t.Days[day]
		}
	}
	for text, day := range t.Skills {
		s.skills[wordsKey(text)] = dated{text, t.Days[day]}
	}
	s.jobs, s.schools = sightings{}, sightings{}
	for _, job := range t.Jobs {
		s.jobs.add(job.sighting(t.Days, jobSpan(kith.Job{Title: job.Text, Company: kith.Company{ID: job.Company}})))
	}
	for _, school := range t.Schools {
		s.schools.add(school.sighting(t.Days, educationSpan(kith.Education{Institute: school.Text})))
	}
	if r := t.Relevant; r != nil {
		job := t.Jobs[r.Job]
		s.choice = dated{jobKey(kith.Job{Title: job.Text, Company: kith.Company{ID: job.Company}}), t.Days[r.Day]}
	}
	return s
}

// sighting completes a span with the data of its trail.
func (t sightingTrail) sighting(days []time.Time, s span) sighting {
	s.labels, s.start, s.end = [2]string{t.Degree, t.Field}, t.Start, t.End
	out := sighting{span: s, first: days[t.First], last: days[t.Last]}
	if t.Ended != nil {
		out.ended = days[*t.Ended]
	}
	if t.Chosen != nil {
		out.chosen = days[*t.Chosen]
	}
	return out
}

// sound reports whether all indices are in range.
func (t trail) sound() bool {
	places := slices.AppendSeq(slices.Collect(maps.Values(t.Fields)), maps.Values(t.Skills))
	for _, s := range slices.Concat(t.Jobs, t.Schools) {
		places = append(places, s.First, s.Last)
		for _, p := range []*int{s.Ended, s.Chosen} {
			if p != nil {
				places = append(places, *p)
			}
		}
	}
	if t.Relevant != nil {
		places = append(places, t.Relevant.Day)
		if t.Relevant.Job < 0 || t.Relevant.Job >= len(t.Jobs) {
			return false
		}
	}
	return !slices.ContainsFunc(places, func(p int) bool { return p < 0 || p >= len(t.Days) })
}
