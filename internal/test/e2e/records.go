package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"kith/internal/test/expect"
	"kith/internal/test/leash"
)

// generatedPeople is the size of the dataset that the tests share: more than the 10,000 that a walk must see.
const generatedPeople = 12_000

// Record is one line of a load file.
type Record map[string]any

// ID is the identifier of the person or company.
func (r Record) ID() int64 { return int64(r["id"].(float64)) }

// Generated is a dataset as `kith generate` writes it.
type Generated struct {
	// Companies is the load file of the companies.
	Companies string
	People    []Record
}

// Generate returns the dataset that is generated once for all tests. They must not change its records.
func Generate(t *testing.T) Generated {
	t.Helper()
	g, err := generated()
	expect.NoError(t, err)
	return g
}

// generated is read once for all tests of a process.
var generated = sync.OnceValues(func() (g Generated, err error) {
	dir, err := leash.Shared()
	if err != nil {
		return g, err
	}
	made := filepath.Join(dir, "generated")
	err = leash.Once(dir, "generated", func(to string) error {
		cmd := exec.CommandContext(context.Background(), filepath.Join(dir, "kith"),
			"generate", "--people", strconv.Itoa(generatedPeople), "--companies", "600", "--seed", "7", to)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("kith generate: %w\n%s", err, out)
		}
		return nil
	})
	if err != nil {
		return g, err
	}
	g.Companies = filepath.Join(made, "companies.ndjson")
	g.People, err = ReadRecords(filepath.Join(made, "people.ndjson"))
	return g, err
})

// ReadRecords reads a file of lines.
func ReadRecords(path string) ([]Record, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var records []Record
	for line := range bytes.Lines(text) {
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// Write writes a load file into the installation and returns its path.
func (k Kith) Write(t *testing.T, name string, people []Record) string {
	t.Helper()
	var text bytes.Buffer
	for _, p := range people {
		line, err := json.Marshal(p)
		expect.NoError(t, err)
		text.Write(append(line, '\n'))
	}
	return k.File(t, name, text.String())
}

// File writes a file below the working directory of the installation and returns its path.
func (k Kith) File(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(k.Dir, name)
	expect.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)))
	return path
}

// Changed are copies of people with some members of their own.
func Changed(people []Record, members Record) []Record {
	out := make([]Record, len(people))
	for i, p := range people {
		out[i] = Record{}
		for _, r := range []Record{p, members} {
			maps.Copy(out[i], r)
		}
	}
	return out
}

// Job is a current job at the first company.
func Job(title string) Record {
	return Record{"title": title, "company": Record{"id": 1}, "start_date": "2024-01"}
}

// Stale are people with a job each, as a source may have newer ones.
func Stale(n int) []Record {
	out := make([]Record, n)
	for i := range out {
		out[i] = Record{
			"full_name": fmt.Sprintf("Person %d", i), "social_url": fmt.Sprintf("https://social.example/in/p%d", i),
			"about_me":      "kept",
			"work_relevant": Record{"title": "Engineer", "company": Record{"name": "Oldco"}, "start_date": "2019-02"},
		}
	}
	return out
}
