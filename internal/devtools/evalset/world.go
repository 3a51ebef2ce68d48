package evalset

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"kith"
	"kith/internal/demo"
)

// company is a company of the dataset.
type company struct {
	kith.Company
	// core is the name without its legal form.
	core string
	// stage is the funding stage, or "".
	stage string
	// words are the words of the name and of each alias.
	words [][]string
	// staff are the present and past employees.
	staff []*person
	// alike says for each company whether this one's name may mean it.
	alike map[*company]truth
}

// person is a person of the dataset with parsed jobs.
type person struct {
	kith.Person
	jobs  []*job  // by start, earliest first
	stays []*stay // by start, earliest first
	// first, last and text are the names and all free text, in lower case without diacritics.
	first, last, text string
}

// job is one job.
type job struct {
	who        *person
	title      title
	company    *company
	start, end span // end is zero for a current job
	current    bool
	stay       *stay
}

// stay is an unbroken time at one company.
type stay struct {
	company    *company
	jobs       []*job
	start, end span
	current    bool
}

// span is the range of days that a date may mean.
type span struct{ first, last time.Time }

// world is the dataset as parsed by this package.
type world struct {
	people    []*person
	companies []*company // by identifier - 1
	byName    map[string][]*person
	byLast    map[string][]*person // by each word of the last name, and by the whole name
	now       time.Time
	tables    *tables
}

// read parses a dataset; now is the day of the search.
func read(d *demo.Dataset, now time.Time) (*world, error) {
	t, err := readTables()
	if err != nil {
		return nil, err
	}
	w := &world{now: now, tables: t, byName: map[string][]*person{}, byLast: map[string][]*person{}}
	for c := range d.Companies() {
		w.companies = append(w.companies, readCompany(c))
	}
	findSimilar(w.companies)
	for p := range d.People() {
		w.people = append(w.people, w.person(p))
	}
	for _, p := range w.people {
		key := p.first + " " + p.last
		w.byName[key] = append(w.byName[key], p)
		for _, word := range append(strings.FieldsFunc(p.last, isJoint), p.last) {
			w.byLast[word] = append(w.byLast[word], p)
		}
		for _, s := range p.stays {
			if !slices.Contains(s.company.staff, p) {
				s.company.staff = append(s.company.staff, p)
			}
		}
	}
	return w, nil
}

// readCompany parses a company. Its URL shows which part of its name is not the legal form.
func readCompany(c kith.Company) *company {
	out := &company{Company: c, core: c.Name}
	address := c.SocialURL[strings.LastIndexByte(c.SocialURL, '/')+1:]
	words := strings.Fields(c.Name)
	for n := len(words); n > 0; n-- {
		if core := strings.Join(words[:n], " "); dashed(core) == address {
			out.core = core
		}
	}
	for _, name := range append([]string{out.core}, c.Aliases...) {
		out.words = append(out.words, strings.Fields(plain(name)))
	}
	if c.Funding != nil {
		out.stage = c.Funding.LastRoundStage
	}
	return out
}

// dashed returns the words of a text in lower case, joined by hyphens.
func dashed(text string) string {
	return strings.Join(strings.FieldsFunc(plain(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}

func (w *world) person(p kith.Person) *person {
	out := &person{
		Person: p, first: plain(p.FirstName), last: plain(p.LastName),
		text: plain(p.Headline + " " + p.AboutMe + " " + strings.Join(p.Skills, " ")),
	}
	for _, j := range p.WorkHistory {
		read := &job{
			who: out, title: w.tables.title(j.Title), company: w.companies[j.Company.ID-1],
			start: dateSpan(*j.StartDate), current: j.EndDate == nil,
		}
		if j.EndDate != nil {
			read.end = dateSpan(*j.EndDate)
		}
		out.jobs = append(out.jobs, read)
	}
	slices.SortStableFunc(out.jobs, func(a, b *job) int { return a.start.first.Compare(b.start.first) })
	out.stays = stays(out.jobs)
	return out
}

// dateSpan parses YYYY, YYYY-MM or YYYY-MM-DD.
func dateSpan(date string) span {
	for _, form := range []struct {
		layout       string
		years, month int
	}{{"2006-01-02", 0, 0}, {"2006-01", 0, 1}, {"2006", 1, 0}} {
		first, err := time.Parse(form.layout, date)
		if err != nil {
			continue
		}
		last := first
		if form.years+form.month > 0 {
			last = first.AddDate(form.years, form.month, -1)
		}
		return span{first, last}
	}
	return span{}
}

// slack is the longest gap between two jobs at one company that does not end a stay.
const slack = 45 * 24 * time.Hour

// stays joins jobs at one company without a gap between them.
func stays(jobs []*job) []*stay {
	var out []*stay
	for _, j := range jobs {
		i := slices.IndexFunc(out, func(s *stay) bool {
			return s.company == j.company && (s.current || j.start.first.Sub(s.end.last) <= slack)
		})
		if i < 0 {
			i = len(out)
			out = append(out, &stay{company: j.company, start: j.start, end: j.end, current: j.current})
		}
		out[i].add(j)
	}
	return out
}

func (s *stay) add(j *job) {
	s.jobs = append(s.jobs, j)
	j.stay = s
	if j.current {
		s.current, s.end = true, span{}
	} else if !s.current && j.end.last.After(s.end.last) {
		s.end = j.end
	}
}

// before returns the stay that ended directly before another began. sure is false if the
// person had other jobs at the time.
func (p *person) before(s *stay) (last *stay, sure bool) {
	sure = true
	for _, other := range p.stays {
		switch {
		case other == s:
		case !other.current && !other.end.first.After(s.start.last):
			if last == nil || other.end.last.After(last.end.last) {
				last = other
			}
		case other.start.first.Before(s.start.first):
			sure = false
		}
	}
	return last, sure && last != nil
}
