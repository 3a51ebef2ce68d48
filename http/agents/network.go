package agents

import (
	"context"
	"errors"
	"iter"

	"kith"
	"kith/client"
)

// network adds the tools that read who the user knows.
func (t tools) network() {
	read(t, "find_paths", "Find paths to a person, or to the people of a company: the user's contacts and the people "+
		"who can introduce the user, strongest first, with reasons. Give either person or company. If several "+
		"companies have a name, the error lists them with the ids to ask for.", findPaths)
	read(t, "list_relationships", "List the people the user knows, strongest first.", listRelationships)
}

type pathsIn struct {
	Person  identifier `json:"person,omitempty" jsonschema:"id, profile URL or e-mail address of a person"`
	Company identifier `json:"company,omitempty" jsonschema:"name, site, profile URL or id of a company"`
	Limit   int        `json:"limit,omitempty" jsonschema:"people of a company: 1 to 50; 10 where absent"`
}

type pathsOut struct {
	Company string `json:"company,omitempty" jsonschema:"name of the company"`
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
	Label      string   `json:"label,omitempty" jsonschema:"excellent, very_good, good, okay or maybe"`
	Introducer *person  `json:"introducer,omitempty"`
	Because    []string `json:"because,omitempty"`
}

func findPaths(ctx context.Context, c *client.Client, in pathsIn) (pathsOut, error) {
	most, err := limit(in.Limit, defaultPeople, maxPeople)
	if err != nil {
		return pathsOut{}, err
	}
	if (in.Person == "") == (in.Company == "") {
		return pathsOut{}, errors.New("give either person or company")
	}
	if in.Person != "" {
		return pathsToPerson(ctx, c, in.Person)
	}
	company := client.CompanyPathsRequest{Limit: most}
	var isID bool
	if company.ID, isID = in.Company.number(); !isID {
		company.Name = string(in.Company)
	}
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

func pathsToPerson(ctx context.Context, c *client.Client, named identifier) (pathsOut, error) {
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
		one := path{Type: p.Type, Score: score(p.Score), Label: p.ScoreLabel, Because: reasons(p.ScoreMeta)}
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

// collect returns the entries of a list, converted.
func collect[E, T any](entries iter.Seq2[E, error], in limitIn, convert func(E) T) ([]T, error) {
	most, err := limit(in.Limit, defaultEntries, maxEntries)
	if err != nil {
		return nil, err
	}
	all, err := client.Collect(entries, most)
	return kith.Each(all, convert), err
}

type relationshipsOut struct {
	Relationships []relationship `json:"relationships"`
}

type relationship struct {
	PersonID    string   `json:"person_id"`
	Name        string   `json:"name"`
	Profile     string   `json:"profile,omitempty"`
	Score       float64  `json:"score" jsonschema:"how well the user knows them, 0 to 10"`
	Types       []string `json:"types"`
	LastContact string   `json:"last_contact,omitempty"`
	Because     []string `json:"because,omitempty"`
}

func listRelationships(ctx context.Context, c *client.Client, in limitIn) (relationshipsOut, error) {
	all, err := collect(c.Relationships(ctx), in, func(r client.Relationship) relationship {
		out := relationship{
			PersonID: r.Person.ID, Name: r.Person.Name, Profile: text(r.Person.SocialURL), Score: score(r.Score),
			Types: r.Types, Because: reasons(r.ScoreMeta),
		}
		if r.Contact != nil {
			out.LastContact = r.Contact.Last
		}
		return out
	})
	return relationshipsOut{all}, err
}
