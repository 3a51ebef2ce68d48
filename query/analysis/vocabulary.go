package analysis

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"kith"
	"kith/query"
	"kith/query/indexed"
	"kith/query/tokenizer"
)

// TermKind is a kind of term in a dataset's vocabulary.
type TermKind string

// The kinds of terms. They are stored, so their values must not change.
const (
	TermFirstName TermKind = "first_name" // one word of a first name
	TermLastName  TermKind = "last_name"  // one word of a last name
	TermCompany   TermKind = "company"    // a company's name or alias, without legal form
	TermSchool    TermKind = "school"     // a school, as in the record
	TermSkill     TermKind = "skill"      // a skill
	TermTitle     TermKind = "title"      // the normal form of a title, see [taxonomy.Title]
	TermIndustry  TermKind = "industry"   // an industry's label
	TermKeyword   TermKind = "keyword"    // a keyword of a company
	TermPlace     TermKind = "place"      // home of a person, see [gazetteer.NamedPlace.Term]
)

// Term is a term of the vocabulary: the folded words of a value, joined by spaces, from [tokenizer.Tokens] or,
// for titles, [taxonomy.Title].
type Term struct {
	Kind TermKind
	Text string
}

// Compare orders terms by text, byte by byte, then by kind.
func (t Term) Compare(u Term) int {
	return cmp.Or(cmp.Compare(t.Text, u.Text), cmp.Compare(t.Kind, u.Kind))
}

// Limits of a term. The vocabulary skips longer terms: nobody types them word for word, and long titles are almost
// all different.
const (
	maxTermWords  = 8
	maxTitleTerm  = 5
	maxTermLength = 80
)

// PersonTerms returns the terms of a person, sorted and without duplicates, from the record and its document by
// [Person]: each term finds the person through its filter. Companies, industries and titles are those of all jobs,
// current and past; places are country, state and city.
func PersonTerms(p kith.Person, d indexed.Document) []Term {
	t := terms{}
	t.names(p)
	t.places(d.Fields)
	for _, skill := range d.Fields.Words[query.Skill] {
		t.add(TermSkill, skill)
	}
	for _, path := range []query.Path{query.Current, query.Past} {
		for _, job := range d.Nested[path] {
			t.addExact(TermTitle, job.Keywords[query.TitleExact]...)
			t.companies(job.Keywords[query.CompanyExact])
			t.companyFacts(job)
		}
	}
	for _, entry := range d.Nested[query.Education] {
		for _, school := range entry.Words[query.School] {
			t.add(TermSchool, school)
		}
	}
	return t.distinct()
}

// CompanyTerms returns the terms of a company, sorted and without duplicates, from its document by [Company].
func CompanyTerms(d indexed.Document) []Term {
	t := terms{}
	t.companies(d.Fields.Keywords[query.CompanyNameExact])
	t.companyFacts(d.Fields)
	return t.distinct()
}

// terms collects terms.
type terms struct{ all []Term }

func (t *terms) add(kind TermKind, words []string) {
	if len(words) == 1 {
		t.addExact(kind, words[0])
		return
	}
	if len(words) <= maxTermWords {
		t.addExact(kind, strings.Join(words, " "))
	}
}

// addExact adds values that are already single terms.
func (t *terms) addExact(kind TermKind, values ...string) {
	most := maxTermWords
	if kind == TermTitle {
		most = maxTitleTerm
	}
	for _, v := range values {
		if v != "" && len(v) <= maxTermLength && strings.Count(v, " ") < most {
			t.all = append(t.all, Term{Kind: kind, Text: v})
		}
	}
}

// companies adds names, and names of sites also without their ending, because those find the company too.
func (t *terms) companies(names []string) {
	for _, name := range names {
		t.addExact(TermCompany, name)
		if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, ' ')+1 {
			t.addExact(TermCompany, name[:dot])
		}
	}
}

// places adds the person's home.
func (t *terms) places(f indexed.Fields) {
	for _, country := range f.Keywords[query.Country] {
		t.addExact(TermPlace, country)
		for _, state := range f.Keywords[query.State] {
			t.addExact(TermPlace, state+"|"+country)
		}
		for _, city := range f.Keywords[query.City] {
			t.addExact(TermPlace, city+"|"+country)
		}
	}
}

func (t *terms) companyFacts(f indexed.Fields) {
	for _, industry := range f.Words[query.CompanyIndustry] {
		t.add(TermIndustry, industry)
	}
	for _, keyword := range f.Words[query.CompanyKeywords] {
		t.add(TermKeyword, keyword)
	}
}

// names adds the words of the name. In a record with only the full name, the last word is the last name.
func (t *terms) names(p kith.Person) {
	first, last := p.FirstName, p.LastName
	if first == "" && last == "" {
		first = p.FullName
		if words := strings.Fields(p.FullName); len(words) > 1 {
			first, last = strings.Join(words[:len(words)-1], " "), words[len(words)-1]
		}
	}
	t.name(TermFirstName, first)
	t.name(TermLastName, last)
}

// name adds the words of a name, and their spellings with umlauts written out, which also find the person. It skips
// initials.
func (t *terms) name(kind TermKind, name string) {
	t.nameWords(kind, name)
	if spelled := umlautsSpelled(name); spelled != name {
		t.nameWords(kind, spelled)
	}
}

func (t *terms) nameWords(kind TermKind, name string) {
	for _, w := range NameTokens(name) {
		if r, size := utf8.DecodeRuneInString(w); size < len(w) || tokenizer.IsIdeograph(r) {
			t.addExact(kind, w)
		}
	}
}

// distinct returns the terms sorted and without duplicates.
func (t *terms) distinct() []Term {
	slices.SortFunc(t.all, Term.Compare)
	return slices.Compact(t.all)
}
