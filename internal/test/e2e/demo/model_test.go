package demo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

// modelCommand explains a prompt with a stand-in for a language model. A URL without a model name is refused.
func modelCommand(t *testing.T, k e2e.Kith) {
	const answer = "{s flumphs} in {p Berlin}"
	var authorization string
	stand := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization = r.Header.Get("Authorization")
		quoted, err := json.Marshal(answer)
		if err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, `{"choices": [{"message": {"content": `+string(quoted)+`}}]}`)
	}))
	defer stand.Close()
	k.Env = append(k.Env, "KITH_LLM_KEY=secret-of-the-model")
	out := k.Run(t, "explain", "--demo", "--llm-url", stand.URL+"/v1", "--llm-model", "stand-in",
		"flumphs in Berlin")
	if !strings.Contains(out, "skills: flumphs") || !strings.Contains(out, "model, chosen: "+answer) ||
		!strings.Contains(out, "  grammar: ") {
		t.Errorf("kith explain with a language model:\n%s", out)
	}
	if authorization != "Bearer secret-of-the-model" || strings.Contains(out, "secret-of-the-model") {
		t.Errorf("the stand-in got the key as %q; output\n%s", authorization, out)
	}
	if _, stderr, err := k.Try(t, "search", "--demo", "--llm-url", stand.URL, "x"); e2e.ExitCode(err) != 2 ||
		!strings.Contains(stderr, "--llm-model") {
		t.Errorf("a model without a name: code %d\n%s", e2e.ExitCode(err), stderr)
	}
}
