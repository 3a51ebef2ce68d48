package refresh

import (
	"strconv"
	"time"

	"kith"
)

// career returns a person's present job and job history, which includes it. The present job is the most recent choice
// of a source, unless it has ended and a newer record lists jobs: then it is the first job still held.
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
	return span{
		key: jobKey(j), text: j.Title, company: j.Company.ID, start: orEmpty(j.StartDate),
		end: orEmpty(j.EndDate),
	}
}

func jobKey(j kith.Job) string {
	return strconv.FormatInt(j.Company.ID, 10) + " " + wordsKey(j.Title)
}

func (s span) job() kith.Job {
	return kith.Job{
		Title: s.text, Company: kith.Company{ID: s.company}, StartDate: orNil(s.start),
		EndDate: orNil(s.end),
	}
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

// first returns the first span with a key.
func (list spans) first(key string) span {
	for _, s := range list {
		if s.key == key {
			return s
		}
	}
	return span{}
}
