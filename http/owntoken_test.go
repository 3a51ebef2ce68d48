package http_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"kith/internal/test/expect"
)

const ownTokensPath = "/v2/user/tokens"

type ownToken struct {
	ID, Token string
	Scopes    []string
	ExpiresAt time.Time `json:"expires_at"`
}

func TestSessionsIssueTokens(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	cookie := f.browser("u1")
	create := func(body string) answer { return f.call(http.MethodPost, ownTokensPath, body, fromPage(cookie)...) }
	var made ownToken
	expect.NoError(t, json.Unmarshal(create(`{"scopes":["search"],"expires_in_days":2}`).wants(t, http.StatusOK, "").
		envelope(t).Data, &made))
	left := time.Until(made.ExpiresAt)
	if len(made.Scopes) != 1 || made.Scopes[0] != "search" || left > 48*time.Hour || left < 47*time.Hour {
		t.Errorf("new token: %+v", made)
	}
	bearer := "Authorization: Bearer " + made.Token
	f.meAs(made.Token).wants(t, http.StatusOK, "")
	f.call(http.MethodGet, "/v2/sequences", "", bearer).wants(t, http.StatusForbidden, "INSUFFICIENT_SCOPE")
	create(`{"scopes":["privacy"]}`).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	create(`{"expires_in_days":366}`).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	// Neither a token nor a page of another origin may issue tokens.
	f.call(http.MethodPost, ownTokensPath, "{}", f.bearer()).wants(t, http.StatusForbidden, "SESSION_NEEDED")
	f.call(http.MethodPost, ownTokensPath, "{}", cookie, "Sec-Fetch-Site: cross-site").
		wants(t, http.StatusForbidden, "CROSS_ORIGIN_REQUEST")
	var all []ownToken
	body := f.call(http.MethodGet, ownTokensPath, "", cookie).wants(t, http.StatusOK, "").envelope(t).Data
	if err := json.Unmarshal(body, &all); err != nil || len(all) != 2 || all[0].ID != made.ID || all[0].Token != "" {
		t.Errorf("tokens: %+v, %v", all, err)
	}
	end := func(cookie, id string) answer {
		return f.call(http.MethodDelete, ownTokensPath+"/"+id, "", fromPage(cookie)...)
	}
	end(f.browser("u2"), made.ID).wants(t, http.StatusNotFound, "TOKEN_NOT_FOUND")
	end(cookie, f.sessionsOf(cookie)[0].ID).wants(t, http.StatusNotFound, "TOKEN_NOT_FOUND")
	end(cookie, made.ID).wants(t, http.StatusOK, "")
	f.meAs(made.Token).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	f.meAs(f.token).wants(t, http.StatusOK, "")
}
