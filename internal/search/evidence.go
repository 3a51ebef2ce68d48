package search

import (
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/tokenizer"
)

// filterInfo returns the filter's row in the filter table.
func filterInfo(name query.FilterName) query.FilterInfo {
	table := query.FilterTable()
	i := slices.IndexFunc(table, func(info query.FilterInfo) bool { return info.Name == name })
	if i < 0 {
		return query.FilterInfo{Name: name}
	}
	return table[i]
}

// filterEvidence finds the part of a record that satisfies a filter.
type filterEvidence struct {
	info  query.FilterInfo
	query query.Query
	asked analysis.Compiled
}

func (p filterEvidence) evidence(person kith.Person, doc indexed.Document) string {
	switch p.info.Path {
	case query.Current, query.Past, query.AnyJob, query.Previous:
		return p.jobEvidence(person, doc)
	case query.Education:
		return p.schoolEvidence(person, doc)
	case query.Person:
		return p.personEvidence(person)
	}
	return ""
}

// personEvidence returns what a record says in the filter's field of the person.
func (p filterEvidence) personEvidence(person kith.Person) string {
	switch f := p.info.Field; {
	case f == query.Name:
		return person.FullName
	case f == query.SocialID, f == query.SocialURL:
		return person.SocialURL
	case f == query.Email:
		return person.Email
	case isHome(f):
		return joinTexts(", ", person.Location.City, person.Location.State, person.Location.Country)
	case f == query.Skill:
		return strings.Join(person.Skills, ", ")
	case f == query.Experience:
		return firstJob(person)
	}
	return textEvidence(person, p.query)
}

// isHome reports whether the field of a filter says where a person lives.
func isHome(f query.Field) bool {
	switch f {
	case query.Country, query.State, query.City, query.Region, query.Metro:
		return true
	}
	return false
}

// shown is what a result shows of a person: the name, the headline, the present job and the place.
func shown(p kith.Person) []string {
	current := ""
	if present := p.Present(); present != nil {
		current = jobText(*present)
	}
	return []string{p.FullName, p.Headline, current, joinTexts(", ", p.Location.City, p.Location.Country)}
}

// textEvidence returns the parts of a record that have words of a query on its text, or what a result shows.
func textEvidence(p kith.Person, q query.Query) string {
	asked := wordsIn(q)
	parts := slices.Concat(shown(p), p.Skills, analysis.Sentences(p.AboutMe))
	parts = slices.DeleteFunc(parts, func(part string) bool {
		words := tokenizer.Tokens(part)
		return !slices.ContainsFunc(asked, func(word string) bool { return slices.Contains(words, word) })
	})
	if len(parts) == 0 {
		parts = shown(p)
	}
	return joinTexts(" · ", distinct(parts)...)
}

// wordsIn returns the words that a query on the text asks for.
func wordsIn(q query.Query) (words []string) {
	switch q := q.(type) {
	case query.Term:
		return []string{q.Value}
	case query.Terms:
		return q.Values
	case query.AllWords:
		return q.Words
	case query.Phrase:
		return q.Words
	case query.And, query.Or:
		return inParts(q, wordsIn)
	case query.All, query.None, query.Not, query.Range, query.Exists, query.IDs, query.Nested, query.Timeline:
	}
	return nil
}

// inParts gathers what find returns for the parts of a query.
func inParts[T any](q query.Query, find func(query.Query) []T) (all []T) {
	query.MapParts(q, func(part query.Query) query.Query {
		all = append(all, find(part)...)
		return part
	})
	return all
}

// jobEvidence returns the job or jobs that satisfy the condition. If the condition is that there is none, it returns
// the present job.
func (p filterEvidence) jobEvidence(person kith.Person, doc indexed.Document) string {
	same := func(query.Path) query.Query { return p.asked.OfOne(p.info.Path) }
	if text := nestedEvidence(p.query, same, person, doc, p.describe); text != "" {
		return text
	}
	if present := person.Present(); present != nil {
		return jobText(*present)
	}
	return ""
}

// describe formats a job with the company field that the filter asks for.
func (p filterEvidence) describe(job kith.Job) string {
	c, about := job.Company, ""
	switch p.info.Field {
	case query.CompanySize:
		about = employees(c.EmployeeCount)
	case query.CompanyFounded:
		about = "founded " + strconv.Itoa(c.FoundedYear)
	case query.CompanyIndustry:
		about = c.Industry
	case query.CompanyKeywords:
		about = strings.Join(c.Keywords, ", ")
	case query.CompanyType:
		about = joinTexts(", ", c.Type, employees(c.EmployeeCount))
		if c.Funding != nil {
			about = joinTexts(", ", about, c.Funding.LastRoundStage)
		}
	case query.CompanyURL:
		about = c.Domain
	case query.CompanySocialID, query.CompanySocialURL:
		about = c.SocialURL
	case query.CompanyCountry, query.CompanyState, query.CompanyCity, query.CompanyRegion, query.CompanyMetro:
		about = joinTexts(", ", c.Location.City, c.Location.State, c.Location.Country)
	case query.CompanyFundingStage:
		if c.Funding != nil {
			about = c.Funding.LastRoundStage
		}
	}
	return joinTexts(" · ", jobText(job), about)
}

// employees formats the number of employees; "" if unknown.
func employees(n int) string {
	if n == 0 {
		return ""
	}
	return kith.Counted(n, "employee", "employees")
}

func jobText(job kith.Job) string {
	return joinTexts(", ", joinTexts(" at ", job.Title, job.Company.Name),
		span(text(job.StartDate), text(job.EndDate), job.Current()))
}

// schoolEvidence returns the education entry that satisfies the condition.
func (p filterEvidence) schoolEvidence(person kith.Person, doc indexed.Document) string {
	for _, n := range nestedIn(p.query) {
		if i := firstSatisfying(n, p.asked.OfOne(p.info.Path), doc); i >= 0 && i < len(person.EducationHistory) {
			return educationText(person.EducationHistory[i])
		}
	}
	return ""
}

// firstJob returns the job from which a person's experience counts.
func firstJob(p kith.Person) string {
	var first *kith.Job
	for _, job := range p.Jobs() {
		if job.StartDate != nil && (first == nil || *job.StartDate < *first.StartDate) {
			first = job
		}
	}
	if first == nil {
		return ""
	}
	return "first job: " + jobText(*first)
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

// joinTexts joins the non-empty texts.
func joinTexts(glue string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), glue)
}

// conditionEvidence returns the jobs and education entries that satisfy a condition, or the present job if it needs
// none or asks for absence.
func conditionEvidence(q query.Query, asked analysis.Compiled, p kith.Person, doc indexed.Document) string {
	if text := joinTexts("; ", timelineEvidence(q, p, doc), nestedEvidence(q, asked.OfOne, p, doc,
		jobText)); text != "" {
		return text
	}
	return textEvidence(p, q)
}

// timelineEvidence returns the jobs that satisfy the timelines of a query.
func timelineEvidence(q query.Query, p kith.Person, doc indexed.Document) string {
	switch q := q.(type) {
	case query.Timeline:
		return careerEvidence(q, p, doc)
	case query.And, query.Or:
		return few(distinct(inParts(q, func(part query.Query) []string {
			return []string{timelineEvidence(part, p, doc)}
		})))
	case query.Nested, query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase,
		query.Range, query.Exists, query.IDs:
	}
	return ""
}

// nestedEvidence returns, for each sub-document condition of a query, the first job or education entry that satisfies
// it, if possible one that also satisfies the other conditions on the same entry.
func nestedEvidence(q query.Query, same func(query.Path) query.Query, p kith.Person, doc indexed.Document,
	show func(kith.Job) string,
) string {
	m, err := makeMember(p, doc)
	if err != nil {
		return ""
	}
	var texts []string
	for _, n := range nestedIn(q) {
		switch i := firstSatisfying(n, same(n.Path), doc); {
		case i < 0:
		case n.Path == query.Education && i < len(m.education):
			texts = append(texts, educationText(m.education[i]))
		case i < len(m.jobs[n.Path]):
			texts = append(texts, show(m.jobs[n.Path][i]))
		}
	}
	return few(distinct(texts))
}

// firstSatisfying returns the index of the first sub-document that satisfies n, preferring one that also satisfies
// same; -1 for none.
func firstSatisfying(n query.Nested, same query.Query, doc indexed.Document) int {
	both := query.Nested{Path: n.Path, Part: query.And{Parts: []query.Query{n.Part, same}}}
	if i := firstMatching(both, doc); i >= 0 {
		return i
	}
	return firstMatching(n, doc)
}

func firstMatching(n query.Nested, doc indexed.Document) int {
	return slices.IndexFunc(doc.Nested[n.Path], func(sub indexed.Fields) bool {
		return indexed.Match(indexed.Document{ID: doc.ID, Nested: map[query.Path][]indexed.Fields{n.Path: {sub}}}, n)
	})
}

// distinct drops empty texts and duplicates.
func distinct(texts []string) []string {
	return slices.DeleteFunc(tokenizer.AppendNew(nil, texts), func(t string) bool { return t == "" })
}

// nestedIn returns the sub-document conditions that a query requires to hold.
func nestedIn(q query.Query) []query.Nested {
	switch q := q.(type) {
	case query.And, query.Or:
		return inParts(q, nestedIn)
	case query.Nested:
		return []query.Nested{q}
	case query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range,
		query.Exists, query.IDs, query.Timeline:
	}
	return nil
}

func educationText(e kith.Education) string {
	return joinTexts(", ", e.Degree, e.FieldOfStudy, e.Institute, span(e.StartDate, e.EndDate, false))
}
