package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// List is a list of people that the user keeps. People is the number of people on it.
type List struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	People    int       `json:"people"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Listed is a person on a list.
type Listed struct {
	PersonName
	AddedAt time.Time `json:"added_at"`
}

// ListChange is the result of adding or removing people: an entry for each, in order.
type ListChange struct {
	Summary struct {
		Processed int `json:"processed"`
		Changed   int `json:"changed"`
		Unchanged int `json:"unchanged"`
		NotFound  int `json:"not_found"`
	} `json:"summary"`
	Results []ListedChange `json:"results"`
}

// ListedChange is the result for one person to add or remove.
type ListedChange struct {
	Identifier string `json:"identifier"`
	Status     string `json:"status"`
	PersonID   int64  `json:"person_id,omitempty"`
}

func listPath(id string) string { return "/v2/lists/" + url.PathEscape(id) }

// Lists yields the lists of the user.
func (c *Client) Lists(ctx context.Context) iter.Seq2[List, error] {
	return entries[List](ctx, c, "/v2/lists", nil)
}

// CreateList creates an empty list.
func (c *Client) CreateList(ctx context.Context, name string) (List, error) {
	return call[List](ctx, c, http.MethodPost, "/v2/lists", map[string]string{"name": name})
}

// DeleteList deletes a list; the people stay.
func (c *Client) DeleteList(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodDelete, listPath(id), nil, nil)
}

// ListPeople yields the people on a list.
func (c *Client) ListPeople(ctx context.Context, id string) iter.Seq2[Listed, error] {
	return entries[Listed](ctx, c, listPath(id)+"/people", nil)
}

// AddToList puts people on a list, by id, profile URL, social identifier or e-mail address.
func (c *Client) AddToList(ctx context.Context, id string, people []string) (ListChange, error) {
	return call[ListChange](ctx, c, http.MethodPost, listPath(id)+"/people", map[string]any{"people": people})
}

// RemoveFromList takes people off a list.
func (c *Client) RemoveFromList(ctx context.Context, id string, people []string) (ListChange, error) {
	return call[ListChange](ctx, c, http.MethodDelete, listPath(id)+"/people", map[string]any{"people": people})
}

// SavedSearch is a search that the user has saved. Failure is the reason why webhooks
// could recently not be notified about it.
type SavedSearch struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Search    SearchRequest `json:"search"`
	CreatedAt time.Time     `json:"created_at"`
	SeenAt    time.Time     `json:"seen_at"`
	Failure   *string       `json:"failure"`
}

func searchPath(id string) string { return "/v2/searches/" + url.PathEscape(id) }

// SavedSearches yields the saved searches of the user.
func (c *Client) SavedSearches(ctx context.Context) iter.Seq2[SavedSearch, error] {
	return entries[SavedSearch](ctx, c, "/v2/searches", nil)
}

// SaveSearch saves a search by prompt or filters.
func (c *Client) SaveSearch(ctx context.Context, name string, search SearchRequest) (SavedSearch, error) {
	body := map[string]any{"name": name, "search": search}
	return call[SavedSearch](ctx, c, http.MethodPost, "/v2/searches", body)
}

// DeleteSearch deletes a saved search.
func (c *Client) DeleteSearch(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodDelete, searchPath(id), nil, nil)
}

// NewMatches yields the people who match a saved search now and have not been seen.
func (c *Client) NewMatches(ctx context.Context, id string) iter.Seq2[Person, error] {
	return entries[Person](ctx, c, searchPath(id)+"/new", nil)
}

// MarkSeen marks matches of a saved search as seen; without people, all current matches.
func (c *Client) MarkSeen(ctx context.Context, id string, people ...int64) error {
	body := map[string]any{}
	if len(people) > 0 {
		body["people"] = people
	}
	return c.Do(ctx, http.MethodPost, searchPath(id)+"/seen", body, nil)
}
