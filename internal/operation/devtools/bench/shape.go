package bench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kith/internal/search"
	"kith/query"
	"kith/query/indexed"
)

//go:embed shapes.json
var shapesJSON []byte

// Request is a search as a client sends it; its JSON form is the body.
type Request struct {
	Prompt        string          `json:"prompt,omitempty"`
	Filters       query.Filters   `json:"filters,omitempty"`
	Limit         int             `json:"limit,omitempty"`
	Scope         string          `json:"scope,omitempty"`
	Cursor        string          `json:"cursor,omitempty"`
	IncludeCounts string          `json:"include_counts,omitempty"`
	Closest       *bool           `json:"closest,omitempty"`
	Facets        []indexed.Facet `json:"facets,omitempty"`
	List          []string        `json:"specific_list_data,omitempty"`
	Stream        bool            `json:"stream,omitempty"`
}

// search converts the request for the service.
func (r Request) search() search.Request {
	out := search.Request{
		Prompt: r.Prompt, Filters: r.Filters, Limit: r.Limit, Scope: r.Scope, Cursor: r.Cursor,
		IncludeCounts: r.IncludeCounts, Closest: r.Closest, Facets: r.Facets,
	}
	for _, id := range r.List {
		out.List = append(out.List, search.ListEntry{ID: id})
	}
	return out
}

// Shape is a kind of search to measure.
type Shape struct {
	Name string `json:"name"`
	// Asks says what is special about it.
	Asks    string  `json:"asks"`
	Request Request `json:"request"`
	// Choose adds the filters of one of several candidates, depending on how many people in the dataset match them.
	Choose *Choice `json:"choose"`
	// Page is the page to measure; 0 means the first.
	Page int `json:"page"`
	// List is the number of people in a specific list; 0 means none.
	List int `json:"list"`
}

// Choice is a rule to choose the filters of a shape.
type Choice struct {
	// Want is rarest (fewest matches, but at least one), commonest (most), or none: no match,
	// although each filter alone has as many as possible.
	Want string          `json:"want"`
	Of   []query.Filters `json:"of"`
}

// Shapes returns the default shapes.
func Shapes() ([]Shape, error) {
	var shapes []Shape
	if err := json.Unmarshal(shapesJSON, &shapes); err != nil {
		return nil, fmt.Errorf("bench: the shapes cannot be read: %w", err)
	}
	return shapes, nil
}

// Only returns the shapes with these names, in the order of shapes; without names it
// returns all. An unknown name is an error that lists the known ones.
func Only(shapes []Shape, names []string) ([]Shape, error) {
	if len(names) == 0 {
		return shapes, nil
	}
	var known []string
	var out []Shape
	for _, s := range shapes {
		known = append(known, s.Name)
		if slices.Contains(names, s.Name) {
			out = append(out, s)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("bench: unknown shape %q; use one of %s", name, strings.Join(known, "; "))
		}
	}
	return out, nil
}
