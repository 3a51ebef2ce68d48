package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Mapping says where the members of a person are in the JSON of a provider, and
// how the key is sent. A path is names and places joined by dots: data.name,
// positions.0.title. The zero mapping takes the JSON as a person in the format
// of a load file.
type Mapping struct {
	// Root is the path of the object that the other paths begin at; empty is
	// the whole answer.
	Root string `yaml:"root"`
	// AsOf is the path of the day of the data, a date or a time of RFC 3339.
	AsOf string `yaml:"as_of"`
	// KeyHeader is the header that the key is sent in, behind KeyPrefix. Where it
	// is empty the key goes as Authorization: Bearer.
	KeyHeader string `yaml:"key_header"`
	KeyPrefix string `yaml:"key_prefix"`
	// Person has the path of each member of the person, such as full_name or
	// location.city. Of work_relevant, work_history and education_history the
	// path is given here, and the members of each entry below.
	Person map[string]string `yaml:"person"`
	// Job has the path of each member of a job inside its entry: title,
	// start_date, end_date, company.name and so on. Education does the same for
	// an entry of the education.
	Job       map[string]string `yaml:"job"`
	Education map[string]string `yaml:"education"`
}

// ReadMapping reads a mapping from a YAML or JSON file.
func ReadMapping(path string) (Mapping, error) {
	var m Mapping
	f, err := os.Open(path)
	if err != nil {
		return m, fmt.Errorf("field mapping: %w", err)
	}
	defer f.Close()
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	if err := dec.Decode(&m); err != nil {
		return m, fmt.Errorf("field mapping %s: %w", path, readable(err))
	}
	return m, m.check(path)
}

// readable says what the decoder found wrong without the names that things have in Go.
func readable(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		text := strings.ReplaceAll(strings.Join(wrong.Errors, "; "), " not found in type source.Mapping", " is not known")
		return errors.New(text + "; a mapping has root, as_of, key_header, key_prefix, person, job and education")
	}
	return err
}

func (m Mapping) check(path string) error {
	for _, group := range []struct {
		name  string
		paths map[string]string
		known []string
	}{
		{"person", m.Person, personMembers()}, {"job", m.Job, jobMembers()}, {"education", m.Education, educationMembers()},
	} {
		for member := range group.paths {
			if !slices.Contains(group.known, member) {
				return fmt.Errorf("field mapping %s: %s has no member %q; it has %s", path, group.name, member, strings.Join(group.known, ", "))
			}
		}
	}
	if len(m.Person) > 0 && m.Person["full_name"] == "" {
		return fmt.Errorf("field mapping %s: person.full_name is missing, and nobody can be stored without a name", path)
	}
	return nil
}

const (
	memberRelevant  = "work_relevant"
	memberHistory   = "work_history"
	memberEducation = "education_history"
)

func personMembers() []string {
	return []string{
		"full_name", "first_name", "last_name", "social_url", "headline", "about_me", "location.city", "location.state", "location.country",
		"image_url", "email", "skills", memberRelevant, memberHistory, memberEducation,
	}
}

func jobMembers() []string {
	return []string{
		"title", "start_date", "end_date", "company.name", "company.social_url", "company.domain", "company.industry",
		"company.employee_count", "company.image_url", "company.headquarters", "company.type", "company.founded_year",
		"company.location.city", "company.location.state", "company.location.country",
	}
}

func educationMembers() []string {
	return []string{"institute", "degree", "field_of_study", "start_date", "end_date"}
}

// apply makes a line of a load file, and the day of the data, of an answer.
func (m Mapping) apply(answer []byte) (line []byte, asOf string, err error) {
	var whole any
	dec := json.NewDecoder(bytes.NewReader(answer))
	dec.UseNumber() // a number goes on as it was written
	if err := dec.Decode(&whole); err != nil {
		return nil, "", err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, "", errors.New("there is more behind the JSON")
	}
	root, _ := at(whole, m.Root).(map[string]any)
	if root == nil {
		return nil, "", errors.New("there is no object where the person should be")
	}
	asOf, _ = at(root, m.AsOf).(string)
	if m.AsOf == "" {
		asOf = ""
	}
	if len(m.Person) == 0 {
		line, err = json.Marshal(root)
		return line, asOf, err
	}
	person := map[string]any{}
	for member, path := range m.Person {
		value := at(root, path)
		switch member {
		case memberRelevant:
			value = entry(value, m.Job)
		case memberHistory:
			value = entries(value, m.Job)
		case memberEducation:
			value = entries(value, m.Education)
		}
		put(person, member, value)
	}
	line, err = json.Marshal(person)
	return line, asOf, err
}

func entries(list any, members map[string]string) any {
	items, _ := list.([]any)
	var out []any
	for _, item := range items {
		if e := entry(item, members); e != nil {
			out = append(out, e)
		}
	}
	if out == nil {
		return nil
	}
	return out
}

func entry(item any, members map[string]string) any {
	if _, object := item.(map[string]any); !object {
		return nil
	}
	out := map[string]any{}
	for member, path := range members {
		put(out, member, at(item, path))
	}
	return out
}

// at follows a path; nil where it leads nowhere.
func at(v any, path string) any {
	if path == "" {
		return v
	}
	for name := range strings.SplitSeq(path, ".") {
		switch container := v.(type) {
		case map[string]any:
			v = container[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(container) {
				return nil
			}
			v = container[i]
		default:
			return nil
		}
	}
	return v
}

// put sets a member, by its dotted name; nothing is left out.
func put(into map[string]any, member string, value any) {
	if value == nil {
		return
	}
	first, rest, nested := strings.Cut(member, ".")
	if !nested {
		into[first] = value
		return
	}
	inner, _ := into[first].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		into[first] = inner
	}
	put(inner, rest, value)
}
