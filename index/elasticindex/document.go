package elasticindex

import (
	"strconv"

	"kith/index"
	"kith/mappings"
	"kith/query"
)

// appendDocument appends the source of a document as one line.
func (t fieldTable) appendDocument(b []byte, doc index.Flat) []byte {
	b = append(b, `{"`+mappings.ElasticsearchID+`":`...)
	b = strconv.AppendInt(b, doc.ID, 10)
	b = append(b, `,"`+string(query.Rank)+`":`...)
	b = strconv.AppendInt(b, doc.Rank, 10)
	b = t.appendFields(b, query.Person, doc.Fields)
	for path, subs := range doc.Nested {
		b = t.appendNested(b, path, subs)
	}
	b = appendFacets(b, doc.Facets)
	if doc.Record != nil {
		b = append(b, `,"`+mappings.ElasticsearchRecord+`":`...)
		b = appendString(b, string(doc.Record))
	}
	return append(b, '}')
}

// appendFields appends members, each after a comma. Flattened names need no conversion: Elasticsearch reads
// "current.title" as a member of "current".
func (t fieldTable) appendFields(b []byte, path query.Path, fields index.Fields) []byte {
	for f, values := range fields.Keywords {
		if len(values) == 0 {
			continue
		}
		b = appendKey(b, t.stored(path, f))
		for i, v := range values {
			b = append(b, separator(i))
			b = appendString(b, keyword(v))
		}
		b = append(b, ']')
	}
	for f, seqs := range fields.Words {
		b = appendSequences(b, string(f), seqs)
	}
	for f, v := range fields.Numbers {
		if f == query.Rank {
			continue
		}
		b = appendKey(b, string(f))
		b = strconv.AppendInt(b, v, 10)
	}
	return b
}

// stored returns the name of the member for the keywords of f.
func (t fieldTable) stored(path query.Path, f query.Field) string {
	if name, ok := t.buckets[f]; ok && path == query.Person {
		return name
	}
	return string(f)
}

// appendSequences appends the sequences with tokens. It omits a field without any, so that the field does not exist.
func appendSequences(b []byte, name string, seqs [][]string) []byte {
	n := 0
	for _, words := range seqs {
		if len(words) == 0 {
			continue
		}
		if n == 0 {
			b = appendKey(b, name)
		}
		b = append(b, separator(n), '"')
		b = appendTokens(b, words)
		b = append(b, '"')
		n++
	}
	if n > 0 {
		b = append(b, ']')
	}
	return b
}

func (t fieldTable) appendNested(b []byte, path query.Path, subs []index.Fields) []byte {
	if len(subs) == 0 {
		return b
	}
	b = appendKey(b, mappings.ElasticsearchPath(path))
	for i, sub := range subs {
		b = append(b, separator(i))
		open := len(b)
		b = t.appendFields(b, path, sub)
		if len(b) == open {
			b = append(b, '{')
		} else {
			b[open] = '{' // replaces the first comma
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendFacets(b []byte, facets map[index.Facet]string) []byte {
	for name, value := range facets {
		b = appendKey(b, mappings.ElasticsearchFacet+"."+string(name))
		b = appendString(b, facet(value))
	}
	return b
}

// appendKey appends a comma and a key; names of fields need no escapes.
func appendKey(b []byte, name string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	return append(b, '"', ':')
}
