package identity

import (
	"slices"
	"strings"

	"kith"
	"kith/internal/record"
	"kith/query/analysis"
	"kith/query/tokenizer"
)

// Record is one record of a person, from a file or a source.
type Record struct {
	// ID is unique among records and people. The id of a person is that of one of the records.
	ID int64
	// Person is the id of the record's person; 0 for a new record.
	Person int64
	record.Dated

	// place is the place of a new record among those of its import, from 1 on; 0 for a stored one.
	place int
	// features is nil until featuresIn computes it.
	features *features
}

// featuresIn returns the features, computed once. companies maps the ids of all companies of the record to names.
func (r *Record) featuresIn(companies map[int64]string) *features {
	if r.features == nil {
		f := extractFeatures(r, companies)
		r.features = &f
	}
	return r.features
}

// features are the attributes by which records are compared.
type features struct {
	// names are the names, split into words.
	names [][]string
	keys  []string // keys for namesakes, including nicknames
	own   []string // keys without nicknames
	// profiles are the keys of profile URLs.
	profiles, emails, sources []string
	// marks are set for single records only, not for combined features.
	marks []mark
	// titles are the words of the titles at each company.
	titles  map[string][]string
	schools []string
	cities  []string
	country []string
}

// extractFeatures extracts the features of a record. companies maps ids of companies to names.
func extractFeatures(r *Record, companies map[int64]string) features {
	p := &r.Dated.Person
	f := features{emails: p.Addresses(), sources: p.Sources, titles: map[string][]string{}, marks: listMarks(p)}
	if !strings.Contains(p.FullName, "@") { // otherwise an address stands for an unknown name
		f.keys = analysis.NamesakeKeys(*p)
		if tokens := analysis.NameTokens(p.FullName); len(tokens) > 0 {
			f.names = [][]string{tokens}
		}
	}
	f.own = f.keys[:min(1, len(f.keys))] // nicknames follow
	for _, m := range f.marks {
		if m.kind == markProfile {
			f.profiles = []string{m.text}
		}
	}
	for _, job := range p.Jobs() {
		if name := companies[job.Company.ID]; name != "" {
			f.titles[name] = union(f.titles[name], tokenizer.Tokens(job.Title))
		}
	}
	for _, e := range p.EducationHistory {
		if school := strings.Join(tokenizer.Tokens(e.Institute), " "); school != "" {
			f.schools = union(f.schools, []string{school})
		}
	}
	if city := tokenizer.Fold(p.Location.City); city != "" {
		f.cities = []string{city}
	}
	if country := tokenizer.Fold(p.Location.Country); country != "" {
		f.country = []string{country}
	}
	return f
}

// with combines two features; f may be nil.
func (f *features) with(g *features) *features {
	if f == nil {
		return g
	}
	out := &features{
		names: f.names, keys: union(f.keys, g.keys), own: union(f.own, g.own), profiles: union(f.profiles, g.profiles),
		emails: union(f.emails, g.emails), sources: union(f.sources, g.sources), schools: union(f.schools, g.schools),
		cities: union(f.cities, g.cities), country: union(f.country, g.country), titles: map[string][]string{},
	}
	for _, name := range g.names {
		if !slices.ContainsFunc(f.names, func(n []string) bool { return slices.Equal(n, name) }) {
			out.names = append(slices.Clone(out.names), name)
		}
	}
	for _, titles := range []map[string][]string{f.titles, g.titles} {
		for company, words := range titles {
			out.titles[company] = union(out.titles[company], words)
		}
	}
	return out
}

// union returns the union of two sets.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// share reports whether two sets have a common member.
func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// Marked is a person with the keys of all their profiles.
type Marked struct {
	Person   kith.Person
	Profiles []string
}

// Same reports whether two records certainly describe one person because of a mark: a
// profile, or an address or an id in a source together with matching names. It compares
// records of different owners, for which other similarities do not count.
func (m Marked) Same(other Marked) bool {
	if share(m.Profiles, other.Profiles) {
		return true
	}
	a, b := m.features(), other.features()
	if !share(a.emails, b.emails) && !share(a.sources, b.sources) {
		return false
	}
	return areCompatible(&a, &b)
}

func (m Marked) features() features {
	f := extractFeatures(&Record{Dated: record.Dated{Person: m.Person}}, nil)
	f.profiles = m.Profiles
	f.emails = slices.DeleteFunc(f.emails, analysis.IsOffice)
	return f
}
