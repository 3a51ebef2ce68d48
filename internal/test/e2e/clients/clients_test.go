package clients_test

import (
	"fmt"
	"slices"
	"testing"

	"kith/client"
	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// engineers returns the people that the examples find.
func engineers() (records []e2e.Record, names []string) {
	for i, name := range []string{"Ann Archer", "Bob Baker", "Cid Cooper", "Dee Draper", "Eve Easton"} {
		records = append(records, e2e.Record{
			"id": i + 1, "full_name": name, "social_url": fmt.Sprintf("https://social.example/in/p%d", i),
			"location":      map[string]any{"city": "Berlin", "country": "Germany"},
			"work_relevant": map[string]any{"title": "Software Engineer", "company": map[string]any{"name": "Acme"}},
		})
		names = append(names, name)
	}
	return records, names
}

// The Go client reads a search to its end, page by page.
func TestGoClientFindsPeople(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	people, names := engineers()
	k.Run(t, "load", k.Write(t, "people.ndjson", people))
	s := k.Serve(t)
	c, err := client.New(client.Config{URL: s.URL, Token: k.LiveToken(t)})
	expect.NoError(t, err)
	found, err := client.Collect(c.People(t.Context(), client.SearchRequest{Prompt: "engineers in Berlin", Limit: 2}),
		0)
	var got []string
	for _, p := range found {
		got = append(got, p.FullName)
	}
	slices.Sort(got)
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("people of the Go client: %v, %v", got, err)
	}
}
