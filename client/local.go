package client

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// Local is a transport that calls a handler of this process, without a network. It streams answers, and a reader that
// closes the body cancels the request's context.
func Local(handler http.Handler) http.RoundTripper { return local{handler} }

// LocalURL is a URL for a [Config] with a [Local] transport, which uses only the path.
const LocalURL = "http://kith.invalid"

type local struct{ handler http.Handler }

// RoundTrip implements [http.RoundTripper].
func (l local) RoundTrip(req *http.Request) (*http.Response, error) {
	// As over a network, the handler gets no values of the caller's context: one that answers a request by calling
	// itself would use its router's values for the new request.
	caller := req.Context()
	ctx, end := context.WithCancel(context.Background())
	follow := context.AfterFunc(caller, end)
	cancel := func() { follow(); end() }
	body, out := io.Pipe()
	w := &localWriter{header: http.Header{}, out: out, begun: make(chan struct{})}
	w.response = &http.Response{
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req, ContentLength: -1, Trailer: http.Header{},
		Body: &localBody{PipeReader: body, cancel: cancel},
	}
	go l.serve(w, received(req.WithContext(ctx)))
	select {
	case <-w.begun:
		return w.response, nil
	case <-caller.Done():
		cancel()
		_ = body.Close() // so that the handler's writes end
		return nil, context.Cause(caller)
	}
}

// received returns a request as a handler receives it.
func received(req *http.Request) *http.Request {
	in := req.Clone(req.Context())
	in.RequestURI, in.Host, in.RemoteAddr = req.URL.RequestURI(), req.URL.Host, "127.0.0.1:0"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	return in
}

// serve runs the handler. A panic cuts off the answer.
func (l local) serve(w *localWriter, req *http.Request) {
	defer req.Body.Close()
	defer func() {
		p := recover()
		switch p {
		case nil:
			w.finish(nil)
		case http.ErrAbortHandler:
			w.finish(io.ErrUnexpectedEOF)
		default:
			w.finish(fmt.Errorf("the handler panicked: %v", p))
		}
	}()
	l.handler.ServeHTTP(w, req)
}

// localBody cancels the handler's work when it is closed.
type localBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

// Close implements [io.Closer].
func (b *localBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// localWriter passes on what a handler writes.
type localWriter struct {
	header   http.Header
	response *http.Response
	out      *io.PipeWriter
	once     sync.Once
	begun    chan struct{}
}

// Header implements [http.ResponseWriter].
func (w *localWriter) Header() http.Header { return w.header }

// WriteHeader implements [http.ResponseWriter].
func (w *localWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.response.StatusCode, w.response.Status = status, fmt.Sprintf("%d %s", status, http.StatusText(status))
		w.response.Header = maps.Clone(w.header)
		close(w.begun)
	})
}

// Write implements [http.ResponseWriter].
func (w *localWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(p)
}

// Flush implements [http.Flusher]. Only the headers are ever held back.
func (w *localWriter) Flush() { w.WriteHeader(http.StatusOK) }

// finish ends the answer. It sets the trailers before the end of the body.
func (w *localWriter) finish(err error) {
	w.WriteHeader(http.StatusOK)
	for name := range strings.SplitSeq(w.response.Header.Get("Trailer"), ",") {
		if name = strings.TrimSpace(name); name != "" && w.header.Get(name) != "" {
			w.response.Trailer.Set(name, w.header.Get(name))
		}
	}
	_ = w.out.CloseWithError(err) // it never fails
}
