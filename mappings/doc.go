// Package mappings holds the fields of both engines as data: the mappings of Elasticsearch as JSON and the tables of
// the Postgres index as SQL, with the rules that turn the name of a query field into a name of theirs. The JSON is
// generated from the fields of package query by elasticsearch_test.go, with the flag -update-elasticsearch.
//
// In Postgres a version of the index is a set of tables, and two views show the active one. They are what
// metadata.generated_sql asks, and a stable place for an operator to look.
//
// people_search has one row a person:
//
//	id         bigint   the person's identifier
//	rank       bigint   people come by rank, highest first, then by id
//	full_name  text     the name as the record spells it
//	experience, rising, experienced, loyal, connected, founded, hops,
//	standing, employers, longest_stay, longest_gap, current_company_size,
//	current_company_founded, current_start_day, current_tenure, current_stay
//	           bigint   the Number fields, null where there is no value; those
//	                    of the current job only for people with exactly one
//	terms      bigint[] hashtextextended('field:value', 0) for every value of a
//	                    Keyword field and every token of a Words field, those of
//	                    sub-documents under their flattened names
//	                    ("past.title:engineer"), and the buckets of flattened
//	                    numbers
//	fields     text[]   the fields that the row has terms of
//	phrases    text[]   "field: token token " for every sequence of several
//	                    tokens of a Words field
//	facets     jsonb    the display values by facet
//	record     json     the person as a search answers it
//
// people_search_nested has one row a sub-document: person_id, path ("current", "past" or "education"), company_size,
// company_founded, start_day, tenure, stay, end_day, terms, fields and phrases, with field names relative to the path.
// A current job has a row only where there are several.
//
// A term that is longer than 500 bytes is hashed short: its beginning, a #, and the SHA-256 of the whole.
package mappings
