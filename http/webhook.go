package http

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/internal/outreach"
)

// webhookAnswer is a webhook of the caller.
type webhookAnswer struct {
	ID  int64  `json:"id"`
	URL string `json:"url"`
	// Secret is the signing key for events. It is shown only when the webhook is created.
	Secret       string     `json:"secret,omitempty"`
	CreatedAt    time.Time  `json:"created_at"`
	FailingSince *time.Time `json:"failing_since"`
	Failure      string     `json:"failure"`
	Waiting      int64      `json:"waiting"`
}

func newWebhookAnswer(w outreach.Webhook) webhookAnswer {
	return webhookAnswer{
		ID: w.ID, URL: w.URL, CreatedAt: w.CreatedAt, FailingSince: timeOrNull(w.FailingSince), Failure: w.Failure,
		Waiting: w.Waiting,
	}
}

// webhooks returns those of the caller's dataset, and the caller as a subscriber; the demo has none.
func (c caller) webhooks() (*outreach.Webhooks, outreach.Subscriber, error) {
	of := outreach.Subscriber{App: c.actor.AppID, User: c.actor.UserID, By: c.by()}
	if c.dataset.Webhooks == nil {
		return nil, of, kith.Errorf(kith.Forbidden, "NOTHING_IS_SENT", "webhooks are disabled on this server")
	}
	return c.dataset.Webhooks, of, nil
}

// listWebhooks answers GET /v2/user/webhooks.
func listWebhooks(r *http.Request) (any, error) {
	all, of, err := callerFrom(r.Context()).webhooks()
	if err != nil {
		return nil, err
	}
	list, err := all.Webhooks(r.Context(), of)
	if err != nil {
		return nil, err
	}
	return kith.Each(list, newWebhookAnswer), nil
}

// createWebhook answers POST /v2/user/webhooks.
func createWebhook(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	_, of, err := c.webhooks()
	if err != nil {
		return write{}, err
	}
	made, v, err := readWrite(w, r, smallBody, asIs)
	made.secret, made.aboutNobody = true, true
	made.do = func(ctx context.Context, in *Services) (any, error) {
		added, err := in.Webhooks.Add(ctx, of, v.String("url"))
		if e, ok := errors.AsType[*kith.Error](err); ok && e.Kind == kith.Invalid {
			err = kith.InvalidFields([]kith.FieldError{{Field: "url", Code: e.Code, Message: e.Detail}})
		}
		out := newWebhookAnswer(added)
		out.Secret = added.Secret
		return out, err
	}
	return made, err
}

// deleteWebhook answers DELETE /v2/user/webhooks/{id}.
func deleteWebhook(r *http.Request) (any, error) {
	return withWebhook(r, func(all *outreach.Webhooks, of outreach.Subscriber, id int64) (any, error) {
		return deletedAnswer{ID: strconv.FormatInt(id, 10), Deleted: true}, all.RemoveWebhook(r.Context(), of, id)
	})
}

// testedAnswer is the result of a test event.
type testedAnswer struct {
	Accepted bool   `json:"accepted"`
	Failure  string `json:"failure"`
}

// testWebhook answers POST /v2/user/webhooks/{id}/test.
func testWebhook(r *http.Request) (any, error) {
	return withWebhook(r, func(all *outreach.Webhooks, of outreach.Subscriber, id int64) (any, error) {
		callerFrom(r.Context()).turn.pause() // it waits for another server
		failure, err := all.Test(r.Context(), of, id)
		if failure != nil {
			return testedAnswer{Failure: failure.Error()}, err
		}
		return testedAnswer{Accepted: true}, err
	})
}

// withWebhook runs an operation on the webhook in a request's path.
func withWebhook(
	r *http.Request, do func(all *outreach.Webhooks, of outreach.Subscriber, id int64) (any, error),
) (any, error) {
	id, err := pathNumber(r, "id", "a webhook, as GET /v2/user/webhooks gives it")
	if err != nil {
		return nil, err
	}
	all, of, err := callerFrom(r.Context()).webhooks()
	if err != nil {
		return nil, err
	}
	return do(all, of, id)
}
