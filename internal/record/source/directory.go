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
	"kith/query/analysis"
)

// recheck is how long the list of files is cached.
const recheck = time.Second

// maxLine limits a line of a file, in bytes.
const maxLine = 1 << 20

// Directory is a folder of NDJSON files of people: every *.ndjson in it, without subfolders. For each profile, the last
// line in the most recently changed file counts; the time of that change is the day of its data. Files may be added and
// replaced at any time; replace a file by renaming. It is safe for concurrent use.
type Directory struct {
	path string

	// turn is a lock for the fields below; sending to it locks.
	turn    chan struct{}
	checked time.Time
	// files are sorted by time of change. lines has the position of each profile in the files that were read.
	files []file
	lines map[file]map[string]place
}

// file is the state of a file when it was read.
type file struct {
	path    string
	size    int64
	changed time.Time
}

// place is the position of a line in its file.
type place struct {
	offset int64
	length int
}

// OpenDirectory indexes the profiles in a folder.
func OpenDirectory(path string) (*Directory, error) {
	d := &Directory{path: path, turn: make(chan struct{}, 1), lines: map[file]map[string]place{}}
	return d, d.look(time.Now())
}

// Close implements [Source].
func (*Directory) Close() {}

// Fetch implements [Source]. Reading changed files may take longer than the caller waits.
// It continues in the background for later calls.
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
	// Retry once if a file was replaced between look and read.
	for range 2 {
		if err := d.look(time.Now()); err != nil {
			return Record{}, errUnavailable(err)
		}
		f, known := d.latest(key)
		if !known {
			return Record{}, errUnknown()
		}
		line, err := readAt(f.path, d.lines[f][key])
		if err == nil && parseProfileKey(line) == key {
			return Record{Line: line, AsOf: f.changed.UTC()}, nil
		}
		d.checked = time.Time{}
		delete(d.lines, f)
	}
	return Record{}, errUnavailable(errors.New("the files change while they are read"))
}

// latest returns the most recently changed file with a profile.
func (d *Directory) latest(key string) (file, bool) {
	for _, f := range slices.Backward(d.files) {
		if _, known := d.lines[f][key]; known {
			return f, true
		}
	}
	return file{}, false
}

// look reads the files that have changed.
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

// list returns the files, the most recently changed last.
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
			continue // deleted since ReadDir
		}
		if err != nil {
			return nil, fmt.Errorf("directory of the source: %w", err)
		}
		files = append(files, file{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
	}
	slices.SortStableFunc(files, func(a, b file) int { return a.changed.Compare(b.changed) })
	return files, nil
}

// readFile indexes the last line about each profile. It skips lines that are too long or have no profile.
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
		if key := parseProfileKey(line); key != "" {
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

// nextLine reads one line; if it is too long, it returns nil.
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

// parseProfileKey returns the key of a line's profile, or "".
func parseProfileKey(line []byte) string {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	var person struct {
		SocialURL string `json:"social_url"`
	}
	if len(line) == 0 || json.Unmarshal(line, &person) != nil {
		return ""
	}
	key, _ := analysis.URLKey(person.SocialURL) // "" if it is none
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
