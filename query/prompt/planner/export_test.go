package planner

import (
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
)

// Lost plans a text and returns its lost words: meaningful words that are neither in a phrase nor reported as ignored.
func (p *Planner) Lost(t *testing.T, text string) (lost []string) {
	t.Helper()
	d, err := p.derive(t.Context(), kith.Operator(), text, nil)
	expect.NoError(t, err)
	plan := d.plan(0, prompt.Auto)
	if len(d.best) == 0 || plan.Nothing {
		return nil
	}
	used := make([]bool, len(d.reader.text.words))
	for _, e := range d.best[0].path.phrases() {
		for i := e.from; i < e.to; i++ {
			used[i] = true
		}
	}
	reported := strings.Join(plan.Ignored, " ")
	for i, w := range d.reader.text.words {
		inText := slices.ContainsFunc(plan.Filters, func(f prompt.Filter) bool {
			return strings.Contains(f.Text,
				w.Text)
		})
		if !used[i] && w.mark == "" && !d.reader.isFiller(i) && !strings.Contains(reported, d.reader.text.wording(i,
			i+1)) && !inText {
			lost = append(lost, w.Text)
		}
	}
	return lost
}
