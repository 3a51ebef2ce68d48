package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/jobs"
)

type jobsCmd struct {
	State string `help:"queued, running, succeeded, failed or canceled." enum:"queued,running,succeeded,failed,canceled,all" default:"all" env:"KITH_STATE"`
	Kind  string `help:"Kind of job, such as refresh." env:"KITH_JOB_KIND"`
	Limit int    `help:"How many, from the newest." default:"50" env:"KITH_LIMIT"`
}

// Help is shown below the flags.
func (jobsCmd) Help() string {
	return `One line a job: its number, kind, state, attempts, when it was made, when it ended or is tried again,
what it is about, and why the last attempt failed. A job that brought its worker down three times is set aside: it has failed
with JOB_SET_ASIDE. Ended jobs are listed for two days.

Example:
  kith jobs --state failed`
}

// Run prints the jobs.
func (c *jobsCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	var b flagBounds
	within(&b, "--limit", c.Limit, 1, 10_000)
	if err := b.err(); err != nil {
		return err
	}
	filter := jobs.Filter{Kind: c.Kind, Limit: c.Limit}
	if c.State != "all" {
		filter.State = jobs.State(c.State)
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		queue, err := jobs.New(d.db.Pool(), jobs.Config{Schema: d.db.Schema(), Logger: log})
		if err != nil {
			return err
		}
		list, err := queue.List(ctx, filter)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(g.results, 0, 8, 2, ' ', 0)
		fmt.Fprintln(out, "JOB\tKIND\tSTATE\tATTEMPT\tMADE\tENDED OR NEXT\tABOUT\tREASON")
		for _, j := range list {
			when := j.Next
			if !j.Ended.IsZero() {
				when = j.Ended
			}
			fmt.Fprintf(out, "%d\t%s\t%s\t%d/%d\t%s\t%s\t%s\t%s\n", j.ID, j.Kind, j.State, j.Attempt, j.Attempts,
				j.Created.UTC().Format(time.RFC3339), when.UTC().Format(time.RFC3339), j.Key, reasonText(j.Reason))
		}
		return out.Flush()
	})
}

func reasonText(f jobs.Failure) string {
	if f.Code == "" {
		return ""
	}
	return f.Error()
}
