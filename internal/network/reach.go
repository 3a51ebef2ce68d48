package network

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"kith"
)

// Records reads the people and companies shown in answers.
type Records interface {
	// People returns the records of these people in any order, leaving out those that a viewer may not see.
	People(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Person, error)
	// Companies returns the records of these companies in any order, leaving out deleted ones.
	Companies(ctx context.Context, ids []int64) ([]kith.Company, error)
	// VisibleCompanies returns the records of these companies that a viewer may see: everyone's first, then by rank and
	// id.
	VisibleCompanies(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Company, error)
	// CompaniesAt returns the companies with a site or a profile, both in comparison form, as VisibleCompanies does.
	CompaniesAt(ctx context.Context, v kith.Viewer, site, profile string) ([]kith.Company, error)
}

// Names finds companies by name.
type Names interface {
	// Named returns at most so many companies that have a name, or have it as an alias, and that a viewer may see, by
	// rank. Case and legal form do not count.
	Named(ctx context.Context, v kith.Viewer, name string, most int) ([]int64, error)
}

// Reach explains how a caller can reach people. It is safe for concurrent use.
type Reach struct {
	circles *Circles
	records Records
	names   Names
}

// NewReach returns the answers over the circles of callers, the records, and the names of companies.
func NewReach(circles *Circles, records Records, names Names) *Reach {
	return &Reach{circles, records, names}
}

// Target is a person with the paths to them, strongest first.
type Target struct {
	Person kith.Person
	Ways   []Way
	// Summary describes the strongest path in a sentence.
	Summary string
}

// Way is one path to a person: direct, or through an introducer.
type Way struct {
	Score float64
	// Introducer is nil for a direct path.
	Introducer *kith.Person
	// ToIntroducer is the strength of the caller's relationship to the introducer.
	ToIntroducer float64
	// Own are the reasons for the caller's own relationship: to the target, or to the introducer.
	Own []Reason
	// Theirs are the reasons why the introducer knows the target.
	Theirs []Reason
}

// Reason explains why two people know each other.
type Reason struct {
	Title, Description string
	// Sentence addresses an introducer; set for bonds only.
	Sentence string
}

// CompanyReach lists the people within reach at a company.
type CompanyReach struct {
	Company kith.Company
	Targets []Target
	// Total is how many people are within reach; Targets are the first of them.
	Total int
}

// Company returns the paths to the people of a company: at most limit people, strongest first. An unknown company is
// kith.NotFound, a name of several is [SeveralCompanies].
func (r *Reach) Company(ctx context.Context, v kith.Viewer, named CompanyName, limit int) (CompanyReach, error) {
	company, err := r.find(ctx, v, named)
	if err != nil {
		return CompanyReach{}, err
	}
	a, _ := v.User() // the operator knows nobody
	best, total, err := r.circles.AtCompany(ctx, a, company.ids(), limit)
	if err != nil {
		return CompanyReach{}, err
	}
	targets, err := r.targets(ctx, v, best)
	return CompanyReach{Company: company.records[0].Result(), Targets: targets, Total: total}, err
}

// Person returns the paths to one person; kith.NotFound for an unknown id. Ways is empty if the caller cannot reach the
// person.
func (r *Reach) Person(ctx context.Context, v kith.Viewer, id int64) (Target, error) {
	a, _ := v.User()
	paths, err := r.circles.To(ctx, a, []int64{id})
	if err != nil {
		return Target{}, err
	}
	targets, err := r.targets(ctx, v, paths)
	if err == nil && len(targets) == 0 {
		err = kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "there is no person with this id")
	}
	if err != nil {
		return Target{}, err
	}
	return targets[0], nil
}

// targets fills in the records and leaves out people deleted meanwhile.
func (r *Reach) targets(ctx context.Context, v kith.Viewer, paths []Paths) ([]Target, error) {
	var people, companies []int64
	for _, p := range paths {
		people = append(people, p.Person)
		for _, i := range p.Introductions {
			people = append(people, i.Introducer.Person)
			for _, b := range i.Bonds {
				companies = append(companies, b.Org.Company)
			}
		}
	}
	n, err := r.nouns(ctx, v, people, companies)
	if err != nil {
		return nil, err
	}
	var out []Target
	for _, p := range paths {
		person, there := n.people[p.Person]
		if !there {
			continue
		}
		t := Target{Person: person.Result(), Ways: n.ways(p)}
		t.Summary = summary(t)
		out = append(out, t)
	}
	return out, nil
}

// nouns are the people and companies named in an answer.
type nouns struct {
	people    map[int64]kith.Person
	companies map[int64]kith.Company
}

func (r *Reach) nouns(ctx context.Context, v kith.Viewer, people, companies []int64) (nouns, error) {
	n := nouns{people: map[int64]kith.Person{}, companies: map[int64]kith.Company{}}
	persons, err := r.records.People(ctx, v, people)
	if err != nil {
		return n, err
	}
	for _, p := range persons {
		n.people[p.ID] = p
	}
	firms, err := r.records.Companies(ctx, companies)
	for _, c := range firms {
		n.companies[c.ID] = c
	}
	return n, err
}

// ways returns the paths to a person, strongest first; a direct path comes before an introduction of the same strength.
func (n nouns) ways(p Paths) []Way {
	var out []Way
	for _, i := range p.Introductions {
		introducer, there := n.people[i.Introducer.Person]
		if !there {
			continue
		}
		shown := introducer.Result()
		way := Way{Score: i.Score(), Introducer: &shown, ToIntroducer: i.Introducer.Score, Own: i.Introducer.reasons()}
		for _, b := range i.Bonds {
			way.Theirs = append(way.Theirs, n.reason(b, n.people[p.Person]))
		}
		out = append(out, way)
	}
	if p.Direct == nil {
		return out
	}
	direct, at := Way{Score: p.Direct.Score, Own: p.Direct.reasons()}, 0
	for at < len(out) && out[at].Score > direct.Score {
		at++
	}
	return append(out[:at:at], append([]Way{direct}, out[at:]...)...)
}

// reasons explains the caller's own relationship.
func (c Contact) reasons() []Reason {
	var out []Reason
	for _, k := range c.Kinds.List() {
		out = append(out, Reason{
			Title:       kindTitle(k),
			Description: fmt.Sprintf("You know each other: %s (%.3g of %d)", labelWords(c.Score), c.Score, MaxScore),
		})
	}
	return out
}

func kindTitle(k Kind) string {
	words := strings.ReplaceAll(string(k), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// labelWords returns the label of a score in words.
func labelWords(score float64) string {
	if l := LabelOf(score); l != Unlabelled {
		return strings.ReplaceAll(string(l), "_", " ")
	}
	return "hardly"
}

// reason describes the bond between an introducer and a target.
func (n nouns) reason(b Bond, target kith.Person) Reason {
	switch b.Kind {
	case WorkedTogether:
		c := n.companies[b.Org.Company]
		name, sentence := c.Name, "You worked together at "+c.Name+", "
		if name == "" {
			name, sentence = "the same company", "You worked at the same company, "
		}
		text := period(b.From, b.To)
		sentence += text + "."
		if c.EmployeeCount > 0 {
			text += "; " + kith.Counted(c.EmployeeCount, "employee", "employees")
		}
		return Reason{Title: "Worked together at " + name, Description: text, Sentence: sentence}
	case StudiedTogether:
		text := b.Org.School + ", " + period(b.From, b.To)
		return Reason{Title: "Studied together", Description: text, Sentence: "You studied together at " + text + "."}
	}
	by := "the community"
	if b.Kind == Team {
		by = "your team"
	}
	return Reason{
		Title:       "Shared by " + by,
		Description: fmt.Sprintf("They know each other: %s (%.3g of %d)", labelWords(b.Score), b.Score, MaxScore),
		Sentence: "You share your contacts with me, and " + cmp.Or(target.FirstName, target.FullName) +
			" is among them.",
	}
}

// summary describes the strongest path in a sentence.
func summary(t Target) string {
	if len(t.Ways) == 0 {
		return "You have no path to " + t.Person.FullName + " yet."
	}
	best := t.Ways[0]
	if best.Introducer == nil {
		return fmt.Sprintf("You know %s yourself (%s).", t.Person.FullName, labelWords(best.Score))
	}
	text := fmt.Sprintf("%s can introduce you to %s (%s)", best.Introducer.FullName, t.Person.FullName,
		labelWords(best.Score))
	if len(best.Theirs) > 0 {
		text += ": " + lowerFirst(best.Theirs[0].Title)
	}
	return text + "."
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
