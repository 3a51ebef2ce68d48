package http

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/http/strict"
	"kith/internal/search"
)

// searching answers searches as JSON, CSV or streams.
type searching struct{ *Server }

// askedSearch is a search request with the problems of its shape.
type askedSearch struct {
	body     strict.Value
	problems []kith.FieldError
	request  search.Request
	table    bool
}

// searchPeople answers POST /v2/people/search as JSON, a stream or a table. Its frame lives as long
// as a stream, so a separate function reads the body.
func (s searching) searchPeople(w http.ResponseWriter, r *http.Request) error {
	asked, err := readSearch(w, r)
	if err != nil {
		return err
	}
	if asked.table {
		return s.searchTable(w, r, asked)
	}
	stream := asked.body.Bool("stream")
	ctx, cancel := s.work(r.Context())
	defer cancel()
	if stream {
		var done func()
		ctx, done = s.watches.whileSignedIn(ctx, callerFrom(r.Context()))
		defer done()
	}
	results, err := asked.search(ctx)
	if err != nil {
		return err
	}
	if stream {
		return s.streamResults(ctx, w, r, results, cancel)
	}
	page, err := search.Collect(ctx, results)
	if err != nil {
		return s.stopReason(err)
	}
	callerFrom(ctx).turn.pause()
	return s.writeResults(w, page)
}

// readSearch reads the body of a search.
func readSearch(w http.ResponseWriter, r *http.Request) (*askedSearch, error) {
	body, err := receiveBody(w, r, searchBody)
	if err != nil {
		return nil, err
	}
	v, problems, err := readObject(body, operationOf(r).Body)
	if err != nil {
		return nil, err
	}
	problems = addProblems(problems, lastPage(v))
	asked := &askedSearch{body: v, table: accepts(r, "Accept", typeCSV)}
	if asked.table {
		problems = addProblems(problems, rejectTableStream(v))
	}
	req := searchRequest(v, r.Header)
	asked.request = req
	c := callerFrom(r.Context())
	if !c.dataset.WaitsForModel {
		if err := c.turn.begin(r.Context(), asked.cost()); err != nil {
			return nil, err
		}
	}
	if id := readListID(v); id != "" && len(problems) == 0 {
		if req.List, err = findListEntries(r.Context(), id); err != nil {
			return nil, err
		}
		req.KeptList = true
	}
	req.RequestID, req.Refused = requestID(r.Context()), len(problems) > 0
	asked.request, asked.problems = req, problems
	return asked, c.turn.list(r.Context(), len(req.List))
}

// cost is that of the search for [turn.begin]: two, and one for each part that takes about as long as a page.
func (a *askedSearch) cost() int64 {
	req, cost := a.request, int64(2)
	isTrue := func(b *bool, otherwise bool) bool { return b == nil && otherwise || b != nil && *b }
	for _, more := range []bool{
		isTrue(req.Explain, false), isTrue(req.Closest, req.Prompt != ""), req.IncludeCounts != "", len(req.Facets) > 0,
		req.Limit > search.MaxLimit/2, a.table, len(req.List) > fewEntries,
	} {
		if more {
			cost++
		}
	}
	return cost
}

// search plans the search for the caller, who then has the right to work.
func (a *askedSearch) search(ctx context.Context) (*search.Results, error) {
	c := callerFrom(ctx)
	results, err := c.dataset.Search.Search(ctx, c.viewer(), a.request)
	if err = joinProblems(a.body, a.problems, err); err != nil {
		return nil, err
	}
	return results, c.turn.begin(ctx, a.cost())
}

// joinProblems combines the problems of a request's shape with those of its meaning in one error.
func joinProblems(v strict.Value, shape []kith.FieldError, meaning error) error {
	if kith.KindOf(meaning) != kith.Invalid && len(shape) == 0 {
		return meaning
	}
	e := describe(meaning)
	var domain []kith.FieldError
	if kith.KindOf(meaning) == kith.Invalid {
		domain = relocate(v, e.Fields)
	}
	if len(shape) == 0 {
		return &kith.Error{Kind: kith.Invalid, Code: e.Code, Detail: e.Detail, Fields: domain}
	}
	for _, p := range domain {
		// A search may lack only the part that could not be read.
		if p.Code != "REQUIRED" {
			shape = addProblems(shape, []kith.FieldError{p})
		}
	}
	return kith.InvalidFields(shape)
}

// relocate converts the paths of list problems to the form of the body: a list may be a member of
// an object, and an entry may be a bare value.
func relocate(v strict.Value, problems []kith.FieldError) []kith.FieldError {
	const list = "specific_list_data"
	entries, _ := v.Get(list)
	at := list
	if entries.Kind == strict.Object && len(entries.Members) > 0 {
		at += "." + entries.Members[0].Name
		entries = entries.Members[0].Value
	}
	out := make([]kith.FieldError, len(problems))
	for i, p := range problems {
		rest, inEntry := strings.CutPrefix(p.Field, list+"[")
		switch {
		case inEntry:
			p.Field = at + "[" + inBody(entries, rest)
		case p.Field == list && p.Code == "OUT_OF_RANGE": // the number of entries
			p.Field = at
		}
		out[i] = p
	}
	return out
}

// inBody returns the rest of a path, from the number of an entry on; a bare entry has no members.
func inBody(entries strict.Value, rest string) string {
	number, _, _ := strings.Cut(rest, "]")
	i, err := strconv.Atoi(number)
	if err == nil && i < len(entries.Items) && entries.Items[i].Kind != strict.Object {
		return number + "]"
	}
	return rest
}

// writeResults writes a page with its length. A list answer has up to 50,000 people, so it copies
// them one by one, as the engine returned them.
func (s searching) writeResults(w http.ResponseWriter, page *search.Page) error {
	meta, err := encode(page.Metadata)
	if err != nil {
		return fmt.Errorf("encoding metadata: %w", err)
	}
	pagination, err := encode(page.Pagination)
	if err != nil {
		return fmt.Errorf("encoding pagination: %w", err)
	}
	tail := slices.Concat([]byte(`],"metadata":`), meta, []byte(`,"pagination":`), pagination, []byte("}\n"))
	const head = `{"data":[`
	size := len(head) + len(tail) + max(0, len(page.People)-1)
	for _, person := range page.People {
		size += len(person)
	}
	w.Header().Set("Content-Type", typeJSON)
	w.Header().Set("Content-Length", strconv.Itoa(size))
	boundWrite(w)
	out := s.pieces.Get().(*bufio.Writer) // it holds nothing else
	defer s.pieces.Put(out)
	out.Reset(w)
	_, _ = out.WriteString(head)
	for i, person := range page.People {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		_, _ = out.Write(person)
	}
	_, _ = out.Write(tail)
	_ = out.Flush() // the client is gone, nobody needs the error
	out.Reset(nil)
	return nil
}

// maxPiece is the maximum number of bytes for one write to the connection: most pages are shorter.
const maxPiece = 128 << 10
