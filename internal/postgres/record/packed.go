package record

import (
	"encoding/json"
	"fmt"

	"kith"
	"kith/internal/postgres/pack"
	"kith/internal/record"
)

// namesOnly is what statements read of a person: it stays in the column record of a packed person.
type namesOnly struct {
	FullName  string `json:"full_name,omitempty"`
	SocialURL string `json:"social_url,omitempty"`
}

// packPerson returns the columns record and packed of a person; packed is nil if it would save nothing.
func packPerson(p kith.Person, e encoded) (record, packed []byte, err error) {
	names, err := json.Marshal(namesOnly{FullName: p.FullName, SocialURL: p.SocialURL})
	if err != nil {
		return nil, nil, fmt.Errorf("names of person %d: %w", p.ID, err)
	}
	packed, err = pack.Pack(e.record)
	if err != nil || len(names)+len(packed) >= len(e.record) {
		return e.record, nil, err
	}
	return names, packed, nil
}

// wholeRecord is the SQL of the record of a row of people, for [unpackRecord].
func wholeRecord(row string) string {
	return "coalesce(" + row + ".packed, " + plainRecord(row) + ")"
}

// plainRecord is the SQL of the record of a row of another table, for [unpackRecord].
func plainRecord(row string) string { return "convert_to(" + row + ".record::text, 'UTF8')" }

// recordSQL is the SQL of the record of a row of a kind.
func recordSQL(kind record.Kind, row string) string {
	if kind == record.People {
		return wholeRecord(row)
	}
	return plainRecord(row)
}

// recordSize is the SQL of the bytes of a record of a kind, as a measure of the memory that it takes. A packed record
// begins with its size.
func recordSize(kind record.Kind, row string) string {
	size := "pg_column_size(" + row + ".record)"
	if kind != record.People {
		return size
	}
	return "coalesce(('x' || encode(substr(" + row + ".packed, 1, 4), 'hex'))::bit(32)::integer, " + size + ")"
}

// unpackRecord returns the JSON of a record, which may be packed.
func unpackRecord(record []byte) ([]byte, error) {
	if len(record) > 0 && record[0] == '{' {
		return record, nil
	}
	return pack.Unpack(record)
}

// unpackRows replaces the packed records in a JSON array of rows.
func unpackRows(rows []byte) ([]byte, error) {
	var objects []map[string]json.RawMessage
	if err := json.Unmarshal(rows, &objects); err != nil {
		return nil, err
	}
	for _, row := range objects {
		text, ok := row["packed"]
		if delete(row, "packed"); !ok || string(text) == "null" {
			continue
		}
		var packed []byte
		err := json.Unmarshal(text, &packed)
		if err == nil {
			row["record"], err = pack.Unpack(packed)
		}
		if err != nil {
			return nil, err
		}
	}
	return json.Marshal(objects)
}
