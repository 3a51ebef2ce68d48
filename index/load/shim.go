package load

import (
	"encoding/json"

	"kith"
	"kith/index"
	"kith/index/analysis"
	"kith/query"
)

func personRank(p kith.Person) int64 { return int64(len(p.Headline)) }

func companyRank(c kith.Company) int64 { return int64(c.EmployeeCount) }

func personDocument(p kith.Person, rank, version int64) (index.Document, error) {
	b, err := json.Marshal(p.Result())
	return index.Document{ID: p.ID, Rank: rank, Version: version, Record: b, Fields: index.Fields{Words: map[query.Field][][]string{query.Name: {analysis.Tokens(p.FullName)}}}}, err
}

func companyDocument(c kith.Company, rank, version int64) (index.Document, error) {
	b, err := json.Marshal(c.Result())
	return index.Document{ID: c.ID, Rank: rank, Version: version, Record: b}, err
}
