package elastictest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Version is the version of the node that this package runs.
const Version = "8.19.0"

// ZipVariable is the environment variable that may name the distribution's
// zip file, for machines that cannot fetch it.
const ZipVariable = "ELASTICSEARCH_ZIP"

const (
	coordinates = "org.elasticsearch.distribution.integ-test-zip:elasticsearch:" + Version + ":zip"
	repoPath    = "org/elasticsearch/distribution/integ-test-zip/elasticsearch/" + Version
	zipName     = "elasticsearch-" + Version + ".zip"
	zipSum      = "14833b2d86c30656901f92049f81fb5777a8e4545413c8656cd1a21b55173033"
)

// Fetch returns the path of the distribution's zip, with its SHA-256 verified.
// It looks in $ELASTICSEARCH_ZIP, in kith's cache and in the local Maven
// repository, and asks Maven to download it (92 MB, once) when none has it.
// Progress goes to log.
func Fetch(ctx context.Context, log io.Writer) (string, error) {
	if given := os.Getenv(ZipVariable); given != "" {
		if err := verify(given); err != nil {
			return "", fmt.Errorf("$%s: %w", ZipVariable, err)
		}
		return given, nil
	}
	cached, err := cachedZip()
	if err != nil {
		return "", err
	}
	if verify(cached) == nil {
		return cached, nil
	}
	local, err := mavenZip()
	if err != nil {
		return "", err
	}
	if verify(local) != nil {
		if err := mavenGet(ctx, log, cached); err != nil {
			return "", err
		}
	}
	if err := verify(local); err != nil {
		return "", fmt.Errorf("what Maven fetched is not the expected file: %w", err)
	}
	return cached, copyFile(local, cached)
}

// cachedZip is where kith's own cache keeps the zip.
func cachedZip() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory for Elasticsearch: %w", err)
	}
	return filepath.Join(dir, "kith", zipName), nil
}

// mavenZip is where the local Maven repository keeps the zip.
func mavenZip() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home directory to find the Maven repository in: %w", err)
	}
	return filepath.Join(home, ".m2", "repository", filepath.FromSlash(repoPath), zipName), nil
}

// mavenGet has Maven download the zip into the local repository, by its
// coordinates, from wherever this machine's Maven is set to fetch.
func mavenGet(ctx context.Context, log io.Writer, cached string) error {
	mvn, err := lookMaven(cached)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(log, "fetching Elasticsearch %s with Maven (92 MB, once)\n", Version)
	cmd := exec.CommandContext(ctx, mvn, "-B", "-q", "dependency:get", "-Dtransitive=false", "-Dartifact="+coordinates)
	cmd.Dir = os.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("mvn cannot fetch %s: %w: %s", coordinates, err, lastLines(out, 5))
	}
	return nil
}

// lookMaven finds the program that fetches the distribution.
func lookMaven(cached string) (string, error) {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return "", &missingError{fmt.Errorf("Elasticsearch %s is not on this machine and Maven, which would fetch it, is not installed: "+ //nolint:staticcheck // a proper name
			"apt-get install maven, or brew install maven; or put the zip of %s at %s or name it in $%s",
			Version, coordinates, cached, ZipVariable)}
	}
	return mvn, nil
}

// verify returns nil when the file has the pinned checksum.
func verify(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != zipSum {
		return fmt.Errorf("%s has SHA-256 %s, expected %s", path, sum, zipSum)
	}
	return nil
}

// copyFile copies by way of a temporary file, so that a reader never sees half
// a file.
func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), ".fetch-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) //nolint:errcheck // gone after the rename
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("copy to %s: %w", to, err)
	}
	return os.Rename(out.Name(), to)
}

func lastLines(out []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
