// Package client calls the API of Kith from Go. A [Client] speaks for one user to one server: it has a typed method for
// each operation that scripts and agents use most, and [Client.Do] for the rest. Lists and searches are iterators that
// fetch page after page, and [Client.Stream] gives the events of a search and resumes where the connection breaks.
// Every failure that the server answers with is an [*Error]. The command line and the MCP server of Kith call the API
// through this package; [Local] is how they do so without a server.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Config says which server to call, and for whom.
type Config struct {
	// URL is the address of the server, such as https://kith.example.com. A path is kept: the API may be below it.
	URL string
	// Token is the bearer token of the user.
	Token string
	// Transport sends the requests; nil is [http.DefaultTransport].
	Transport http.RoundTripper
}

// Client calls one server for one user. It is safe for concurrent use.
type Client struct {
	base  string
	token string
	http  http.Client
}

// New returns a client, or an error for a URL that names no server.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the server must be a URL such as http://localhost:8080 (got %q)", cfg.URL)
	}
	return &Client{
		base: strings.TrimRight(cfg.URL, "/"), token: cfg.Token, http: http.Client{Transport: cfg.Transport},
	}, nil
}

// For returns a client of the same server for the user of another token.
func (c *Client) For(token string) *Client {
	other := *c
	other.token = token
	return &other
}

// Do sends a request of any operation: path begins with /v2, body is sent as JSON unless it is nil, and answer gets the
// whole answer, envelope included, unless it is nil. A status of 400 or more is an [*Error].
func (c *Client) Do(ctx context.Context, method, path string, body, answer any) error {
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	resp, err := c.send(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if answer == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(answer); err != nil {
		return fmt.Errorf("%s %s: the answer cannot be read: %w", method, path, err)
	}
	return nil
}

func (c *Client) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return req, nil
}

// send returns an answer that is no failure. Its body must be closed.
func (c *Client) send(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, unwrapped(err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		defer resp.Body.Close()
		return nil, failure(resp)
	}
	return resp, nil
}

// unwrapped leaves out of an error of net/http what it repeats of the request, which may name people.
func unwrapped(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("the server cannot be reached: %w", e.Err)
	}
	return err
}

// Metadata is what every answer says of itself.
type Metadata struct {
	RequestID string `json:"request_id"`
}

// Pagination says how a list goes on. Cursor asks for the next page, and is empty on the last one.
type Pagination struct {
	Cursor      string `json:"cursor"`
	HasNextPage bool   `json:"has_next_page"`
	Count       int    `json:"count"`
}

// call sends a request and returns the data of the answer.
func call[T any](ctx context.Context, c *Client, method, path string, body any) (T, error) {
	var answer struct {
		Data T `json:"data"`
	}
	err := c.Do(ctx, method, path, body, &answer)
	return answer.Data, err
}
