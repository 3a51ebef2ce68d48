package imports

import (
	"context"
	"fmt"
	"slices"

	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/network"
)

// shown is how many people and contacts a preview has.
const shown = 10

// mostExamples limits the stored examples of left-out records.
const mostExamples = 1000

// Preview is a sink that collects what a person should see before anything is stored.
type Preview struct {
	// People and Contacts are the first ones.
	People   []importer.Person
	Contacts []importer.History
	// Persons, Companies and Profiles count people, companies, and people with a profile.
	Persons, Companies, Profiles int64
	// Exports are the owners of the Kith exports among the files. Their people and companies are included in the
	// counts.
	Exports []loader.UserName
	// Known counts people the owner of the files knows. Employers counts people by
	// company, for the first [manyEmployers] companies.
	Known int64
	// Correspondents counts people with mail in both directions. Those who are unknown yet will be stored.
	Correspondents int64
	Employers      map[string]int
	// Progress is called after every thousandth record; nil is allowed.
	Progress func(records int64)

	seen int64
	// examples maps each reason in a file to the line of its first record.
	examples map[example]int64
}

// manyEmployers limits the companies in Employers.
const manyEmployers = 10_000

// example is a reason in a file.
type example struct{ file, reason string }

var _ importer.Sink = (*Preview)(nil)

// Storable returns how many records could be stored.
func (p *Preview) Storable() int64 { return p.Persons + p.Companies }

// Personal reports whether the owner of the files knows the people in them.
func (p *Preview) Personal() bool { return p.Known > 0 || len(p.Contacts) > 0 }

// Note describes the people with mail in both directions; "" if there are none.
func (p *Preview) Note() string {
	switch p.Correspondents {
	case 0:
		return ""
	case 1:
		return "1 person exchanged mail with you in both directions and is stored if unknown"
	}
	return fmt.Sprintf("%d people exchanged mail with you in both directions; unknown ones are stored",
		p.Correspondents)
}

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
	p.addEmployer(person)
	return nil
}

func (p *Preview) addEmployer(person *importer.Person) {
	job := person.Present()
	if job == nil || job.Company.Name == "" || len(p.Employers) >= manyEmployers {
		return
	}
	if p.Employers == nil {
		p.Employers = map[string]int{}
	}
	p.Employers[job.Company.Name]++
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
	if user := (loader.UserName{App: l.App, ExternalUserID: l.User}); !slices.Contains(p.Exports, user) {
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

// show adds a person to the preview.
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
	mail := network.PastContact{Identifier: h.With.Email, History: network.History{Kind: contactKind(h.Kind)}}
	if mail.IsPersonalMail() && h.Outgoing > 0 && h.Incoming > 0 {
		p.Correspondents++
		p.addEmployer(importer.Correspondent(h.With.Name, h.With.Email))
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
