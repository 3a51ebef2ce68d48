package loader

import (
	"time"

	"github.com/go-json-experiment/json"

	"kith"
)

// PersonLine returns a person as a line of a load file, without empty members. asOf is cut to the day; the zero time is
// left out.
func PersonLine(p kith.Person, asOf time.Time) ([]byte, error) { return encode(lineOfPerson(p, asOf)) }

// CompanyLine returns a company as a line of a load file, without empty members.
func CompanyLine(c kith.Company) ([]byte, error) { return encode(c) }

func encode(line any) ([]byte, error) { return json.Marshal(line, json.OmitZeroStructFields(true)) }

// lineOfPerson returns a line with jobs of its own. Companies that cannot be found again are left out.
func lineOfPerson(p kith.Person, asOf time.Time) *personLine {
	l := &personLine{Person: p.WithCompanies(func(c kith.Company) kith.Company {
		if !isNamed(c) {
			return kith.Company{}
		}
		return c
	})}
	if !asOf.IsZero() {
		l.AsOf = asOf.UTC().Truncate(24 * time.Hour)
	}
	return l
}
