package agents

import (
	"context"
	"errors"

	"kith/client"
)

// network adds the tools that read who the user knows.
func (t tools) network() {
	read(t, "find_paths", "Find paths to a person, or to the people of a company: the user's contacts and the people "+
		"who can introduce the user, strongest first, with reasons. Name either a person or a company.", findPaths)
	read(t, "list_relationships", "List the people the user knows, strongest first.", listRelationships)
}

type pathsIn struct {
	Person  string `json:"person,omitempty" jsonschema:"id, profile URL or e-mail address of a person"`
	Domain  string `json:"company_domain,omitempty" jsonschema:"domain of a company, such as stripe.com"`
	Company string `json:"company_profile,omitempty" jsonschema:"profile URL of a company"`
	Limit   int    `json:"limit,omitempty" jsonschema:"people of a company: 1 to 50; 10 where absent"`
}

type pathsOut struct {
	Company string `json:"company,omitempty"`
	People  []ways `json:"people" jsonschema:"who can be reached, strongest first"`
	Total   int    `json:"total" jsonschema:"how many can be reached in all"`
}

type ways struct {
	Person  person `json:"person"`
	Summary string `json:"summary"`
	Paths   []path `json:"paths"`
}

type path struct {
	Type       string   `json:"type" jsonschema:"direct: the user knows the person; intro: through an introducer"`
	Score      float64  `json:"score" jsonschema:"how strong it is, 0 to 10"`
	Introducer *person  `json:"introducer,omitempty"`
	Because    []string `json:"because,omitempty"`
}

func findPaths(ctx context.Context, c *client.Client, in pathsIn) (pathsOut, error) {
	named := 0
	for _, name := range []string{in.Person, in.Domain, in.Company} {
		if name != "" {
			named++
		}
	}
	if named != 1 {
		return pathsOut{}, errors.New("give one of person, company_domain and company_profile")
	}
	if in.Person != "" {
		return pathsToPerson(ctx, c, in.Person)
	}
	if in.Limit == 0 {
		in.Limit = defaultPeople
	}
	company := client.CompanyPathsRequest{Domain: in.Domain, SocialURL: in.Company, Limit: in.Limit}
	found, err := c.CompanyPaths(ctx, company)
	if err != nil {
		return pathsOut{}, err
	}
	out := pathsOut{Company: found.Company.Name, People: []ways{}, Total: found.Total}
	for _, target := range found.TargetPeople {
		out.People = append(out.People, newWays(target))
	}
	return out, nil
}

func pathsToPerson(ctx context.Context, c *client.Client, named string) (pathsOut, error) {
	p, err := find(ctx, c, named)
	if err != nil {
		return pathsOut{}, err
	}
	found, err := c.PersonPaths(ctx, p.ID)
	if err != nil {
		return pathsOut{}, err
	}
	out := pathsOut{People: []ways{}}
	if len(found.Paths) > 0 {
		out.People, out.Total = []ways{newWays(found)}, 1
	}
	return out, nil
}

func newWays(w client.PersonWays) ways {
	out := ways{Person: brief(w.Target), Summary: w.Summary.Description, Paths: []path{}}
	for _, p := range w.Paths {
		one := path{Type: p.Type, Score: p.Score, Because: reasons(p.ScoreMeta)}
		if p.Introducer != nil {
			introducer := brief(p.Introducer.Profile)
			one.Introducer, one.Because = &introducer, append(reasons(p.Introducer.ScoreMeta), reasons(p.Starters)...)
		}
		out.Paths = append(out.Paths, one)
	}
	return out
}

func reasons(all []client.Reason) []string {
	var out []string
	for _, r := range all {
		out = append(out, r.Title+": "+r.Description)
	}
	return out
}

type limitIn struct {
	Limit int `json:"limit,omitempty" jsonschema:"how many at most; 50 where absent"`
}

// most returns the maximum number of entries of a list.
func (in limitIn) most() int {
	if in.Limit > 0 {
		return in.Limit
	}
	return 50
}

type relationshipsOut struct {
	Relationships []relationship `json:"relationships"`
}

type relationship struct {
	ID          string   `json:"id"`
	PersonID    string   `json:"person_id"`
	Name        string   `json:"name"`
	Profile     string   `json:"profile,omitempty"`
	Score       float64  `json:"score" jsonschema:"how well the user knows them, 0 to 10"`
	Types       []string `json:"types"`
	LastContact string   `json:"last_contact,omitempty"`
	Because     []string `json:"because,omitempty"`
}

func listRelationships(ctx context.Context, c *client.Client, in limitIn) (relationshipsOut, error) {
	all, err := client.Collect(c.Relationships(ctx), in.most())
	out := relationshipsOut{Relationships: []relationship{}}
	for _, r := range all {
		one := relationship{
			ID: r.ID, PersonID: r.Person.ID, Name: r.Person.Name, Profile: text(r.Person.SocialURL), Score: r.Score,
			Types: r.Types, Because: reasons(r.ScoreMeta),
		}
		if r.Contact != nil {
			one.LastContact = r.Contact.Last
		}
		out.Relationships = append(out.Relationships, one)
	}
	return out, err
}
