package elasticindex

import (
	"slices"
	"strconv"

	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
	"kith/query/tokenizer"
)

// appendDocument appends the source of a document as one line. Flattened fields are members of objects, and a single
// value is no array: Elasticsearch needs a quarter less time than for dotted names and arrays of one.
func (t fieldTable) appendDocument(b []byte, doc indexed.Flat) []byte {
	b = append(b, `{"`+mappings.ElasticsearchID+`":`...)
	b = strconv.AppendInt(b, doc.ID, 10)
	b = append(b, `,"`+string(query.Rank)+`":`...)
	b = strconv.AppendInt(b, doc.Rank, 10)
	b = appendFields(b, doc.Fields, t.memberOf(query.Person))
	for _, path := range query.Paths() {
		b = appendObject(b, string(path), func(b []byte) []byte {
			return appendFields(b, doc.Fields, t.memberOf(path))
		})
		b = appendNested(b, path, doc.Nested[path])
	}
	b = appendObject(b, mappings.ElasticsearchFacet, func(b []byte) []byte {
		for name, value := range doc.Facets {
			b = appendString(appendKey(b, string(name)), tokenizer.Cut(value, maxFacet))
		}
		return b
	})
	if doc.Record != nil {
		b = appendKey(b, mappings.ElasticsearchRecord)
		b = appendString(b, doc.Record)
	}
	return append(b, '}')
}

// appendObject appends an object, unless members, which appends a comma and a member each time, appends none.
func appendObject(b []byte, name string, members func([]byte) []byte) []byte {
	start := len(b)
	b = appendKey(b, name)
	open := len(b)
	if b = members(b); len(b) == open {
		return b[:start]
	}
	b[open] = '{' // replaces the first comma
	return append(b, '}')
}

// appendFields appends members, each after a comma: those fields that are members of the object.
func appendFields(b []byte, fields indexed.Fields, memberOf func(query.Field) (member, bool)) []byte {
	for f, values := range fields.Keywords {
		m, ok := memberOf(f)
		if !ok || len(values) == 0 {
			continue
		}
		b = appendKey(b, m.terms)
		b = appendList(b, len(values), func(b []byte, i int) []byte { return appendString(b, keyword(values[i])) })
	}
	for f, seqs := range fields.Words {
		if m, ok := memberOf(f); ok {
			b = appendSequences(b, m.name, seqs)
		}
	}
	for f, v := range fields.Numbers {
		if m, ok := memberOf(f); ok && f != query.Rank {
			b = appendKey(b, m.name)
			b = strconv.AppendInt(b, v, 10)
		}
	}
	return b
}

// appendList appends a single value, or an array of several.
func appendList(b []byte, n int, value func(b []byte, i int) []byte) []byte {
	if n == 1 {
		return value(b, 0)
	}
	for i := range n {
		b = append(b, separator(i))
		b = value(b, i)
	}
	return append(b, ']')
}

// appendSequences appends the sequences with tokens. It omits a field without any, so that the field does not exist.
func appendSequences(b []byte, name string, seqs [][]string) []byte {
	if slices.ContainsFunc(seqs, isEmpty) {
		seqs = slices.DeleteFunc(slices.Clone(seqs), isEmpty)
	}
	if len(seqs) == 0 {
		return b
	}
	b = appendKey(b, name)
	return appendList(b, len(seqs), func(b []byte, i int) []byte { return appendTokens(b, seqs[i]) })
}

func isEmpty(words []string) bool { return len(words) == 0 }

func appendNested(b []byte, path query.Path, subs []indexed.Fields) []byte {
	if len(subs) == 0 {
		return b
	}
	b = appendKey(b, mappings.ElasticsearchPath(path))
	for i, sub := range subs {
		b = append(b, separator(i))
		open := len(b)
		b = appendFields(b, sub, relative)
		if len(b) == open {
			b = append(b, '{')
		} else {
			b[open] = '{' // replaces the first comma
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendKey appends a comma and a key; names of fields need no escapes.
func appendKey(b []byte, name string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	return append(b, '"', ':')
}
