package record

import (
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"

	"kith"
)

// encoded is a stored record, with the hash that detects a repeated write.
type encoded struct {
	record []byte
	hash   []byte
}

// encode returns the stored form of a person or a company: without empty members, the id, which is a column, and all of
// a job's company except its id.
func encode(stored any) (encoded, error) {
	record, err := json.Marshal(stored, json.OmitZeroStructFields(true))
	if err != nil {
		return encoded{}, fmt.Errorf("encode record: %w", err)
	}
	sum := sha256.Sum256(record)
	return encoded{record: record, hash: sum[:16]}, nil
}

func encodePerson(p kith.Person) (encoded, error) {
	p.ID = 0
	return encode(p.WithCompanies(func(c kith.Company) kith.Company { return kith.Company{ID: c.ID} }))
}

// decodePerson decodes a stored person, packed or not. Of the companies of jobs it knows the ids.
func decodePerson(id int64, record []byte) (kith.Person, error) {
	var p kith.Person
	record, err := unpackRecord(record)
	if err == nil {
		err = json.Unmarshal(record, &p)
	}
	if err != nil {
		return kith.Person{}, fmt.Errorf("stored person %d: %w", id, err)
	}
	p.ID = id
	return p, nil
}

func encodeCompany(c kith.Company) (encoded, error) {
	c.ID = 0
	return encode(c)
}

func decodeCompany(id int64, record []byte) (kith.Company, error) {
	var c kith.Company
	if err := json.Unmarshal(record, &c); err != nil {
		return c, fmt.Errorf("stored company %d: %w", id, err)
	}
	c.ID = id
	return c, nil
}
