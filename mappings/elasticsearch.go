package mappings

import (
	"embed"
	"fmt"

	"kith/query"
)

//go:embed elasticsearch_people.json elasticsearch_companies.json
var elasticsearchFiles embed.FS

// Elasticsearch returns the mapping of a collection ("people" or "companies"),
// as the create-index request takes it under "mappings".
func Elasticsearch(collection string) ([]byte, error) {
	data, err := elasticsearchFiles.ReadFile("elasticsearch_" + collection + ".json")
	if err != nil {
		return nil, fmt.Errorf("no Elasticsearch mapping of %q: %w", collection, err)
	}
	return data, nil
}

// Names of Elasticsearch fields that are not fields of query.
const (
	// ElasticsearchID holds the document's identifier, to order by.
	ElasticsearchID = "id"
	// ElasticsearchRecord holds the record, as the text of its JSON: text,
	// because Elasticsearch would write an object anew.
	ElasticsearchRecord = "record"
	// ElasticsearchFacet is the object whose members are the facets.
	ElasticsearchFacet = "facet"
)

// ElasticsearchName returns the Elasticsearch field that holds the values of f: of the document itself where f stands
// there or is a flattened name ("current.title"), of a sub-document where f is relative to path.
func ElasticsearchName(path query.Path, f query.Field) string {
	if path == query.Person {
		return string(f)
	}
	return ElasticsearchPath(path) + "." + string(f)
}

// ElasticsearchBuckets returns the Elasticsearch field that holds the buckets of a flattened Number field.
func ElasticsearchBuckets(f query.Field) string { return string(f) + "Bucket" }

// ElasticsearchPath returns the nested object that holds the sub-documents of a path. It is not the object of the
// flattened fields, which has the path's own name.
func ElasticsearchPath(path query.Path) string {
	switch path {
	case query.Person:
		return ""
	case query.Current:
		return "current_jobs"
	case query.Past:
		return "past_jobs"
	case query.Education:
		return "education_entries"
	}
	return string(path) + "_entries"
}
