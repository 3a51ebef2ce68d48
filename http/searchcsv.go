package http

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"kith"
	"kith/http/strict"
	"kith/internal/search"
)

// maxCSV is the maximum number of people in one table. The cursor in the trailer continues it.
const maxCSV = 10_000

const (
	typeCSV = "text/csv"
	// cursorTrailer follows an incomplete table.
	cursorTrailer = "X-Next-Cursor"
)

// csvColumns are the columns of a table of people.
func csvColumns() []string {
	return []string{
		"id", "full_name", "first_name", "last_name", "headline", "title", "company", "company_domain",
		"company_industry",
		"company_size",
		"start_date", "city", "state", "country", "social_url",
	}
}

// rejectTableStream reports a request for both a table and a stream.
func rejectTableStream(v strict.Value) []kith.FieldError {
	if !v.Bool("stream") {
		return nil
	}
	return []kith.FieldError{{
		Field: "stream", Code: "INVALID_VALUE", Message: "must be false or left out with Accept: text/csv",
	}}
}

// searchTable answers a search as a table, page by page: one page if the request sets a limit, else everything up to
// [maxCSV]. Failures before the first page are refused like those of any other search; later ones cut the connection.
func (s searching) searchTable(w http.ResponseWriter, r *http.Request, asked *askedSearch) error {
	req := &asked.request
	ctx, cancel := s.work(r.Context())
	defer cancel()
	c := callerFrom(ctx)
	off := false
	req.Closest, req.Explain, req.Facets, req.IncludeCounts, req.CountsToken = &off, &off, nil, "", ""
	most := maxCSV
	if req.Limit > 0 || len(req.List) > 0 { // a list is one page
		most = 1
	} else {
		req.Limit = search.MaxLimit
	}
	results, err := asked.search(ctx)
	if err != nil {
		return err
	}
	if err := c.turn.reserve(ctx, c.turn.exports, 1); err != nil {
		return err
	}
	page, err := search.Collect(ctx, results)
	if err != nil {
		return s.stopReason(err)
	}
	t := &csvTable{w: w, out: csv.NewWriter(w)}
	t.begin()
	err = t.fill(ctx, c, page, *req, most)
	if err = errors.Join(err, c.dataset.Audit.Note(context.WithoutCancel(ctx), c.by(), actionTable, "",
		map[string]any{"people": t.rows})); err != nil {
		s.log.Warn().Str("request_id", requestID(ctx)).Err(err).Msg("table cut")
		panic(http.ErrAbortHandler)
	}
	return nil
}

func nextPage(ctx context.Context, c caller, req search.Request) (*search.Page, error) {
	results, err := c.dataset.Search.Search(ctx, c.viewer(), req)
	if err != nil {
		return nil, err
	}
	return search.Collect(ctx, results)
}

// csvTable writes people as rows.
type csvTable struct {
	w    http.ResponseWriter
	out  *csv.Writer
	rows int
}

func (t *csvTable) begin() {
	h := t.w.Header()
	h.Set("Content-Type", typeCSV+"; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="people.csv"`)
	h.Set("Trailer", cursorTrailer)
	_ = t.out.Write(csvColumns()) // it keeps its error for Flush
}

// fill writes the page and those after it, until there are most rows. The trailer has the cursor of the rest.
func (t *csvTable) fill(ctx context.Context, c caller, page *search.Page, req search.Request,
	most int,
) error {
	for {
		c.turn.pause()
		if err := t.write(page.People); err != nil || !page.Pagination.HasNextPage {
			return err
		}
		if t.rows >= most {
			t.w.Header().Set(cursorTrailer, page.Pagination.Cursor)
			return nil
		}
		req.Cursor = page.Pagination.Cursor
		err := c.turn.resume(ctx)
		if err == nil {
			page, err = nextPage(ctx, c, req)
		}
		if err != nil {
			return err
		}
	}
}

// write writes the rows of a page and sends them.
func (t *csvTable) write(people []json.RawMessage) error {
	boundWrite(t.w)
	for _, record := range people {
		var p kith.Person
		if err := json.Unmarshal(record, &p); err != nil {
			return fmt.Errorf("a result cannot be read: %w", err)
		}
		_ = t.out.Write(csvRow(p))
		t.rows++
	}
	t.out.Flush()
	_ = http.NewResponseController(t.w).Flush() // writers in tests cannot flush
	return t.out.Error()
}

func csvRow(p kith.Person) []string {
	job := p.Present()
	if job == nil {
		job = &kith.Job{}
	}
	size, start := "", ""
	if n := job.Company.EmployeeCount; n > 0 {
		size = strconv.Itoa(n)
	}
	if job.StartDate != nil {
		start = *job.StartDate
	}
	row := []string{
		strconv.FormatInt(p.ID, 10), p.FullName, p.FirstName, p.LastName, p.Headline, job.Title, job.Company.Name,
		job.Company.Domain,
		job.Company.Industry, size, start, p.Location.City, p.Location.State, p.Location.Country, p.SocialURL,
	}
	for i := range row {
		row[i] = escapeFormula(row[i])
	}
	return row
}

// escapeFormula stops spreadsheets from reading a text as a formula.
func escapeFormula(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}
