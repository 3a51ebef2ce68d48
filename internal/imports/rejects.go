package imports

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"kith/internal/imports/importer"
)

// partRejects is the part with the records that the reader left out.
const partRejects = "rejects.zst"

// maxRejects limits a reject file, as in a load.
const maxRejects = 64 << 20

// rejected is a line of a reject file: a record that was left out, with its position, or
// one that the dataset refused, as a line of a load file.
type rejected struct {
	File   string `json:"file,omitempty"`
	Line   int64  `json:"line,omitempty"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
}

// Reject implements [importer.Sink]. Messages that are not contacts are skipped.
func (s *Spool) Reject(ctx context.Context, r importer.Reject) error {
	_ = s.preview.Reject(ctx, r)
	switch r.Source.Format {
	case "mail", "calendar", "network-messages", "network-invitations":
		return nil
	}
	line, err := json.Marshal(rejected{File: r.Source.File, Line: r.Source.Line, Reason: r.Reason})
	if err != nil {
		return err
	}
	return s.write(partRejects, r.Source.File, line)
}

func (s *Spool) rejectsPath(name string) string { return filepath.Join(s.dir, name+".rejects.ndjson") }

// Rejects counts the records that were not stored, and gives the most frequent reason.
type Rejects struct {
	N      int64
	Reason string
	// Most is how many have that reason.
	Most int64
}

// WriteRejects writes all records that were left out or refused to a file, one JSON object
// per line. If there are none, it removes the file.
func (s *Spool) WriteRejects(path string) (Rejects, error) {
	out, err := os.Create(path)
	if err != nil {
		return Rejects{}, fmt.Errorf("reject file: %w", err)
	}
	w := &bounded{w: bufio.NewWriter(out), reasons: map[string]int64{}}
	err = s.readPart(partRejects, func(in io.Reader) error {
		return eachLine(in, func(line []byte) error {
			var r rejected
			err := json.Unmarshal(line, &r)
			return errors.Join(err, w.put(r))
		})
	})
	for _, name := range []string{partCompanies, partPeople, partExports} {
		if err == nil {
			err = s.copyRejects(name, w)
		}
	}
	err = errors.Join(err, w.w.Flush(), out.Close())
	if w.lines == 0 {
		err = errors.Join(err, os.Remove(path))
	}
	return w.sum(), err
}

// copyRejects copies the rejects of a part's load, with the name of the original file.
func (s *Spool) copyRejects(name string, to *bounded) error {
	f, err := os.Open(s.rejectsPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	files := s.originalFiles(name)
	return eachLine(f, func(text []byte) error {
		var r rejected
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		r.File, r.Line = files(r.Line), 0
		return to.put(r)
	})
}

func eachLine(r io.Reader, f func([]byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRejects)
	for lines.Scan() {
		if err := f(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// bounded writes lines up to [maxRejects] bytes, and counts all.
type bounded struct {
	w     *bufio.Writer
	lines int64
	size  int
	// reasons counts reasons without their values, up to mostExamples different ones.
	reasons map[string]int64
}

func (b *bounded) put(r rejected) error {
	line, err := json.Marshal(r)
	b.lines++
	reason := withoutValues(r.Reason)
	if _, known := b.reasons[reason]; known || len(b.reasons) < mostExamples {
		b.reasons[reason]++
	}
	if b.size += len(line) + 1; b.size <= maxRejects {
		// A bufio.Writer keeps its first error for Flush.
		_, _ = b.w.Write(append(line, '\n'))
	}
	return err
}

func (b *bounded) sum() Rejects {
	out := Rejects{N: b.lines}
	for _, reason := range slices.Sorted(maps.Keys(b.reasons)) {
		if n := b.reasons[reason]; n > out.Most {
			out.Reason, out.Most = reason, n
		}
	}
	return out
}
