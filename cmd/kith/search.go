package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"kith/client"
	"kith/internal/search"
	"kith/query"
)

type searchCmd struct {
	Prompt  string `arg:"" optional:""`
	Reading int
	Filter  map[string]string `short:"f" mapsep:"none" placeholder:"NAME=VALUE"`
	Limit   int               `short:"n" default:"25"`
	All     bool              `short:"a"`
	caller
	Scope  string `enum:",network,global" default:"" env:"KITH_SCOPE"`
	Cursor string
	CSV    bool `name:"csv"`
	JSON   bool `name:"json" env:"KITH_JSON"`
	SQL    bool `name:"sql" env:"KITH_SQL"`
}

// Run searches and prints the results.
func (c *searchCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.check(); err != nil {
		return usageError(err)
	}
	return c.call(ctx, g, log, func(api *client.Client, d *dataset) error {
		found, err := c.search(ctx, api, g.results)
		if err != nil || g.results.err != nil {
			return err
		}
		if d != nil {
			err = d.warnIncomplete(ctx, found)
		}
		if err == nil && !found {
			err = errors.New("no one matches")
		}
		return err
	})
}

// search prints the people and reports whether there are any, not counting close matches.
func (c *searchCmd) search(ctx context.Context, api *client.Client, out *output) (found bool, err error) {
	if c.CSV {
		return c.table(ctx, api, out)
	}
	p := &printer{cmd: c, out: out, err: os.Stderr}
	n, err := p.print(ctx, api)
	return n > 0, err
}

// warnIncomplete prints on standard error why the dataset may lack people. If it has none, that is an error.
func (d *dataset) warnIncomplete(ctx context.Context, found bool) error {
	state, err := d.drainer.State(ctx)
	if err != nil {
		return err
	}
	if err := d.checkComplete(ctx, state, nil); err != nil {
		fmt.Fprintf(os.Stderr, "the index is not complete: %v; run kith reindex\n", err)
		return nil
	}
	if err := checkSource(state, nil); err != nil {
		fmt.Fprintf(os.Stderr, "%v; run kith reindex\n", err)
		return nil
	}
	if found {
		return nil
	}
	filled, err := d.index.Filled(ctx)
	if err == nil && !filled {
		err = errors.New(d.empty())
	}
	return err
}

// empty explains why a search in a dataset without people finds nobody.
func (d *dataset) empty() string {
	if d.demo {
		return "no one matches: the demo dataset is not there yet; kith serve --demo generates it"
	}
	return "no one matches: the live dataset is empty; fill it with kith load, or try kith serve --demo"
}

func (c *searchCmd) request() client.SearchRequest {
	req := client.SearchRequest{
		Prompt: c.Prompt, Reading: c.Reading, Filters: c.Filter, Limit: c.Limit, Scope: c.Scope, Cursor: c.Cursor,
		IncludeCounts: "all",
	}
	if c.JSON { // programs want exact matches only
		req.Closest = new(bool)
	}
	if c.All {
		req.Limit = search.MaxLimit
	}
	return req
}

// check validates the command line before anything is opened.
func (c *searchCmd) check() error {
	if c.Prompt == "" && len(c.Filter) == 0 && c.Cursor == "" {
		return errors.New(`say who to search for: in words, as in kith search "nurses in Leeds", or with filters, ` +
			"as in kith search -f position=nurse -f city=Leeds")
	}
	if c.CSV && (c.JSON || c.SQL) {
		return errors.New("--csv cannot be combined with --json or --sql")
	}
	var b flagBounds
	checkRange(&b, "--limit", c.Limit, 1, search.MaxLimit)
	filters := query.Filters{}
	for name, value := range c.Filter {
		filters[query.FilterName(name)] = value
	}
	asked := search.Request{
		Prompt: c.Prompt, Reading: c.Reading, Filters: filters, Limit: c.Limit, Scope: c.Scope, Cursor: c.Cursor,
	}
	return cmp.Or(c.caller.check(), b.err(), search.Check(asked, time.Now()))
}

// table prints CSV: one page, or with --all all people. It reports whether there are any.
func (c *searchCmd) table(ctx context.Context, api *client.Client, out *output) (found bool, err error) {
	req := c.request()
	req.IncludeCounts = ""
	if c.All {
		req.Limit = 0
	}
	to := &csvPages{to: out}
	for {
		cursor, err := api.Table(ctx, req, to)
		switch {
		case err != nil || cursor == "":
			return to.rows, err
		case !c.All:
			fmt.Fprintln(os.Stderr, "there are more: --all prints them")
			return to.rows, nil
		}
		req.Cursor, to.inRows, to.later = cursor, false, true
	}
}

// csvPages joins pages of CSV: it removes the heading, the first line, of later ones.
type csvPages struct {
	to *output
	// inRows is set after the heading of a page, later for pages after the first, rows after a row.
	inRows, later, rows bool
}

// Write implements [io.Writer].
func (w *csvPages) Write(p []byte) (int, error) {
	heading, rows := []byte(nil), p
	if !w.inRows {
		end := bytes.IndexByte(p, '\n') + 1
		w.inRows = end > 0
		if end == 0 {
			end = len(p)
		}
		heading, rows = p[:end], p[end:]
	}
	w.rows = w.rows || len(rows) > 0
	if w.later {
		heading = nil
	}
	if _, err := w.to.Write(slices.Concat(heading, rows)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// printable makes a text from a record safe to print: line breaks become spaces, and control
// characters and bidirectional marks are removed.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
}

// joinNonEmpty joins the non-empty parts.
func joinNonEmpty(by string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), by)
}
