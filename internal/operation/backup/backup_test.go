package backup_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"kith/internal/operation/backup"
	"kith/internal/test/expect"
)

// tables returns the tables in the archives of these tests: one of several entries, a small one and an empty one.
func tables() map[string]string {
	return map[string]string{
		"big": strings.Repeat("a row of a table\n", 280_000), "small": "1\tone\n2\ttwo\n",
		"empty": "",
	}
}

func manifest() backup.Manifest {
	return backup.Manifest{
		Kith: "test", Created: time.Date(2026, 11, 25, 10, 0, 0, 0, time.UTC), Migrations: []int{1, 2},
		Tables: []backup.Table{
			{Name: "big", Columns: []string{"a"}},
			{Name: "small", Columns: []string{"a", "b"}},
			{Name: "empty"},
		},
	}
}

// signer returns the signing key of an installation.
func signer(name string) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(fmt.Appendf(nil, "%32s", name))
}

func write(t *testing.T, to ...age.Recipient) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := backup.NewWriter(&out, signer("a"), to...)
	expect.NoError(t, err)
	expect.NoError(t, w.Manifest(manifest()))
	for _, table := range manifest().Tables {
		err := w.Table(table.Name, func(w io.Writer) error {
			_, err := io.WriteString(w,
				tables()[table.Name])
			return err
		})
		expect.NoError(t, err)
	}
	expect.NoError(t, w.Close())
	return out.Bytes()
}

func read(archive []byte, with ...age.Identity) (map[string]string, error) {
	r, err := backup.NewReader(bytes.NewReader(archive), with...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	got := map[string]string{}
	err = r.Each(func(t backup.Table, rows io.Reader) error {
		text, err := io.ReadAll(rows)
		got[t.Name] = string(text)
		return err
	})
	return got, err
}

func TestArchiveIsReadBackUnchanged(t *testing.T) {
	key, err := age.GenerateX25519Identity()
	expect.NoError(t, err)
	for name, c := range map[string]struct {
		to   []age.Recipient
		with []age.Identity
	}{
		"plain":     {nil, nil},
		"encrypted": {[]age.Recipient{key.Recipient()}, []age.Identity{key}},
	} {
		t.Run(name, func(t *testing.T) {
			archive := write(t, c.to...)
			got, err := read(archive, c.with...)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(tables()) {
				t.Errorf("%d tables, %v", len(got), err)
			}
			// A truncated archive is always detected.
			for _, n := range []int{0, 10, 1000, len(archive) / 2, len(archive) - 1} {
				if _, err := read(archive[:min(n, len(archive)-1)], c.with...); err == nil {
					t.Errorf("cut after %d of %d bytes: no error", n, len(archive))
				}
			}
			for _, at := range []int{len(archive) / 3, len(archive) / 2, len(archive) - 10} {
				changed := bytes.Clone(archive)
				changed[at] ^= 0x10
				if _, err := read(changed, c.with...); err == nil {
					t.Errorf("byte %d of %d changed: no error", at, len(archive))
				}
			}
		})
	}
	if _, err := read(write(t, key.Recipient())); !errors.Is(err, backup.ErrEncrypted) {
		t.Errorf("without a key: %v", err)
	}
}

func TestPassphraseProtectsAnArchive(t *testing.T) {
	if _, err := backup.ParseRecipients(nil, "", "short"); err == nil {
		t.Error("a short passphrase was accepted")
	}
	to, err := backup.ParseRecipients(nil, "", "a long passphrase")
	expect.NoError(t, err)
	archive := write(t, to...)
	for passphrase, opens := range map[string]bool{"a long passphrase": true, "another passphrase": false} {
		with, err := backup.Identities("", passphrase)
		expect.NoError(t, err)
		if _, err := read(archive, with...); (err == nil) != opens {
			t.Errorf("%s: %v", passphrase, err)
		}
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, text := range []string{"", "hello", strings.Repeat("x", 100_000)} {
		if _, err := read([]byte(text)); err == nil {
			t.Errorf("%.10q was read as a backup", text)
		}
	}
}

// No temporary file is left, either.
func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	path, failed := filepath.Join(t.TempDir(), "b"), errors.New("failed")
	for _, tt := range []struct{ write, note error }{{}, {write: failed}, {note: failed}} {
		_, err := backup.WriteFile(path, func(w io.Writer) error {
			_, err := fmt.Fprint(w, tt)
			return errors.Join(err, tt.write)
		}, func() error { return tt.note })
		if want := errors.Join(tt.write, tt.note); errors.Is(err, failed) != (want != nil) {
			t.Errorf("%v, want %v", err, want)
		}
		text, err := os.ReadFile(path)
		left, _ := os.ReadDir(filepath.Dir(path))
		if string(text) != "{<nil> <nil>}" || err != nil || len(left) != 1 {
			t.Errorf("the file is %q in the directory %v, %v", text, left, err)
		}
	}
}

// A backup that does not reach the disk is not noted.
func TestOnlyWholeFilesAreNoted(t *testing.T) {
	noted := false
	_, err := backup.WriteFile(filepath.Join(t.TempDir(), "b"),
		func(w io.Writer) error { return w.(io.Closer).Close() }, // a closed file cannot be synced
		func() error {
			noted = true
			return nil
		})
	if err == nil || noted {
		t.Errorf("noted: %t, %v", noted, err)
	}
}

func TestPruneKeepsTheNewestAndOtherFiles(t *testing.T) {
	dir := t.TempDir()
	others := []string{"kith-old.tar.zst", "notes.txt", "kith-20260101T000000Z.tar.zst.bak"}
	for _, name := range others {
		expect.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 5 {
		name := backup.Name(start.Add(time.Duration(i)*24*time.Hour), i%2 == 0)
		expect.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	gone, err := backup.Prune(dir, 2)
	if err != nil || len(gone) != 3 || gone[2] != "kith-20260103T000000Z.tar.zst.age" {
		t.Errorf("removed %v, %v", gone, err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != len(others)+2 {
		t.Errorf("the files %v are left", left)
	}
}
