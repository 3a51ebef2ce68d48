package client

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
)

// SearchRequest is a search. The server chooses defaults for empty fields.
type SearchRequest struct {
	Prompt         string            `json:"prompt,omitempty"`
	Reading        int               `json:"reading,omitempty"`
	Filters        map[string]string `json:"filters,omitempty"`
	Limit          int               `json:"limit,omitempty"`
	Mode           string            `json:"mode,omitempty"`
	Scope          string            `json:"scope,omitempty"`
	Cursor         string            `json:"cursor,omitempty"`
	NetworkFilters *NetworkFilters   `json:"network_filters,omitempty"`
	IncludeCounts  string            `json:"include_counts,omitempty"`
	CountsToken    string            `json:"counts_token,omitempty"`
	// Among limits the search to some people; it requires scope specific_list.
	Among   *Among   `json:"specific_list_data,omitempty"`
	Explain *bool    `json:"explain,omitempty"`
	Closest *bool    `json:"closest,omitempty"`
	Facets  []string `json:"facets,omitempty"`
}

// NetworkFilters narrow a search to some people within reach.
type NetworkFilters struct {
	ConnectionDegrees          []int        `json:"connection_degrees,omitempty"`
	IntroducerSocialIDs        []string     `json:"introducer_social_ids,omitempty"`
	UserToIntroducerTypes      []string     `json:"user_to_introducer_types,omitempty"`
	UserToIntroducerMinScore   string       `json:"user_to_introducer_min_score,omitempty"`
	IntroducerToTargetTypes    []string     `json:"introducer_to_target_types,omitempty"`
	IntroducerToTargetMinScore string       `json:"introducer_to_target_min_score,omitempty"`
	ExcludeTeams               bool         `json:"exclude_teams,omitempty"`
	ExcludeCommunity           bool         `json:"exclude_community,omitempty"`
	LastContact                *LastContact `json:"last_contact,omitempty"`
	Order                      string       `json:"order,omitempty"`
}

// LastContact limits the time of the caller's last contact with a person, by days.
type LastContact struct {
	After   string `json:"after,omitempty"`
	Before  string `json:"before,omitempty"`
	Channel string `json:"channel,omitempty"`
}

// Among names people: those on a list of the user, or by id, profile URL, social identifier or e-mail address.
type Among struct {
	List   string
	People []string
}

// MarshalJSON implements [json.Marshaler].
func (a Among) MarshalJSON() ([]byte, error) {
	if a.List != "" {
		return json.Marshal(map[string]string{"list": a.List})
	}
	return json.Marshal(a.People)
}

// SearchPage is a page of a search.
type SearchPage struct {
	People     []Person       `json:"data"`
	Metadata   SearchMetadata `json:"metadata"`
	Pagination Pagination     `json:"pagination"`
}

const searchPeople = "/v2/people/search"

// Search returns one page of a search.
func (c *Client) Search(ctx context.Context, req SearchRequest) (*SearchPage, error) {
	page := &SearchPage{}
	if err := c.Do(ctx, http.MethodPost, searchPeople, req, page); err != nil {
		return nil, err
	}
	return page, nil
}

// Pages yields the pages of a search from the requested one to the last.
func (c *Client) Pages(ctx context.Context, req SearchRequest) iter.Seq2[*SearchPage, error] {
	return func(yield func(*SearchPage, error) bool) {
		for {
			page, err := c.Search(ctx, req)
			if !yield(page, err) || err != nil || !page.Pagination.HasNextPage {
				return
			}
			req.Cursor = page.Pagination.Cursor
		}
	}
}

// People yields the people of a search, from the requested page to the last.
func (c *Client) People(ctx context.Context, req SearchRequest) iter.Seq2[Person, error] {
	return func(yield func(Person, error) bool) {
		for page, err := range c.Pages(ctx, req) {
			if err != nil {
				yield(Person{}, err)
				return
			}
			for _, p := range page.People {
				if !yield(p, nil) {
					return
				}
			}
		}
	}
}

// nextCursor is the trailer with the cursor for the rest of a table.
const nextCursor = "X-Next-Cursor"

// Table writes a search as CSV, with a heading: one page if the request has a limit, else all people from its cursor
// on, up to 10,000. It returns the cursor for the rest, empty if there is none.
func (c *Client) Table(ctx context.Context, req SearchRequest, to io.Writer) (cursor string, err error) {
	r, err := c.request(ctx, http.MethodPost, searchPeople, req)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept", "text/csv")
	resp, err := c.send(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(to, resp.Body); err != nil {
		return "", err
	}
	return resp.Trailer.Get(nextCursor), nil
}
