package postgres

import (
	"context"
	"fmt"

	"kith/index/load"
)

// Gap reports how many records lack a field.
type Gap struct {
	Kind  load.Kind
	Field string
	// Empty of All records lack the field.
	Empty, All int64
}

// looked is how many records are examined for gaps.
const looked = 50_000

// Gaps returns the searchable fields of people and companies, with how many of the first records lack each.
func (db *DB) Gaps(ctx context.Context) ([]Gap, error) {
	var gaps []Gap
	for _, of := range []struct {
		kind   load.Kind
		fields []string
	}{
		{load.Companies, []string{"industry", "employee_count", "location", "domain"}},
		{load.People, []string{"social_url", "email", "location", "work_history", "education_history"}},
	} {
		var field string
		var empty, all int64
		err := forEach(ctx, db.pool, "gaps", []any{&field, &empty, &all}, func() error {
			gaps = append(gaps, Gap{of.kind, field, empty, all})
			return nil
		}, `with sample as materialized (select record from `+table(of.kind)+` order by id limit $2)
			select f, count(*) filter (where not r.record ? f), count(r.record)
			from unnest($1::text[]) with ordinality n (f, i) left join sample r on true group by f, i
			order by i`, of.fields, looked)
		if err != nil {
			return nil, fmt.Errorf("look for gaps: %w", classify(err))
		}
	}
	return gaps, nil
}
