package http

import (
	"context"
	"net/http"
	"strings"
	"time"

	"kith"
	"kith/internal/outreach"
	"kith/query/cursor"
)

const (
	purposeOpened  = "opened"
	purposeClicked = "clicked"
)

// clickRef is an e-mail and the target of a link in it.
type clickRef struct {
	emailRef

	Target string `json:"t"`
}

// EmailLinks returns the links from an e-mail back to the server: to unsubscribe without sign-in and in
// one click (RFC 8058), and to record that it was opened or a link followed. base is the server's public
// address. The link contains the recipient's address to, so that it works after the e-mail is deleted.
func EmailLinks(seal *cursor.Sealer, base string, user, email int64, to string) outreach.Links {
	ref := emailRef{user, email}
	link := func(path, purpose string, v any) string {
		token, err := seal.SealValue(purpose, "", v)
		if err != nil {
			panic(err) // numbers and texts can always be written
		}
		return base + path + token
	}
	return outreach.Links{
		Unsubscribe: link("/v2/unsubscribe/", purposeUnsubscribe, recipientRef{ref, strings.ToLower(to)}),
		Opened:      link("/v2/opened/", purposeOpened, ref),
		Clicked:     func(target string) string { return link("/v2/clicked/", purposeClicked, clickRef{ref, target}) },
	}
}

// pixel is a transparent image of one pixel: GIF89a with a palette of two colours, the first transparent.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" +
	"!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// recordOpen answers GET /v2/opened/{token}, the image in an e-mail.
func (s links) recordOpen(w http.ResponseWriter, r *http.Request) error {
	var ref emailRef
	d, err := s.openLink(r, purposeOpened, &ref)
	if err != nil {
		return s.countRefusal(w, r, err)
	}
	s.recordFeedback(r, d, ref, outreach.FeedbackOpened)
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // mail programs show it on their pages
	writeBody(w, http.StatusOK, "image/gif", []byte(pixel))
	return nil
}

// recordClick answers GET /v2/clicked/{token}, a link in an e-mail. It redirects only to the address that
// the link seals.
func (s links) recordClick(w http.ResponseWriter, r *http.Request) error {
	var ref clickRef
	d, err := s.openLink(r, purposeClicked, &ref)
	if err == nil && !outreach.Followable(ref.Target) {
		err = kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "the link does not lead to a web page")
	}
	if err != nil {
		return s.countRefusal(w, r, err)
	}
	s.recordFeedback(r, d, ref.emailRef, outreach.FeedbackClicked)
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Location", ref.Target)
	w.WriteHeader(http.StatusFound)
	return nil
}

// recordTimeout is the maximum time that a recipient waits for an event to be recorded.
const recordTimeout = 2 * time.Second

// recordFeedback records what the recipient of an e-mail did. A failure to record it does not affect the recipient.
func (s links) recordFeedback(r *http.Request, d *Dataset, ref emailRef, what outreach.FeedbackType) {
	if r.Method != http.MethodGet || isPrefetch(r.Header) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), recordTimeout)
	defer cancel()
	if err := d.Feedback.RecordFeedback(ctx, ref.User, ref.Email, what); err != nil {
		s.log.Warn().Err(err).Str("what", string(what)).Msg("feedback was not recorded")
	}
}

// isPrefetch reports whether a program declares that it fetches something before anyone asked to see it.
func isPrefetch(h http.Header) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		if v := strings.ToLower(h.Get(name)); strings.Contains(v, "prefetch") || strings.Contains(v, "preview") {
			return true
		}
	}
	return false
}
