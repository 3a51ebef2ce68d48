package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"kith"
	"kith/query"
	"kith/query/gazetteer"
	"kith/query/indexed"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// Person turns a record into its index document. Rank and version are those stored with the record. It fails only on
// unreadable dates; the error names the member.
//
// The end date decides whether a job is current or past; duplicates in the history count once. The keywords filter
// searches the name, the titles (as written and in normal form) and companies of current jobs, the place, the
// headline, the skills and what people write about themselves.
func Person(p kith.Person, rank, version int64) (indexed.Document, error) {
	c, err := readCareer(p)
	if err != nil {
		return indexed.Document{}, fmt.Errorf("person %d: %w", p.ID, err)
	}
	record, err := resultJSON(p)
	if err != nil {
		return indexed.Document{}, fmt.Errorf("person %d: %w", p.ID, err)
	}
	education, err := educationFields(p.EducationHistory)
	if err != nil {
		return indexed.Document{}, fmt.Errorf("person %d: %w", p.ID, err)
	}
	place := knownPlace(p.Location)
	primary := c.primary(p.WorkRelevant)
	stays := c.stays()
	f := personFields(p, c, place, rank)
	f.judge(p, c, primary, stays)
	spells := c.spells(stays)
	f.career(spells)
	d := indexed.Document{
		ID: p.ID, Rank: rank, Version: version, Record: record, Fields: f.Fields,
		Nested: c.nested(stayBefore(primary, stays)), Career: spells, Facets: personFacets(primary, place),
	}
	if len(education) > 0 {
		d.Nested[query.Education] = education
	}
	return d, nil
}

// SetOwner records the owner of a document's record. A record without an owner belongs to everyone.
func SetOwner(d *indexed.Document, owner string) {
	if owner != "" {
		d.Fields.Keywords[query.Owner] = []string{owner}
	}
}

// CareerDocument is the part of a person's document that [query.Timeline] needs: the jobs and their order. It fails
// only on unreadable dates.
func CareerDocument(p kith.Person) (indexed.Document, error) {
	c, err := readCareer(p)
	if err != nil {
		return indexed.Document{}, fmt.Errorf("person %d: %w", p.ID, err)
	}
	stays := c.stays()
	previous := stayBefore(c.primary(p.WorkRelevant), stays)
	return indexed.Document{ID: p.ID, Nested: c.nested(previous), Career: c.spells(stays)}, nil
}

// nested returns the sub-documents of the jobs.
func (c career) nested(previous *stay) map[query.Path][]indexed.Fields {
	nested := map[query.Path][]indexed.Fields{}
	for i := range c.current {
		nested[query.Current] = append(nested[query.Current], jobFields(&c.current[i]).Fields)
	}
	for i := range c.past {
		j := &c.past[i]
		f := jobFields(j)
		f.number(query.End, j.end)
		if previous != nil && j.stay == previous {
			f.keyword(query.PreviousJob, query.Yes)
		}
		nested[query.Past] = append(nested[query.Past], f.Fields)
	}
	return nested
}

func personFields(p kith.Person, c career, place gazetteer.PlaceTerms, rank int64) fields {
	name := fullName(p)
	tokens := NameTokens(name)
	f := newFields(12, 4, 12)
	f.keyword(query.NameExact, nameKey(tokens))
	f.keyword(query.SocialID, SocialID(p.SocialURL))
	f.keyword(query.SocialURL, socialKey(p.SocialURL))
	for _, address := range p.Addresses() {
		f.keyword(query.Email, tokenizer.Cut(tokenizer.Fold(address), tokenizer.MaxKey))
	}
	f.place(place)
	f.keyword(query.JobCount, jobCount(len(c.current)))
	f.words(query.Name, tokens)
	f.words(query.NameAlias, nameForms(name, tokens))
	f.values(query.Skill, p.Skills)
	f.words(query.Text, tokens)
	f.jobsText(c)
	f.placeText(p.Location, place)
	f.words(query.Text, tokenizer.Tokens(p.Headline))
	for _, skill := range f.Words[query.Skill] {
		f.words(query.Text, skill)
	}
	f.values(query.Text, Sentences(p.AboutMe))
	f.Numbers[query.Rank] = rank
	f.number(query.Experience, c.firstDay())
	return f
}

// Sentences splits a text at the ends of lines, and of sentences: after a full stop, an exclamation or a question mark
// before a space. It drops the spaces around them, and empty ones.
func Sentences(text string) (sentences []string) {
	begin := 0
	add := func(end int) {
		if s := strings.TrimSpace(text[begin:end]); s != "" {
			sentences = append(sentences, s)
		}
		begin = end
	}
	for i, c := range text {
		if c == '\n' || c == ' ' && i > 0 && strings.ContainsRune(".!?", rune(text[i-1])) {
			add(i)
		}
	}
	add(len(text))
	return sentences
}

// fullName is the whole name.
func fullName(p kith.Person) string {
	if p.FullName != "" {
		return p.FullName
	}
	return p.FirstName + " " + p.LastName
}

func jobCount(n int) string {
	switch n {
	case 0:
		return "0"
	case 1:
		return indexed.OneJob
	}
	return indexed.ManyJobs
}

// jobsText adds the current jobs to the searchable text.
func (f fields) jobsText(c career) {
	for _, j := range c.current {
		f.words(query.Text, tokenizer.Tokens(j.Title))
		f.words(query.Text, j.title)
		for _, form := range j.forms {
			f.words(query.Text, form)
		}
	}
}

// placeText adds the place to the searchable text, as written and in English.
func (f fields) placeText(l kith.Location, t gazetteer.PlaceTerms) {
	for _, part := range [][2]string{{l.City, t.CityName}, {l.State, t.StateName}, {l.Country, t.CountryName}} {
		f.words(query.Text, tokenizer.Tokens(part[0]))
		if part[1] != part[0] {
			f.words(query.Text, tokenizer.Tokens(part[1]))
		}
	}
}

func jobFields(j *job) fields {
	f := newFields(16, 10, 5)
	f.words(query.Title, j.title)
	f.keyword(query.TitleExact, j.titleKey)
	f.keyword(query.Seniority, j.levels...)
	f.keyword(query.Function, j.functions...)
	if j.Company.ID > 0 {
		f.keyword(query.CompanyID, strconv.FormatInt(j.Company.ID, 10))
	}
	f.companyNames(j.forms, j.Company.Aliases, query.Company, query.CompanyExact)
	f.keyword(query.CompanyURL, siteKeys(j.Company.Domain)...)
	if j.Company.SocialURL != "" {
		f.keyword(query.CompanySocialID, SocialID(j.Company.SocialURL))
		f.keyword(query.CompanySocialURL, socialKey(j.Company.SocialURL))
	}
	f.companyFacts(j.Company)
	f.seat(j)
	f.number(query.Start, j.start)
	f.inCareer(j)
	return f
}

// seat fills the place of a job's company; for an ended job only the country and the state.
func (f fields) seat(j *job) {
	if j.ended {
		t := landOf(j.Company)
		f.keyword(query.CompanyCountry, t.Country)
		f.keyword(query.CompanyState, t.State)
		return
	}
	t := seatOf(j.Company)
	f.keyword(query.CompanyCountry, t.Country)
	f.keyword(query.CompanyState, t.State)
	f.keyword(query.CompanyCity, t.City...)
	f.keyword(query.CompanyMetro, t.Metro...)
}

// inCareer fills the job's position in the career: its stay, and the job before.
func (f fields) inCareer(j *job) {
	if j.start != nil {
		f.Numbers[query.Tenure] = j.stay.begin
	}
	f.Numbers[query.Stay] = j.stay.number
	if j.stay.first {
		f.keyword(query.FirstJob, query.Yes)
	}
	from := j.jobBefore()
	if from == nil {
		return
	}
	f.words(query.FromTitle, from.title)
	f.keyword(query.FromSeniority, from.levels...)
	f.keyword(query.FromFunction, from.functions...)
	if from.stay == j.stay {
		return
	}
	f.companyNames(from.forms, from.Company.Aliases, query.FromCompany, query.FromCompanyExact)
	f.words(query.FromIndustry, tokenizer.Tokens(from.Company.Industry))
	f.companyType(query.FromType, from.Company)
}

func educationFields(entries []kith.Education) ([]indexed.Fields, error) {
	subs := make([]indexed.Fields, 0, len(entries))
	for i, e := range entries {
		start, err := readDay(&e.StartDate, false)
		if err != nil {
			return nil, fmt.Errorf("education_history[%d].start_date: %w", i, err)
		}
		end, err := readDay(&e.EndDate, true)
		if err != nil {
			return nil, fmt.Errorf("education_history[%d].end_date: %w", i, err)
		}
		f := newFields(1, 3, 2)
		school := tokenizer.Tokens(e.Institute)
		f.words(query.School, school)
		f.keyword(query.SchoolExact, joinTerm(school))
		f.words(query.Degree, tokenizer.Tokens(e.Degree))
		f.words(query.Degree, taxonomy.Degree(e.Degree))
		f.words(query.FieldOfStudy, tokenizer.Tokens(e.FieldOfStudy))
		f.number(query.Start, start)
		f.number(query.End, end)
		subs = append(subs, f.Fields)
	}
	return subs, nil
}

// personFacets returns the facet values for display, from the primary job.
func personFacets(j *job, place gazetteer.PlaceTerms) map[indexed.Facet]string {
	facets := make(map[indexed.Facet]string, 7)
	set := func(f indexed.Facet, value string) {
		if value != "" {
			facets[f] = tokenizer.Cut(value, tokenizer.MaxKey)
		}
	}
	set(indexed.FacetCountry, place.CountryName)
	set(indexed.FacetCity, place.CityName)
	if j == nil {
		return facets
	}
	set(indexed.FacetCompany, j.Company.Name)
	set(indexed.FacetIndustry, j.Company.Industry)
	set(indexed.FacetSize, SizeBand(j.Company.EmployeeCount))
	if len(j.levels) > 0 {
		set(indexed.FacetSeniority, j.levels[0])
	}
	if len(j.functions) > 0 {
		set(indexed.FacetFunction, j.functions[0])
	}
	return facets
}

// resultJSON is a person as a search result; an unknown profile URL is null.
func resultJSON(p kith.Person) ([]byte, error) {
	record, err := json.Marshal(p.Result())
	if p.SocialURL == "" { // the member comes before those of the companies
		record = bytes.Replace(record, []byte(`"social_url":""`), []byte(`"social_url":null`), 1)
	}
	return record, err
}
