package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// api is the form of an endpoint's requests and replies.
type api struct {
	address string
	// body returns the body of a request, headers sets the key, and text returns the model's text in a reply.
	body    func(model string, talk []message) any
	headers func(h http.Header, key string)
	text    func(raw []byte) (string, error)
}

// apiAt returns the form of the endpoint at an address.
func apiAt(u *url.URL) api {
	if strings.HasSuffix(u.Path, "/messages") {
		return api{address: u.String(), body: messagesBody, headers: messagesHeaders, text: messagesText}
	}
	return api{
		address: u.JoinPath("chat", "completions").String(), body: chatBody, headers: chatHeaders, text: chatText,
	}
}

// chatBody returns a request for OpenAI's chat completions.
func chatBody(model string, talk []message) any {
	return struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature float64   `json:"temperature"`
		MaxTokens   int       `json:"max_tokens"`
	}{model, append([]message{{"system", instructions}}, talk...), 0, maxTokens}
}

func chatHeaders(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func chatText(raw []byte) (string, error) {
	var r struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", fmt.Errorf("%w: the reply is not a chat completion", errAnswer)
	}
	if len(r.Choices) == 0 {
		return "", nil
	}
	return r.Choices[0].Message.Content, nil
}

// messagesBody returns a request for Anthropic's messages.
func messagesBody(model string, talk []message) any {
	return struct {
		Model       string    `json:"model"`
		System      string    `json:"system"`
		Messages    []message `json:"messages"`
		Temperature float64   `json:"temperature"`
		MaxTokens   int       `json:"max_tokens"`
	}{model, instructions, talk, 0, maxTokens}
}

// messagesVersion is the version of Anthropic's API that Kith speaks.
const messagesVersion = "2023-06-01"

func messagesHeaders(h http.Header, key string) {
	h.Set("Anthropic-Version", messagesVersion)
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}

func messagesText(raw []byte) (string, error) {
	var r struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", fmt.Errorf("%w: the reply is not a message", errAnswer)
	}
	for _, c := range r.Content {
		if c.Type == "text" {
			return c.Text, nil
		}
	}
	return "", nil
}
