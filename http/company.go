package http

import (
	"errors"
	"net/http"

	"kith"
	"kith/internal/network"
)

// companyCandidate is one of several companies of a name.
type companyCandidate struct {
	ID        int64         `json:"id"`
	Name      string        `json:"name"`
	Domain    string        `json:"domain"`
	SocialURL string        `json:"social_url"`
	Industry  string        `json:"industry"`
	Location  kith.Location `json:"location"`
}

// candidates returns the companies to choose from after an error; nil for other errors.
func candidates(err error) (out []companyCandidate) {
	several, ok := errors.AsType[*network.SeveralCompanies](err)
	if !ok {
		return nil
	}
	for _, c := range several.Companies {
		out = append(out, companyCandidate{c.ID, c.Name, c.Domain, c.SocialURL, c.Industry, c.Location})
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
