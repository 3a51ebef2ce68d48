package mappings_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"kith/internal/test/expect"
	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
)

var update = flag.Bool("update-elasticsearch", false, "write the Elasticsearch mappings anew from the field tables")

// The mappings are files, so that people can read them and hand them to the administrator of a
// cluster. Their content must follow the field tables.
func TestElasticsearchMappingsHaveEveryField(t *testing.T) {
	for collection, want := range map[string]any{"people": people(), "companies": companies()} {
		text, err := json.MarshalIndent(want, "", "  ")
		expect.NoError(t, err)
		text = append(text, '\n')
		if *update {
			expect.NoError(t, os.WriteFile("elasticsearch_"+collection+".json", text, 0o644))
			continue
		}
		got, err := mappings.Elasticsearch(collection)
		expect.NoError(t, err)
		if !bytes.Equal(got, text) {
			t.Errorf("elasticsearch_%s.json does not say what the field table says: run go test ./mappings "+
				"-update-elasticsearch and reindex", collection)
		}
	}
}

func TestElasticsearchRefusesUnknownCollections(t *testing.T) {
	if _, err := mappings.Elasticsearch("pets"); err == nil {
		t.Error("no error for an unknown collection")
	}
}

type object map[string]any

func people() object {
	props := base()
	for _, info := range query.PersonFields() {
		if len(info.Paths) == 0 {
			props[string(info.Field)] = property(info.Kind)
			continue
		}
		for _, path := range info.Paths {
			if query.Flattened(path, info.Field) {
				flat := member(props, string(path), object{})
				flat[string(info.Field)] = property(info.Kind)
				if info.Kind == query.Number {
					flat[mappings.ElasticsearchBuckets(info.Field)] = property(query.Keyword)
				}
			}
			nested := member(props, mappings.ElasticsearchPath(path), object{"type": "nested"})
			nested[string(info.Field)] = property(info.Kind)
		}
	}
	facets := member(props, mappings.ElasticsearchFacet, object{})
	for _, f := range indexed.Facets() {
		facets[string(f)] = object{"type": "keyword"}
	}
	return mapping(props)
}

func companies() object {
	props := base()
	for _, info := range query.CompanyFields() {
		props[string(info.Field)] = property(info.Kind)
	}
	return mapping(props)
}

func base() object {
	return object{
		mappings.ElasticsearchID:     object{"type": "long"},
		mappings.ElasticsearchRecord: object{"type": "object", "enabled": false},
	}
}

// member returns the properties of a sub-object, and creates it if necessary.
func member(props object, name string, fresh object) object {
	if _, ok := props[name]; !ok {
		fresh["properties"] = object{}
		props[name] = fresh
	}
	return props[name].(object)["properties"].(object)
}

func property(kind query.Kind) object {
	switch kind {
	case query.Words:
		return object{"type": "text", "analyzer": "whitespace", "norms": false}
	case query.Number:
		return object{"type": "long"}
	default:
		return object{"type": "keyword", "doc_values": false}
	}
}

func mapping(props object) object {
	return object{
		"dynamic":    "strict",
		"_source":    object{"includes": []string{mappings.ElasticsearchRecord}},
		"properties": props,
	}
}
