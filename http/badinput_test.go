package http_test

import (
	"testing"

	"kith/http/apitest"
)

func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	apitest.Run(t, apitest.Target{
		BaseURL: f.url, Client: f.client, Token: f.token, OtherToken: f.issue("u2"), SecretKey: f.key,
		Prompt: "engineer",
		Seen:   conforms,
	})
}
