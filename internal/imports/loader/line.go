package loader

import (
	"bytes"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"

	"kith"
	"kith/internal/record"
)

// personLine is a line about a person.
type personLine struct {
	kith.Person
	AsOf time.Time `json:"as_of"`
}

// decode reads one line into a shape. Duplicate members, wrong types, invalid UTF-8, text after the object and, if
// strict, unknown members are errors; they name the member and the expected value.
func decode[T any](line []byte, strict bool) (*T, error) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return nil, errNotObject
	}
	into := new(T)
	if err := json.Unmarshal(line, into, json.RejectUnknownMembers(strict)); err != nil {
		return nil, explain(err, reflect.TypeFor[T]())
	}
	return into, nil
}

// companyRef is a reference to a company in a line.
type companyRef struct {
	// id is 0 if the line has none.
	id int64
	// company has the data of the line, without the id.
	company                       kith.Company
	socialKey, domainKey, nameKey string
}

// row returns the company with its keys, ready to store.
func (r companyRef) row() record.CompanyRow {
	return record.CompanyRow{Company: r.company, SocialKey: r.socialKey, DomainKey: r.domainKey, NameKey: r.nameKey}
}

// item is one parsed line. From here on, companies of jobs and lines about companies follow the same rules.
type item struct {
	line int64
	text []byte
	// kind is the kind of a line in an export; 0 in files of one kind.
	kind record.Kind
	// reason is why the line cannot be stored; the rest is then empty.
	reason string

	person *record.PersonRow
	// refs are the companies of the jobs, in the order of [kith.Person.Jobs]; nil for a job without one.
	refs []*companyRef

	company *companyRef

	relation *Relation

	sequence *Sequence

	contact *Contact

	head *Head
	end  *end
}

func parseLine(kind record.Kind, number int64, text []byte) item {
	if kind == record.Exports {
		return parseExport(number, text)
	}
	it := item{line: number, text: text}
	var err error
	switch kind {
	case record.Relationships:
		it.relation, err = decodeRelation(text)
	case record.Sequences:
		it.sequence, err = decodeSequence(text)
	case record.Companies:
		var line *kith.Company
		if line, err = decode[kith.Company](text, true); err == nil {
			var c checker
			it.company, err = c.company(*line, ""), c.err()
		}
		if err == nil && it.company.company.Name == "" {
			err = problem("name", "is required")
		}
	default:
		var line *personLine
		if line, err = decode[personLine](text, true); err == nil {
			it.person, it.refs, err = line.row()
		}
	}
	if err != nil {
		return item{line: number, text: text, reason: err.Error()}
	}
	return it
}
