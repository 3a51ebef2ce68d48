package http

import (
	"context"
	"net/http"
	"time"

	"kith/internal/access/publicid"
	"kith/internal/outreach"
)

// suppressionAnswer is an address that must not receive e-mail.
type suppressionAnswer struct {
	ID        string                     `json:"id"`
	Address   string                     `json:"address"`
	Reason    outreach.SuppressionReason `json:"reason"`
	CreatedAt time.Time                  `json:"created_at"`
	// Removable is false if the recipient asked for the suppression.
	Removable bool `json:"removable"`
}

func newSuppressionAnswer(ids *publicid.Codec, s outreach.Suppression) suppressionAnswer {
	return suppressionAnswer{
		ID: ids.Seal(publicid.Suppression, s.ID), Address: s.Address, Reason: s.Reason, CreatedAt: s.CreatedAt,
		Removable: !s.Lasts(),
	}
}

// listSuppressions answers GET /v2/suppressions.
func listSuppressions(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	list := newListing(c, "suppressions", "")
	return answerList(w, r, nil, list, func(after int64, n int) ([]outreach.Suppression, bool, error) {
		found, more, err := c.dataset.Outreach.Suppressions(r.Context(), c.actor, outreach.Page{After: after, N: n})
		if err == nil {
			err = addressesRead(r.Context(), c.dataset.Audit, c.by(), "suppressed addresses", len(found))
		}
		return found, more, err
	}, func(one outreach.Suppression) (suppressionAnswer, int64) {
		return newSuppressionAnswer(c.dataset.IDs, one), one.ID
	})
}

// createSuppression answers POST /v2/suppressions.
func createSuppression(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, v, err := readWrite(w, r, smallBody, asIs)
	change.do = func(ctx context.Context, in *Services) (any, error) {
		added, err := in.Outreach.Suppress(ctx, c.actor, v.String("address"))
		return newSuppressionAnswer(c.dataset.IDs, added), err
	}
	return change, err
}

// deleteSuppression answers DELETE /v2/suppressions/{id}.
func deleteSuppression(r *http.Request) (any, error) {
	return deleteSaved(r, publicid.Suppression, callerFrom(r.Context()).dataset.Outreach.Release)
}
