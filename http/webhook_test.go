package http_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/internal/outreach"
	outreachsql "kith/internal/postgres/outreach"
	"kith/internal/test/expect"
)

const webhooksPath = "/v2/user/webhooks"

// newWebhooks returns webhooks over a store. Test receivers listen on loopback.
func newWebhooks(store *outreachsql.Delivery) *outreach.Webhooks {
	announcer := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: store, Client: &http.Client{}, Seal: func(string, int64) string { return "x" },
	})
	return outreach.NewWebhooks(store, announcer, func(_ context.Context,
		host string,
	) bool {
		return host != "10.0.0.1"
	})
}

type shownWebhook struct {
	ID           int64
	URL, Secret  string
	FailingSince *time.Time `json:"failing_since"`
	Waiting      int
}

// Users have webhooks of their own and do not see those of others.
func TestUsersManageTheirWebhooks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	mine, other := fromPage(f.browser("u1")), fromPage(f.browser("u2"))
	body := `{"url":"https://hooks.example.com/kith"}`
	made := as[shownWebhook](t, f.call(http.MethodPost, webhooksPath, body, mine...))
	if !strings.HasPrefix(made.Secret, "whsec_") {
		t.Errorf("new webhook: %+v", made)
	}
	list := as[[]shownWebhook](t, f.call(http.MethodGet, webhooksPath, "", mine...))
	if len(list) != 1 || list[0].ID != made.ID || list[0].Secret != "" || list[0].FailingSince != nil {
		t.Errorf("webhooks: %+v", list)
	}
	if list := as[[]shownWebhook](t, f.call(http.MethodGet, webhooksPath, "", other...)); len(list) != 0 {
		t.Errorf("another user sees %+v", list)
	}
	one := fmt.Sprintf("%s/%d", webhooksPath, made.ID)
	f.call(http.MethodDelete, one, "", other...).wants(t, http.StatusNotFound, "WEBHOOK_NOT_FOUND")
	f.call(http.MethodPost, one+"/test", "", other...).wants(t, http.StatusNotFound, "WEBHOOK_NOT_FOUND")
	for url, code := range map[string]string{
		"https://10.0.0.1/": "PRIVATE_ADDRESS", "ftp://x.example/": "INVALID_URL",
		"https://u:p@x.example/": "INVALID_URL",
	} {
		e := f.call(http.MethodPost, webhooksPath, `{"url":"`+url+`"}`, mine...).
			wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error.Errors
		if len(e) != 1 || e[0].Field != "url" || e[0].Code != code {
			t.Errorf("%s: %+v", url, e)
		}
	}
	f.call(http.MethodDelete, one, "", mine...).wants(t, http.StatusOK, "")
	for range outreach.MaxWebhooks {
		f.call(http.MethodPost, webhooksPath, body, mine...).wants(t, http.StatusOK, "")
	}
	f.call(http.MethodPost, webhooksPath, body, mine...).wants(t, http.StatusConflict, "TOO_MANY_WEBHOOKS")
	f.call(http.MethodPost, webhooksPath, body, other...).wants(t, http.StatusOK, "")
}

// A user's webhook gets events of that user, an app's webhook those of all users.
func TestUserWebhooksGetOnlyTheirUsersEvents(t *testing.T) {
	t.Parallel()
	f, s, _ := outreachFixture(t)
	var told [3]atomic.Int64
	var broken atomic.Bool
	receivers := http.NewServeMux()
	for i := range told {
		receivers.HandleFunc(fmt.Sprintf("/%d", i), func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), "webhook.test") {
				told[i].Add(1)
			}
			if broken.Load() {
				w.WriteHeader(http.StatusTeapot)
			}
		})
	}
	srv := httptest.NewServer(receivers)
	t.Cleanup(srv.Close)
	add := func(i int, headers ...string) shownWebhook {
		return as[shownWebhook](t,
			f.call(http.MethodPost, webhooksPath, fmt.Sprintf(`{"url":"%s/%d"}`, srv.URL, i), headers...))
	}
	mine := add(0, f.bearer())
	add(1, "Authorization: Bearer "+f.issue("u2"))
	outbox := f.db.Delivery(newSealer(t))
	_, err := outbox.AddWebhook(t.Context(), outreach.Subscriber{App: f.app.ID, By: kith.OperatorPrincipal()},
		outreach.Webhook{URL: srv.URL + "/2", Secret: "s"})
	expect.NoError(t, err)
	f.call(http.MethodPatch, "/v2/sequences/"+s.ID, `{"status":"paused"}`, f.bearer()).wants(t, http.StatusOK, "")
	announcer := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: outbox, Client: srv.Client(), Log: zerolog.Nop(), Seal: func(string, int64) string { return "x" },
	})
	due, err := outbox.DueWebhooks(t.Context(), time.Now())
	expect.NoError(t, err)
	for _, r := range due {
		_, err := announcer.Deliver(t.Context(), r)
		expect.NoError(t, err)
	}
	if a, b, c := told[0].Load(), told[1].Load(), told[2].Load(); a == 0 || b != 0 || c != a {
		t.Errorf("the webhooks got %d, %d and %d events", a, b, c)
	}
	type tested struct {
		Accepted bool
		Failure  string
	}
	one := fmt.Sprintf("%s/%d/test", webhooksPath, mine.ID)
	if got := as[tested](t, f.call(http.MethodPost, one, "", f.bearer())); !got.Accepted || got.Failure != "" {
		t.Errorf("test of a webhook that accepts: %+v", got)
	}
	broken.Store(true)
	if got := as[tested](t, f.call(http.MethodPost, one, "", f.bearer())); got.Accepted ||
		!strings.Contains(got.Failure, "418") {
		t.Errorf("test of a webhook that refuses: %+v", got)
	}
}

// A dataset without delivery, such as the demo, has no webhooks.
func TestDatasetsWithoutDeliveryHaveNoWebhooks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) { cfg.Datasets[0].Webhooks = nil })
	f.call(http.MethodGet, webhooksPath, "", f.bearer()).wants(t, http.StatusForbidden, "NOTHING_IS_SENT")
}
