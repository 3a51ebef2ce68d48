package http

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/http/openapi"
	"kith/http/strict"
)

// Body limits in bytes. A search may include a list of 50,000 profile URLs of 500 characters, with scores.
const (
	smallBody  = 64 << 10
	searchBody = 32 << 20
)

// readBody reads the JSON body of a request up to a limit, and then waits for the user's turn.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := receiveBody(w, r, limit)
	if err != nil {
		return nil, err
	}
	return body, begin(r)
}

// receiveBody reads the JSON body of a request up to a limit.
func receiveBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := checkMediaType(r.Header); err != nil {
		return nil, err
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body, err := readAll(r, http.MaxBytesReader(w, r.Body, limit), limit)
	if _, refused := errors.AsType[*kith.Error](err); refused {
		return nil, err
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge(limit)
	}
	if err != nil {
		return nil, kith.Errorf(kith.Malformed, "BODY_INCOMPLETE", "the body is incomplete; send it again")
	}
	return body, nil
}

// boundRead ends the read deadline of a request with its body. The work that follows may take longer, and the server
// must not take an expired deadline for a disconnected client.
func boundRead(w http.ResponseWriter, r *http.Request) {
	end := func() {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // writers in tests have no deadlines
	}
	if r.Body == http.NoBody {
		end()
		return
	}
	r.Body = boundedBody{r.Body, end}
}

// boundedBody is a body that reports its end.
type boundedBody struct {
	io.ReadCloser
	ended func()
}

// Read implements [io.Reader].
func (b boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.ended()
	}
	return n, err
}

// readAll reads a body. Large bodies, and those of unknown size that may be large, wait for a memory reservation.
func readAll(r *http.Request, from io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	size := r.ContentLength
	if size < 0 { // unknown
		if n, err := b.ReadFrom(io.LimitReader(from, smallBody)); err != nil || n < smallBody {
			return b.Bytes(), err
		}
		size = limit
	}
	if size > smallBody {
		if err := callerFrom(r.Context()).turn.body(r.Context(), size); err != nil {
			return nil, err
		}
		b.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	}
	_, err := b.ReadFrom(from)
	return b.Bytes(), err
}

// maxDrained is how much of the body of a refused request is read: twice the largest JSON body.
const maxDrained = 2 * searchBody

// drainBody reads up to most bytes of a body that nothing reads, within the read deadline. Many clients read the answer
// only after they have sent everything, and closing the connection earlier would lose it. Nor does net/http notice that
// a client has left before the body ends. Clients that send Expect have not sent the body yet.
func drainBody(r *http.Request, most int64) {
	if r.Body != nil && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, most)
	}
}

func tooLarge(limit int64) error {
	return &refusal{
		status: http.StatusRequestEntityTooLarge, code: "PAYLOAD_TOO_LARGE", title: "The body is too large",
		detail: fmt.Sprintf("the body may have at most %d bytes", limit),
	}
}

// checkMediaType accepts plain JSON in UTF-8 and nothing else.
func checkMediaType(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, hasCharset := params["charset"]
	switch {
	case err != nil || kind != "application/json" || len(h.Values("Content-Type")) > 1:
		return unsupported("the body must be JSON; send Content-Type: application/json")
	case hasCharset && !strings.EqualFold(charset, "utf-8"):
		return unsupported("the body must be UTF-8; send Content-Type: application/json")
	case h.Get("Content-Encoding") != "" && !strings.EqualFold(h.Get("Content-Encoding"), "identity"):
		return unsupported("the body must not be compressed; send it without Content-Encoding")
	}
	return nil
}

func unsupported(detail string) error {
	return &refusal{
		status: http.StatusUnsupportedMediaType, code: "UNSUPPORTED_MEDIA_TYPE",
		title: "The media type is not supported", detail: detail,
	}
}

// described is what the server needs of the description of the API.
type described struct {
	// operations are what requests may contain, by method and path.
	operations map[string]openapi.Operation
	// filters describe the filters of a search by name, and filterValues how their values are written.
	filters      map[string]string
	filterValues string
}

// readDescribed reads the description of the API.
var readDescribed = sync.OnceValues(func() (out described, err error) {
	doc, err := openapi.Parse()
	if err != nil {
		return out, err
	}
	out.filters, out.filterValues = doc.Filters()
	out.operations, err = doc.Operations()
	return out, err
})

// operationOf returns what the description says about the requests of the operation that the router chose.
func operationOf(r *http.Request) openapi.Operation {
	api, _ := readDescribed() // [New] has returned its error
	route := chi.RouteContext(r.Context())
	return api.operations[route.RouteMethod+" "+route.RoutePattern()]
}

// readAs reads a body, checks it against the description, and converts it. It reports the problems of
// both steps together.
func readAs[T any](
	w http.ResponseWriter, r *http.Request, limit int64, read func(strict.Value) (T, []kith.FieldError),
) (out T, err error) {
	body, err := readBody(w, r, limit)
	if err != nil {
		return out, err
	}
	return parseAs(r, body, read)
}

// parseAs is [readAs] for a body that has been read.
func parseAs[T any](
	r *http.Request, body []byte, read func(strict.Value) (T, []kith.FieldError),
) (out T, err error) {
	v, problems, err := readObject(body, operationOf(r).Body)
	if err != nil {
		return out, err
	}
	out, wrong := read(v)
	return out, kith.InvalidFields(addProblems(problems, wrong))
}

// asIs is the conversion for a body whose description says everything.
func asIs(v strict.Value) (strict.Value, []kith.FieldError) { return v, nil }

// readOptionalBody reads a body that may be absent, which means {}.
func readOptionalBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 && strings.TrimSpace(r.Header.Get("Content-Type")) == "" {
		return []byte("{}"), nil
	}
	body, err := readBody(w, r, smallBody)
	if err == nil && len(body) == 0 {
		return []byte("{}"), nil
	}
	return body, err
}

// readObject parses a body and checks its shape. It returns an error at once if the problems fill
// an answer; nothing then interprets the body.
func readObject(body []byte, shape *strict.Schema) (strict.Value, []kith.FieldError, error) {
	v, err := strict.Parse(body)
	if err != nil {
		return strict.Value{}, nil, err
	}
	problems := shape.Check(&v)
	if len(problems) >= strict.MaxProblems {
		return strict.Value{}, nil, kith.InvalidFields(problems)
	}
	return v, problems, nil
}

// addProblems adds the domain's problems to those of the shape, except for fields that the shape already reported.
func addProblems(shape, domain []kith.FieldError) []kith.FieldError {
	known := make(map[string]bool, len(shape))
	for _, p := range shape {
		known[p.Field] = true
	}
	for _, p := range domain {
		if !known[p.Field] {
			shape = append(shape, p)
		}
	}
	return shape
}
