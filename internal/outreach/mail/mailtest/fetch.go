package mailtest

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed requirements.txt
var requirements []byte

// python returns a Python with aiosmtpd. The user's cache keeps it between runs.
func python(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	sum := sha256.Sum256(requirements)
	dir := filepath.Join(cache, "kith-mailtest", hex.EncodeToString(sum[:6]))
	program := filepath.Join(dir, "bin", "python")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if os.Getenv("KITH_TEST_FETCH") == "" {
		t.Skip("set KITH_TEST_FETCH=1 to fetch a mail server")
	}
	ctx, cancel := context.WithTimeout(t.Context(), fetchTime)
	defer cancel()
	if err := fetch(ctx, dir); err != nil {
		t.Fatalf("a mail server cannot be fetched: %v", err)
	}
	return program
}

// fetch builds a Python with aiosmtpd next to dir and renames it when complete: tests of
// several packages may do so at once.
func fetch(ctx context.Context, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o750); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "new")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	list := filepath.Join(fresh, "requirements.txt")
	if err := os.WriteFile(list, requirements, 0o600); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"python3", "-m", "venv", fresh},
		{filepath.Join(fresh, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", list},
	} {
		if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", command[0], err, out)
		}
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			return err
		}
	}
	return nil
}
