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

// ZipVariable is the environment variable with the distribution's zip file, for machines that cannot download it.
const ZipVariable = "ELASTICSEARCH_ZIP"

const (
	coordinates = "org.elasticsearch.distribution.integ-test-zip:elasticsearch:" + Version + ":zip"
	repoPath    = "org/elasticsearch/distribution/integ-test-zip/elasticsearch/" + Version
	zipName     = "elasticsearch-" + Version + ".zip"
	zipSum      = "14833b2d86c30656901f92049f81fb5777a8e4545413c8656cd1a21b55173033"
)

// Fetch returns the path of the distribution's zip after verifying its SHA-256. It looks
// in $ELASTICSEARCH_ZIP, in kith's cache and in the local Maven repository, and otherwise
// downloads it with Maven (92 MB, once). It writes progress to log.
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

// cachedZip returns the zip's path in kith's cache.
func cachedZip() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory for Elasticsearch: %w", err)
	}
	return filepath.Join(dir, "kith", zipName), nil
}

// mavenZip returns the zip's path in the local Maven repository.
func mavenZip() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home directory to find the Maven repository in: %w", err)
	}
	return filepath.Join(home, ".m2", "repository", filepath.FromSlash(repoPath), zipName), nil
}

// mavenGet downloads the zip into the local repository with Maven, which uses the machine's configured sources.
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

// lookMaven finds the Maven program.
func lookMaven(cached string) (string, error) {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return "", &missingError{fmt.Errorf("neither Elasticsearch %s nor Maven, which would fetch it, is installed: "+
			"apt-get install maven, or brew install maven; or put the zip of %s at %s or name it in $%s",
			Version, coordinates, cached, ZipVariable)}
	}
	return mvn, nil
}

// verify returns nil if the file has the pinned checksum.
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

// copyFile copies through a temporary file, so that a reader never sees an incomplete file.
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
	defer func() { _ = os.Remove(out.Name()) }() // gone after the rename
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
