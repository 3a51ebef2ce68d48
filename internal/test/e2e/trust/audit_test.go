package trust_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// The audit counts wrong and revoked credentials by address, including those beyond the rate limit. A request
// without a credential is no attempt. Webhooks appear with their hosts.
func TestRefusedCredentialsAreAudited(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	s := k.Serve(t, e2e.Unlimited()...)
	token := k.LiveToken(t)
	s.Post(t, "/v2/auth/tokens/revoke", token, map[string]any{})
	tooMany := 0
	for range 99 {
		if s.Get(t, "/v2/user/me", "wrong-token-0123456789").Status == http.StatusTooManyRequests {
			tooMany++
		}
	}
	if a := s.Get(t, "/v2/user/me", token); a.Status != http.StatusUnauthorized &&
		a.Status != http.StatusTooManyRequests {
		t.Errorf("a request with a revoked token answered %s", a.Body)
	}
	s.Get(t, "/v2/user/me", "")
	k.Run(t, "app", "create", "hooked")
	k.Run(t, "webhook", "add", "--app", "hooked", "--allow-network", "127.0.0.0/8", "http://127.0.0.1:9/secret-path")
	var hook struct{ Webhook int64 }
	expect.NoError(t, json.Unmarshal([]byte(k.Run(t, "webhook", "list", "--app", "hooked", "--json")), &hook))
	k.Run(t, "webhook", "remove", "--yes", "--app", "hooked", fmt.Sprint(hook.Webhook))
	s.Stop(t)
	out := k.Run(t, "audit", "--action", "signin.", "--json")
	if tooMany == 0 || strings.Count(out, "signin.failed") != 1 {
		t.Errorf("after %d rate-limited requests, the audit has\n%s", tooMany, out)
	}
	expect.Parts(t, "audit of the requests", out,
		`"subject":"address 127.0.0.1"`, `"count":100`, "TOKEN_INVALID", `"actor":"unknown"`)
	out = k.Run(t, "audit", "--action", "webhook.", "--json")
	expect.Parts(t, "audit of the webhooks", out, "webhook.created", "webhook.deleted", "127.0.0.1:9")
	if strings.Contains(out, "secret-path") {
		t.Errorf("the audit has the path of a webhook: %s", out)
	}
	if out := k.Run(t, "audit", "verify"); !strings.Contains(out, "entries verified") {
		t.Errorf("verification of the audit: %s", out)
	}
}
