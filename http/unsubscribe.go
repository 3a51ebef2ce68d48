package http

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
)

// Unsubscriber is what the server needs to end e-mails to an address.
type Unsubscriber interface {
	Unsubscribe(ctx context.Context, user, email int64, address string, now time.Time) error
}

const purposeUnsubscribe = "unsubscribe"

// emailRef names an e-mail in a link.
type emailRef struct {
	User  int64 `json:"u"`
	Email int64 `json:"e"`
}

// recipientRef is an e-mail and to whom it was sent; links of an earlier Kith do not
// say that.
type recipientRef struct {
	emailRef

	Address string `json:"a,omitempty"`
}

// linked finds the directory that sealed the link of a request, and reads what
// the link is about. Links are made where something is sent, and only there.
func (s *Server) linked(r *http.Request, purpose string, into any) (*Directory, error) {
	for i := range s.cfg.Directories {
		d := &s.cfg.Directories[i]
		if d.Unsubscribe != nil && d.Seal.OpenValue(purpose, "", chi.URLParam(r, "token"), into) == nil {
			return d, nil
		}
	}
	return nil, kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "the link is not whole; copy it from the e-mail again")
}

// The pages have no style: their policy lets nothing be loaded. Most of those who
// see them hold a phone. What is asked must not read as if it were done.
const (
	pageHead = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, ` +
		`initial-scale=1">` +
		`<meta name="color-scheme" content="light dark">`
	askPage = pageHead + `<title>Unsubscribe</title>
<h1>Unsubscribe</h1><p>Do you want no more e-mails to be sent to your address?</p>
<form method="post"><button>Unsubscribe</button></form></html>
`
	donePage = pageHead + `<title>Unsubscribed</title>
<h1>Unsubscribed</h1><p>No more e-mails will be sent to your address.</p></html>
`
)

// askUnsubscribe answers GET /v2/unsubscribe/{token}. It changes nothing:
// programs that look at e-mails follow links too.
func (s *Server) askUnsubscribe(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.linked(r, purposeUnsubscribe, new(recipientRef)); err != nil {
		return s.stranger(w, r, err)
	}
	writeBody(w, http.StatusOK, typeHTML, []byte(askPage))
	return nil
}

// unsubscribe answers POST /v2/unsubscribe/{token}. The body is not looked at:
// mail programs send a form, and so does the page.
func (s *Server) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	var ref recipientRef
	d, err := s.linked(r, purposeUnsubscribe, &ref)
	if err != nil {
		return s.stranger(w, r, err)
	}
	if err := d.Unsubscribe.Unsubscribe(r.Context(), ref.User, ref.Email, ref.Address, s.cfg.Now().UTC()); err != nil {
		return err
	}
	writeBody(w, http.StatusOK, typeHTML, []byte(donePage))
	return nil
}
