package backup

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// Extensions of backups, plain and encrypted.
const (
	Extension          = ".tar.zst"
	EncryptedExtension = Extension + ".age"
)

// kept matches names made by [Name]: only such files are ever deleted.
var kept = regexp.MustCompile(`^kith-\d{8}T\d{6}Z\.tar\.zst(\.age)?$`)

// Name is the file name of a backup made at a time. Names sort by time.
func Name(at time.Time, encrypted bool) string {
	ext := Extension
	if encrypted {
		ext = EncryptedExtension
	}
	return "kith-" + at.UTC().Format("20060102T150405Z") + ext
}

// WriteFile writes a file atomically: it gets its name only once its content is on disk and note, which is called then,
// has succeeded. A failure leaves no new file, and an existing one unchanged.
func WriteFile(path string, write func(io.Writer) error, note func() error) (size int64, err error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	f, err := os.CreateTemp(dir, "."+name+".*.part")
	if err != nil {
		return 0, fmt.Errorf("write the backup: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err = errors.Join(write(f), f.Sync()); err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	// Before the renaming: the audit never lacks a backup that exists, and a failed note never costs the old file.
	if err = note(); err != nil {
		return 0, err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return 0, fmt.Errorf("write the backup: %w", err)
	}
	return size, syncFolder(dir)
}

// syncFolder makes a renaming survive a loss of power.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return nil
}

// Prune deletes all but the newest keep backups of a folder and returns the deleted names. It leaves other files alone.
func Prune(dir string, keep int) ([]string, error) {
	all, err := names(dir)
	if err != nil {
		return nil, err
	}
	gone := all[:max(0, len(all)-keep)]
	for _, name := range gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("delete old backups: %w", err)
		}
	}
	return gone, nil
}

// Newest returns the name of the newest backup of a folder; [fs.ErrNotExist] if it has none.
func Newest(dir string) (string, error) {
	all, err := names(dir)
	if err != nil || len(all) == 0 {
		return "", cmp.Or(err, fs.ErrNotExist)
	}
	return all[len(all)-1], nil
}

// names lists the backups of a folder, oldest first.
func names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted by name, which begins with the time
	if err != nil {
		return nil, fmt.Errorf("list the backups: %w", err)
	}
	var all []string
	for _, e := range entries {
		if e.Type().IsRegular() && kept.MatchString(e.Name()) {
			all = append(all, e.Name())
		}
	}
	return all, nil
}
