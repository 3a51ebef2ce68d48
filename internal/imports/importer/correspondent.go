package importer

import (
	"cmp"
	"time"

	"kith"
	"kith/internal/imports/importer/tidy"
)

// Correspondent returns the person with whom the owner of a mailbox exchanged mail. A person without a name has the
// address instead. The company is that of the address's domain. The data counts as old: any file knows better.
func Correspondent(name, email string) *Person {
	p := &Person{
		Source: Source{Format: formatMail, Changed: time.Unix(0, 0)}, SourceID: email, Emails: []string{email},
	}
	p.Email = email
	n := tidy.Person(tidy.Names{Full: name})
	p.FullName, p.FirstName, p.LastName = cmp.Or(n.Full, email), n.First, n.Last
	if site, company := tidy.Employer(email); site != "" {
		p.WorkRelevant = &kith.Job{Company: kith.Company{Name: company, Domain: site}}
	}
	return p
}
