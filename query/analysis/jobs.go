package analysis

import (
	"fmt"
	"slices"
	"strings"

	"kith"
	"kith/query/taxonomy"
)

// promotionGap is the error, in days, of an overnight change of jobs in whole months.
const promotionGap = 31

// job is one job of a person, with its dates as days; an unknown date is nil.
type job struct {
	kith.Job
	words      []taxonomy.Word // the title's normal form, fillers included
	title      []string        // the title's normal form
	titleKey   string          // the same in one term
	forms      [][]string      // the word sequences that find the company
	levels     []string        // levels of seniority
	functions  []string
	company    string // identifies the company by name; "" for none
	start, end *int64
	ended      bool
	stay       *stay // set by career.stays
}

// career has a person's jobs, without duplicates.
type career struct {
	current, past []job
}

// readCareer reads the jobs of a person: the relevant job, then those of the history. A job without an end is current,
// any other is past. Two jobs with one title at one company are the same if both are current. Two past jobs are the
// same if they began on the same day, or ended on the same day and the start of one is unknown. Jobs at companies
// with two different identifiers are never the same.
func readCareer(p kith.Person) (career, error) {
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
		j.company = joinTerm(j.forms[0])
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

// sameCompany compares companies by identifier, otherwise by name. Two identifiers may still be one company, stored
// twice because records spell it differently (Acme, Acme Inc.), unless its site or profile differs. Jobs without a
// company match if they have a title and at most one has an identifier.
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

// agree reports whether two sites or profiles may belong to one company.
func agree(a, b string) bool { return a == "" || b == "" || a == b }

// level is the place of the highest level of a job among [taxonomy.Seniorities], -1 without one.
func (j *job) level() int {
	if len(j.levels) == 0 {
		return -1
	}
	return slices.Index(taxonomy.Seniorities(), j.levels[0])
}

func equalDay(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// take fills unknown values of j from a duplicate.
func (j *job) take(k job) {
	if j.start == nil || k.start != nil && !j.ended && *k.start < *j.start {
		j.start, j.StartDate = k.start, k.StartDate
	}
	if j.Company.ID == 0 && k.Company.ID > 0 {
		j.Company, j.company, j.forms = k.Company, k.company, k.forms
	}
}

// primary returns the job that represents the person: the relevant one if it is current, otherwise the current job
// that began last; nil if there is none.
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

// firstDay is the start of the first job; nil if no job has a start.
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
