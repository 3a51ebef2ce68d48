//go:build unix

package embedded

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	fetcher "github.com/fergusstrange/embedded-postgres"
	"github.com/rs/zerolog"
)

// The version that is fetched if none is installed. Only its own major version can read a cluster, so changing the
// major version needs a migration path for existing data.
const (
	fetchVersion = fetcher.V17
	fetchMajor   = 17
)

// knownSums are the SHA-256 sums of tested archives, by build. On other platforms, only the library's check applies: it
// compares the download with the sum published next to it.
func knownSums() map[string]string {
	return map[string]string{
		"linux-amd64-17.5.0": "8f438e206259d3ec5be6fb8ee6180f5d46234156659ed1238f6ab4806cfccf0f",
	}
}

// fetchBinaries returns the fetched installation; it downloads and unpacks it on first use. Concurrent processes take
// turns.
func fetchBinaries(ctx context.Context, opts Options, log zerolog.Logger) (binaries, error) {
	cacheDir, err := placeFor(opts.CacheDir)
	if err != nil {
		return binaries{}, err
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return binaries{}, fmt.Errorf("cache for a fetched PostgreSQL: %w", err)
	}
	lock, err := waitLock(ctx, filepath.Join(cacheDir, "fetch.lock"), exclusive)
	if err != nil {
		return binaries{}, err
	}
	defer lock.release()
	ready := filepath.Join(cacheDir, string(fetchVersion)+"-"+runtime.GOOS+"-"+runtime.GOARCH)
	if b, err := inspect(ctx, filepath.Join(ready, "bin")); err == nil {
		b.fetched = ready
		return b, nil
	}
	log.Info().Str("version", string(fetchVersion)).Str("cache", cacheDir).Msg("fetching PostgreSQL, once")
	if err := fetchInto(ctx, opts, log, cacheDir, ready); err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL is not installed and could not be fetched: %w. Install PostgreSQL %d or "+
			"newer, set KITH_POSTGRES_BIN to the directory of its programs, or set DATABASE_URL to a running server", err,
			minMajor)
	}
	b, err := inspect(ctx, filepath.Join(ready, "bin"))
	b.fetched = ready
	return b, err
}

// placeFor returns the folder for fetched binaries: the user's cache. For root it is the system's, because the server
// runs as a user who cannot enter root's own.
func placeFor(cacheDir string) (string, error) {
	if cacheDir != "" {
		return cacheDir, nil
	}
	if os.Getuid() == 0 {
		return "/var/cache/kith/postgres", nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place to keep a fetched PostgreSQL: %w; set HOME, or install PostgreSQL", err)
	}
	return filepath.Join(user, "kith", "postgres"), nil
}

// fetchInto makes the directory ready appear atomically, so that a killed process leaves nothing that looks complete.
func fetchInto(ctx context.Context, opts Options, log zerolog.Logger, cacheDir, ready string) error {
	work := filepath.Join(cacheDir, "unpacking")
	archives := filepath.Join(cacheDir, "archives")
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	// An archive left by an earlier fetch is not fetched again, damaged or not.
	if err := checkArchives(archives); err != nil {
		return err
	}
	if err := downloadPatiently(ctx, opts, log, archives, work); err != nil {
		if strings.Contains(err.Error(), "extract") { // on platforms without a known sum
			_ = os.RemoveAll(archives)
		}
		return err
	}
	if err := checkArchives(archives); err != nil {
		return err
	}
	unpacked := filepath.Join(work, "tree")
	if err := openTree(unpacked); err != nil {
		return err
	}
	if err := os.RemoveAll(ready); err != nil {
		return err
	}
	if err := os.Rename(unpacked, ready); err != nil {
		return err
	}
	return os.RemoveAll(work)
}

// Retries for short network failures.
const (
	fetchTries = 3
	fetchPause = 3 * time.Second
)

// downloadPatiently downloads, with retries after network failures.
func downloadPatiently(ctx context.Context, opts Options, log zerolog.Logger, archives, work string) error {
	for try := 1; ; try++ {
		err := download(ctx, opts.repository, archives, work)
		if err == nil || !networkFailed(err) || try == fetchTries {
			return err
		}
		log.Warn().Err(err).Msg("PostgreSQL could not be fetched; trying again")
		select {
		case <-time.After(cmp.Or(opts.fetchPause, fetchPause)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// networkFailed recognises failed and broken connections by the library's messages. A wrong answer, or a wrong archive,
// is not a network failure.
func networkFailed(err error) bool {
	for _, says := range []string{
		"unable to connect to", "download sha256 from", "unexpected EOF",
		"connection reset by peer",
	} {
		if strings.Contains(err.Error(), says) {
			return true
		}
	}
	return false
}

// download lets the library fetch, check and unpack. Its Start would go on to create and run a cluster of its own. A
// data path that ends in a dot stops it right after unpacking: Start removes the data path before it runs any program,
// and such a path cannot be removed.
func download(ctx context.Context, repository, archives, work string) error {
	cfg := fetcher.DefaultConfig().
		Version(fetchVersion).
		Port(0).
		Logger(io.Discard).
		CachePath(archives).
		BinariesPath(filepath.Join(work, "tree")).
		RuntimePath(filepath.Join(work, "runtime")).
		DataPath(filepath.Join(work, "runtime") + "/.")
	if repository != "" {
		cfg = cfg.BinaryRepositoryURL(repository)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- fetcher.NewDatabase(cfg).Start() }()
	select {
	case err := <-stopped:
		if _, missing := os.Stat(filepath.Join(work, "tree", "bin", "postgres")); missing != nil {
			return err
		}
		return nil
	case <-ctx.Done():
		// The library takes no context; the next try removes what it leaves.
		return ctx.Err()
	}
}

// checkArchives compares every archive with its known sum, and deletes one that differs, so that the next try fetches
// it again.
func checkArchives(dir string) error {
	for build, want := range knownSums() {
		name := "embedded-postgres-binaries-" + build + ".txz"
		path := filepath.Join(dir, name)
		got, err := sumFile(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		if got != want {
			if err := os.Remove(path); err != nil {
				return err
			}
			return fmt.Errorf("the archive %s has SHA-256 %s, expected %s; it was deleted, and the next start fetches it "+
				"again", name, got, want)
		}
	}
	return nil
}

func sumFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// openTree lets everyone read and run the programs, whatever the umask: for root, the server runs as another user.
func openTree(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}
