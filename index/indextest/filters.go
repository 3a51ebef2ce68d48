package indextest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"kith"
	"kith/index"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// FilterCase is a set of filters and the people it finds in its world, by identifier.
type FilterCase struct {
	Name    string
	Filters query.Filters
	Want    []int64
	// Exact are the people of the exact tier; nil if the case says nothing about it. NoExact says that there is none.
	Exact   []int64
	NoExact bool
}

// Today is the day on which the cases of filters are asked.
func Today() time.Time { return time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC) }

// FilterCases returns the cases of filters, by world: the name of a file with people.
func FilterCases(t testing.TB) map[string][]FilterCase {
	t.Helper()
	files, err := fs.Glob(testdata, "testdata/*.filters")
	expect.NoError(t, err)
	all := map[string][]FilterCase{}
	for _, file := range files {
		all[strings.TrimSuffix(path.Base(file), ".filters")], err = readCases(file, (*FilterCase).set)
		expect.NoError(t, err)
	}
	return all
}

func (c *FilterCase) set(key, value string) (err error) {
	switch key {
	case "case":
		c.Name, c.Filters = value, query.Filters{}
	case "filter":
		name, text, ok := strings.Cut(value, " = ")
		if !ok {
			return fmt.Errorf("filter %q is not NAME = VALUE", value)
		}
		c.Filters[query.FilterName(name)] = text
	case "want":
		c.Want, err = people(value)
	case "exact":
		if c.NoExact = value == "none"; !c.NoExact {
			c.Exact, err = people(value)
		}
	default:
		err = fmt.Errorf("no such key")
	}
	return err
}

// people reads the identifiers of one stage.
func people(value string) ([]int64, error) {
	lists, err := identifiers(value)
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// records returns the people of a world, with their companies filled in.
func records(t testing.TB, world string) []kith.Person {
	t.Helper()
	data, err := testdata.ReadFile("testdata/" + world + ".yaml")
	expect.NoError(t, err)
	var raw struct {
		Companies []map[string]any
		People    []map[string]any
	}
	if err := yaml.Unmarshal(data, &raw); err != nil {
		t.Fatalf("%s: %v", world, err)
	}
	companies := map[string]kith.Company{}
	for _, members := range raw.Companies {
		var c kith.Company
		decode(t, members, &c)
		companies[c.Name] = c
	}
	people := make([]kith.Person, len(raw.People))
	for i, members := range raw.People {
		jobs, _ := members["jobs"].([]any)
		delete(members, "jobs")
		decode(t, members, &people[i])
		people[i].SocialURL = cmp.Or(people[i].SocialURL, fmt.Sprintf("https://social.example/in/%d", people[i].ID))
		for _, text := range jobs {
			people[i].WorkHistory = append(people[i].WorkHistory, readJob(t, fmt.Sprint(text), companies))
		}
	}
	return people
}

// worldDocuments returns the documents of the people of a world, all of one rank.
func worldDocuments(t testing.TB, world string) []indexed.Document {
	t.Helper()
	var docs []indexed.Document
	for _, p := range records(t, world) {
		d, err := analysis.Person(p, 0, 1)
		expect.NoError(t, err)
		d.Record = fmt.Appendf(nil, `{"id":%d}`, d.ID)
		docs = append(docs, d)
	}
	return docs
}

// decode reads the members of a record as a load file has them.
func decode(t testing.TB, members map[string]any, record any) {
	t.Helper()
	data, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(data, record)
	}
	if err != nil {
		t.Fatalf("record %v: %v", members, err)
	}
}

// readJob reads "title @ company start..end"; a start of ? is not known.
func readJob(t testing.TB, text string, companies map[string]kith.Company) kith.Job {
	t.Helper()
	title, rest, _ := strings.Cut(text, " @ ")
	at := strings.LastIndexByte(rest, ' ')
	start, end, ok := strings.Cut(rest[at+1:], "..")
	company, known := companies[rest[:max(at, 0)]]
	if !ok || !known {
		t.Fatalf("job %q: want title @ company start..end", text)
	}
	j := kith.Job{Title: title, Company: company}
	if start != "?" {
		j.StartDate = &start
	}
	if end != "" {
		j.EndDate = &end
	}
	return j
}

// runFilters compiles each case and asks the engine, and the definition.
func runFilters(t *testing.T, newEngine func(*testing.T) Engine) {
	for world, cases := range FilterCases(t) {
		t.Run(world, func(t *testing.T) {
			e := newEngine(t)
			docs := worldDocuments(t, world)
			Store(t, e, index.People, docs...)
			for _, c := range cases {
				t.Run(c.Name, func(t *testing.T) { c.run(t, e, docs) })
			}
		})
	}
}

func (c FilterCase) run(t *testing.T, e Engine, docs []indexed.Document) {
	effort.Deadline(t)
	compiled, problems := analysis.Compile(c.Filters, Today())
	if problems != nil {
		t.Fatal(problems)
	}
	means(t, e, docs, compiled.Query, c.Want)
	switch {
	case c.NoExact && compiled.Exact != nil:
		t.Errorf("the exact tier is %s, want none", query.String(compiled.Exact))
	case c.Exact != nil && compiled.Exact == nil:
		t.Error("there is no exact tier")
	case c.Exact != nil:
		means(t, e, docs, compiled.Exact, c.Exact)
	}
}

// means checks what a query finds by its definition and in an engine.
func means(t *testing.T, e Engine, docs []indexed.Document, q query.Query, want []int64) {
	t.Helper()
	meaning(t, docs, q, want)
	finds(t, e, q, want...)
}

// meaning compares the people whom a query finds by its definition, which it returns, with those wanted.
func meaning(t *testing.T, docs []indexed.Document, q query.Query, want []int64) []int64 {
	t.Helper()
	meant := []int64{}
	for _, d := range docs {
		if indexed.Match(d, q) {
			meant = append(meant, d.ID)
		}
	}
	if !slices.Equal(meant, want) {
		t.Errorf("%v are meant, by hand it is %v", meant, want)
	}
	return meant
}
