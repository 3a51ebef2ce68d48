package indextest

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"

	"kith/index"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// aCase is one plan and what it finds.
type aCase struct {
	file, name string
	companies  bool
	stages     []query.Query
	sortBy     query.Field
	// want lists the identifiers that each stage adds, in order.
	want [][]int64
	// facets are the facets asked for with their expected values, at most size.
	facets index.FacetValues
	size   int
}

// Plan is a plan of the cases with the people it finds, by stage.
type Plan struct {
	Name   string
	Stages []query.Query
	SortBy query.Field
	Want   [][]int64
}

// Plans returns the plans for people of all cases, for other translators of queries than engines.
func Plans(t testing.TB) []Plan {
	t.Helper()
	all, err := cases()
	expect.NoError(t, err)
	var plans []Plan
	for _, c := range all {
		if c.facets == nil && !c.companies {
			plans = append(plans, Plan{Name: c.file + "/" + c.name, Stages: c.stages, SortBy: c.sortBy, Want: c.want})
		}
	}
	return plans
}

// cases reads every case file of testdata. Several "stage" lines make a plan; "want" has a | between stages.
func cases() ([]aCase, error) {
	files, err := fs.Glob(testdata, "testdata/*.cases")
	if err != nil {
		return nil, fmt.Errorf("listing the case files: %w", err)
	}
	var all []aCase
	for _, file := range files {
		some, err := readCases(file, (*aCase).set)
		if err != nil {
			return nil, err
		}
		for _, c := range some {
			if c.facets == nil && len(c.want) != len(c.stages) {
				return nil, fmt.Errorf("%s, case %q: %d stages but %d lists of people", file, c.name, len(c.stages),
					len(c.want))
			}
			c.file = strings.TrimSuffix(path.Base(file), ".cases")
			all = append(all, c)
		}
	}
	return all, nil
}

// readCases reads a file of testdata. A case is a paragraph of lines "key: value", of which "case" comes first; lines
// that start with # are comments. set takes one line.
func readCases[C any](file string, set func(c *C, key, value string) error) ([]C, error) {
	data, err := testdata.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	var all []C
	for paragraph := range strings.SplitSeq(string(data), "\n\n") {
		var c C
		given := false
		for line := range strings.Lines(paragraph) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			key, value, _ := strings.Cut(line, ":")
			if err := set(&c, key, strings.TrimSpace(value)); err != nil {
				return nil, fmt.Errorf("%s, %q: %w", file, line, err)
			}
			given = true
		}
		if given {
			all = append(all, c)
		}
	}
	return all, nil
}

func (c *aCase) set(key, value string) (err error) {
	switch key {
	case "case":
		c.name, c.size = value, 100
	case "stage", "companies":
		c.companies = key == "companies"
		var q query.Query
		q, err = Parse(value)
		c.stages = append(c.stages, q)
	case "sort":
		c.sortBy = query.Field(value)
	case "want":
		c.want, err = identifiers(value)
	case "size":
		c.size, err = strconv.Atoi(value)
	case "facet":
		err = c.facet(value)
	default:
		err = fmt.Errorf("no such key")
	}
	return err
}

func identifiers(value string) ([][]int64, error) {
	var lists [][]int64
	for stage := range strings.SplitSeq(value, "|") {
		list := []int64{}
		for text := range strings.FieldsSeq(stage) {
			id, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("an identifier: %w", err)
			}
			list = append(list, id)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// facet reads "NAME value=count, value=count".
func (c *aCase) facet(text string) error {
	if c.facets == nil {
		c.facets = index.FacetValues{}
	}
	name, rest, _ := strings.Cut(text, " ")
	values := []index.FacetValue{}
	for pair := range strings.SplitSeq(rest, ",") {
		value, count, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			continue
		}
		n, err := strconv.Atoi(count)
		if err != nil {
			return fmt.Errorf("a count: %w", err)
		}
		values = append(values, index.FacetValue{Value: value, Count: n})
	}
	c.facets[indexed.Facet(name)] = values
	return nil
}
