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

// Why a model was of no use. The texts carry nothing of prompts, answers or keys.
var (
	errSlow    = errors.New("it did not answer in time")
	errAway    = errors.New("it could not be reached")
	errRefused = errors.New("it refused the request")
	errResting = errors.New("it failed lately and is left alone")
	errAnswer  = errors.New("its answer cannot be used")
)

const (
	// maxReply bounds what is read of a reply, maxAnswer the text in it, and
	// maxTokens what the model is asked to write at most.
	maxReply  = 64 << 10
	maxAnswer = 16 << 10
	maxTokens = 1500
	// mostFailures in a row are taken for an endpoint that is down.
	mostFailures = 3
)

// client asks one endpoint.
type client struct {
	http     *http.Client
	endpoint string
	model    string
	key      string
	timeout  time.Duration
	breaker  *gobreaker.CircuitBreaker[string]
}

func newClient(cfg Config) (*client, error) {
	endpoint, err := endpointOf(cfg.URL)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(cfg.Model) == "" {
		return nil, errors.New("a language model needs a name: say which model of the endpoint is to be asked")
	}
	c := &client{endpoint: endpoint, model: cfg.Model, key: cfg.Key, timeout: cfg.Timeout}
	c.http = &http.Client{
		Transport: transportOf(cfg),
		// The prompt and the key go where the operator said, and nowhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c.breaker = gobreaker.NewCircuitBreaker[string](gobreaker.Settings{
		Timeout:     cfg.CoolDown,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= mostFailures },
		// An endpoint that answers, if only nonsense, is not down: a hostile prompt
		// must not switch the model off for everyone.
		IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, errAnswer) },
		IsExcluded:   func(err error) bool { return errors.Is(err, context.Canceled) },
	})
	return c, nil
}

// transportOf carries the requests. What a server says in headers is bounded as
// its answers are.
func transportOf(cfg Config) http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if cfg.Transport != nil || !ok {
		return cfg.Transport
	}
	t := standard.Clone()
	t.MaxResponseHeaderBytes = maxReply
	return t
}

// endpointOf is the address that is asked.
func endpointOf(base string) (string, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", errors.New("the address of a language model is one of http or https, such as http://127.0.0.1:11434/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the address of a language model has no password, query or fragment; the key has a place of " +
			"its own")
	}
	return u.JoinPath("chat", "completions").String(), nil
}

// ask sends a prompt and returns the text that the model wrote.
func (c *client) ask(ctx context.Context, text string) (string, error) {
	content, err := c.breaker.Execute(func() (string, error) { return c.send(ctx, text) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return "", errResting
	}
	return content, err
}

// send makes one request. All of it, the reading of the reply included, ends
// with the time-out.
func (c *client) send(parent context.Context, text string) (string, error) {
	ctx, cancel := context.WithTimeout(parent, c.timeout)
	defer cancel()
	body, err := json.Marshal(requestFor(c.model, text))
	if err != nil {
		return "", fmt.Errorf("writing the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return "", errAway
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
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
	return contentOf(raw)
}

// failure sorts what went wrong on the way. The error of a transport names
// addresses, so it is not passed on.
func failure(parent context.Context, err error) error {
	var timeout net.Error
	switch {
	case parent.Err() != nil:
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		return errSlow
	}
	return errAway
}

// reply is what is read of a chat completion.
type reply struct {
	Choices []struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	} `json:"choices"`
}

// contentOf takes the model's text out of a reply.
func contentOf(raw []byte) (string, error) {
	if len(raw) > maxReply {
		return "", fmt.Errorf("%w: it is longer than %d bytes", errAnswer, maxReply)
	}
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", fmt.Errorf("%w: the reply is no chat completion", errAnswer)
	}
	if len(r.Choices) == 0 || r.Choices[0].Message.Content == "" {
		return "", fmt.Errorf("%w: the reply has no text in it", errAnswer)
	}
	if content := r.Choices[0].Message.Content; len(content) <= maxAnswer {
		return content, nil
	}
	return "", fmt.Errorf("%w: it is longer than %d bytes", errAnswer, maxAnswer)
}
