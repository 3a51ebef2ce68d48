package http

import (
	"net/http"
)

// introductionAnswer is a message to an introducer.
type introductionAnswer struct {
	Introducer introducedBy `json:"introducer"`
	Subject    string       `json:"subject"`
	Text       string       `json:"text"`
}

type introducedBy struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
}

// writeIntroduction answers POST /v2/people/{id}/introduction. It sends and stores nothing.
func writeIntroduction(w http.ResponseWriter, r *http.Request) error {
	id, err := findPerson(r)
	if err != nil {
		return err
	}
	body, err := readOptionalBody(w, r)
	if err != nil {
		return err
	}
	v, err := parseAs(r, body, asIs)
	if err != nil {
		return err
	}
	c := callerFrom(r.Context())
	m, err := c.dataset.Reach.IntroductionRequest(r.Context(), c.viewer(), id, idMember(v, "introducer"))
	if err != nil {
		return err
	}
	respond(w, r, introductionAnswer{
		Introducer: introducedBy{m.Introducer.ID, m.Introducer.FullName}, Subject: m.Subject, Text: m.Text,
	})
	return nil
}
