package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// client calls Kith as a user does, over its own connection, one request at a time.
// net/http's client passes each request between goroutines, which takes half as long as an
// idle handler.
type client struct {
	url, token string
	conn       net.Conn
	in         *bufio.Reader
	read       bytes.Buffer
	unhook     func() bool
}

// newClient connects to Kith. The end of ctx closes the connection.
func newClient(ctx context.Context, e Engine) (*client, error) {
	base := strings.TrimRight(e.URL, "/")
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		return nil, fmt.Errorf("bench: reaching kith: %w", err)
	}
	return &client{
		url: base + "/v2/people/search", token: e.Token,
		conn: conn, in: bufio.NewReaderSize(conn, 64<<10), unhook: context.AfterFunc(ctx, func() { _ = conn.Close() }),
	}, nil
}

func (c *client) close() {
	c.unhook()
	_ = c.conn.Close()
}

// encode encodes a request as it is sent over the connection.
func (c *client) encode(ctx context.Context, req Request) ([]byte, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Authorization", "Bearer "+c.token)
	var wire bytes.Buffer
	err = post.Write(&wire)
	return wire.Bytes(), err
}

// post sends an encoded request. The answer must be read completely before the next request.
func (c *client) post(wire []byte) (*http.Response, error) {
	if _, err := c.conn.Write(wire); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1000))
		return nil, fmt.Errorf("kith answers %d: %s", res.StatusCode, text)
	}
	return res, nil
}

// page requests a page and reads the answer, which is valid until the next call.
func (c *client) page(wire []byte) ([]byte, error) {
	res, err := c.post(wire)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	c.read.Reset()
	_, err = c.read.ReadFrom(res.Body)
	return c.read.Bytes(), err
}

// answer is the part of an answer that the measurement needs.
type answer struct {
	Data     []json.RawMessage `json:"data"`
	Metadata struct {
		Counts *struct {
			Global *struct {
				Value    int  `json:"value"`
				IsCapped bool `json:"is_capped"`
			} `json:"global"`
		} `json:"counts"`
	} `json:"metadata"`
	Pagination struct {
		Cursor string `json:"cursor"`
	} `json:"pagination"`
}

func (c *client) searchPage(ctx context.Context, req Request) (answer, error) {
	var a answer
	wire, err := c.encode(ctx, req)
	if err != nil {
		return a, err
	}
	text, err := c.page(wire)
	if err != nil {
		return a, err
	}
	err = json.Unmarshal(text, &a)
	return a, err
}

// firstResult requests a stream. It returns the time until the first result (0 if there is none) and until the end.
func (c *client) firstResult(wire []byte) (first, all time.Duration, err error) {
	began := time.Now()
	res, err := c.post(wire)
	if err != nil {
		return 0, 0, err
	}
	defer res.Body.Close()
	lines := bufio.NewReaderSize(res.Body, 64<<10)
	for event := ""; ; {
		line, isPrefix, err := lines.ReadLine()
		if err != nil {
			return 0, 0, fmt.Errorf("the stream was cut after %s event: %w", event, err)
		}
		name, ok := strings.CutPrefix(string(line[:min(len(line), 40)]), "event: ")
		for isPrefix && err == nil {
			_, isPrefix, err = lines.ReadLine()
		}
		switch {
		case !ok:
		case name == "result" && first == 0:
			first = time.Since(began)
		case name == "done":
			_, err = io.Copy(io.Discard, lines)
			return first, time.Since(began), err
		}
		if ok {
			event = name
		}
	}
}
