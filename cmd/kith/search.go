package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/search"
	"kith/query"
)

type searchCmd struct {
	Prompt string            `arg:"" optional:"" help:"What to search for, in words."`
	Filter map[string]string `short:"f" help:"Filter as name=value; may be given several times." mapsep:"none" placeholder:"NAME=VALUE"`
	Limit  int               `short:"n" help:"People to print." default:"25"`
	asUser
	Scope  string `help:"network, for the network of --user first, or global; where absent, what the prompt asks, else network, and global for one particular person." enum:",network,global" default:"" env:"KITH_SCOPE"`
	Cursor string `help:"Go on where an earlier search ended."`
	JSON   bool   `name:"json" help:"Print each person as a line of JSON." env:"KITH_JSON"`
	SQL    bool   `name:"sql" help:"Print the search as SQL on standard error." env:"KITH_SQL"`
}

// Help is shown below the flags.
func (searchCmd) Help() string {
	return `People are printed as the engine finds them, one a line.

Examples:
  kith search --demo "product manager Berlin"
  kith search --demo -f position=engineer -f country=DACH -n 5
  kith search --demo --user demo "people I know in Berlin"
  kith search -f 'company="Acme, Inc.", Globex' --json`
}

// Run searches and prints.
func (c *searchCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.check(); err != nil {
		return misused(err)
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		ctx, err := c.in(ctx, d)
		if err != nil {
			return err
		}
		searcher, err := d.search(0)
		if err != nil {
			return err
		}
		results, err := searcher.Search(ctx, c.request())
		if isKind(err, kith.Invalid, kith.Malformed) { // of the cursor, or too much for the engine
			return misused(err)
		}
		if err != nil {
			return err
		}
		if c.SQL {
			fmt.Fprintln(os.Stderr, results.Metadata().GeneratedSQL)
		}
		found, err := c.print(g.results, results)
		if err != nil {
			return err
		}
		state, err := d.drainer.State(ctx)
		if err := d.lacking(ctx, state, err); err != nil {
			fmt.Fprintf(os.Stderr, "the index is not complete: %v; run kith reindex\n", err)
			return nil
		}
		if err := strange(state, err); err != nil {
			fmt.Fprintf(os.Stderr, "the index is not that of the records: %v; run kith reindex\n", err)
			return nil
		}
		if found > 0 {
			return nil
		}
		filled, err := d.index.Filled(ctx)
		if err == nil && !filled {
			fmt.Fprintln(os.Stderr, d.empty())
			return nil
		}
		fmt.Fprintln(os.Stderr, "no one matches")
		return err
	})
}

// empty says why no one is found in a directory without people.
func (d *directory) empty() string {
	if d.demo {
		return "no one matches: the demo directory is not there yet; kith serve --demo generates it"
	}
	return "no one matches: the live directory is empty; fill it with kith load, or try kith serve --demo"
}

func (c *searchCmd) request() search.Request {
	return search.Request{
		Prompt: c.Prompt, Filters: c.filters(), Limit: c.Limit, Scope: c.Scope, Cursor: c.Cursor,
		Closest: new(bool),
	}
}

// check reads the command line before anything is opened.
func (c *searchCmd) check() error {
	if c.Prompt == "" && len(c.Filter) == 0 && c.Cursor == "" {
		return errors.New(`say whom to search for: in words, as in kith search "nurses in Leeds", or with filters, ` +
			"as in kith search -f position=nurse -f city=Leeds")
	}
	if c.App != "" && c.User == "" {
		return errors.New("--app names the app of a user: give --user as well")
	}
	var b flagBounds
	within(&b, "--limit", c.Limit, 1, search.MaxLimit)
	return cmp.Or(b.err(), search.Check(c.request(), time.Now()))
}

func (c *searchCmd) filters() query.Filters {
	filters := query.Filters{}
	for name, value := range c.Filter {
		filters[query.FilterName(name)] = value
	}
	return filters
}

// print writes each person as it comes, so that a slow search shows its first
// people before it has its last, and returns how many there were.
func (c *searchCmd) print(to io.Writer, results *search.Results) (found int, err error) {
	out := bufio.NewWriter(to)
	var failed error
	for event := range results.Events() {
		switch e := event.(type) {
		case search.Result:
			if err := c.person(out, e.Person); err != nil {
				return found, err
			}
			found++
		case search.Failed:
			failed = e.Err
		case search.Done:
			for _, note := range e.Metadata.Interpretation.Notes {
				fmt.Fprintf(os.Stderr, "note: %s\n", plain(note))
			}
			if e.Pagination.HasNextPage {
				fmt.Fprintf(os.Stderr, "there are more; go on with --cursor %s\n", e.Pagination.Cursor)
			}
		case search.Started, search.StageEnd, search.Counted:
		}
	}
	return found, failed
}

func (c *searchCmd) person(out *bufio.Writer, record json.RawMessage) error {
	if c.JSON {
		fmt.Fprintf(out, "%s\n", record)
		return out.Flush()
	}
	var p struct {
		kith.Person
		Match match `json:"match"`
	}
	if err := json.Unmarshal(record, &p); err != nil {
		return fmt.Errorf("a result cannot be read: %w", err)
	}
	fmt.Fprintln(out, joined(" · ", summary(p.Person), plain(p.Match.introductions())))
	return out.Flush()
}

// summary is a person in one line: name, job, place, profile.
func summary(p kith.Person) string {
	var job string
	if w := p.WorkRelevant; w != nil {
		job = joined(" at ", w.Title, w.Company.Name)
	}
	place := joined(", ", p.Location.City, p.Location.State, p.Location.Country)
	return plain(joined(" · ", p.FullName, job, place, p.SocialURL))
}

// plain is a text from a record as it may be printed: what ends a line is a space,
// and what steers a terminal or turns the direction of letters is left out.
func plain(s string) string {
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

// joined leaves out what is empty.
func joined(by string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), by)
}
