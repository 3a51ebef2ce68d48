package mappings

import (
	_ "embed" // the SQL files
	"slices"
	"strconv"
	"strings"

	"kith/query"
)

//go:embed postgres_registry.sql
var postgresRegistry string

//go:embed postgres_tables.sql
var postgresTables string

//go:embed postgres_indexes.sql
var postgresIndexes string

//go:embed postgres_views.sql
var postgresViews string

//go:embed postgres_drop.sql
var postgresDrop string

// PostgresRegistry returns the statements that create the table of versions, where it is not there yet.
func PostgresRegistry() string { return postgresRegistry }

// PostgresTables returns the statements that create the tables of a version,
// without the indexes that searches use.
// The name becomes part of table names: it must be a plain identifier.
func PostgresTables(version string) string { return expand(postgresTables, version) }

// PostgresIndexes returns the statements that create the indexes of a version, where they are not there yet. With
// concurrently, writes go on meanwhile, and each statement must be sent on its own and outside of a transaction.
func PostgresIndexes(version string, concurrently bool) []string {
	how := ""
	if concurrently {
		how = "CONCURRENTLY"
	}
	var statements []string
	for line := range strings.Lines(expand(postgresIndexes, version)) {
		if strings.HasPrefix(line, "CREATE ") {
			statements = append(statements, strings.Replace(line, "{{how}}", how, 1))
		}
	}
	return statements
}

// PostgresViews returns the statements that point the views to a version, whose bitmaps are about some fields. They
// give each phrase the name of its field instead of its [PostgresCode].
func PostgresViews(version string, fields []string) string {
	names := "'{" + strings.Join(fields, ",") + "}'::text[]"
	phrases := "ARRAY(SELECT (" + names + ")[ascii(l) - " + strconv.Itoa(int(PostgresCode(-1))) +
		"] || ':' || substr(l, 2) FROM unnest(string_to_array(phrases, E'\\n')) AS l)"
	present := "ARRAY(SELECT f.name FROM unnest(" + names + ") WITH ORDINALITY AS f(name, n)" +
		" WHERE get_bit(present, f.n::integer - 1) = 1)"
	return strings.NewReplacer("{{v}}", version, "{{fields}}", present, "{{phrases}}", phrases).Replace(postgresViews)
}

// PostgresCode returns the character that stands for a field in packed phrases, by its position in [Fields].
func PostgresCode(position int) rune { return rune('!' + position) }

// Fields returns the names of all fields that rows have terms of: of people, of their sub-documents, flattened, and of
// companies. It is what bitmaps of a new version are about.
func Fields() []string {
	var fields []string
	add := func(f query.Field) {
		if !slices.Contains(fields, string(f)) {
			fields = append(fields, string(f))
		}
	}
	for _, info := range slices.Concat(query.PersonFields(), query.CompanyFields()) {
		if info.Kind != query.Number {
			add(info.Field)
		}
		for _, path := range info.Paths {
			if query.Flattened(path, info.Field) {
				add(info.Field.In(path))
			}
		}
	}
	return fields
}

// PostgresDrop returns the statement that drops the tables of a version.
func PostgresDrop(version string) string { return expand(postgresDrop, version) }

func expand(sql, version string) string { return strings.ReplaceAll(sql, "{{v}}", version) }

// PersonNumbers returns the Number fields that the table of people has columns for, beside the rank: the person's own,
// and the flattened ones of the only current job.
func PersonNumbers() []query.Field {
	return numbers(query.PersonFields(), func(info query.Info) []query.Field {
		if len(info.Paths) == 0 {
			return []query.Field{info.Field}
		}
		for _, path := range info.Paths {
			if path == query.Current {
				return []query.Field{info.Field.In(path)}
			}
		}
		return nil
	})
}

// PersonOrders returns the Number fields whose order the table of people has an index in, beside the rank: what judges
// people, and the size of the company of the only current job, because a bucket of sizes holds many people who are not
// within a narrow range.
func PersonOrders() []query.Field {
	return append(query.Judgements(), query.CompanySize.In(query.Current))
}

// NestedNumbers returns the Number fields that the table of sub-documents has columns for.
func NestedNumbers() []query.Field {
	return numbers(query.PersonFields(), func(info query.Info) []query.Field {
		if len(info.Paths) > 0 {
			return []query.Field{info.Field}
		}
		return nil
	})
}

// CompanyNumbers returns the Number fields that the table of companies has columns for, beside the rank.
func CompanyNumbers() []query.Field {
	return numbers(query.CompanyFields(), func(info query.Info) []query.Field {
		return []query.Field{info.Field}
	})
}

// numbers lists what columns gives for each Number field but the rank, each once.
func numbers(table []query.Info, columns func(query.Info) []query.Field) []query.Field {
	var fields []query.Field
	seen := map[query.Field]bool{query.Rank: true}
	for _, info := range table {
		if info.Kind != query.Number {
			continue
		}
		for _, f := range columns(info) {
			if !seen[f] {
				seen[f] = true
				fields = append(fields, f)
			}
		}
	}
	return fields
}
