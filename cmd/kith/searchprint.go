package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"kith/client"
)

// printer prints the people of a search as they arrive.
type printer struct {
	cmd *searchCmd
	out *output
	err io.Writer
	// matches are on out; near is the table of close matches, which follow all others. They go to err, because a pipe
	// should get only matches.
	matches, near *table
	found, close  int
	total         string
	closest       bool
	// narrowed is true if the search is limited to people in the caller's network, introducing if it asks for
	// introducers.
	narrowed, introducing bool
}

// print prints the people of one page, or with --all of all pages, and a summary. It returns the number of matches.
func (p *printer) print(ctx context.Context, api *client.Client) (int, error) {
	req := p.cmd.request()
	for {
		done, err := p.page(ctx, api, req)
		p.flush()
		if err != nil || p.out.err != nil {
			return p.found, err
		}
		next := done.Pagination
		if !p.cmd.All || !next.HasNextPage {
			p.say(done.Metadata, next)
			return p.found, nil
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
			if err := p.person(e); err != nil { // such as a reader that has gone
				return nil, err
			}
		case *client.Counted:
			p.total = formatTotal(e.Counts, p.narrowed)
		case *client.Done:
			last = e
		case *client.Started:
			network := e.Metadata.Interpretation.Network
			p.narrowed = network != nil
			if p.matches == nil && p.found == 0 { // the first page
				p.unsure(e.Metadata.Interpretation)
			}
			p.begin(network != nil && network.IntroducersOf != nil)
		case *client.Stage:
			p.stage(e)
		}
	}
	return last, nil
}

// stage announces the close matches.
func (p *printer) stage(s *client.Stage) {
	if s.Stage == "closest" && s.Results > 0 {
		p.flush()
		fmt.Fprintln(p.err, "these come close:")
		p.closest = true
	}
}

// unsure prints, before any people, how else the prompt can be read.
func (p *printer) unsure(about client.Interpretation) {
	if about.Confidence == "" || len(about.Alternatives) == 0 {
		return
	}
	var others []string
	for _, a := range about.Alternatives {
		others = append(others, otherReading(a.Reading, a.Says))
	}
	line := "Also possible: " + strings.Join(others, "; or: ")
	if about.Question != nil {
		first := printable(about.Question.Answers[0].Says)
		line = "Not sure: read as " + first + "; or: " + strings.Join(others, "; or: ")
	}
	fmt.Fprintln(p.err, line)
}

// otherReading says how to search for another reading.
func otherReading(number int, says string) string {
	return fmt.Sprintf("%s (repeat with --reading %d)", printable(says), number)
}

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

// begin makes the tables, once. If the search asks for introducers, a column says who they can introduce the user to.
func (p *printer) begin(introducing bool) {
	if p.matches != nil {
		return
	}
	columns := func() []column {
		all := []column{{heading: "NAME", use: whole}, {heading: "TITLE"}, {heading: "COMPANY"}, {heading: "PLACE"}}
		if introducing {
			all[len(all)-1].use = spare
			return append(all, column{heading: "INTRODUCES YOU TO"})
		}
		return append(all, column{heading: "PROFILE", use: spare})
	}
	p.matches, p.near = newTable(p.out, columns()...), newTable(p.err, columns()...)
	p.introducing = introducing
}

// flush prints the people that the tables keep back.
func (p *printer) flush() {
	if p.matches != nil {
		p.matches.flush()
		p.near.flush()
	}
}

// person prints a person.
func (p *printer) person(r *client.Result) error {
	if p.cmd.JSON {
		p.found++
		return p.out.json(r.Record, "")
	}
	p.begin(false)
	to, n := p.matches, &p.found
	if p.closest {
		to, n = p.near, &p.close
	}
	*n++
	who := r.Person
	var title, company string
	if job := who.WorkRelevant; job != nil {
		title, company = job.Title, job.Company.Name
	}
	last := who.SocialURL
	if p.introducing {
		last = introductions(who.Match)
	}
	to.row(who.FullName, title, company, joinNonEmpty(", ", who.Location.City, who.Location.Country), last)
	return p.out.err
}
