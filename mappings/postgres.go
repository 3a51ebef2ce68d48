package mappings

import "kith/query"

// The views over the active version of the Postgres index. See the package
// comment for their columns.
const (
	// PeopleView has one row a person.
	PeopleView = "people_search"
	// NestedView has one row a sub-document of a person.
	NestedView = "people_search_nested"
)

// Column returns the name of the SQL column of a Number field. See
// [query.Column].
func Column(f query.Field) string { return query.Column(f) }
