package agents

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"kith/client"
)

// search adds the tools that find people.
func (t tools) search(values string) {
	read(t, "search_people", "Find people by a prompt in plain words, by filters, or both. Answers with a page of "+
		"people, how the prompt was understood, and how many match. Filters: "+values, searchPeople)
	read(t, "explain_search", "Say how a prompt is understood and searched for: filters, conditions, steps, other "+
		"readings, ignored words, and the search as SQL. It returns no people.", explainSearch)
	read(t, "get_person", "Read one person: the present job, earlier jobs, how close they are to the user and who can "+
		"introduce the user.", getPerson)
}

type searchIn struct {
	Prompt  string  `json:"prompt,omitempty" jsonschema:"the people to find, in words"`
	Reading int     `json:"reading,omitempty" jsonschema:"how to read the prompt: a number of other_readings"`
	Filters filters `json:"filters,omitempty" jsonschema:"conditions, each a text; with a prompt, both must hold"`
	Scope   string  `json:"scope,omitempty" jsonschema:"network: the user's network first; global: all alike"`
	List    string  `json:"list_id,omitempty" jsonschema:"id of a list: search only among its people, without scope"`
	Limit   int     `json:"limit,omitempty" jsonschema:"people on a page: 1 to 50; 10 where absent"`
	Cursor  string  `json:"cursor,omitempty" jsonschema:"next_cursor of the page before; enough alone"`
	Explain bool    `json:"explain,omitempty" jsonschema:"say why people match and who can introduce the user"`
}

type searchOut struct {
	People     []person   `json:"people"`
	Understood understood `json:"understood"`
	Total      *total     `json:"total,omitempty"`
	// ClosestBeginsAt is the index of the first close match.
	ClosestBeginsAt *int             `json:"closest_begins_at,omitempty" jsonschema:"people from here on come close"`
	Without         []client.Without `json:"without,omitempty" jsonschema:"how many would match without some filters"`
	NextCursor      string           `json:"next_cursor,omitempty"`
}

type total struct {
	Count   int  `json:"count"`
	AtLeast bool `json:"at_least,omitempty" jsonschema:"there are more than count"`
}

func newTotal(c *client.Counts) *total {
	if c == nil || c.Global == nil {
		return nil
	}
	return &total{Count: c.Global.Value, AtLeast: c.Global.IsCapped}
}

const (
	defaultPeople = 10
	maxPeople     = 50
)

func (in searchIn) request() (client.SearchRequest, error) {
	most, err := limit(in.Limit, defaultPeople, maxPeople)
	if err != nil {
		return client.SearchRequest{}, err
	}
	req := client.SearchRequest{
		Prompt: in.Prompt, Reading: in.Reading, Filters: in.Filters, Scope: in.Scope, Cursor: in.Cursor, Limit: most,
		IncludeCounts: "global",
	}
	if in.Explain {
		req.Explain = &in.Explain
	}
	if in.List != "" {
		req.Scope, req.Among = "specific_list", &client.Among{List: in.List}
	}
	return req, nil
}

func searchPeople(ctx context.Context, c *client.Client, in searchIn) (searchOut, error) {
	req, err := in.request()
	if err != nil {
		return searchOut{}, err
	}
	page, err := c.Search(ctx, req)
	if err != nil {
		return searchOut{}, err
	}
	out := searchOut{
		People: []person{}, Understood: newUnderstood(page.Metadata), Without: page.Metadata.Without,
		NextCursor: page.Pagination.Cursor, Total: newTotal(page.Metadata.Counts),
	}
	for _, p := range page.People {
		out.People = append(out.People, brief(p))
	}
	if closest := page.Metadata.Closest; closest != nil {
		out.ClosestBeginsAt = &closest.BeginsAt
	}
	return out, nil
}

// understood is a short form of a prompt's interpretation.
type understood struct {
	Filters     map[string]string `json:"filters,omitempty" jsonschema:"filters read from the prompt, to search with"`
	Preferences map[string]string `json:"preferences,omitempty" jsonschema:"filters that order and exclude no one"`
	Conditions  []string          `json:"conditions,omitempty"`
	Judgements  []string          `json:"judgements,omitempty"`
	Steps       []string          `json:"steps,omitempty" jsonschema:"searches that came before this one"`
	Network     []int             `json:"network_degrees,omitempty"`
	Corrections map[string]string `json:"corrections,omitempty"`
	Confidence  string            `json:"confidence,omitempty" jsonschema:"low: ask the user the question first"`
	Question    string            `json:"question,omitempty"`
	OtherwiseIs map[string]string `json:"other_readings,omitempty" jsonschema:"by number, for reading"`
	Ignored     []string          `json:"ignored,omitempty" jsonschema:"words that nothing was made of"`
	Notes       []string          `json:"notes,omitempty"`
}

func newUnderstood(m client.SearchMetadata) understood {
	i := m.Interpretation
	out := understood{
		Filters: joinFilters(i.Filters), Preferences: joinFilters(i.Preferences), Ignored: i.Ignored, Notes: i.Notes,
		Confidence: i.Confidence,
	}
	if i.Question != nil {
		out.Question = i.Question.Text
	}
	for _, c := range i.Conditions {
		says := c.Says
		if c.Excluded {
			says = "not: " + says
		}
		out.Conditions = append(out.Conditions, says)
	}
	for _, c := range i.Criteria {
		out.Judgements = append(out.Judgements, c.Name+": "+c.Formula)
	}
	for _, s := range i.Steps {
		out.Steps = append(out.Steps, s.Says)
	}
	if i.Network != nil {
		out.Network = i.Network.Degrees
	}
	for _, c := range i.Corrections {
		if out.Corrections == nil {
			out.Corrections = map[string]string{}
		}
		out.Corrections[c.From] = c.To
	}
	for _, a := range i.Alternatives {
		if out.OtherwiseIs == nil {
			out.OtherwiseIs = map[string]string{}
		}
		out.OtherwiseIs[strconv.Itoa(a.Reading)] = a.Says
	}
	return out
}

// joinFilters joins the values of each filter by commas, as in the filter syntax.
func joinFilters(all []client.UnderstoodFilter) map[string]string {
	out := map[string]string{}
	for _, f := range all {
		if before, ok := out[f.Field]; ok {
			f.Value = before + ", " + f.Value
		}
		out[f.Field] = f.Value
	}
	return out
}

type explainIn struct {
	Prompt string `json:"prompt" jsonschema:"the prompt to explain"`
}

type explainOut struct {
	Mode       string     `json:"mode" jsonschema:"lookup: one person; simple: filters; complex: steps or a judgement"`
	Understood understood `json:"understood"`
	Total      *total     `json:"total,omitempty"`
	SQL        string     `json:"sql"`
}

func explainSearch(ctx context.Context, c *client.Client, in explainIn) (explainOut, error) {
	off := false
	page, err := c.Search(ctx, client.SearchRequest{
		Prompt: in.Prompt, Limit: 1, IncludeCounts: "global",
		Closest: &off,
	})
	if err != nil {
		return explainOut{}, err
	}
	return explainOut{
		Mode: page.Metadata.Mode, Understood: newUnderstood(page.Metadata), SQL: page.Metadata.GeneratedSQL,
		Total: newTotal(page.Metadata.Counts),
	}, nil
}

type personIn struct {
	Person identifier `json:"person" jsonschema:"id, profile URL or e-mail address"`
}

type personOut struct {
	person
	About string `json:"about,omitempty"`
	Jobs  []job  `json:"jobs,omitempty"`
}

type job struct {
	Title   string `json:"title"`
	Company string `json:"company"`
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
}

// getPerson reads a person. Earlier jobs require the scope enrich and a profile; without them they are omitted.
func getPerson(ctx context.Context, c *client.Client, in personIn) (personOut, error) {
	p, err := find(ctx, c, in.Person)
	if err != nil {
		return personOut{}, err
	}
	out := personOut{person: brief(p), About: p.AboutMe}
	if p.SocialURL == "" {
		return out, nil
	}
	record, err := c.Enrich(ctx, p.SocialURL)
	if status(err) == http.StatusForbidden || status(err) == http.StatusNotFound {
		return out, nil
	}
	for _, j := range record.WorkHistory {
		out.Jobs = append(out.Jobs, job{
			Title: j.Title, Company: j.Company.Name, From: text(j.StartDate), To: text(j.EndDate),
		})
	}
	return out, err
}

// status returns the HTTP status of a failed answer; 0 for other errors.
func status(err error) int {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Status
	}
	return 0
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
