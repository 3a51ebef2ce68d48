package elasticindex

import (
	"kith/index"
	"kith/mappings"
	"kith/query"
)

// fieldTable has the fields with tokens, and the flattened ones. Values and buckets of flattened Number fields are
// separate fields in Elasticsearch.
type fieldTable struct {
	words   map[query.Field]bool
	buckets map[query.Field]string
	members map[query.Field]member
}

// member is the member of an object that holds a field.
type member struct {
	of query.Path
	// terms is the name for keywords and buckets, name that for words and numbers.
	terms, name string
}

func newFieldTable() fieldTable {
	t := fieldTable{
		words: map[query.Field]bool{}, buckets: map[query.Field]string{}, members: map[query.Field]member{},
	}
	for _, info := range append(query.PersonFields(), query.CompanyFields()...) {
		for _, path := range append(info.Paths, query.Person) {
			f := info.Field.In(path)
			t.words[f] = info.Kind == query.Words
			m := member{of: path, terms: string(info.Field), name: string(info.Field)}
			if info.Kind == query.Number && path != query.Person {
				t.buckets[f] = mappings.ElasticsearchBuckets(f)
				m.terms = mappings.ElasticsearchBuckets(info.Field)
			}
			t.members[f] = m
		}
	}
	return t
}

// terms returns the name of the field with the values, tokens or buckets of f.
func (t fieldTable) terms(path query.Path, f query.Field) string {
	if name, ok := t.buckets[f]; ok && path == query.Person {
		return name
	}
	return mappings.ElasticsearchName(path, f)
}

// memberOf returns the members of the object for the flattened fields of a path, or of the document itself.
func (t fieldTable) memberOf(path query.Path) func(query.Field) (member, bool) {
	return func(f query.Field) (member, bool) {
		m, known := t.members[f]
		if !known {
			m, _ = relative(f)
		}
		return m, m.of == path
	}
}

// relative returns the member of a sub-document, which has the field's own name.
func relative(f query.Field) (member, bool) { return member{terms: string(f), name: string(f)}, true }

func collections() []index.Collection { return []index.Collection{index.People, index.Companies} }
