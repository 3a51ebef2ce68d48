//go:build foreign

package mailtest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kith/internal/test/expect"
)

//go:embed serve.py
var script []byte

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
	ctx, cancel := context.WithTimeout(t.Context(), fetchTime)
	defer cancel()
	if err := fetch(ctx, dir); err != nil {
		t.Fatalf("a mail server cannot be fetched: %v", err)
	}
	return program
}

// fetchTime limits the time to fetch aiosmtpd.
const fetchTime = 10 * time.Minute

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
		{
			filepath.Join(fresh, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
			"-r", list,
		},
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

// Start runs a server until the test ends. It fetches aiosmtpd on first use.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(t.TempDir(), "serve.py")
	expect.NoError(t, os.WriteFile(program, script, 0o600))
	args := []string{program, "--security", o.Security, "--login", o.Login, "--refuse", o.Refuse, dir}
	if o.Certificate.PEM != nil {
		file := filepath.Join(t.TempDir(), "certificate.pem")
		expect.NoError(t, os.WriteFile(file, slices.Concat(o.Certificate.PEM, o.Certificate.Key), 0o600))
		args = append(args, "--certificate", file)
	}
	cmd := exec.CommandContext(t.Context(), python(t), args...)
	var output bytes.Buffer
	cmd.Stderr = &output
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("mail server: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	s := &Server{messages: func() ([]Message, error) { return readAll(dir) }}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		s.Port, err = strconv.Atoi(strings.TrimSpace(line))
	}
	if err != nil {
		t.Fatalf("mail server: %v: %s", err, output.String())
	}
	return s
}

// readAll reads the messages that the server has written.
func readAll(dir string) ([]Message, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	out := make([]Message, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &out[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
