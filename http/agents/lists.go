package agents

import (
	"context"
	"errors"

	"kith/client"
)

// lists adds the tools that read the lists of the user.
func (t tools) lists() {
	read(t, "list_lists", "List the user's lists of people.", listLists)
	read(t, "read_list", "List the people on a list.", readList)
}

type listsOut struct {
	Lists []list `json:"lists"`
}

type list struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	People int    `json:"people" jsonschema:"how many people are on it"`
}

func listLists(ctx context.Context, c *client.Client, in limitIn) (listsOut, error) {
	all, err := collect(c.Lists(ctx), in, func(l client.List) list {
		return list{ID: l.ID, Name: l.Name, People: l.People}
	})
	return listsOut{all}, err
}

type readListIn struct {
	List string `json:"list_id" jsonschema:"id of a list, from list_lists"`
	limitIn
}

type readListOut struct {
	People []listed `json:"people"`
}

type listed struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Headline string `json:"headline,omitempty"`
	Profile  string `json:"profile,omitempty"`
}

func readList(ctx context.Context, c *client.Client, in readListIn) (readListOut, error) {
	all, err := collect(c.ListPeople(ctx, in.List), in.limitIn, func(p client.Listed) listed {
		return listed{ID: id(p.ID), Name: p.FullName, Headline: p.Headline, Profile: p.SocialURL}
	})
	return readListOut{all}, err
}

// keeping adds the tools that change lists.
func (t tools) keeping() {
	write(t, "save_to_list", "Add people to a list: an existing one by list_id, or a new one by name.", saveToList)
}

type saveIn struct {
	List   string       `json:"list_id,omitempty" jsonschema:"id of an existing list, from list_lists"`
	Name   string       `json:"name,omitempty" jsonschema:"name of a new list: 1 to 200 characters"`
	People []identifier `json:"people" jsonschema:"ids, profile URLs or e-mail addresses: 1 to 1,000"`
}

type saveOut struct {
	List     string   `json:"list_id"`
	Added    int      `json:"added"`
	NotFound []string `json:"not_found,omitempty"`
}

func saveToList(ctx context.Context, c *client.Client, in saveIn) (saveOut, error) {
	if (in.List == "") == (in.Name == "") {
		return saveOut{}, errors.New("give either list_id or the name of a new list")
	}
	if in.Name != "" {
		made, err := c.CreateList(ctx, in.Name)
		if err != nil {
			return saveOut{}, err
		}
		in.List = made.ID
	}
	change, err := c.AddToList(ctx, in.List, texts(in.People))
	if err != nil && in.Name != "" { // the agent does not learn the id, and tries again with the name
		_ = c.DeleteList(context.WithoutCancel(ctx), in.List)
	}
	out := saveOut{List: in.List, Added: change.Summary.Changed}
	for _, r := range change.Results {
		if r.Status == "not_found" {
			out.NotFound = append(out.NotFound, r.Identifier)
		}
	}
	return out, err
}
