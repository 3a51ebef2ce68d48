package http

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/query/cursor"
)

// Unsubscriber is what the server needs to end e-mails to an address.
type Unsubscriber interface {
	Unsubscribe(ctx context.Context, user, email int64, now time.Time) error
}

const purposeUnsubscribe = "unsubscribe"

// emailRef names an e-mail in a link.
type emailRef struct {
	User  int64 `json:"u"`
	Email int64 `json:"e"`
}

// UnsubscribeLink returns the address that ends the e-mails to the recipient of
// an e-mail: without a sign-in, by one click (RFC 8058). base is the address
// under which the server is reached from outside.
func UnsubscribeLink(seal *cursor.Sealer, base string, user, email int64) string {
	token, err := seal.SealValue(purposeUnsubscribe, "", emailRef{user, email})
	if err != nil {
		panic(err) // two numbers can always be written
	}
	return base + "/v2/unsubscribe/" + token
}

// linked finds the directory and the e-mail of a link.
func (s *Server) linked(r *http.Request) (*Directory, emailRef, error) {
	var ref emailRef
	for i := range s.cfg.Directories {
		d := &s.cfg.Directories[i]
		if d.Unsubscribe != nil && d.Seal.OpenValue(purposeUnsubscribe, "", chi.URLParam(r, "token"), &ref) == nil {
			return d, ref, nil
		}
	}
	return nil, ref, kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "the link is not whole; copy it from the e-mail again")
}

// The pages have no style: their policy lets nothing be loaded.
const (
	askPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Unsubscribe</title>
<h1>Unsubscribe</h1><p>No more e-mails will be sent to your address.</p><form method="post"><button>Unsubscribe</button></form></html>
`
	donePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Unsubscribed</title>
<h1>Unsubscribed</h1><p>No more e-mails will be sent to your address.</p></html>
`
)

// askUnsubscribe answers GET /v2/unsubscribe/{token}. It changes nothing:
// programs that look at e-mails follow links too.
func (s *Server) askUnsubscribe(w http.ResponseWriter, r *http.Request) error {
	if _, _, err := s.linked(r); err != nil {
		return s.stranger(w, r, err)
	}
	writeText(w, askPage)
	return nil
}

// unsubscribe answers POST /v2/unsubscribe/{token}. The body is not looked at:
// mail programs send a form, and so does the page.
func (s *Server) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	d, ref, err := s.linked(r)
	if err != nil {
		return s.stranger(w, r, err)
	}
	if err := d.Unsubscribe.Unsubscribe(r.Context(), ref.User, ref.Email, s.cfg.Now().UTC()); err != nil {
		return err
	}
	writeText(w, donePage)
	return nil
}

func writeText(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	boundWrite(w)
	_, _ = w.Write([]byte(page)) // a client that is gone has no use for an error
}
