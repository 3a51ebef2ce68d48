// Command eval-prompts measures how well Kith understands prompts whose exact answers are known. It prints precision,
// recall, F1 and the share of correct modes, by category:
//
//	go run ./scripts/eval-prompts
//	go run ./scripts/eval-prompts --postgres postgres://localhost/empty
//	go run ./scripts/eval-prompts --elasticsearch http://127.0.0.1:9200
//
// Without an engine it searches in memory. The people, prompts and answers are files in data, made once by a generator
// that is gone. So the figures show what a change broke, not how well Kith reads what people write.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"kith"
	"kith/query/prompt"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	err := run(ctx, os.Args[1:], os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval-prompts:", err)
		os.Exit(1)
	}
}

// options are the flags of the command.
type options struct {
	engine           engineAddress
	set, category    string
	out              string
	plans            bool
	misses, readings int
	to               io.Writer // the report
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("eval-prompts", flag.ContinueOnError)
	f.StringVar(&o.engine.postgres, "postgres", "", "address of an empty database, to search with Postgres")
	f.StringVar(&o.engine.elasticsearch, "elasticsearch", "", "address of a node, to search with Elasticsearch")
	f.StringVar(&o.set, "set", sets()[0], "set of prompts: "+strings.Join(sets(), " or "))
	f.StringVar(&o.category, "category", "", "only categories with this prefix")
	f.IntVar(&o.misses, "misses", 0, "show this many wrong answers of each category")
	f.BoolVar(&o.plans, "plans", false, "show the plans of those answers")
	f.StringVar(&o.out, "out", "", "file for the score of each prompt, one JSON object per line")
	f.IntVar(&o.readings, "readings", 0,
		"only write this many readings of each prompt to --out, each with its features and grade")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if !slices.Contains(sets(), o.set) {
		return o, fmt.Errorf("--set must be %s (got %q)", strings.Join(sets(), " or "), o.set)
	}
	if o.engine.postgres != "" && o.engine.elasticsearch != "" {
		return o, errors.New("--postgres and --elasticsearch exclude each other")
	}
	if o.readings > 0 && o.out == "" {
		return o, errors.New("--readings needs --out")
	}
	return o, nil
}

func run(ctx context.Context, args []string, to io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	o.to = to
	prompts, err := read[prompted](o.set)
	if err != nil {
		return err
	}
	prompts = slices.DeleteFunc(prompts, func(p prompted) bool { return !strings.HasPrefix(p.Category, o.category) })
	d, err := newDataset(ctx, o.engine)
	if err != nil {
		return err
	}
	defer d.close()
	if o.readings > 0 {
		return o.grade(ctx, d, prompts)
	}
	return o.evaluate(ctx, d, prompts)
}

// evaluate runs the prompts and prints the scores.
func (o options) evaluate(ctx context.Context, d *dataset, prompts []prompted) error {
	out, err := newScores(o.out)
	if err != nil {
		return err
	}
	scored, shown := table{}, map[string]int{}
	for _, p := range prompts {
		answer, err := d.ask(ctx, p.Text)
		if err != nil {
			return errors.Join(fmt.Errorf("%q: %w", p.Text, err), out.close())
		}
		score := scoreOf(p, answer.mode, answer.ids)
		scored.add(p.Category, score)
		if err := out.add(p, score); err != nil {
			return errors.Join(err, out.close())
		}
		if (score.F1 < 1 || !score.ModeRight) && shown[p.Category] < o.misses {
			shown[p.Category]++
			o.show(ctx, d, p, answer, score)
		}
	}
	return errors.Join(out.close(), scored.print(o.to))
}

// show prints a wrong answer.
func (o options) show(ctx context.Context, d *dataset, p prompted, a answer, s score) {
	fmt.Fprintf(o.to, "%.2f %s: %q, mode %s, %d found, %d expected, %d extra, %d missing\n",
		s.F1, p.Category, p.Text, a.mode, len(a.ids), len(p.Want), len(s.Extra), len(s.Missing))
	for _, id := range s.Extra[:min(3, len(s.Extra))] {
		fmt.Fprintln(o.to, "    extra", d.describe(id))
	}
	for _, id := range s.Missing[:min(3, len(s.Missing))] {
		fmt.Fprintln(o.to, "    missing", d.describe(id))
	}
	if plan, err := d.planner.Plan(ctx, kith.Operator(), p.Text, prompt.Auto); err == nil && o.plans {
		fmt.Fprintln(o.to, "    "+strings.ReplaceAll(strings.TrimSpace(plan.String()), "\n", "\n    "))
	}
}
