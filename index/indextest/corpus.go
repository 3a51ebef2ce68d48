package indextest

import (
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"kith"
	"kith/query"
	"kith/query/indexed"
)

//go:embed testdata
var testdata embed.FS

// corpus reads the documents of one collection from testdata. A document is a mapping of id, rank, version (1 where
// absent), its fields, the paths with their sub-documents, and facets. A Words value is a sequence of tokens with
// blanks between; several are given as a list. The number of current jobs and the record are added.
func corpus(name string, table []query.Info) ([]indexed.Document, error) {
	data, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	var raw []map[string]yaml.Node
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	docs := make([]indexed.Document, len(raw))
	for i, members := range raw {
		if docs[i], err = document(members, kinds(table)); err != nil {
			return nil, fmt.Errorf("%s, document %d: %w", name, i+1, err)
		}
		if name == "people.yaml" {
			Complete(&docs[i])
		}
	}
	return docs, nil
}

// kinds gives the kind of each field under each path.
func kinds(table []query.Info) map[query.Field]query.Kind {
	m := map[query.Field]query.Kind{}
	for _, info := range table {
		if len(info.Paths) == 0 {
			m[info.Field] = info.Kind
		}
		for _, path := range info.Paths {
			m[info.Field.In(path)] = info.Kind
		}
	}
	return m
}

func document(members map[string]yaml.Node, kinds map[query.Field]query.Kind) (indexed.Document, error) {
	d := indexed.Document{Version: 1, Fields: NewFields(), Nested: map[query.Path][]indexed.Fields{}}
	for name, value := range members {
		var err error
		switch name {
		case "id":
			err = value.Decode(&d.ID)
		case "rank":
			err = value.Decode(&d.Rank)
		case "version":
			err = value.Decode(&d.Version)
		case "facets":
			err = value.Decode(&d.Facets)
		case string(query.Current), string(query.Past), string(query.Education):
			d.Nested[query.Path(name)], err = subDocuments(query.Path(name), value, kinds)
		default:
			err = set(d.Fields, query.Person, name, value, kinds)
		}
		if err != nil {
			return d, fmt.Errorf("%s: %w", name, err)
		}
	}
	d.Record = json.RawMessage(fmt.Sprintf(`{"id":%d}`, d.ID))
	return d, nil
}

// NewFields returns fields without values.
func NewFields() indexed.Fields {
	return indexed.Fields{
		Keywords: map[query.Field][]string{}, Words: map[query.Field][][]string{}, Numbers: map[query.Field]int64{},
	}
}

// Complete sets what a person's document must say of itself: how many current jobs it has.
func Complete(d *indexed.Document) {
	jobs := indexed.ManyJobs
	if n := len(d.Nested[query.Current]); n < 2 {
		jobs = strconv.Itoa(n)
	}
	d.Fields.Keywords[query.JobCount] = []string{jobs}
}

func subDocuments(path query.Path, list yaml.Node, kinds map[query.Field]query.Kind) ([]indexed.Fields, error) {
	var raw []map[string]yaml.Node
	if err := list.Decode(&raw); err != nil {
		return nil, err
	}
	subs := make([]indexed.Fields, len(raw))
	for i, members := range raw {
		subs[i] = NewFields()
		for name, value := range members {
			if err := set(subs[i], path, name, value, kinds); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return subs, nil
}

func set(f indexed.Fields, path query.Path, name string, value yaml.Node, kinds map[query.Field]query.Kind) error {
	field := query.Field(name)
	kind, ok := kinds[field.In(path)]
	if !ok {
		return fmt.Errorf("no such field under %q", path)
	}
	if kind == query.Number {
		var v int64
		err := value.Decode(&v)
		f.Numbers[field] = v
		return err
	}
	texts, err := scalars(value)
	for _, text := range texts {
		if kind == query.Keyword {
			f.Keywords[field] = append(f.Keywords[field], text)
		} else {
			f.Words[field] = append(f.Words[field], strings.Fields(text))
		}
	}
	return err
}

// scalars reads one scalar or a list of them as they are written.
func scalars(value yaml.Node) ([]string, error) {
	if value.Kind == yaml.ScalarNode {
		return []string{value.Value}, nil
	}
	var nodes []yaml.Node
	if err := value.Decode(&nodes); err != nil {
		return nil, err
	}
	return kith.Each(nodes, func(n yaml.Node) string { return n.Value }), nil
}
