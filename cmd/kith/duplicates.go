package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/record/identity"
)

type duplicatesCmd struct {
	List   duplicatesListCmd   `cmd:"" default:"withargs"`
	Merged duplicatesMergedCmd `cmd:""`
	Merge  duplicatesMergeCmd  `cmd:""`
	Apart  duplicatesApartCmd  `cmd:""`
	Forget duplicatesForgetCmd `cmd:""`
}

type duplicatesListCmd struct {
	Limit int `default:"50"`
	listFlags
}

// duplicateRow is a pair of people. Without --json, one line has the score and the reasons, and two have the people.
type duplicateRow struct {
	Score   float64        `json:"score"`
	Reasons []string       `json:"reasons"`
	People  [2]kith.Person `json:"people"`
}

// Run lists pairs, most certain first.
func (c *duplicatesListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		pairs, err := identity.NewService(d.db).Duplicates(ctx, kith.Operator(), nil, c.Limit)
		if err != nil {
			return err
		}
		if c.JSON {
			return printList(g.results, c.listFlags, pairs, func(p identity.Duplicate) duplicateRow {
				return duplicateRow{p.Score, p.Reasons, p.People}
			})
		}
		for _, p := range pairs {
			fmt.Fprintf(g.results, "%.1f  %s\n", p.Score, strings.Join(p.Reasons, ", "))
			for _, person := range p.People {
				fmt.Fprintf(g.results, "      %d  %s\n", person.ID, personLine(&person))
			}
		}
		if len(pairs) == 0 {
			fmt.Fprintln(os.Stderr, "no possible duplicates")
			return nil
		}
		fmt.Fprintln(os.Stderr,
			"\nkith duplicates merge ID ID makes one of two, kith duplicates apart ID ID keeps them apart")
		return nil
	})
}

// printDuplicates prints how many pairs need a decision.
func printDuplicates(ctx context.Context, d *dataset, out io.Writer) error {
	const most = 1000
	pairs, err := identity.NewService(d.db).Duplicates(ctx, kith.Operator(), nil, most)
	if err != nil || len(pairs) == 0 {
		return err
	}
	more := ""
	if len(pairs) == most {
		more = "or more "
	}
	fmt.Fprintf(out, "%s %sof people may be duplicates: kith duplicates lists them\n",
		kith.Counted(int64(len(pairs)), "pair", "pairs"), more)
	return nil
}

func personLine(p *kith.Person) string {
	parts := []string{printable(p.FullName)}
	if job := p.Present(); job != nil {
		parts = append(parts, printable(joinNonEmpty(" at ", job.Title, job.Company.Name)))
	}
	parts = append(parts, printable(placeText(p.Location)), strings.Join(p.Addresses(), " "), printable(p.SocialURL))
	return joinNonEmpty(" · ", parts...)
}

type duplicatesMergedCmd struct {
	Above int64 `placeholder:"ID"`
	Limit int   `default:"50"`
	listFlags
}

type mergedRow struct {
	ID      int64   `json:"id"`
	Records []int64 `json:"records" table:"whole"`
	Person  string  `json:"person"`
}

// Run lists merged people with the ids of their records.
func (c *duplicatesMergedCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		people, err := identity.NewService(d.db).Merged(ctx, c.Above, c.Limit)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, people, func(m identity.Merged) mergedRow {
			return mergedRow{m.Person.ID, m.Records, personLine(&m.Person)}
		})
	})
}

// pair names two people or records.
type pair struct {
	First  string `arg:""`
	Second string `arg:""`
}

type decision func(s *identity.Service, ctx context.Context, v kith.Viewer, a, b string) error

func (p pair) decide(ctx context.Context, g *globals, log zerolog.Logger, done string, decide decision) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		if err := decide(identity.NewService(d.db), ctx, kith.Operator(), p.First, p.Second); err != nil {
			return err
		}
		fmt.Fprintf(g.results, "%s and %s %s\n", p.First, p.Second, done)
		return d.drain(ctx)
	})
}

type duplicatesMergeCmd struct{ pair }

// Run merges two people.
func (c *duplicatesMergeCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.decide(ctx, g, log, "are one person", (*identity.Service).Merge)
}

type duplicatesApartCmd struct{ pair }

// Run keeps two people apart.
func (c *duplicatesApartCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.decide(ctx, g, log, "are two people", (*identity.Service).Part)
}

type duplicatesForgetCmd struct{ pair }

// Run undoes a decision.
func (c *duplicatesForgetCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.decide(ctx, g, log, "are again decided by their records", (*identity.Service).Forget)
}
