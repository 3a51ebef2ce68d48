package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kith"
	"kith/query/prompt"
)

// pair is two prompts that ask for the same people.
type pair struct{ kind, one, other string }

// readPairs reads the files of pairs of a folder: lines of two prompts, or of a kind and two prompts, between tabs.
func readPairs(folder string) (pairs []pair, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tsv"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s must be a folder with pairs in files *.tsv: %w", folder, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(strings.TrimSpace(line), "\t")
			switch {
			case strings.HasPrefix(line, "#"):
			case len(cells) == 2:
				pairs = append(pairs, pair{strings.TrimSuffix(filepath.Base(file), ".tsv"), cells[0], cells[1]})
			case len(cells) == 3:
				pairs = append(pairs, pair{cells[0], cells[1], cells[2]})
			default:
				return nil, fmt.Errorf("%s: %q must be two prompts, with a kind before them or without", file, line)
			}
		}
	}
	return pairs, nil
}

// comparePairs writes how many pairs of each kind have the same plan, after the pairs that have not.
func comparePairs(p prompt.Planner, pairs []pair, to io.Writer) error {
	same, all := map[string]int{}, map[string]int{}
	for _, one := range pairs {
		var asks [2]string
		for i, text := range []string{one.one, one.other} {
			plan, err := p.Plan(context.Background(), kith.Operator(), text, prompt.Auto)
			if err != nil {
				return err
			}
			asks[i] = compared(plan)
		}
		if one.kind == "unknown" {
			asks = withoutCompanies(one, asks)
		}
		all[one.kind]++
		if asks[0] == asks[1] {
			same[one.kind]++
			continue
		}
		fmt.Fprintf(to, "%s: %s\n\t%s\n%s\n\t%s\n", one.kind, one.one, strings.ReplaceAll(asks[0], "\n", "\n\t"),
			one.other, strings.ReplaceAll(asks[1], "\n", "\n\t"))
	}
	sum := 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		sum += same[kind]
		fmt.Fprintf(to, "%s: %d of %d\n", kind, same[kind], all[kind])
	}
	_, err := fmt.Fprintf(to, "all: %d of %d, %.3f\n", sum, len(pairs), float64(sum)/float64(max(1, len(pairs))))
	return err
}

// compared returns what a plan asks for, in an order that does not depend on that of the prompt.
func compared(plan prompt.Plan) string {
	for i, f := range plan.Filters {
		values := strings.Split(strings.ToLower(f.Value), ", ")
		slices.Sort(values)
		plan.Filters[i].Value = strings.Join(values, ", ")
	}
	lines := strings.Split(strings.ToLower(plan.Asks()), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// withoutCompanies replaces the companies in what two prompts ask for that differ in the name of one: their values,
// and the names in descriptions.
func withoutCompanies(one pair, asks [2]string) [2]string {
	a, b := strings.Fields(one.one), strings.Fields(one.other)
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	values := regexp.MustCompile(`(company: -?)[^;)\n]*`)
	for i, name := range [][]string{a, b} {
		name := strings.ToLower(strings.Trim(strings.Join(name, " "), `.,:;?!()"`))
		asks[i] = strings.ReplaceAll(values.ReplaceAllString(asks[i], "$1…"), name, "…")
	}
	return asks
}
