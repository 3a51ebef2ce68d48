package analysis

import (
	"encoding/json"
	"fmt"

	"kith"
	"kith/query"
	"kith/query/gazetteer"
	"kith/query/indexed"
)

// Company turns a record into its index document. Rank and version are those stored with the record.
func Company(c kith.Company, rank, version int64) (indexed.Document, error) {
	record, err := json.Marshal(c.Result())
	if err != nil {
		return indexed.Document{}, fmt.Errorf("company %d: %w", c.ID, err)
	}
	f := newFields(8, 5, 3)
	f.companyNames(companyForms(c.Name), c.Aliases, query.CompanyName, query.CompanyNameExact)
	f.keyword(query.CompanyDomain, siteKeys(c.Domain)...)
	if c.SocialURL != "" {
		f.keyword(query.CompanySocial, SocialID(c.SocialURL), socialKey(c.SocialURL))
	}
	f.companyFacts(c)
	place := gazetteer.Place(c.Location)
	f.keyword(query.City, place.City...)
	f.keyword(query.State, place.State)
	f.keyword(query.Country, place.Country)
	f.keyword(query.Region, place.Region...)
	f.Numbers[query.Rank] = rank
	return indexed.Document{ID: c.ID, Rank: rank, Version: version, Fields: f.Fields, Record: record}, nil
}
