package mappings_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kith/mappings"
	"kith/query"
)

// Keyword and Words fields are terms and need no column. Every Number field must have one, and
// fields to sort by an index.
func TestPostgresTablesHaveEveryNumber(t *testing.T) {
	tables, indexes := mappings.PostgresTables("v1"), strings.Join(mappings.PostgresIndexes("v1", false), "")
	for table, fields := range map[string][]query.Field{
		"people_v1": mappings.PersonNumbers(), "people_nested_v1": mappings.NestedNumbers(),
		"companies_v1": mappings.CompanyNumbers(),
	} {
		var want []string
		for _, f := range fields {
			want = append(want, query.Column(f))
			ordered := "IF NOT EXISTS " + table + "_" + query.Column(f) + " ON " + table +
				" ((~COALESCE(" + query.Column(f) + ", -9223372036854775808)), id)"
			if want := table == "people_v1" &&
				slices.Contains(mappings.PersonOrders(), f); want != strings.Contains(indexes, ordered) {
				t.Errorf("%s has an index on %s: %t, want %t", table, query.Column(f), !want, want)
			}
		}
		if got := numberColumns(t, tables, table); !slices.Equal(got, want) {
			t.Errorf("%s has the number columns %v, the field table has %v", table, got, want)
		}
	}
}

// numberColumns lists the nullable bigint columns of a table.
func numberColumns(t *testing.T, tables, table string) []string {
	_, rest, ok := strings.Cut(tables, "CREATE TABLE "+table+" (")
	if !ok {
		t.Fatalf("there is no table %s", table)
	}
	body, _, _ := strings.Cut(rest, "\n)")
	var columns []string
	for _, m := range regexp.MustCompile(`(?m)^  (\w+) bigint,$`).FindAllStringSubmatch(body, -1) {
		columns = append(columns, m[1])
	}
	return columns
}

func TestPostgresViewsHaveEveryNumber(t *testing.T) {
	views := mappings.PostgresViews("v1", mappings.Fields())
	_, people, _ := strings.Cut(views, "CREATE VIEW people_search AS")
	_, nested, _ := strings.Cut(views, "CREATE VIEW people_search_nested AS")
	for view, fields := range map[string][]query.Field{
		people: mappings.PersonNumbers(),
		nested: mappings.NestedNumbers(),
	} {
		body, _, _ := strings.Cut(view, ";")
		for _, f := range fields {
			if !regexp.MustCompile(`\b` + query.Column(f) + `\b`).MatchString(body) {
				t.Errorf("the view lacks the column %s\n%s", query.Column(f), body)
			}
		}
	}
}

func TestColumnNames(t *testing.T) {
	for field, want := range map[query.Field]string{
		query.Experience:                      "experience",
		query.CompanySize.In(query.Current):   "current_company_size",
		query.Start:                           "start_day",
		query.End.In(query.Past):              "past_end_day",
		query.Start.In(query.Education):       "education_start_day",
		query.CompanyFounded.In(query.Person): "company_founded",
	} {
		if got := query.Column(field); got != want {
			t.Errorf("%s: column %s, want %s", field, got, want)
		}
	}
}
