package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/audit"
)

type auditCmd struct {
	Show   auditShowCmd   `cmd:"" default:"withargs"`
	Verify auditVerifyCmd `cmd:""`
}

type auditShowCmd struct {
	Action string `placeholder:"ACTION"`
	Since  age    `placeholder:"AGE"`
	After  int64  `placeholder:"N"`
	JSON   bool   `name:"json"`
}

// Run prints the entries.
func (c *auditShowCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	f := audit.Filter{After: c.After, Action: c.Action}
	if c.Since > 0 {
		f.Since = time.Now().Add(-time.Duration(c.Since))
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		lines := json.NewEncoder(g.results)
		return d.db.Audit().Each(ctx, f, func(e audit.Entry) error {
			if c.JSON {
				return lines.Encode(e)
			}
			_, err := fmt.Fprintf(g.results, "%d  %s  %s  %s  %s  %s\n", e.Seq, e.At.Format(time.RFC3339), e.Actor, e.Action,
				e.Subject, e.Detail)
			return err
		})
	})
}

type auditVerifyCmd struct {
	Head string `placeholder:"HASH"`
}

// Help is shown below the flags.
func (auditVerifyCmd) Help() string {
	return `Prints the number and hash of the newest entry. Keep the hash outside the database: with --head, a later
run proves that the log was neither cut short nor rewritten.

Example:
  kith audit verify --head 5f1d…`
}

// Run verifies the log.
func (c *auditVerifyCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		head, err := audit.Verify(ctx, d.db.Audit(), c.Head)
		if err != nil {
			return err
		}
		fmt.Fprintf(g.results, "%d entries verified; the newest has the hash %s\n", head.Seq, head.Hash)
		return nil
	})
}
