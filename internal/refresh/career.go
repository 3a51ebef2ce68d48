package refresh

import (
	"strconv"
	"time"

	"kith"
)

// career are the jobs of a person; the one that stands for the person is in the
// history too. It is the newest choice of one, as long as that is held or no newer
// record lists jobs; else the first that is held.
func (s state) career() (*kith.Job, []kith.Job) {
	all := s.jobs.spans()
	var history []kith.Job
	for _, span := range all {
		history = append(history, span.job())
	}
	if s.choice.text == "" {
		return nil, history
	}
	chosen := all.first(s.choice.text)
	var latest time.Time
	for _, job := range s.jobs {
		latest = later(latest, job.last)
	}
	if s.choice.day.Before(latest) && !chosen.held() && all[0].held() {
		chosen = all[0]
	}
	job := chosen.job()
	return &job, history
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

// first is the first span of a key that the list has.
func (list spans) first(key string) span {
	for _, s := range list {
		if s.key == key {
			return s
		}
	}
	return span{}
}
