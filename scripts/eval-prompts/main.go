// Command eval-prompts measures how well Kith understands prompts. It generates prompts with exact answers for the demo
// dataset, runs them, and prints precision, recall, F1 and the share of correct modes, by category:
//
//	go run ./scripts/eval-prompts --memory
//	go run ./scripts/eval-prompts --url http://127.0.0.1:8080 --token demo_token_global
//
// The server must serve the demo dataset with the same seed and size. The expected answers
// come from the records alone (see package internal/devtools/evalset).
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
	"time"

	"kith"
	"kith/internal/demo"
	"kith/internal/devtools/evalset"
	"kith/internal/devtools/evalset/memory"
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
	url, token, part, category       string
	out                              string
	memory, check, plans, list       bool
	misses, people, companies, scale int
	readings                         int
	seed, set, sets                  uint64
	to                               io.Writer // the report
}

func parse(args []string) (options, error) {
	var o options
	def := demo.Default()
	f := flag.NewFlagSet("eval-prompts", flag.ContinueOnError)
	f.StringVar(&o.url, "url", "", "address of the server")
	f.StringVar(&o.token, "token", "demo_token_global", "token of a demo user")
	f.BoolVar(&o.memory, "memory", false, "search in memory, in this process, instead of on a server")
	f.StringVar(&o.part, "part", "", "only prompts of this part: tuning or unseen")
	f.StringVar(&o.category, "category", "", "only categories with this prefix")
	f.IntVar(&o.misses, "misses", 0, "show this many wrong answers of each category")
	f.BoolVar(&o.plans, "plans", false, "with --memory: show the plans of those answers")
	f.BoolVar(&o.list, "list", false, "only list the prompts")
	f.BoolVar(&o.check, "check", false,
		"fail if F1 is below 0.97 (lookup), 0.95 (simple), 0.85 (complex) or the mode below 0.95")
	f.Uint64Var(&o.seed, "seed", def.Seed, "seed of the demo dataset")
	f.StringVar(&o.out, "out", "", "file for the score of each prompt, one JSON object per line")
	f.IntVar(&o.readings, "readings", 0,
		"only write this many readings of each prompt to --out, each with its features and grade")
	f.Uint64Var(&o.set, "set", 1, "seed of the set of prompts")
	f.Uint64Var(&o.sets, "sets", 1, "this many sets, with this seed and the next ones")
	f.IntVar(&o.people, "people", def.People, "people of the demo dataset")
	f.IntVar(&o.companies, "companies", def.Companies, "companies of the demo dataset")
	f.IntVar(&o.scale, "scale", 100, "percentage of a full set of prompts to generate")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.part != "" && o.part != evalset.Tuning && o.part != evalset.Unseen {
		return o, fmt.Errorf("--part must be tuning or unseen (got %q)", o.part)
	}
	if !o.memory && !o.list && o.url == "" {
		return o, errors.New("--url (of a server with the demo dataset) or --memory is needed")
	}
	return o, nil
}

// answerer answers prompts.
type answerer interface {
	Ask(ctx context.Context, text string) (memory.Answer, error)
}

func run(ctx context.Context, args []string, to io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	o.to = to
	d, err := demo.New(demo.Config{Seed: o.seed, People: o.people, Companies: o.companies})
	if err != nil {
		return err
	}
	today := time.Now()
	if o.memory {
		today = d.Config().Now
	}
	var prompts []evalset.Prompt
	for set := range o.sets {
		more, err := evalset.Prompts(d, evalset.Options{Seed: o.set + set, Now: today, Scale: o.scale})
		if err != nil {
			return err
		}
		prompts = append(prompts, more...)
	}
	prompts = slices.DeleteFunc(prompts, func(p evalset.Prompt) bool {
		return o.part != "" && p.Part != o.part || !strings.HasPrefix(p.Category, o.category)
	})
	if o.list {
		return o.print(prompts)
	}
	return o.evaluate(ctx, d, prompts)
}

func (o options) print(prompts []evalset.Prompt) error {
	for _, p := range prompts {
		if _, err := fmt.Fprintf(o.to, "%s\t%s\t%s\t%d\t%d\n", p.Category, p.Part, p.Text, len(p.Want),
			len(p.Allowed)); err != nil {
			return err
		}
	}
	return nil
}

// evaluate runs the prompts and prints the scores of each part.
func (o options) evaluate(ctx context.Context, d *demo.Dataset, prompts []evalset.Prompt) error {
	var who answerer = remote{url: strings.TrimSuffix(o.url, "/"), token: o.token}
	if o.memory {
		local, err := memory.New(ctx, d, d.Config().Now)
		if err != nil {
			return err
		}
		if o.readings > 0 {
			return o.grade(ctx, local, prompts)
		}
		who = local
	}
	out, err := newScores(o.out)
	if err != nil {
		return err
	}
	tables := map[string]*evalset.Table{evalset.Tuning: {}, evalset.Unseen: {}}
	shown := map[string]int{}
	for _, p := range prompts {
		answer, err := who.Ask(ctx, p.Text)
		if err != nil {
			return fmt.Errorf("%q: %w", p.Text, err)
		}
		score := evalset.Of(p, answer.Mode, answer.IDs)
		tables[p.Part].Add(p.Category, score)
		if err := out.add(p, score); err != nil {
			return err
		}
		if (score.F1 < 1 || !score.ModeRight) && shown[p.Category] < o.misses {
			shown[p.Category]++
			o.show(ctx, who, p, answer, score)
		}
	}
	return errors.Join(out.close(), o.report(tables))
}

func (o options) report(tables map[string]*evalset.Table) error {
	var short []string
	for _, part := range []string{evalset.Tuning, evalset.Unseen} {
		if o.part != "" && o.part != part {
			continue
		}
		fmt.Fprintf(o.to, "\n%s\n\n", part)
		if err := tables[part].Print(o.to); err != nil {
			return err
		}
		short = append(short, tables[part].Short()...)
	}
	if o.check && len(short) > 0 {
		return errors.New(strings.Join(short, "; "))
	}
	return nil
}

// show prints a wrong answer.
func (o options) show(ctx context.Context, who answerer, p evalset.Prompt, a memory.Answer, s evalset.Score) {
	fmt.Fprintf(o.to, "%.2f %s: %q, mode %s, %d found, %d expected, %d extra, %d missing\n",
		s.F1, p.Category, p.Text, a.Mode, len(a.IDs), len(p.Want), len(s.Extra), len(s.Missing))
	local, ok := who.(*memory.Dataset)
	if !ok || !o.plans {
		fmt.Fprintln(o.to, "    extra", s.Extra[:min(3, len(s.Extra))], "missing", s.Missing[:min(3, len(s.Missing))])
		return
	}
	for kind, ids := range map[string][]int64{"extra": s.Extra, "missing": s.Missing} {
		for _, id := range ids[:min(3, len(ids))] {
			fmt.Fprintln(o.to, "    "+kind, local.Describe(id))
		}
	}
	plan, err := local.Planner.Plan(ctx, kith.Operator(), p.Text, prompt.Auto)
	if err == nil {
		fmt.Fprintln(o.to, "    "+strings.ReplaceAll(strings.TrimSpace(plan.String()), "\n", "\n    "))
	}
}
