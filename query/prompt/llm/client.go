package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"
)

// Reasons to give up on the model. The texts contain nothing of prompts, answers or keys.
var (
	errSlow        = errors.New("it did not respond in time")
	errUnreachable = errors.New("it could not be reached")
	errRefused     = errors.New("it refused the request")
	errPaused      = errors.New("it failed recently and is paused")
	errAnswer      = errors.New("its answer is invalid")
)

const (
	// maxReply limits the bytes of a reply, maxAnswer the text in it, and maxTokens the tokens that the model may
	// write.
	maxReply  = 64 << 10
	maxAnswer = 16 << 10
	maxTokens = 1500
	// mostFailures is the number of consecutive failures after which the endpoint counts as down.
	mostFailures = 3
)

// client calls one endpoint.
type client struct {
	http    *http.Client
	api     api
	model   string
	key     string
	breaker *gobreaker.CircuitBreaker[string]
}

func newClient(cfg Config) (*client, error) {
	at, err := parseEndpoint(cfg.URL)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(cfg.Model) == "" {
		return nil, errors.New("the language model has no name: name a model of the endpoint")
	}
	c := &client{api: at, model: cfg.Model, key: cfg.Key}
	c.http = &http.Client{
		Transport: limitTransport(cfg),
		// Send the prompt and the key only to the configured address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c.breaker = gobreaker.NewCircuitBreaker[string](gobreaker.Settings{
		Timeout:     cfg.CoolDown,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= mostFailures },
		// An endpoint that answers, even with nonsense, is up: a hostile prompt must not disable the model for
		// everyone.
		IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, errAnswer) },
		IsExcluded:   func(err error) bool { return errors.Is(err, context.Canceled) },
	})
	return c, nil
}

// limitTransport returns the transport. It limits response headers to the size of replies.
func limitTransport(cfg Config) http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if cfg.Transport != nil || !ok {
		return cfg.Transport
	}
	t := standard.Clone()
	t.MaxResponseHeaderBytes = maxReply
	return t
}

// parseEndpoint returns the form of the endpoint at an address.
func parseEndpoint(base string) (api, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return api{}, errors.New("the address of a language model must begin with http or https, such as " +
			"http://127.0.0.1:11434/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return api{}, errors.New("the address of a language model must have no password, query or fragment; give the " +
			"key separately")
	}
	return apiAt(u), nil
}

// ask sends a conversation and returns the model's text. It gives up at the deadline.
func (c *client) ask(ctx context.Context, deadline time.Time, talk []message) (string, error) {
	content, err := c.breaker.Execute(func() (string, error) { return c.send(ctx, deadline, talk) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return "", errPaused
	}
	return content, err
}

// send makes one request. The deadline covers all of it, including reading the reply.
func (c *client) send(parent context.Context, deadline time.Time, talk []message) (string, error) {
	ctx, cancel := context.WithDeadline(parent, deadline)
	defer cancel()
	body, err := json.Marshal(c.api.body(c.model, talk))
	if err != nil {
		return "", fmt.Errorf("writing the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.api.address, bytes.NewReader(body))
	if err != nil {
		return "", errUnreachable
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	c.api.headers(req.Header, c.key)
	reply, err := c.http.Do(req)
	if err != nil {
		return "", failure(parent, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%w with status %d", errRefused, reply.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(reply.Body, maxReply+1))
	if err != nil {
		return "", failure(parent, err)
	}
	return c.extractText(raw)
}

// failure classifies a transport error. It does not wrap the error, which contains addresses.
func failure(parent context.Context, err error) error {
	var timeout net.Error
	switch {
	case parent.Err() != nil:
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		return errSlow
	}
	return errUnreachable
}

// extractText returns the model's text in a reply.
func (c *client) extractText(raw []byte) (string, error) {
	if len(raw) > maxReply {
		return "", fmt.Errorf("%w: it is longer than %d bytes", errAnswer, maxReply)
	}
	text, err := c.api.text(raw)
	switch {
	case err != nil:
		return "", err
	case text == "":
		return "", fmt.Errorf("%w: the reply has no text in it", errAnswer)
	case len(text) > maxAnswer:
		return "", fmt.Errorf("%w: it is longer than %d bytes", errAnswer, maxAnswer)
	}
	return text, nil
}
