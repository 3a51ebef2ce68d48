package source

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kith"
	"kith/index/analysis"
)

// recheck is how long the list of files is taken to be as it was.
const recheck = time.Second

// maxLine is the longest line of a file, in bytes.
const maxLine = 1 << 20

// Directory is a directory of NDJSON files of people: every *.ndjson in it,
// subdirectories left out. The last line about a profile counts, of the file
// that was changed last; the time of that change is the day of its data. Files
// may be added and replaced at any time; a file is replaced by renaming. It is
// safe for concurrent use.
type Directory struct {
	path string

	// turn is held by whoever looks at what is below; it is taken by sending.
	turn    chan struct{}
	checked time.Time
	// files are in the order in which they were changed, lines the places of the
	// profiles in each that was read.
	files []file
	lines map[file]map[string]place
}

// file is a file as it was when it was read.
type file struct {
	path    string
	size    int64
	changed time.Time
}

// place is where a line is in its file.
type place struct {
	offset int64
	length int
}

// OpenDirectory reads which profiles a directory has.
func OpenDirectory(path string) (*Directory, error) {
	d := &Directory{path: path, turn: make(chan struct{}, 1), lines: map[file]map[string]place{}}
	return d, d.look(time.Now())
}

// Close implements [Source].
func (*Directory) Close() {}

// Fetch implements [Source]. To read files anew may take longer than the caller
// waits: it goes on, for those who ask next.
func (d *Directory) Fetch(ctx context.Context, profileURL string) (Record, error) {
	key, ok := analysis.URLKey(profileURL)
	if !ok {
		return Record{}, errUnknown()
	}
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return Record{}, ctx.Err()
	}
	var rec Record
	found := make(chan error, 1)
	go func() {
		defer func() { <-d.turn }()
		found <- kith.Safely(func() (err error) {
			rec, err = d.find(key)
			return err
		})
	}()
	select {
	case err := <-found:
		return rec, err
	case <-ctx.Done():
		return Record{}, ctx.Err()
	}
}

// find returns the line about a profile.
func (d *Directory) find(key string) (Record, error) {
	// A file that was replaced between the look and the read is looked at again.
	for range 2 {
		if err := d.look(time.Now()); err != nil {
			return Record{}, errUnavailable(err)
		}
		f, known := d.latest(key)
		if !known {
			return Record{}, errUnknown()
		}
		line, err := readAt(f.path, d.lines[f][key])
		if err == nil && keyOf(line) == key {
			return Record{Line: line, AsOf: f.changed.UTC()}, nil
		}
		d.checked = time.Time{}
		delete(d.lines, f)
	}
	return Record{}, errUnavailable(errors.New("the files change while they are read"))
}

// latest is the file that was changed last of those that have a profile.
func (d *Directory) latest(key string) (file, bool) {
	for _, f := range slices.Backward(d.files) {
		if _, known := d.lines[f][key]; known {
			return f, true
		}
	}
	return file{}, false
}

// look reads the files that are others than before.
func (d *Directory) look(now time.Time) error {
	if now.Sub(d.checked) < recheck {
		return nil
	}
	files, err := list(d.path)
	if err != nil {
		return err
	}
	lines := make(map[file]map[string]place, len(files))
	for _, f := range files {
		if d.lines[f] == nil {
			if d.lines[f], err = readFile(f.path); err != nil {
				return err
			}
		}
		lines[f] = d.lines[f]
	}
	d.files, d.lines, d.checked = files, lines, now
	return nil
}

// list returns the files, the one that was changed last at the end.
func list(dir string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("directory of the source: %w", err)
	}
	var files []file
	for _, e := range entries {
		if !strings.HasSuffix(strings.ToLower(e.Name()), ".ndjson") || e.IsDir() {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // it went between the two looks
		}
		if err != nil {
			return nil, fmt.Errorf("directory of the source: %w", err)
		}
		files = append(files, file{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
	}
	slices.SortStableFunc(files, func(a, b file) int { return a.changed.Compare(b.changed) })
	return files, nil
}

// readFile notes where the line about each profile is. Lines that are too long
// or about nobody are passed over.
func readFile(path string) (map[string]place, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("file of the source: %w", err)
	}
	defer f.Close()
	lines := map[string]place{}
	r := bufio.NewReaderSize(f, 256<<10)
	for offset := int64(0); ; {
		line, read, err := nextLine(r)
		if key := keyOf(line); key != "" {
			lines[key] = place{offset: offset, length: len(line)}
		}
		offset += read
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, fmt.Errorf("file of the source %s: %w", path, err)
		}
	}
}

// nextLine reads one line; of one that is too long it returns nothing.
func nextLine(r *bufio.Reader) (line []byte, read int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		read += int64(len(part))
		if read <= maxLine {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, read, err
		}
	}
}

// keyOf is the profile that a line is about; "" where it says none.
func keyOf(line []byte) string {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	var person struct {
		SocialURL string `json:"social_url"`
	}
	if len(line) == 0 || json.Unmarshal(line, &person) != nil {
		return ""
	}
	key, ok := analysis.URLKey(person.SocialURL)
	if !ok {
		return ""
	}
	return key
}

func readAt(path string, at place) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line := make([]byte, at.length)
	if _, err := f.ReadAt(line, at.offset); err != nil {
		return nil, err
	}
	return bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), nil
}
