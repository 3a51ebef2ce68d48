package refresh

import (
	"strconv"
	"time"

	"kith"
)

// jobs unites the jobs of two people; the relevant one is also in the history.
// A job that the older record has as held, and that the newer one, which lists
// jobs, does not have at all, has ended: when the newer relevant job began, or
// else by the day of the newer record.
func (m mixer) jobs(a, b kith.Person) (*kith.Job, []kith.Job) {
	older, newer := careerOf(a), careerOf(b)
	if !m.tie && len(newer) > 0 {
		older = older.normal().closed(newer.normal(), m.ending(b))
	}
	all := m.unite(older, newer)
	var history []kith.Job
	for _, s := range all {
		history = append(history, s.job())
	}
	return m.relevant(a.WorkRelevant, b.WorkRelevant, all), history
}

func careerOf(p kith.Person) spans {
	var list spans
	if p.WorkRelevant != nil {
		list = append(list, jobSpan(*p.WorkRelevant))
	}
	for _, j := range p.WorkHistory {
		list = append(list, jobSpan(j))
	}
	return list
}

func jobSpan(j kith.Job) span {
	return span{key: jobKey(j), text: j.Title, company: j.Company.ID, start: orEmpty(j.StartDate), end: orEmpty(j.EndDate)}
}

func jobKey(j kith.Job) string {
	return strconv.FormatInt(j.Company.ID, 10) + " " + wordsKey(j.Title)
}

func (s span) job() kith.Job {
	return kith.Job{Title: s.text, Company: kith.Company{ID: s.company}, StartDate: orNil(s.start), EndDate: orNil(s.end)}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ending is when jobs that the newer record lists no more have ended.
func (m mixer) ending(newer kith.Person) string {
	if r := newer.WorkRelevant; r != nil && r.Current() && r.StartDate != nil {
		return *r.StartDate
	}
	return m.newer.AsOf.UTC().Format(time.DateOnly)
}

// closed ends the jobs that are held and that newer does not have.
func (list spans) closed(newer spans, day string) spans {
	for i, s := range list {
		listed := false
		for _, n := range newer {
			listed = listed || n.mayBe(s)
		}
		if s.held() && !listed {
			list[i].end = max(day, s.start)
		}
	}
	return list
}

// relevant chooses the job that stands for the person: the newer record's
// choice, else the older one's as long as that job is held, else the first that
// is. Of one day the greater key counts.
func (m mixer) relevant(older, newer *kith.Job, all spans) *kith.Job {
	var key string
	if older != nil {
		key = jobKey(*older)
	}
	if newer != nil && (!m.tie || older == nil) {
		key = jobKey(*newer)
	} else if newer != nil {
		key = max(key, jobKey(*newer))
	}
	if key == "" {
		return nil
	}
	chosen := all.first(key)
	if !m.tie && newer == nil && !chosen.held() && all[0].held() {
		chosen = all[0]
	}
	job := chosen.job()
	return &job
}

// first is the first span of a key that the list has.
func (list spans) first(key string) span {
	for _, s := range list {
		if s.key == key {
			return s
		}
	}
	return span{}
}
