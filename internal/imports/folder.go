package imports

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"kith"
	"kith/internal/imports/mapping"
)

// Folder is where uploads are kept until they are stored. Servers with the same database
// that share the folder can continue each other's imports.
type Folder string

// Upload is the files of one request, in their own folder.
type Upload struct {
	// ID is the id of the import.
	ID string

	dir  string
	size Size
	sum  hash.Hash
	kept bool
}

// The contents of an upload's folder.
const (
	filesPart = "files"
	mapPart   = "columns.yaml"
	spoolPart = "spool"
	idPrefix  = "imp_"
)

// New creates the folder of an upload.
func (f Folder) New() (*Upload, error) {
	u := f.upload(idPrefix + rand.Text())
	u.sum = sha256.New()
	if err := os.MkdirAll(filepath.Join(u.dir, filesPart), 0o700); err != nil {
		return nil, storageError(err)
	}
	return u, nil
}

func (f Folder) upload(id string) *Upload { return &Upload{ID: id, dir: filepath.Join(string(f), id)} }

// has reports whether the upload of an import is in the folder.
func (f Folder) has(id string) bool {
	_, err := os.Stat(f.upload(id).dir)
	return err == nil
}

// Add writes one file. It returns a *kith.Error if there are too many files, and [ErrTooLarge] if they are too large.
func (u *Upload) Add(name string, r io.Reader) error {
	if u.size.Files++; u.size.Files > MaxFiles {
		return kith.InvalidFields([]kith.FieldError{{
			Field: "file", Code: "TOO_MANY", Message: fmt.Sprintf("must be at most %d files; send an archive",
				MaxFiles),
		}})
	}
	dir := filepath.Join(u.dir, filesPart, strconv.Itoa(u.size.Files))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return storageError(err)
	}
	name = fileName(name)
	_, _ = fmt.Fprintf(u.sum, "file %s\x00", name) // a hash never fails
	return store(filepath.Join(dir, name), func(out io.Writer) error {
		left := MaxBytes - u.size.Bytes
		n, err := io.Copy(io.MultiWriter(out, u.sum), io.LimitReader(r, left+1))
		u.size.Bytes += n
		if err == nil && n > left {
			err = ErrTooLarge
		}
		return err
	})
}

// store writes a file that outlasts a power cut.
func store(path string, write func(io.Writer) error) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return storageError(err)
	}
	if err = write(disk{out}); err == nil {
		err = storageError(out.Sync())
	}
	return errors.Join(err, storageError(out.Close()))
}

// ErrTooLarge is the error for files larger than [MaxBytes] in total.
var ErrTooLarge = errors.New("the files are too large")

// disk distinguishes errors of the disk from those of the request.
type disk struct{ f *os.File }

func (d disk) Write(p []byte) (int, error) {
	n, err := d.f.Write(p)
	return n, storageError(err)
}

// DiskError is an error of the disk rather than of the request.
type DiskError struct{ error }

// Unwrap returns the disk's error.
func (e *DiskError) Unwrap() error { return e.error }

// storageError converts an error of the disk into one for the caller.
func storageError(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return &kith.Error{
			Kind: kith.Unavailable, Code: "STORAGE_FULL", RetryAfter: time.Minute,
			Detail: "there is no space left for the files; try again later", Cause: err,
		}
	}
	return &DiskError{err}
}

// longestName limits the stored length of a file name, in characters.
const longestName = 120

// fileName returns the last part of a name, without characters that cannot be in a file name.
func fileName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	kept := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name))
	kept = kept[max(0, len(kept)-longestName):]
	if text := string(kept); text != "" && text != "." && text != ".." {
		return text
	}
	return "file"
}

// SetMap writes the column mapping.
func (u *Upload) SetMap(text string) error {
	_, _ = fmt.Fprintf(u.sum, "map %s\x00", text) // a hash never fails
	return store(filepath.Join(u.dir, mapPart), func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
}

// Fingerprint returns the hash of the files, their names and the mapping.
func (u *Upload) Fingerprint() []byte { return u.sum.Sum(nil) }

// Files returns the files with the options for reading them. It fails for an invalid mapping.
func (u *Upload) Files(s Settings) (Files, error) {
	f := Files{}
	f.Options.Format, f.Options.Encoding, f.Options.OwnerEmails = s.Format, s.Encoding, s.Owner
	path := filepath.Join(u.dir, mapPart)
	if _, err := os.Stat(path); err == nil {
		m, err := mapping.ReadForFiles(path)
		if err != nil {
			return f, errors.New(strings.ReplaceAll(err.Error(), path, "the map"))
		}
		f.Options.Mapping = &m
	}
	found, err := filepath.Glob(filepath.Join(globbed(u.filesDir()), "*", "*"))
	slices.SortFunc(found, func(a, b string) int { return uploadNumber(a) - uploadNumber(b) })
	f.Paths = found
	return f, err
}

// globbed escapes a path for a pattern.
func globbed(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// uploadNumber returns the number of an uploaded file.
func uploadNumber(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(path))) // named by Add
	return n
}

func (u *Upload) filesDir() string { return filepath.Join(u.dir, filesPart) }
func (u *Upload) spoolDir() string { return filepath.Join(u.dir, spoolPart) }

// Remove deletes the files.
func (u *Upload) Remove() error { return os.RemoveAll(u.dir) }

// Close deletes the files unless an import needs them.
func (u *Upload) Close() error {
	if u.kept {
		return nil
	}
	return u.Remove()
}

// uploadTime is how long an upload may exist without an import.
const uploadTime = 12 * time.Hour

// Tidy deletes uploads without a waiting import, left over from crashed processes.
func (f Folder) Tidy(ctx context.Context, waits func(context.Context, string) (bool, error)) error {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("uploads: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(e.Name(), idPrefix) || time.Since(info.ModTime()) < uploadTime {
			continue
		}
		kept, err := waits(ctx, e.Name())
		if err != nil {
			return err
		}
		if kept {
			continue
		}
		if err := f.upload(e.Name()).Remove(); err != nil {
			return fmt.Errorf("uploads: %w", err)
		}
	}
	return nil
}
