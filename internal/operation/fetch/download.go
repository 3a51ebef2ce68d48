package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// tries is how often a download is tried before it fails.
	tries = 5
	// silence is how long a server may send nothing.
	silence = 30 * time.Second
	// every is how often a running download is reported.
	every = 5 * time.Second
)

// Temporary is an error that another try may avoid: a download tries again.
type Temporary struct{ Err error }

// Unwrap returns the error itself.
func (e Temporary) Unwrap() error { return e.Err }

// Error is that of the error itself.
func (e Temporary) Error() string { return e.Err.Error() }

// download writes a verified archive to a file. What the file has from an earlier try stays, and the server sends the
// rest.
func (f *Fetcher) download(ctx context.Context, a Archive, part string) error {
	pause := f.pause
	for try := 1; ; try++ {
		err := f.try(ctx, a, part)
		if _, again := errors.AsType[Temporary](err); !again || try == tries || ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		f.say(fmt.Sprintf("%s: %v; trying again", a.Title, err))
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// try downloads the missing bytes of an archive and verifies it.
func (f *Fetcher) try(ctx context.Context, a Archive, part string) error {
	address, err := a.Source.Address(ctx, f)
	if err != nil {
		return err
	}
	resumed, err := f.receive(ctx, a, address, part)
	if err != nil {
		return err
	}
	if err := verify(part, a.SHA256); err != nil {
		err = fmt.Errorf("%s: %w", address.Redacted(), err)
		if resumed { // its first bytes may be from another file
			err = Temporary{err}
		}
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// receive appends the missing bytes to a file, or writes all if the server cannot resume.
func (f *Fetcher) receive(ctx context.Context, a Archive, address *url.URL, part string) (resumed bool, err error) {
	out, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	info, err := out.Stat()
	if err != nil {
		return false, err
	}
	have, header := info.Size(), http.Header{}
	if have > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	res, err := f.Get(ctx, address, header)
	if err != nil {
		if refused, ok := errors.AsType[status](err); ok && refused.code == http.StatusRequestedRangeNotSatisfiable {
			return false, Temporary{errors.Join(err, out.Truncate(0))}
		}
		return false, err
	}
	defer res.Body.Close()
	if begins := fmt.Sprintf("bytes %d-", have); res.StatusCode != http.StatusPartialContent ||
		!strings.HasPrefix(res.Header.Get("Content-Range"), begins) {
		have = 0
	}
	if err := out.Truncate(have); err != nil {
		return false, err
	}
	p := &progress{archive: a, have: have, said: time.Now(), say: f.say}
	p.start(address)
	// A file that is too long has the wrong checksum; it need not be longer than that.
	_, err = io.Copy(out, io.TeeReader(io.LimitReader(res.Body, a.Size-have+1), p))
	if err == nil && res.ContentLength < 0 && p.have < a.Size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return false, Temporary{fmt.Errorf("%s: after %s: %w", address.Redacted(), p.done(), err)}
	}
	return have > 0, nil
}

// status is an answer that is no success.
type status struct {
	address *url.URL
	code    int
}

// Error names the address and the answer.
func (s status) Error() string {
	return fmt.Sprintf("%s answers %d %s", s.address.Redacted(), s.code, http.StatusText(s.code))
}

// Get sends a request with a header, and returns an answer that succeeded. A body that stalls ends with an error. The
// error is [Temporary] if another try may succeed.
func (f *Fetcher) Get(ctx context.Context, address *url.URL, header http.Header) (*http.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		cancel()
		return nil, err
	}
	req.Header = header
	res, err := f.client.Do(req)
	if err != nil {
		cancel()
		return nil, Temporary{err}
	}
	res.Body = watch(res.Body, cancel)
	if res.StatusCode == http.StatusOK || res.StatusCode == http.StatusPartialContent {
		return res, nil
	}
	res.Body.Close()
	err = status{address, res.StatusCode}
	if res.StatusCode >= http.StatusInternalServerError || res.StatusCode == http.StatusTooManyRequests ||
		res.StatusCode == http.StatusRequestTimeout {
		err = Temporary{err}
	}
	return nil, err
}

// watched is a body that ends its request if nothing arrives for a while.
type watched struct {
	io.ReadCloser
	timer   *time.Timer
	cancel  context.CancelFunc
	stalled atomic.Bool
}

func watch(body io.ReadCloser, cancel context.CancelFunc) *watched {
	w := &watched{ReadCloser: body, cancel: cancel}
	w.timer = time.AfterFunc(silence, func() {
		w.stalled.Store(true)
		cancel()
	})
	return w
}

// Read reads the body.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err != nil && w.stalled.Load() {
		return n, fmt.Errorf("the server sent nothing for %s", silence)
	}
	w.timer.Reset(silence)
	return n, err
}

// Close ends the request.
func (w *watched) Close() error {
	w.timer.Stop()
	defer w.cancel()
	return w.ReadCloser.Close()
}

// verify returns nil if the file has the checksum.
func verify(path, sum string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != sum {
		return fmt.Errorf("%s has SHA-256 %s, expected %s", path, got, sum)
	}
	return nil
}

// progress reports a running download.
type progress struct {
	archive Archive
	have    int64
	said    time.Time
	say     func(string)
}

func (p *progress) start(address *url.URL) {
	if p.have > 0 {
		p.say(fmt.Sprintf("fetching the rest of %s from %s (has %s)", p.archive.Title, address.Host, p.done()))
		return
	}
	p.say(fmt.Sprintf("fetching %s from %s (%.1f MB, once)", p.archive.Title, address.Host, mega(p.archive.Size)))
}

// Write counts received bytes.
func (p *progress) Write(b []byte) (int, error) {
	p.have += int64(len(b))
	if time.Since(p.said) >= every {
		p.said = time.Now()
		p.say(fmt.Sprintf("%s: %s", p.archive.Title, p.done()))
	}
	return len(b), nil
}

func (p *progress) done() string {
	return fmt.Sprintf("%.1f of %.1f MB", mega(p.have), mega(p.archive.Size))
}

func mega(bytes int64) float64 { return float64(bytes) / 1e6 }
