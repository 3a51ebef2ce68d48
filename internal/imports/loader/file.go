package loader

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"kith/internal/record"
)

// kinds lists the kinds.
func kinds() []record.Kind {
	return []record.Kind{record.People, record.Companies, record.Relationships, record.Sequences, record.Exports}
}

// ParseKind reads the name of a kind, as in a flag.
func ParseKind(s string) (record.Kind, error) {
	for _, k := range kinds() {
		if s == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("%q is not a kind of file that can be loaded: people, companies, relationships, sequences or "+
		"export", s)
}

// KindOf returns the kind of a load file by its name: people*.ndjson, companies*.ndjson, relationships*.ndjson,
// sequences*.ndjson, export*.ndjson, optionally with .gz or .zst.
func KindOf(path string) (record.Kind, error) {
	if path == "-" {
		return 0, errors.New("standard input has no name that says what is in it: give --kind people, companies, " +
			"relationships, sequences or export")
	}
	name := strings.ToLower(filepath.Base(path))
	for _, k := range kinds() {
		if strings.HasPrefix(name, k.String()) {
			return k, nil
		}
	}
	return 0, fmt.Errorf("the name of %s does not say what is in it: call it people….ndjson, companies….ndjson, "+
		"relationships….ndjson, sequences….ndjson or export….ndjson, or give --kind", path)
}

// Check reports whether a file can be opened and its kind is known. Call it on all files before loading the first.
func Check(path string, kind record.Kind) error {
	if kind == 0 {
		if _, err := KindOf(path); err != nil {
			return err
		}
	}
	if path == "-" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory; name the files in it", path)
	case !info.Mode().IsRegular():
		return nil // opening and closing a pipe would break it for its writer
	}
	src, err := openFile(path, nil)
	if err != nil {
		return err
	}
	return src.Close()
}

// source is an open load file.
type source struct {
	io.Reader
	// size is the size of the file, before unpacking; 0 if unknown.
	size  int64
	read  *atomic.Int64
	close []func() error
	// packed is true if the file is compressed.
	packed bool
	// isStream is true if a read may wait for ever.
	isStream bool
	// changed is the file's modification time; zero if unknown.
	changed time.Time
}

// openFile opens a load file, unpacking it by its extension; "-" is stdin.
func openFile(path string, stdin io.Reader) (*source, error) {
	s := &source{read: new(atomic.Int64)}
	if path == "-" {
		s.isStream, s.Reader = true, &later{s: s, path: path, raw: &countingReader{r: stdin, n: s.read}}
		return s, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s.close = append(s.close, f.Close)
	s.Reader = &countingReader{r: f, n: s.read}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		s.isStream, s.Reader = true, &later{s: s, path: path, raw: s.Reader}
		return s, nil
	}
	if err == nil {
		s.size, s.changed = info.Size(), info.ModTime()
	}
	if s.Reader, err = s.unpack(path, s.Reader); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), s.Close())
	}
	return s, nil
}

// Close closes the file and its decompressors, the file last.
func (s *source) Close() error {
	var errs []error
	for _, closeOne := range slices.Backward(s.close) {
		errs = append(errs, closeOne())
	}
	return errors.Join(errs...)
}

type countingReader struct {
	r io.Reader
	n *atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
