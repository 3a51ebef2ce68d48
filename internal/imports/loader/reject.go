package loader

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

// rejectsSuffix is appended to the name of the loaded file.
const rejectsSuffix = ".rejects.ndjson"

// IsRejects reports whether a path is named like a reject file.
func IsRejects(path string) bool { return strings.HasSuffix(path, rejectsSuffix) }

// rejectFile collects rejected lines, one JSON object in each line. It is created for the first one.
type rejectFile struct {
	path string
	// stale is the file of an earlier load; nil if there was none.
	stale fs.FileInfo
	file  *os.File
	w     *bufio.Writer
	// size is the number of bytes written; full stops further writes.
	size int64
	full bool
}

// maxRejects is the largest reject file, in bytes: a small compressed file may have more bad lines than fit on the
// disk.
const maxRejects = 64 << 20

// fullReason is the reason in the last line of a full reject file.
const fullReason = "the reject file is full: this line and those rejected after it are counted, but not written; " +
	"correct these and load the file again"

type rejectedLine struct {
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// newRejects verifies, before anything is stored, that rejected lines can be written. If to is empty or a directory,
// the file is named after the loaded file.
func newRejects(path, to string) (*rejectFile, error) {
	r := &rejectFile{path: to}
	info, err := os.Stat(to)
	switch {
	case to == "":
		r.path = defaultRejects(path)
	case err == nil && info.IsDir():
		r.path = filepath.Join(to, filepath.Base(defaultRejects(path)))
	}
	if err := r.probe(path); err != nil {
		return nil, fmt.Errorf("lines that cannot be stored could not be written to %s (choose another file or "+
			"directory "+"for them with --rejects): %w", r.path, err)
	}
	return r, nil
}

// probe opens the file for writing and leaves everything unchanged.
func (r *rejectFile) probe(path string) error {
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		return errors.Join(f.Close(), os.Remove(r.path))
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if r.stale, err = os.Stat(r.path); err != nil {
		return err
	}
	if loaded, err := os.Stat(path); err == nil && os.SameFile(loaded, r.stale) {
		return errors.New("it is the file to load")
	}
	if !r.stale.Mode().IsRegular() {
		return nil // opening a pipe could wait for its reader
	}
	f, err = os.OpenFile(r.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// add writes rejected lines. When it returns they are in the file, but not necessarily on disk.
func (r *rejectFile) add(items []item) error {
	if len(items) == 0 {
		return nil
	}
	if r.file == nil {
		f, err := os.Create(r.path)
		if err != nil {
			return fmt.Errorf("reject file: %w", err)
		}
		r.file, r.w = f, bufio.NewWriter(f)
	}
	for _, it := range items {
		if r.full {
			break
		}
		if err := r.write(rejectedLine{
			Line: it.line, Reason: strings.ToValidUTF8(it.reason, "\uFFFD"),
			Text: strings.ToValidUTF8(string(it.text), "\uFFFD"),
		}); err != nil {
			return fmt.Errorf("reject file: %w", err)
		}
	}
	if err := r.w.Flush(); err != nil {
		return fmt.Errorf("reject file: %w", err)
	}
	return nil
}

// write writes a line, or a note that the file is full.
func (r *rejectFile) write(l rejectedLine) error {
	line, err := json.Marshal(l)
	if err == nil && r.size+int64(len(line)) > maxRejects {
		r.full = true
		line, err = json.Marshal(rejectedLine{Line: l.Line, Reason: fullReason})
	}
	if err != nil {
		return err
	}
	r.size += int64(len(line)) + 1
	// A bufio.Writer keeps its first error for Flush.
	_, _ = r.w.Write(append(line, '\n'))
	return nil
}

// createdPath is the path of the file, or "" if none was created.
func (r *rejectFile) createdPath() string {
	if r.file == nil {
		return ""
	}
	return r.path
}

func (r *rejectFile) close() error {
	if r.file == nil {
		return nil
	}
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("reject file: %w", err)
	}
	return nil
}

// tidy removes the outdated reject file of an earlier load after a load without rejects. It keeps a file that another
// load has written meanwhile, or whose name is not that of a reject file.
func (r *rejectFile) tidy() error {
	if r.file != nil || r.stale == nil || !IsRejects(r.path) {
		return nil
	}
	now, err := os.Lstat(r.path)
	if err != nil || !now.Mode().IsRegular() || !os.SameFile(now, r.stale) || !now.ModTime().Equal(r.stale.ModTime()) {
		return nil // a file that is gone need not be removed
	}
	if err := os.Remove(r.path); err != nil {
		return fmt.Errorf("reject file of an earlier load: %w", err)
	}
	return nil
}
