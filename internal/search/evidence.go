package search

import (
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/query"
)

// filterInfo is the row of the filter table for a filter.
func filterInfo(name query.FilterName) query.FilterInfo {
	table := query.FilterTable()
	i := slices.IndexFunc(table, func(info query.FilterInfo) bool { return info.Name == name })
	if i < 0 {
		return query.FilterInfo{Name: name}
	}
	return table[i]
}

// filterEvidence finds the piece of a record that the condition of a filter
// holds by.
type filterEvidence struct {
	info  query.FilterInfo
	query query.Query
}

func (p filterEvidence) evidence(person kith.Person, _ index.Document) string {
	switch p.info.Path {
	case query.Current, query.Past:
		return p.jobEvidence(person)
	case query.Education:
		return p.schoolEvidence(person)
	case query.Person:
		return personEvidence(person, p.info.Field)
	}
	return ""
}

// personEvidence is what a record says in the fields of the person itself.
func personEvidence(p kith.Person, f query.Field) string {
	switch f {
	case query.Name, query.NameAlias, query.NameExact:
		return p.FullName
	case query.SocialID, query.SocialURL:
		return p.SocialURL
	case query.Email:
		return p.Email
	case query.Country, query.State, query.City, query.Place, query.Region, query.Metro:
		return joined(", ", p.Location.City, p.Location.State, p.Location.Country)
	case query.Skill:
		return strings.Join(p.Skills, ", ")
	case query.Experience:
		return firstJob(p)
	}
	current := ""
	if p.WorkRelevant != nil {
		current = jobText(*p.WorkRelevant)
	}
	return joined(" · ", p.FullName, p.Headline, current, joined(", ", p.Location.City, p.Location.Country))
}

// jobEvidence is the job that satisfies the condition on its own; where it
// takes several, or the condition is that there is none, the present job.
func (p filterEvidence) jobEvidence(person kith.Person) string {
	for _, job := range jobs(person) {
		if job.Current() == (p.info.Path == query.Past) {
			continue
		}
		alone := person
		alone.WorkHistory, alone.WorkRelevant = []kith.Job{job}, nil
		if job.Current() {
			alone.WorkRelevant = &job
		}
		if p.holds(alone) {
			return p.describe(job)
		}
	}
	if person.WorkRelevant != nil {
		return jobText(*person.WorkRelevant)
	}
	return ""
}

// holds reports whether a person satisfies the condition.
func (p filterEvidence) holds(person kith.Person) bool {
	doc, err := document(person)
	return err == nil && memindex.Match(doc, p.query)
}

// jobs are all jobs of a person; the present one may be in the history or not.
func jobs(p kith.Person) []kith.Job {
	if p.WorkRelevant == nil {
		return p.WorkHistory
	}
	return append([]kith.Job{*p.WorkRelevant}, p.WorkHistory...)
}

// describe shows a job with what the condition asks of its company.
func (p filterEvidence) describe(job kith.Job) string {
	c, about := job.Company, ""
	switch p.info.Field {
	case query.CompanySize:
		about = strconv.Itoa(c.EmployeeCount) + " employees"
	case query.CompanyFounded:
		about = "founded " + strconv.Itoa(c.FoundedYear)
	case query.CompanyIndustry:
		about = c.Industry
	case query.CompanyKeywords:
		about = strings.Join(c.Keywords, ", ")
	case query.CompanyType:
		about = c.Type
	case query.CompanyURL:
		about = c.Domain
	case query.CompanySocialID, query.CompanySocialURL:
		about = c.SocialURL
	case query.CompanyFundingStage:
		if c.Funding != nil {
			about = c.Funding.LastRoundStage
		}
	}
	return joined(" · ", jobText(job), about)
}

func jobText(job kith.Job) string {
	return joined(", ", joined(" at ", job.Title, job.Company.Name), span(text(job.StartDate), text(job.EndDate), job.Current()))
}

// schoolEvidence is the entry of the education that satisfies the condition.
func (p filterEvidence) schoolEvidence(person kith.Person) string {
	for _, e := range person.EducationHistory {
		alone := person
		alone.EducationHistory = []kith.Education{e}
		if p.holds(alone) {
			return educationText(e)
		}
	}
	return ""
}

// firstJob is the job that a person's experience begins with.
func firstJob(p kith.Person) string {
	first, found := kith.Job{}, false
	for _, job := range jobs(p) {
		if job.StartDate != nil && (!found || *job.StartDate < *first.StartDate) {
			first, found = job, true
		}
	}
	if !found {
		return ""
	}
	return "first job: " + jobText(first)
}

func span(from, to string, current bool) string {
	switch {
	case from == "" && to == "":
		return ""
	case current:
		return "since " + from
	case from == "":
		return "until " + to
	case to == "":
		return "from " + from
	}
	return from + " to " + to
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// joined puts the texts that are not empty together.
func joined(glue string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), glue)
}

// jobsBehind are the jobs and schools by which a condition holds: for each
// sub-document that it asks for, the first that satisfies it. Where it asks for
// none, or that there be none, it is the present job.
func jobsBehind(q query.Query, p kith.Person, doc index.Document) string {
	m, err := newMember(p)
	if err != nil {
		return ""
	}
	var texts []string
	for _, n := range nestedIn(q) {
		if text := m.behind(n, doc); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return personEvidence(p, query.Text)
	}
	return few(texts)
}

// behind is the first job or education entry that satisfies n; "" for none.
func (m member) behind(n query.Nested, doc index.Document) string {
	for i, sub := range doc.Nested[n.Path] {
		alone := index.Document{ID: doc.ID, Nested: map[query.Path][]index.Fields{n.Path: {sub}}}
		if !memindex.Match(alone, n) {
			continue
		}
		switch {
		case n.Path != query.Education && i < len(m.jobs[n.Path]):
			return jobText(m.jobs[n.Path][i])
		case n.Path == query.Education && i < len(m.education):
			return educationText(m.education[i])
		}
	}
	return ""
}

// nestedIn are the conditions on sub-documents that a query asks to hold.
func nestedIn(q query.Query) []query.Nested {
	switch q := q.(type) {
	case query.And:
		return nestedInAll(q.Parts)
	case query.Or:
		return nestedInAll(q.Parts)
	case query.Nested:
		return []query.Nested{q}
	case query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists, query.IDs:
	}
	return nil
}

func nestedInAll(parts []query.Query) []query.Nested {
	var all []query.Nested
	for _, p := range parts {
		all = append(all, nestedIn(p)...)
	}
	return all
}

func educationText(e kith.Education) string {
	return joined(", ", e.Degree, e.FieldOfStudy, e.Institute, span(e.StartDate, e.EndDate, false))
}
