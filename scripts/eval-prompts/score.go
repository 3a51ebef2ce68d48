package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kith/query/prompt"
)

// score is the quality of an answer to a prompt.
type score struct {
	Precision, Recall, F1 float64
	// ModeRight is true if the mode is the prompt's, or if the prompt has none.
	ModeRight bool
	// Extra are incorrect people in the answer, Missing are correct people who are not in it.
	Extra, Missing []int64
}

// scoreOf scores the people found for a prompt. People that readers disagree on do not
// count. If no person is correct, finding nobody is right and finding anybody is wrong.
func scoreOf(p prompted, mode prompt.Mode, found []int64) score {
	s := score{ModeRight: p.Mode == "" || p.Mode == mode}
	hits := 0
	found = slices.Compact(slices.Sorted(slices.Values(found)))
	for _, id := range found {
		if has(p.Want, id) {
			hits++
		} else if !has(p.Allowed, id) {
			s.Extra = append(s.Extra, id)
		}
	}
	for _, id := range p.Want {
		if !has(found, id) {
			s.Missing = append(s.Missing, id)
		}
	}
	s.Precision = share(hits, hits+len(s.Extra), len(s.Missing) == 0)
	s.Recall = share(hits, len(p.Want), len(s.Extra) == 0)
	if s.Precision+s.Recall > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
	return s
}

func has(sorted []int64, id int64) bool {
	_, ok := slices.BinarySearch(sorted, id)
	return ok
}

// share returns part/whole. If whole is 0, it is 1 if otherwise is true, else 0.
func share(part, whole int, otherwise bool) float64 {
	switch {
	case whole > 0:
		return float64(part) / float64(whole)
	case otherwise:
		return 1
	}
	return 0
}

// row is the mean score of a category.
type row struct {
	Category                    string
	Prompts                     int
	Precision, Recall, F1, Mode float64
}

func (r *row) add(s score) {
	r.Prompts++
	r.Precision += s.Precision
	r.Recall += s.Recall
	r.F1 += s.F1
	if s.ModeRight {
		r.Mode++
	}
}

func (r row) mean() row {
	n := float64(max(r.Prompts, 1))
	return row{
		Category: r.Category, Prompts: r.Prompts, Precision: r.Precision / n, Recall: r.Recall / n, F1: r.F1 / n,
		Mode: r.Mode / n,
	}
}

// table collects scores by category.
type table struct{ rows map[string]*row }

// add adds a score to its category, to the mode at the start of the category's name, and to all.
func (t *table) add(category string, s score) {
	if t.rows == nil {
		t.rows = map[string]*row{}
	}
	kind, _, _ := strings.Cut(category, "/")
	for _, name := range []string{category, kind, "all"} {
		if t.rows[name] == nil {
			t.rows[name] = &row{Category: name}
		}
		t.rows[name].add(s)
	}
}

// means returns all means: the four totals first, then the categories by name.
func (t *table) means() []row {
	var out []row
	for _, r := range t.rows {
		out = append(out, r.mean())
	}
	sums := []string{"all", "lookup", "simple", "complex"}
	position := func(r row) int {
		if i := slices.Index(sums, r.Category); i >= 0 {
			return i
		}
		return len(sums)
	}
	slices.SortFunc(out, func(a, b row) int {
		return cmp.Or(cmp.Compare(position(a), position(b)), cmp.Compare(a.Category, b.Category))
	})
	return out
}

// print writes the table as Markdown.
func (t *table) print(to io.Writer) error {
	if _, err := fmt.Fprint(to, "| prompts | n | precision | recall | F1 | mode |\n| --- | --: | --: | --: | --: | "+
		"--: "+"|\n"); err != nil {
		return err
	}
	for _, r := range t.means() {
		if _, err := fmt.Fprintf(to, "| %s | %d | %.3f | %.3f | %.3f | %.3f |\n", r.Category, r.Prompts, r.Precision,
			r.Recall, r.F1, r.Mode); err != nil {
			return err
		}
	}
	return nil
}
