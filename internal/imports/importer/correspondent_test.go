package importer_test

import (
	"testing"

	"kith/internal/imports/importer"
)

// People of mail have the name of their mail or address, and the company of their domain unless it is a provider's.
func TestCorrespondentsHaveNamesAndCompanies(t *testing.T) {
	for _, c := range []struct{ name, email, full, last, company, site string }{
		{"Jane Doe", "jd@acme.com", "Jane Doe", "Doe", "Acme", "acme.com"},
		{"", "jd@mail.acme-widgets.co.uk", "jd@mail.acme-widgets.co.uk", "", "Acme Widgets", "acme-widgets.co.uk"},
		{"", "jd@ibm.com", "jd@ibm.com", "", "IBM", "ibm.com"},
		{"Jane", "jane@gmail.com", "Jane", "", "", ""},
		{"Jane", "jane@yahoo.co.uk", "Jane", "", "", ""},
		{"Jane", "jane@[192.0.2.1]", "Jane", "", "", ""},
		{"Jane", "jane@localhost", "Jane", "", "", ""},
	} {
		p := importer.Correspondent(c.name, c.email)
		var company, site string
		if p.WorkRelevant != nil {
			company, site = p.WorkRelevant.Company.Name, p.WorkRelevant.Company.Domain
		}
		if p.FullName != c.full || p.LastName != c.last || company != c.company || site != c.site ||
			p.Email != c.email {
			t.Errorf("%s %s: %q %q at %q %q", c.name, c.email, p.FullName, p.LastName, company, site)
		}
	}
}
