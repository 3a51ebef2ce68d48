package search

import (
	"slices"
	"strconv"
	"strings"

	"kith"
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

// evidence is the piece of a record that a condition holds by.
func (p part) evidence(person kith.Person) string {
	switch p.filter.Path {
	case query.Current, query.Past:
		return p.jobEvidence(person)
	case query.Education:
		return p.schoolEvidence(person)
	case query.Person:
		return personEvidence(person, p.filter.Field)
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
func (p part) jobEvidence(person kith.Person) string {
	for _, job := range jobs(person) {
		if job.Current() == (p.filter.Path == query.Past) {
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

// jobs are all jobs of a person; the present one may be in the history or not.
func jobs(p kith.Person) []kith.Job {
	if p.WorkRelevant == nil {
		return p.WorkHistory
	}
	return append([]kith.Job{*p.WorkRelevant}, p.WorkHistory...)
}

// describe shows a job with what the condition asks of its company.
func (p part) describe(job kith.Job) string {
	c, about := job.Company, ""
	switch p.filter.Field {
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
func (p part) schoolEvidence(person kith.Person) string {
	for _, e := range person.EducationHistory {
		alone := person
		alone.EducationHistory = []kith.Education{e}
		if p.holds(alone) {
			return joined(", ", e.Degree, e.FieldOfStudy, e.Institute, span(e.StartDate, e.EndDate, false))
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
