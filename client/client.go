// Package client calls the API of Kith from Go. A [Client] acts for one user on one server: it has typed methods for
// the operations that scripts and agents use most, and [Client.Do] for the rest. Lists and searches are iterators over
// all pages. [Client.Stream] returns the events of a search and resumes after a broken connection. Failures reported by
// the server are an [*Error]. Kith's command line and MCP server use this package, with [Local] instead of a server.
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

// Config names the server and the user.
type Config struct {
	// URL is the address of the server, such as https://kith.example.com, with an optional path below which the API is.
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

// New returns a client, or an error for an invalid URL.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the server must be a URL such as http://localhost:8080 (got %q)", cfg.URL)
	}
	return &Client{
		base: strings.TrimRight(cfg.URL, "/"), token: cfg.Token, http: http.Client{Transport: cfg.Transport},
	}, nil
}

// For returns a client of the same server for another token.
func (c *Client) For(token string) *Client {
	other := *c
	other.token = token
	return &other
}

// Do sends any request: path begins with /v2, a body other than nil is sent as JSON, and answer, unless nil, receives
// the whole answer with its envelope. A status of 400 or more is an [*Error].
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
		return fmt.Errorf("%s %s: cannot read the response: %w", method, path, err)
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

// send returns a successful answer. Its body must be closed.
func (c *Client) send(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, withoutURL(err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		defer resp.Body.Close()
		return nil, failure(resp)
	}
	return resp, nil
}

// withoutURL removes the request from an error of net/http, because it may name people.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("the server cannot be reached: %w", e.Err)
	}
	return err
}

// Metadata is the metadata of every answer.
type Metadata struct {
	RequestID string `json:"request_id"`
}

// Pagination has the cursor of the next page, empty on the last one.
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
