package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kith"
	"kith/client"
)

// person is a short description of a person, and of why the person was found.
type person struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Headline string `json:"headline,omitempty"`
	Title    string `json:"title,omitempty"`
	Company  string `json:"company,omitempty"`
	Place    string `json:"place,omitempty"`
	Profile  string `json:"profile,omitempty"`
	// Degree is 1 for people the user knows, and 2 for people they know.
	Degree       int      `json:"degree,omitempty" jsonschema:"1: the user knows them; 2: an introducer does"`
	Introducers  []string `json:"introducers,omitempty" jsonschema:"who can introduce the user, strongest first"`
	CanIntroduce []string `json:"can_introduce,omitempty" jsonschema:"people they can introduce the user to"`
	Why          []string `json:"why,omitempty" jsonschema:"evidence in the record for each part of the search"`
	Lacks        []string `json:"lacks,omitempty" jsonschema:"of somebody who only comes close: what does not hold"`
}

// brief converts a person in a search result.
func brief(p client.Person) person {
	out := person{
		ID: id(p.ID), Name: p.FullName, Headline: p.Headline, Place: place(p.Location), Profile: p.SocialURL,
	}
	if job := p.WorkRelevant; job != nil {
		out.Title, out.Company = job.Title, job.Company.Name
	}
	if p.Match == nil {
		return out
	}
	for _, c := range p.Match.Criteria {
		out.Why = append(out.Why, strings.TrimSuffix(c.Criterion+": "+c.Satisfied+", "+c.Evidence, ", "))
	}
	if p.Match.Closest != nil {
		for _, m := range p.Match.Closest.Missing {
			out.Lacks = append(out.Lacks, m.Field+" "+m.Value)
		}
	}
	if n := p.Match.Network; n != nil {
		if n.Degree != nil {
			out.Degree = *n.Degree
		}
		for _, i := range n.Introducers {
			out.Introducers = append(out.Introducers, i.Name)
		}
		for _, i := range n.Introduces {
			out.CanIntroduce = append(out.CanIntroduce, i.Person.FullName)
		}
	}
	return out
}

func place(l kith.Location) string {
	parts := slices.DeleteFunc([]string{l.City, l.State, l.Country}, func(s string) bool { return s == "" })
	return strings.Join(parts, ", ")
}

// find returns the person with an id, profile URL, social identifier or e-mail address.
func find(ctx context.Context, c *client.Client, named identifier) (client.Person, error) {
	if strings.TrimSpace(string(named)) == "" {
		return client.Person{}, errors.New("name a person by id, profile URL or e-mail address")
	}
	explain := true
	page, err := c.Search(ctx, client.SearchRequest{
		Scope: "specific_list", Among: &client.Among{People: []string{string(named)}}, Explain: &explain,
	})
	if err != nil {
		return client.Person{}, err
	}
	if len(page.People) == 0 {
		return client.Person{}, fmt.Errorf("there is no person %s: search for them and use their id", named)
	}
	return page.People[0], nil
}
