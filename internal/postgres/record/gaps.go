package record

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5/pgtype"

	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// Gap reports how many records lack a field.
type Gap struct {
	Kind  record.Kind
	Field string
	// Empty of All records lack the field.
	Empty, All int64
}

// gapSample is how many records are examined for gaps.
const gapSample = 50_000

// Gaps returns the searchable fields of people and companies, with how many of the first records lack each.
func (db *Store) Gaps(ctx context.Context) ([]Gap, error) {
	var gaps []Gap
	for _, of := range []struct {
		kind   record.Kind
		fields []string
	}{
		{record.Companies, []string{"industry", "employee_count", "location", "domain"}},
		{record.People, []string{"social_url", "email", "location", "work_history", "education_history"}},
	} {
		var text []byte
		first := len(gaps)
		for _, field := range of.fields {
			gaps = append(gaps, Gap{Kind: of.kind, Field: field})
		}
		err := conn.ForEach(ctx, db.Querier(), "gaps", []any{(*pgtype.DriverBytes)(&text)}, func() error {
			return countGaps(gaps[first:], text)
		}, "select "+recordSQL(of.kind, "r")+" from "+table(of.kind)+" r order by id limit $1", gapSample)
		if err != nil {
			return nil, conn.Named("look for gaps", err)
		}
	}
	return gaps, nil
}

// countGaps counts a record among those that have or lack each field.
func countGaps(gaps []Gap, record []byte) error {
	var has map[string]jsontext.Value
	record, err := unpackRecord(record)
	if err == nil {
		err = json.Unmarshal(record, &has)
	}
	for i := range gaps {
		if gaps[i].All++; has[gaps[i].Field] == nil {
			gaps[i].Empty++
		}
	}
	return err
}
