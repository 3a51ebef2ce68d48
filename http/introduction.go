package http

import (
	"net/http"

	"kith/client"
)

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
	answer := client.IntroductionRequest{Subject: m.Subject, Text: m.Text}
	answer.Introducer.ID, answer.Introducer.FullName = m.Introducer.ID, m.Introducer.FullName
	respond(w, r, answer)
	return nil
}
