package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/access/audit"
)

type auditCmd struct {
	Show   auditShowCmd   `cmd:"" default:"withargs"`
	Verify auditVerifyCmd `cmd:""`
}

type auditShowCmd struct {
	Action string `placeholder:"ACTION"`
	Since  age    `placeholder:"AGE"`
	After  int64  `placeholder:"N"`
	listFlags
}

type auditRow struct {
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor"`
	App     int64           `json:"app_id,omitzero" table:"-"`
	Action  string          `json:"action" table:"whole"`
	Subject string          `json:"subject"`
	Detail  json.RawMessage `json:"detail"`
	Hash    string          `json:"hash" table:"-"`
}

// Run prints the entries.
func (c *auditShowCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	f := audit.Filter{After: c.After, Action: c.Action}
	if c.Since > 0 {
		f.Since = time.Now().Add(-time.Duration(c.Since))
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		list := newListing[auditRow](g.results, c.listFlags)
		err := d.db.Audit().Each(ctx, f, func(e audit.Entry) error {
			return list.add(auditRow{e.Seq, e.At, e.Actor, e.App, e.Action, e.Subject, e.Detail, e.Hash})
		})
		return errors.Join(err, list.end())
	})
}

type auditVerifyCmd struct {
	Head string `placeholder:"HASH"`
}

// Run verifies the log.
func (c *auditVerifyCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		head, err := audit.Verify(ctx, d.db.Audit(), c.Head)
		if err != nil {
			return err
		}
		if d.keys.Master == "" {
			fmt.Fprintln(os.Stderr, "the key of the audit is in the database, in plain: anyone who can write there "+
				"can rewrite "+"the entries, until `kith keys move` seals the keys with a master key")
		}
		fmt.Fprintf(g.results, "%d entries verified; the newest has the hash %s\n", head.Seq, head.Hash)
		return nil
	})
}
