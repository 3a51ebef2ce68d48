package analysis

import (
	"fmt"
	"strings"

	"kith"
)

// promotionGap is how many days what loading whole months can make of a change
// overnight.
const promotionGap = 31

// job is one job of a person, with its dates as days; a date that is not known
// is nil.
type job struct {
	kith.Job
	words      []word     // the title's normal form, fillers included
	title      []string   // the title's normal form
	titleKey   string     // the same in one term
	forms      [][]string // the words that the company is found by
	levels     []string   // of seniority
	functions  []string
	company    string // what makes the company the same; "" for none
	start, end *int64
	ended      bool
	stay       *stay // set by career.stays
}

// career is what a person's jobs come to, the record's repeats taken out.
type career struct {
	current, past []job
}

// careerOf reads the jobs of a person. The current jobs are the relevant one and
// those of the history, as far as they have no end; the others are past. A job
// of the history that is at the same company under the same title as another is
// the same job if both are held, or if they began or ended on the same day; at
// companies of two identifiers there are two.
func careerOf(p kith.Person) (career, error) {
	var c career
	if p.WorkRelevant != nil {
		j, err := readJob(*p.WorkRelevant)
		if err != nil {
			return c, fmt.Errorf("work_relevant.%w", err)
		}
		c.add(j)
	}
	for i, raw := range p.WorkHistory {
		j, err := readJob(raw)
		if err != nil {
			return c, fmt.Errorf("work_history[%d].%w", i, err)
		}
		c.add(j)
	}
	return c, nil
}

func readJob(raw kith.Job) (job, error) {
	t := readTitle(raw.Title)
	j := job{
		Job: raw, words: t.words, title: t.title, titleKey: t.key, levels: t.levels, functions: t.functions,
		forms: knownCompanyForms(raw.Company.Name),
	}
	if len(j.forms) > 0 {
		j.company = termOf(j.forms[0])
	}
	var err error
	if j.start, err = readDay(raw.StartDate, false); err != nil {
		return j, fmt.Errorf("start_date: %w", err)
	}
	if j.end, err = readDay(raw.EndDate, true); err != nil {
		return j, fmt.Errorf("end_date: %w", err)
	}
	j.ended = j.end != nil
	return j, nil
}

func readDay(date *string, end bool) (*int64, error) {
	if date == nil || strings.TrimSpace(*date) == "" {
		return nil, nil
	}
	day, err := ParseDay(strings.TrimSpace(*date), end)
	return &day, err
}

func (c *career) add(j job) {
	list := &c.current
	if j.ended {
		list = &c.past
	}
	for i := range *list {
		if (*list)[i].same(j) {
			(*list)[i].take(j)
			return
		}
	}
	*list = append(*list, j)
}

func (j job) same(k job) bool {
	if j.titleKey != k.titleKey || !j.sameCompany(k) ||
		j.Company.ID > 0 && k.Company.ID > 0 && j.Company.ID != k.Company.ID {
		return false
	}
	if !j.ended {
		return true
	}
	return equalDay(j.start, k.start) || equalDay(j.end, k.end) && (j.start == nil || k.start == nil)
}

// sameCompany compares by identifier, else by name, where site and profile do
// not tell the two apart: a company that records spell in several ways (Acme,
// Acme Inc.) may be stored as several. Jobs that name no company are at the same
// one if they have a title.
func (j job) sameCompany(k job) bool {
	a, b := j.Company, k.Company
	switch {
	case a.ID > 0 && a.ID == b.ID:
		return true
	case j.company != k.company:
		return false
	case j.company == "":
		return j.titleKey != "" && (a.ID == 0 || b.ID == 0)
	case a.ID == 0 || b.ID == 0:
		return true
	}
	return agree(socialKey(a.SocialURL), socialKey(b.SocialURL)) &&
		agree(SiteKey(socialKey(a.Domain)), SiteKey(socialKey(b.Domain)))
}

// agree reports whether two marks can be of one company.
func agree(a, b string) bool { return a == "" || b == "" || a == b }

func equalDay(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// take fills what is not known of j from a repeat of it.
func (j *job) take(k job) {
	if j.start == nil || k.start != nil && !j.ended && *k.start < *j.start {
		j.start, j.StartDate = k.start, k.StartDate
	}
	if j.Company.ID == 0 && k.Company.ID > 0 {
		j.Company, j.company, j.forms = k.Company, k.company, k.forms
	}
}

// primary is the current job that stands for the person: the relevant one if it
// is held, else the one that began last; nil where there is none.
func (c career) primary(relevant *kith.Job) *job {
	if len(c.current) == 0 {
		return nil
	}
	if relevant != nil && (relevant.EndDate == nil || strings.TrimSpace(*relevant.EndDate) == "") {
		return &c.current[0]
	}
	best := 0
	for i := range c.current {
		if startOf(c.current[i]) > startOf(c.current[best]) {
			best = i
		}
	}
	return &c.current[best]
}

func startOf(j job) int64 {
	if j.start == nil {
		return -1 << 62
	}
	return *j.start
}

// firstDay is when the first job began; nil where no job has a start.
func (c career) firstDay() *int64 {
	var first *int64
	for _, list := range [][]job{c.current, c.past} {
		for _, j := range list {
			if j.start != nil && (first == nil || *j.start < *first) {
				first = j.start
			}
		}
	}
	return first
}
