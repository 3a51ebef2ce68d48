// Package mapping describes where foreign data has the members of a person: a provider's JSON, the columns of a table,
// the objects of a file. A [Mapping] is written in YAML. [Mapping.Line] converts a provider's answer to a line of a
// load file; [Mapping.Of] converts one record of a file.
package mapping

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Mapping has the paths of members. A path consists of names and positions joined by dots: data.name,
// positions.0.title; * is every entry of a list: emails.*.address. For a table, a path is a column header, in which *
// matches any text. The zero mapping reads an object as a person in the format of a load file.
type Mapping struct {
	// Root is the path of the object in which the other paths start; empty is the whole
	// answer. For a file it is the path of the list of records.
	Root string `yaml:"root"`
	// AsOf is the path of the day of the data, a date or an RFC 3339 time.
	AsOf string `yaml:"as_of"`
	// KeyHeader is the header for the provider's key, sent after KeyPrefix. If it is empty,
	// the key is sent as Authorization: Bearer.
	KeyHeader string `yaml:"key_header"`
	KeyPrefix string `yaml:"key_prefix"`
	// Person has the paths of each member of the person, such as full_name or location.city. For work_relevant,
	// work_history and education_history it has the path of the entries; the groups below have their members.
	Person Group `yaml:"person"`
	// Job has the paths of each member of a job, relative to its entry: title, start_date,
	// end_date, company.name and so on. Education does the same for education entries.
	Job       Group `yaml:"job"`
	Education Group `yaml:"education"`
	// The following are only for files. Current has the members of the present job if they are next to those of the
	// person. Company has the members of a company record. Relationship describes how the owner of the file knows the
	// person, and Contact a message or a meeting between people.
	Current      Group `yaml:"current"`
	Company      Group `yaml:"company"`
	Relationship Group `yaml:"relationship"`
	Contact      Group `yaml:"contact"`
}

// Group has the paths of each member of one entity.
type Group map[string]Paths

// Paths are the possible locations of a member. The first with a value counts; for lists
// (emails, skills, keywords) all do. In YAML it is a text or a list.
type Paths []string

// UnmarshalYAML implements [yaml.Unmarshaler].
func (p *Paths) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*p = Paths{node.Value}
		return nil
	}
	var list []string
	if err := node.Decode(&list); err != nil {
		return fmt.Errorf("line %d: a path is a text, or a list of texts", node.Line)
	}
	*p = list
	return nil
}

// Read reads a provider's mapping from a YAML or JSON file.
func Read(path string) (Mapping, error) { return read(path, providerMembers()) }

// ReadForFiles reads a mapping for files, which has additional members.
func ReadForFiles(path string) (Mapping, error) { return read(path, fileMembers()) }

func read(path string, known members) (Mapping, error) {
	var m Mapping
	f, err := os.Open(path)
	if err != nil {
		return m, fmt.Errorf("field mapping: %w", err)
	}
	defer f.Close()
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	if err := dec.Decode(&m); err != nil {
		return m, fmt.Errorf("field mapping %s: %w", path, explainYAML(err))
	}
	if err := m.check(known); err != nil {
		return m, fmt.Errorf("field mapping %s: %w", path, err)
	}
	return m, nil
}

// explainYAML rewrites decoder errors without Go names.
func explainYAML(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		text := strings.ReplaceAll(strings.Join(wrong.Errors, "; "), " not found in type mapping.Mapping",
			" is unknown")
		return errors.New(text + "; a mapping has root, as_of, key_header, key_prefix, person, job and education," +
			" and of a file current, company, relationship and contact")
	}
	return err
}

// Check returns an error for groups and members that a mapping for files does not have.
func (m Mapping) Check() error { return m.check(fileMembers()) }

func (m Mapping) check(known members) error {
	for name, group := range m.Groups() {
		for member := range *group {
			if !slices.Contains(known[name], member) {
				return fmt.Errorf("%s has no member %q; it has %s", name, member, list(known[name]))
			}
		}
	}
	if len(m.Person) > 0 && !m.namesPeople(known) {
		return errors.New("person.full_name is missing; map it, because each person needs a name")
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none here"
	}
	return strings.Join(names, ", ")
}

// namesPeople reports whether people get a name; in files, parts of it suffice.
func (m Mapping) namesPeople(known members) bool {
	if len(m.Person["full_name"]) > 0 && m.Person["full_name"][0] != "" {
		return true
	}
	parts := len(m.Person["first_name"]) + len(m.Person["last_name"]) + len(m.Person["emails"]) +
		len(m.Person["skills"])
	return len(known["current"]) > 0 && parts > 0
}

// Groups returns the groups by their names in YAML.
func (m *Mapping) Groups() map[string]*Group {
	return map[string]*Group{
		"person": &m.Person, "job": &m.Job, "education": &m.Education, "current": &m.Current, "company": &m.Company,
		"relationship": &m.Relationship, "contact": &m.Contact,
	}
}

// members are the allowed members of each group.
type members map[string][]string

const (
	memberRelevant  = "work_relevant"
	memberHistory   = "work_history"
	memberEducation = "education_history"
	memberRoles     = "roles" // jobs at the company of an entry
)

func providerMembers() members {
	return members{
		"person": {
			"full_name", "first_name", "last_name", "social_url", "headline", "about_me", "location.city",
			"location.state",
			"location.country",
			"image_url", "email", "skills", memberRelevant, memberHistory, memberEducation,
		},
		"job": {
			"title", "start_date", "end_date", "company.name", "company.social_url", "company.domain",
			"company.industry",
			"company.employee_count", "company.image_url", "company.headquarters", "company.type",
			"company.founded_year",
			"company.location.city", "company.location.state", "company.location.country",
		},
		"education": {"institute", "degree", "field_of_study", "start_date", "end_date"},
	}
}

// fileMembers are a provider's members and those only for files.
func fileMembers() members {
	m := maps.Clone(providerMembers())
	m["person"] = append(m["person"],
		"id", "middle_name", "maiden_name", "prefix", "suffix", "nickname", "emails", "websites", "location.text")
	m["job"] = append(m["job"],
		"company.location.text", "company.keywords", "company.description", "department", "is_current", "deleted",
		memberRoles)
	m["education"] = append(m["education"], "deleted")
	m["current"] = m["job"]
	for _, name := range m["job"] {
		if member, ok := strings.CutPrefix(name, "company."); ok {
			m["company"] = append(m["company"], member)
		}
	}
	m["company"] = append(m["company"], "id")
	m["relationship"] = []string{"since", "kind"}
	m["contact"] = []string{
		"at", "from", "from_url", "from_email", "to", "to_urls", "to_emails", "direction", "draft",
		"folder",
	}
	return m
}

// IsList reports whether all values of a member count, rather than only the first.
func IsList(member string) bool {
	switch member[strings.LastIndexByte(member, '.')+1:] {
	case "emails", "websites", "skills", "keywords", "to_urls", "to_emails":
		return true
	}
	return false
}
