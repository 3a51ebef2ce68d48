package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/rivo/uniseg"

	"kith/client"
)

// printer prints the people of a search as they arrive.
type printer struct {
	cmd   *searchCmd
	out   *output
	err   io.Writer
	found int
	// close counts close matches, which follow all exact ones. They go to err, because a pipe should get only matches.
	close   int
	total   string
	closest bool
	// narrowed is true if the search is limited to people in the caller's network.
	narrowed bool
}

// print prints the people of one page, or with --all of all pages, and a summary. It
// returns how many it printed, including close matches.
func (p *printer) print(ctx context.Context, api *client.Client) (int, error) {
	req := p.cmd.request()
	for {
		done, err := p.page(ctx, api, req)
		if err != nil || p.out.err != nil {
			return p.found + p.close, err
		}
		next := done.Pagination
		if !p.cmd.All || !next.HasNextPage {
			p.say(done.Metadata, next)
			return p.found + p.close, nil
		}
		req.Cursor, req.IncludeCounts = next.Cursor, ""
	}
}

// page prints the people of one page.
func (p *printer) page(ctx context.Context, api *client.Client, req client.SearchRequest) (*client.Done, error) {
	var last *client.Done
	for event, err := range api.Stream(ctx, req) {
		if err != nil {
			return nil, err
		}
		switch e := event.(type) {
		case *client.Result:
			p.person(e)
			if p.out.err != nil { // the reader has gone
				return nil, nil
			}
		case *client.Counted:
			p.total = formatTotal(e.Counts, p.narrowed)
		case *client.Done:
			last = e
		case *client.Started:
			p.narrowed = e.Metadata.Interpretation.Network != nil
		case *client.Stage:
			p.stage(e)
		}
	}
	return last, nil
}

// stage announces the close matches.
func (p *printer) stage(s *client.Stage) {
	switch {
	case s.Stage != closestStage || s.Results == 0:
	case p.found == 0:
		fmt.Fprintln(p.err, "no one matches exactly; the closest:")
		p.closest = true
	default:
		fmt.Fprintln(p.err, "these come close:")
		p.closest = true
	}
}

// closestStage is the stage of close matches.
const closestStage = "closest"

// say prints notes and totals on standard error.
func (p *printer) say(about client.SearchMetadata, next client.Pagination) {
	if p.cmd.SQL {
		fmt.Fprintln(p.err, about.GeneratedSQL)
	}
	for _, note := range about.Interpretation.Notes {
		fmt.Fprintf(p.err, "note: %s\n", printable(note))
	}
	if p.found == 0 {
		return
	}
	shown := fmt.Sprint(p.found)
	if p.total != "" {
		shown += " of " + p.total
	}
	if next.HasNextPage {
		shown += ": --all prints all"
	}
	if next.HasNextPage && p.cmd.JSON { // people have no use for a kilobyte of cursor
		shown += ", --cursor " + next.Cursor + " continues"
	}
	fmt.Fprintln(p.err, shown)
}

// formatTotal returns the number of matches, within the network if the search is limited to it.
func formatTotal(counts client.Counts, narrowed bool) string {
	global, network := counts.Global, counts.Network
	switch {
	case narrowed && network != nil && network.IsEstimated:
		return fmt.Sprintf("about %d", network.Value)
	case narrowed && network != nil:
		return fmt.Sprint(network.Value)
	case global == nil:
		return ""
	case global.IsCapped:
		return fmt.Sprintf("more than %d", global.Value)
	}
	return fmt.Sprint(global.Value)
}

// The column widths of the table; the profile comes last and has no limit.
const (
	nameWidth    = 24
	titleWidth   = 28
	companyWidth = 24
	placeWidth   = 24
)

func (p *printer) person(r *client.Result) {
	if p.cmd.JSON {
		fmt.Fprintf(p.out, "%s\n", r.Record)
		p.found++
		return
	}
	var to io.Writer = p.out
	n := &p.found
	if p.closest {
		to, n = p.err, &p.close
	}
	if *n == 0 {
		row(to, "NAME", "TITLE", "COMPANY", "PLACE", "PROFILE")
	}
	*n++
	who := r.Person
	var title, company string
	if job := who.WorkRelevant; job != nil {
		title, company = job.Title, job.Company.Name
	}
	place := joinNonEmpty(", ", who.Location.City, who.Location.Country)
	row(to, who.FullName, title, company, place, joinNonEmpty("  ", who.SocialURL, introductions(who.Match)))
}

// row prints a row in one write. On a terminal, it cuts long cells; programs get the full text.
func row(to io.Writer, name, title, company, place, rest string) {
	cut := isTerminal(to)
	line := cell(name, nameWidth, cut) + "  " + cell(title, titleWidth, cut) + "  " + cell(company, companyWidth, cut) +
		"  " + cell(place, placeWidth, cut) + "  " + printable(rest)
	fmt.Fprintln(to, strings.TrimRight(line, " "))
}

func isTerminal(to io.Writer) bool {
	if out, ok := to.(*output); ok {
		to = out.w
	}
	file, ok := to.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// cell pads a text to the width of its column.
func cell(text string, width int, cut bool) string {
	text = printable(text)
	if cut && uniseg.StringWidth(text) > width {
		text = shorten(text, width)
	}
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}

// shorten cuts a text and marks the cut with an ellipsis.
func shorten(text string, width int) string {
	var b strings.Builder
	for letters, used := uniseg.NewGraphemes(text), 0; letters.Next(); {
		if used += letters.Width(); used >= width {
			break
		}
		b.WriteString(letters.Str())
	}
	return b.String() + "…"
}
