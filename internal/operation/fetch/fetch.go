// Package fetch installs programs that the machine lacks. A [Program] is an archive of a public registry with a pinned
// checksum; [Fetcher.Install] downloads it once, through the mirrors that the machine's other clients use, and unpacks
// it into a cache. The package knows no program: its callers name archive, checksum and folder.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Archive is a file of a public registry.
type Archive struct {
	// Title names the content in messages, such as PostgreSQL 17.5.0.
	Title string
	// Source says where the file is.
	Source Source
	// SHA256 is the only accepted checksum, in hexadecimal digits.
	SHA256 string
	// Size is the number of bytes, shown before the download.
	Size int64
}

// Program is an archive with the program's files.
type Program struct {
	Archive
	// Folder is the name of the unpacked folder in the cache. Different archives need different names.
	Folder string
	// Unpack writes the files of the archive into a directory: see [Zip] and [ZippedTarXZ].
	Unpack func(archive, dir string) error
}

// Fetcher installs programs into a cache. Processes that share the cache take turns.
type Fetcher struct {
	dir    string
	say    func(message string)
	client *http.Client
	// pause precedes the second try; each further one waits twice as long.
	pause time.Duration
}

// New returns a fetcher for a cache: see [Cache]. It reports downloads through say, in whole messages.
func New(dir string, say func(message string)) *Fetcher {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = silence
	return &Fetcher{dir: dir, say: say, client: &http.Client{Transport: transport}, pause: time.Second}
}

// Cache returns the folder for fetched programs: the user's cache. For root it is the system's, because the programs
// run as a user who cannot enter root's own.
func Cache() (string, error) {
	if os.Getuid() == 0 {
		return "/var/cache/kith", nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place to keep fetched programs: %w; set HOME", err)
	}
	return filepath.Join(user, "kith"), nil
}

// Install returns the folder of a program, which everyone may read and run. It downloads and unpacks the program on
// first use. The folder appears complete or not at all.
func (f *Fetcher) Install(ctx context.Context, p Program) (dir string, err error) {
	dir = filepath.Join(f.dir, p.Folder)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return "", fmt.Errorf("cache for %s: %w", p.Title, err)
	}
	unlock, err := lock(ctx, filepath.Join(f.dir, "."+p.Folder+".lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	archive, err := f.archive(ctx, p.Archive)
	if err != nil {
		return "", err
	}
	if err := unpack(p, archive, dir); err != nil {
		return "", fmt.Errorf("unpack %s: %w", archive, err)
	}
	return dir, os.Remove(archive)
}

// Archive returns the path of a verified archive in the cache. It downloads the archive unless it is there.
func (f *Fetcher) Archive(ctx context.Context, a Archive) (path string, err error) {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return "", fmt.Errorf("cache for %s: %w", a.Title, err)
	}
	unlock, err := lock(ctx, filepath.Join(f.dir, "."+a.Source.File()+".lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	return f.archive(ctx, a)
}

// archive is Archive for a caller with a lock.
func (f *Fetcher) archive(ctx context.Context, a Archive) (path string, err error) {
	path = filepath.Join(f.dir, a.Source.File())
	err = verify(path, a.SHA256)
	if err == nil {
		return path, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		f.say(err.Error() + "; fetching it again")
	}
	if err := f.download(ctx, a, path+".part"); err != nil {
		return "", fmt.Errorf("%s cannot be fetched: %w; without a network, put the file at %s", a.Title, err, path)
	}
	return path, os.Rename(path+".part", path)
}
