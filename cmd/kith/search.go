package main

import (
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
	Prompt string            `arg:"" optional:""`
	Filter map[string]string `short:"f" mapsep:"none" placeholder:"NAME=VALUE"`
	Limit  int               `short:"n" default:"25"`
	All    bool              `short:"a"`
	caller
	Scope  string `enum:",network,global" default:"" env:"KITH_SCOPE"`
	Cursor string
	CSV    bool `name:"csv"`
	JSON   bool `name:"json" env:"KITH_JSON"`
	SQL    bool `name:"sql" env:"KITH_SQL"`
}

// Help is shown below the flags.
func (searchCmd) Help() string {
	return `People are printed as they are found, one a line. Standard error says how many match; where few or none do,
it shows who comes close.

Examples:
  kith search --demo "product manager Berlin"
  kith search --demo -f position=engineer -f country=DACH -n 5
  kith search --demo --user demo "people I know in Berlin"
  kith search --all --csv "engineers at Acme" > people.csv
  kith search --server https://kith.example.com "nurses in Leeds"     with KITH_TOKEN set`
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
			return d.warnIncomplete(ctx, found)
		}
		if found == 0 {
			fmt.Fprintln(os.Stderr, "no one matches")
		}
		return nil
	})
}

// search prints the people and returns their number, including close matches; -1 means unknown.
func (c *searchCmd) search(ctx context.Context, api *client.Client, out *output) (found int, err error) {
	if c.CSV {
		return -1, c.table(ctx, api, out)
	}
	p := &printer{cmd: c, out: out, err: os.Stderr}
	return p.print(ctx, api)
}

// warnIncomplete prints on standard error why the dataset may lack people.
func (d *dataset) warnIncomplete(ctx context.Context, found int) error {
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
	if found != 0 {
		return nil
	}
	filled, err := d.index.Filled(ctx)
	if err == nil && !filled {
		fmt.Fprintln(os.Stderr, d.empty())
		return nil
	}
	fmt.Fprintln(os.Stderr, "no one matches")
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
		Prompt: c.Prompt, Filters: c.Filter, Limit: c.Limit, Scope: c.Scope, Cursor: c.Cursor, IncludeCounts: "all",
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
	asked := search.Request{Prompt: c.Prompt, Filters: filters, Limit: c.Limit, Scope: c.Scope, Cursor: c.Cursor}
	return cmp.Or(c.caller.check(), b.err(), search.Check(asked, time.Now()))
}

// table prints CSV: one page, or with --all all people.
func (c *searchCmd) table(ctx context.Context, api *client.Client, out *output) error {
	req := c.request()
	req.IncludeCounts = ""
	if c.All {
		req.Limit = 0
	}
	to := &withoutHeading{to: out, begun: true}
	for {
		cursor, err := api.Table(ctx, req, to)
		switch {
		case err != nil || cursor == "":
			return err
		case !c.All:
			fmt.Fprintln(os.Stderr, "there are more: --all prints them")
			return nil
		}
		req.Cursor, to.begun = cursor, false
	}
}

// withoutHeading removes the first line of the output, unless begun is set.
type withoutHeading struct {
	to    *output
	begun bool
}

// Write implements [io.Writer].
func (w *withoutHeading) Write(p []byte) (int, error) {
	rest := p
	if !w.begun {
		_, after, ended := strings.Cut(string(p), "\n")
		w.begun, rest = ended, []byte(after)
	}
	if _, err := w.to.Write(rest); err != nil {
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
