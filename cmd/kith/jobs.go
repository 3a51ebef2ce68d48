package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/operation/tasks"
	"kith/internal/record/refresh"
)

type jobsCmd struct {
	State string `enum:"queued,running,succeeded,failed,canceled,all" default:"all" env:"KITH_STATE"`
	Kind  string `env:"KITH_JOB_KIND"`
	Limit int    `default:"50" env:"KITH_LIMIT"`
	listFlags
}

type jobRow struct {
	Job      int64     `json:"job"`
	Kind     string    `json:"kind" table:"whole"`
	State    string    `json:"state" table:"whole"`
	Attempt  int       `json:"attempt" table:"spare"`
	Attempts int       `json:"attempts" table:"-"`
	Created  time.Time `json:"created" table:"spare"`
	Next     time.Time `json:"next,omitzero" table:"-"`
	Ended    time.Time `json:"ended,omitzero" table:"-"`
	When     time.Time `json:"-" heading:"ENDED OR NEXT"`
	About    string    `json:"about"`
	Reason   string    `json:"reason"`
}

// Run prints the jobs.
func (c *jobsCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	filter := tasks.Filter{Kind: c.Kind, Limit: c.Limit}
	if c.State != "all" {
		filter.State = tasks.State(c.State)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		queue, err := d.asks(log)
		if err != nil {
			return err
		}
		list, err := queue.List(ctx, filter)
		if err != nil {
			return err
		}
		if err := printList(g.results, c.listFlags, list, newJobRow); err != nil {
			return err
		}
		return d.warnUnserved(ctx, queue)
	})
}

func newJobRow(j tasks.Info) jobRow {
	row := jobRow{
		Job: j.ID, Kind: j.Kind, State: string(j.State), Attempt: j.Attempt, Attempts: j.Attempts, Created: j.Created,
		Next: j.Next, Ended: j.Ended, When: j.Ended, About: j.Key,
	}
	if j.Reason.Code != "" {
		row.Reason = j.Reason.Error()
	}
	if j.Ended.IsZero() {
		row.When = j.Next
	}
	return row
}

// asks returns a queue that only queues tasks and works on none.
func (d *dataset) asks(log zerolog.Logger) (*tasks.Queue, error) {
	return tasks.New(d.db.Pool(), tasks.Config{Schema: d.db.Schema(), Logger: log})
}

// unservedError says that refreshes wait without a process to do them.
type unservedError struct{ tasks.Backlog }

func (e *unservedError) Error() string {
	return fmt.Sprintf("%d refreshes wait, the oldest for %v, but no running process has a data source",
		e.Tasks, e.Age.Round(time.Second))
}

// unserved returns the waiting refreshes, and an unservedError if no process works on them.
func (d *dataset) unserved(ctx context.Context, queue *tasks.Queue) (tasks.Backlog, error) {
	waiting, err := queue.Backlog(ctx, refresh.Kind)
	if err == nil && waiting.Tasks > 0 && !waiting.Served {
		err = &unservedError{waiting}
	}
	return waiting, err
}

// warnUnserved warns the operator if no process works on refreshes.
func (d *dataset) warnUnserved(ctx context.Context, queue *tasks.Queue) error {
	_, err := d.unserved(ctx, queue)
	if unserved, ok := errors.AsType[*unservedError](err); ok {
		fmt.Fprintf(os.Stderr, "%v; %s\n", unserved, d.serveRefreshes())
		return nil
	}
	return err
}

// serveRefreshes returns the remedy if no process works on refreshes.
func (d *dataset) serveRefreshes() string {
	if d.demo {
		return "start kith serve --demo"
	}
	return fmt.Sprintf("start kith serve with --source-url or --source-dir; after %v they fail with %s",
		refresh.Unserved, refresh.CodeNoSource)
}
