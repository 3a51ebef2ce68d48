package http

import (
	"errors"
	"net/http"

	"kith/client"
	"kith/internal/network"
)

// candidates returns the companies to choose from after an error; nil for other errors.
func candidates(err error) (out []client.Candidate) {
	several, ok := errors.AsType[*network.SeveralCompanies](err)
	if !ok {
		return nil
	}
	for _, c := range several.Companies {
		out = append(out, client.Candidate{
			ID: c.ID, Name: c.Name, Domain: c.Domain, SocialURL: c.SocialURL, Industry: c.Industry,
			Location: c.Location,
		})
	}
	return out
}

// getCompany answers GET /v2/companies/{id}.
func getCompany(r *http.Request) (any, error) {
	id, err := pathNumber(r, "id", "a company")
	if err != nil {
		return nil, err
	}
	c := callerFrom(r.Context())
	return c.dataset.Reach.CompanyRecord(r.Context(), c.viewer(), id)
}
