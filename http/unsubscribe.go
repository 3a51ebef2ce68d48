package http

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
)

// links serves the links in e-mails, which need no credential.
type links struct{ *Server }

// Unsubscriber ends e-mail to an address.
type Unsubscriber interface {
	Unsubscribe(ctx context.Context, user, email int64, address string, now time.Time) error
}

const purposeUnsubscribe = "unsubscribe"

// emailRef identifies an e-mail in a link.
type emailRef struct {
	User  int64 `json:"u"`
	Email int64 `json:"e"`
}

// recipientRef is an e-mail and its recipient, who can unsubscribe even after the e-mail was deleted.
type recipientRef struct {
	emailRef

	Address string `json:"a"`
}

// openLink finds the dataset that sealed the link of a request, and reads the link. Only datasets
// that send e-mail create links.
func (s links) openLink(r *http.Request, purpose string, into any) (*Dataset, error) {
	for i := range s.cfg.Datasets {
		d := &s.cfg.Datasets[i]
		if d.Unsubscribe != nil && d.Seal.OpenValue(purpose, "", chi.URLParam(r, "token"), into) == nil {
			return d, nil
		}
	}
	return nil, kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "the link is incomplete; copy it from the e-mail again")
}

// The pages have no style, because their policy loads nothing. Most of their readers use a phone.
// The question must not read as if the unsubscription were done.
const (
	pageHead = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ` +
		`content="width=device-width, ` +
		`initial-scale=1">` +
		`<meta name="color-scheme" content="light dark">`
	askPage = pageHead + `<title>Unsubscribe</title>
<h1>Unsubscribe</h1><p>Stop all e-mails to your address?</p>
<form method="post"><button>Unsubscribe</button></form></html>
`
	donePage = pageHead + `<title>Unsubscribed</title>
<h1>Unsubscribed</h1><p>No more e-mails will be sent to your address.</p></html>
`
)

// askUnsubscribe answers GET /v2/unsubscribe/{token}. It changes nothing, because programs that
// scan e-mail follow links too.
func (s links) askUnsubscribe(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.openLink(r, purposeUnsubscribe, new(recipientRef)); err != nil {
		return s.countRefusal(w, r, err)
	}
	writeBody(w, http.StatusOK, typeHTML, []byte(askPage))
	return nil
}

// unsubscribe answers POST /v2/unsubscribe/{token}. It ignores the body: mail programs and the page send a form.
func (s links) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	var ref recipientRef
	d, err := s.openLink(r, purposeUnsubscribe, &ref)
	if err != nil {
		return s.countRefusal(w, r, err)
	}
	if err := d.Unsubscribe.Unsubscribe(r.Context(), ref.User, ref.Email, ref.Address, s.cfg.Now().UTC()); err != nil {
		return err
	}
	writeBody(w, http.StatusOK, typeHTML, []byte(donePage))
	return nil
}
