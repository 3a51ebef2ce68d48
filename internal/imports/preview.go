package imports

import (
	"context"
	"slices"

	"kith/index/load"
	"kith/internal/importer"
)

// shown is how many people and contacts a preview has.
const shown = 10

// mostExamples is how many examples of what was left out are kept.
const mostExamples = 1000

// Preview is a sink that keeps what a person wants to see before anything is stored.
type Preview struct {
	// People and Contacts are the first of all.
	People   []importer.Person
	Contacts []importer.History
	// Persons, Companies and Profiles count people, companies, and people with a profile.
	Persons, Companies, Profiles int64
	// Exports are whose the exports of Kith among the files are; their people and companies
	// are counted with the others.
	Exports []load.UserName
	// Known counts people whom the owner of the files knows, and Employers how many of the people work
	// at a company, of the first few thousand companies.
	Known     int64
	Employers map[string]int
	// Progress hears of every thousandth record; nil is silence.
	Progress func(records int64)

	seen int64
	// examples are where the first record with a reason stands.
	examples map[example]int64
}

// manyEmployers bounds those of whom it is counted how many people they employ.
const manyEmployers = 10_000

// example is a reason in a file.
type example struct{ file, reason string }

var _ importer.Sink = (*Preview)(nil)

// Storable is how many records could be stored.
func (p *Preview) Storable() int64 { return p.Persons + p.Companies }

// Personal reports whether the files are of somebody who knows the people in them.
func (p *Preview) Personal() bool { return p.Known > 0 || len(p.Contacts) > 0 }

func (p *Preview) count() {
	if p.seen++; p.Progress != nil && p.seen%1000 == 0 {
		p.Progress(p.seen)
	}
}

// Person implements [importer.Sink].
func (p *Preview) Person(_ context.Context, person *importer.Person) error {
	p.count()
	p.Persons++
	p.show(person)
	if person.Relationship != nil {
		p.Known++
	}
	if job := person.Present(); job != nil && job.Company.Name != "" && len(p.Employers) < manyEmployers {
		if p.Employers == nil {
			p.Employers = map[string]int{}
		}
		p.Employers[job.Company.Name]++
	}
	return nil
}

// Company implements [importer.Sink].
func (p *Preview) Company(context.Context, *importer.Company) error {
	p.count()
	p.Companies++
	return nil
}

// Owner implements [importer.Sink].
func (p *Preview) Owner(context.Context, *importer.Owner) error { return nil }

// Export implements [importer.Sink].
func (p *Preview) Export(_ context.Context, l *importer.ExportLine) error {
	p.count()
	if user := (load.UserName{App: l.App, ExternalUserID: l.User}); !slices.Contains(p.Exports, user) {
		p.Exports = append(p.Exports, user)
	}
	switch {
	case l.Kind == "company":
		p.Companies++
	case l.Person != nil:
		p.Persons++
		p.show(l.Person)
	}
	return nil
}

// show keeps the first people.
func (p *Preview) show(person *importer.Person) {
	if person.SocialURL != "" {
		p.Profiles++
	}
	if len(p.People) < shown {
		p.People = append(p.People, *person)
	}
}

// History implements [importer.Sink].
func (p *Preview) History(_ context.Context, h *importer.History) error {
	if len(p.Contacts) < shown {
		p.Contacts = append(p.Contacts, *h)
	}
	return nil
}

// Reject implements [importer.Sink].
func (p *Preview) Reject(_ context.Context, r importer.Reject) error {
	p.count()
	key := example{r.Source.File, r.Reason}
	if _, known := p.examples[key]; known || r.Source.Line == 0 || len(p.examples) >= mostExamples {
		return nil
	}
	if p.examples == nil {
		p.examples = map[example]int64{}
	}
	p.examples[key] = r.Source.Line
	return nil
}
