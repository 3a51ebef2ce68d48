package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rs/zerolog"

	"kith"
)

type exportCmd struct {
	asUser
	Out string `placeholder:"FILE"`
}

// Run writes the export.
func (c *exportCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if c.User == "" {
		return usageError(errors.New("name the user to export with --user, and with --app if several apps have this " +
			"user"))
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		v, err := c.viewer(ctx, d)
		if err != nil {
			return err
		}
		if c.Out == "" {
			return d.export(ctx, v, g.results)
		}
		// The file contains all data of a user.
		f, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		err = errors.Join(d.export(ctx, v, f), f.Close())
		if err == nil {
			fmt.Fprintf(os.Stderr, "wrote %s; kith import reads it\n", c.Out)
		}
		return err
	})
}

func (d *dataset) export(ctx context.Context, v kith.Viewer, to io.Writer) error {
	out := bufio.NewWriter(to)
	return errors.Join(d.db.Export(ctx, v, out), out.Flush())
}
