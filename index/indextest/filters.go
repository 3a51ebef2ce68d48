package indextest

import (
	"encoding/json"
	"fmt"
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

// FilterCase is a set of filters and the people it finds among [Records], by identifier.
type FilterCase struct {
	Name    string
	Filters query.Filters
	Want    []int64
}

// Today is the day on which the cases of filters are asked.
func Today() time.Time { return time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC) }

// FilterCases returns the cases of filters.
func FilterCases(t testing.TB) []FilterCase {
	t.Helper()
	data, err := testdata.ReadFile("testdata/filters.txt")
	expect.NoError(t, err)
	var all []FilterCase
	for paragraph := range strings.SplitSeq(string(data), "\n\n") {
		c, err := readFilterCase(paragraph)
		if err != nil {
			t.Fatalf("filters.txt, case %q: %v", c.Name, err)
		}
		if c.Name != "" {
			all = append(all, c)
		}
	}
	return all
}

func readFilterCase(paragraph string) (FilterCase, error) {
	c := FilterCase{Filters: query.Filters{}}
	for line := range strings.Lines(paragraph) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "case":
			c.Name = value
		case "filter":
			name, text, ok := strings.Cut(value, " = ")
			if !ok {
				return c, fmt.Errorf("filter %q is not NAME = VALUE", value)
			}
			c.Filters[query.FilterName(name)] = text
		case "want":
			lists, err := identifiers(value)
			if err != nil {
				return c, err
			}
			c.Want = lists[0]
		}
	}
	return c, nil
}

// Records returns the people of the cases of filters, with their companies filled in.
func Records(t testing.TB) []kith.Person {
	t.Helper()
	return records(t, "records.yaml")
}

func records(t testing.TB, file string) []kith.Person {
	t.Helper()
	data, err := testdata.ReadFile("testdata/" + file)
	expect.NoError(t, err)
	var raw struct {
		Companies []map[string]any
		People    []map[string]any
	}
	if err := yaml.Unmarshal(data, &raw); err != nil {
		t.Fatalf("%s: %v", file, err)
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
		people[i].SocialURL = fmt.Sprintf("https://social.example/in/%d", people[i].ID)
		for _, text := range jobs {
			people[i].WorkHistory = append(people[i].WorkHistory, readJob(t, fmt.Sprint(text), companies))
		}
	}
	return people
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
func runFilters(t *testing.T, e Engine) {
	var docs []indexed.Document
	for _, p := range Records(t) {
		d, err := analysis.Person(p, 0, 1)
		expect.NoError(t, err)
		docs = append(docs, d)
	}
	Store(t, e, index.People, docs...)
	for _, c := range FilterCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			effort.Deadline(t)
			compiled, problems := analysis.Compile(c.Filters, Today())
			if problems != nil {
				t.Fatal(problems)
			}
			meant := []int64{}
			for _, d := range docs {
				if indexed.Match(d, compiled.Query) {
					meant = append(meant, d.ID)
				}
			}
			if !slices.Equal(meant, c.Want) {
				t.Errorf("%v are meant, by hand it is %v", meant, c.Want)
			}
			finds(t, e, compiled.Query, c.Want...)
		})
	}
}
