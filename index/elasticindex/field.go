package elasticindex

import (
	"kith/index"
	"kith/mappings"
	"kith/query"
)

// fieldTable has the fields with tokens, and the flattened Number fields, whose values and buckets are separate
// fields in Elasticsearch.
type fieldTable struct {
	words   map[query.Field]bool
	buckets map[query.Field]string
}

func newFieldTable() fieldTable {
	t := fieldTable{words: map[query.Field]bool{}, buckets: map[query.Field]string{}}
	for _, info := range append(query.PersonFields(), query.CompanyFields()...) {
		for _, path := range append(info.Paths, query.Person) {
			f := info.Field.In(path)
			t.words[f] = info.Kind == query.Words
			if info.Kind == query.Number && path != query.Person {
				t.buckets[f] = mappings.ElasticsearchBuckets(f)
			}
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

func collections() []index.Collection { return []index.Collection{index.People, index.Companies} }
