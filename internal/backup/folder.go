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

// kept matches the names that [Name] makes, and nothing else: only such are ever deleted.
var kept = regexp.MustCompile(`^kith-\d{8}T\d{6}Z\.tar\.zst(\.age)?$`)

// Name is the name of a backup of a moment in a folder. Names sort by time.
func Name(at time.Time, encrypted bool) string {
	ext := Extension
	if encrypted {
		ext = EncryptedExtension
	}
	return "kith-" + at.UTC().Format("20060102T150405Z") + ext
}

// WriteFile makes a file of what write writes. The file has its name only once all of it
// is on the disk; a failure leaves nothing, and a file of that name as it was.
func WriteFile(path string, write func(io.Writer) error) (size int64, err error) {
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
	if err = os.Rename(f.Name(), path); err != nil {
		return 0, fmt.Errorf("write the backup: %w", err)
	}
	return size, syncFolder(dir)
}

// syncFolder has the new name of a file outlive a loss of power.
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

// Prune deletes all but the newest backups of a folder and returns the names of those
// that it deleted. Files of other names stay.
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

// Newest is the name of the newest backup of a folder; [fs.ErrNotExist] where it has none.
func Newest(dir string) (string, error) {
	all, err := names(dir)
	if err != nil || len(all) == 0 {
		return "", cmp.Or(err, fs.ErrNotExist)
	}
	return all[len(all)-1], nil
}

// names are the backups of a folder, the oldest first.
func names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // by name, which begins with the time
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
