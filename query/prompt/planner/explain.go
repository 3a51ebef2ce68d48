package planner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kith"
)

// Explanation shows why the grammar read a prompt as it did. Its details may change in any version.
type Explanation struct {
	// Marked is the prompt with the marks of the winning derivation.
	Marked string `json:"marked"`
	// Leaves are the readings of each run of words, best first, without word classes.
	Leaves []string `json:"leaves"`
	// Tree is the winning derivation: a line for each phrase, indented by depth.
	Tree []string `json:"tree"`
	// Features are the features of its score with value and weight, largest contribution first.
	Features []string `json:"features"`
	Score    float64  `json:"score"`
	// RunnerUp is the plan of the next best derivation with another meaning, and Margin its
	// distance in score; empty if there is none.
	RunnerUp string  `json:"runner_up,omitempty"`
	Margin   float64 `json:"margin,omitempty"`
}

// Explain explains how the planner reads a prompt of a viewer. Tags may be nil.
func (p *Planner) Explain(ctx context.Context, v kith.Viewer, text string, tags *Tags) (Explanation, error) {
	d, err := p.derive(ctx, v, text, tags)
	if err != nil {
		return Explanation{}, err
	}
	if len(d.best) == 0 {
		return Explanation{Marked: d.frame(0).String()}, nil
	}
	best := d.best[0]
	e := Explanation{Marked: d.frame(0).String(), Leaves: d.leaves(), Score: best.score, Features: d.listFeatures(best)}
	for _, phrase := range best.path.phrases() {
		e.Tree = d.chart.tree(e.Tree, phrase, 0)
	}
	e.RunnerUp, e.Margin, _ = d.runnerUp()
	return e, nil
}

// leaves lists the readings other than word classes.
func (d *derivations) leaves() (out []string) {
	for _, at := range d.reader.leaves {
		list := slices.Clone(at)
		score := func(l *leaf) float64 { return d.chart.weights.score(l.feats) }
		slices.SortStableFunc(list, func(a, b *leaf) int { return cmp.Compare(score(b), score(a)) })
		for _, l := range list {
			if len(l.value) > 0 {
				out = append(out, fmt.Sprintf("%q %s %.2f%s", d.reader.text.wording(l.from, l.to), l.name, score(l),
					l.source()))
			}
		}
	}
	return out
}

// tree appends one line for each phrase.
func (c *chart) tree(out []string, e *edge, depth int) []string {
	name, by := c.grammar.Name(e.sym), ""
	if e.rule != nil {
		by = " by " + e.rule.ID
	}
	out = append(out, fmt.Sprintf("%s%s%s %q %.2f", strings.Repeat("  ", depth), strings.TrimPrefix(name, `"`), by,
		c.text.wording(e.from, e.to), e.score))
	for _, p := range e.parts {
		out = c.tree(out, p, depth+1)
	}
	return out
}

// listFeatures lists the features of a derivation with their weights.
func (d *derivations) listFeatures(best ranked) (out []string) {
	values := d.chart.features(best)
	weight := func(n string) float64 { return d.chart.weights.w[d.chart.weights.ids[n]] }
	part := func(n string) float64 { return max(values[n]*weight(n), -values[n]*weight(n)) }
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(part(b), part(a)), cmp.Compare(a, b))
	})
	for _, n := range names {
		out = append(out, fmt.Sprintf("%s %.2f × %.2f", n, values[n], weight(n)))
	}
	return out
}

// String writes the explanation on several lines, for people.
func (e Explanation) String() string {
	var b strings.Builder
	section := func(title string, lines []string) {
		b.WriteString(title + "\n")
		for _, l := range lines {
			b.WriteString("  " + l + "\n")
		}
	}
	section("leaves", e.Leaves)
	section(fmt.Sprintf("derivation (%.2f)", e.Score), e.Tree)
	section("features", e.Features)
	if e.RunnerUp != "" {
		section(fmt.Sprintf("runner-up (%.2f less)", e.Margin), strings.Split(strings.TrimSuffix(e.RunnerUp, "\n"),
			"\n"))
	}
	return b.String()
}

// source marks a reading that comes from the dataset.
func (l *leaf) source() string {
	ofName := slices.ContainsFunc(l.feats, func(f feature) bool { return f.id == featNameKnown && f.v > 0 })
	corrected := l.sense == nil && len(l.fixes) > 0
	if l.known || ofName || corrected {
		return " (dataset)"
	}
	return ""
}
