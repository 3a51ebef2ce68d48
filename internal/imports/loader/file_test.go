package loader_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
)

const good, bad = `{"full_name":"Ann","social_url":"https://social.example/in/ann"}`, `{"full_name":"Bob"}`

// fill writes a load file and returns its path.
func fill(t *testing.T, path, text string) string {
	t.Helper()
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestStaleRejectFileIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.ndjson")
	rejects := path + ".rejects.ndjson"
	s := recordtest.NewStore()
	for _, step := range []struct {
		text string
		is   bool
	}{{bad, true}, {good, false}, {good, false}, {bad, true}} {
		_, err := loader.New(s).File(t.Context(), record.ForEveryone(), fill(t, path, step.text+"\n"), loader.Options{})
		expect.NoError(t, err)
		if _, err := os.Stat(rejects); os.IsNotExist(err) == step.is {
			t.Fatalf("after %s: unexpected state of the reject file: %v", step.text, err)
		}
	}
	if !loader.IsRejects(rejects) || loader.IsRejects(path) {
		t.Error("a reject file is not recognised by its name")
	}
}

// A file given as the reject file, but without the name of one, is never removed.
func TestOtherFilesAreNotRemovedAsRejects(t *testing.T) {
	dir := t.TempDir()
	path, notes := fill(t, filepath.Join(dir, "people.ndjson"), good+"\n"), fill(t, filepath.Join(dir, "notes"), "mine")
	_, err := loader.New(recordtest.NewStore()).
		File(t.Context(), record.ForEveryone(), path, loader.Options{Rejects: notes})
	expect.NoError(t, err)
	if text, err := os.ReadFile(notes); err != nil || string(text) != "mine" {
		t.Errorf("the file became %q, %v", text, err)
	}
}

// Without a writable reject file, nothing is loaded.
func TestUnwritableRejectFileStopsTheLoad(t *testing.T) {
	dir := t.TempDir()
	path := fill(t, filepath.Join(dir, "people.ndjson"), good+"\n")
	for _, to := range []string{filepath.Join(dir, "no", "such"), path} {
		s := recordtest.NewStore()
		_, err := loader.New(s).File(t.Context(), record.ForEveryone(), path, loader.Options{Rejects: to})
		if err == nil || !strings.Contains(err.Error(), "--rejects") || len(s.State.PersonRows) > 0 {
			t.Errorf("%s: %v, %d people", to, err, len(s.State.PersonRows))
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != good+"\n" {
		t.Errorf("the file to load became %q: %v", text, err)
	}
}

func TestRejectFileIsPlacedInADirectory(t *testing.T) {
	path := fill(t, filepath.Join(t.TempDir(), "people.ndjson"), bad+"\n")
	dir := t.TempDir()
	stats, err := loader.New(recordtest.NewStore()).
		File(t.Context(), record.ForEveryone(), path, loader.Options{Rejects: dir})
	expect.NoError(t, err)
	if want := filepath.Join(dir, "people.ndjson.rejects.ndjson"); stats.Rejects != want ||
		len(readRejects(t, want)) != 1 {
		t.Errorf("the reject file is %s", stats.Rejects)
	}
}

func TestEmptyPackedFileIsRefused(t *testing.T) {
	path := fill(t, filepath.Join(t.TempDir(), "people.ndjson.gz"), "")
	for _, err := range []error{loader.Check(path, 0), func() error {
		_, err := loader.New(recordtest.NewStore()).File(t.Context(), record.ForEveryone(), path, loader.Options{})
		return err
	}()} {
		if err == nil || !strings.Contains(err.Error(), "cut short") || strings.Count(err.Error(), path) != 1 {
			t.Errorf("an empty packed file: %v", err)
		}
	}
}

// A file whose packing does not match its name is refused before anything is loaded.
func TestPackingMustMatchTheFileName(t *testing.T) {
	packed := func(pack func(io.Writer) io.WriteCloser) string {
		var b strings.Builder
		w := pack(&b)
		_, err := io.WriteString(w, good+"\n")
		expect.NoError(t, err)
		expect.NoError(t, w.Close())
		return b.String()
	}
	gz := packed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	zst := packed(func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w)
		expect.NoError(t, err)
		return z
	})
	for _, tt := range []struct{ name, text, problem string }{
		{"people.ndjson", good, ""},
		{"people.ndjson.gz", gz, ""},
		{"people.ndjson.zst", zst, ""},
		{"people.ndjson.ZSTD", "\x50\x2a\x4d\x18\x01\x00\x00\x00x" + zst, ""},
		{"people.ndjson.gz", good, "not packed with gzip"},
		{"people.ndjson.zst", good, "not packed with zstd"},
		{"people.ndjson.zst", gz, "packed with"},
		{"people.ndjson.zst", "", "cut short"},
		{"people.ndjson", gz, "must end in .gz"},
		{"people.ndjson", zst, "must end in .zst"},
		{"-", gz, "unpack it"},
	} {
		s, path := recordtest.NewStore(), tt.name
		if path != "-" {
			path = fill(t, filepath.Join(t.TempDir(), tt.name), tt.text)
			if err := loader.Check(path, 0); (err == nil) != (tt.problem == "") {
				t.Errorf("%s: the check says %v", tt.name, err)
			}
		}
		rejects := filepath.Join(t.TempDir(), "rejects")
		_, err := loader.New(s).File(t.Context(), record.ForEveryone(), path,
			loader.Options{Kind: record.People, Rejects: rejects, Stdin: strings.NewReader(tt.text)})
		if tt.problem == "" && (err != nil || len(s.State.PersonRows) != 1) {
			t.Errorf("%s: %v, %d people", tt.name, err, len(s.State.PersonRows))
		}
		if tt.problem != "" && (err == nil || !strings.Contains(err.Error(), tt.problem) ||
			len(s.State.PersonRows) > 0) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.problem)
		}
	}
	if err := loader.Check(t.TempDir(), record.People); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
}

// The error for a damaged packed file says so; it differs from that for an unreadable file.
func TestDamagedPackedFileIsReported(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, good+"\n")
	expect.NoError(t, errors.Join(err, w.Close()))
	b.Bytes()[b.Len()-8] ^= 1 // of the checksum
	path := fill(t, filepath.Join(t.TempDir(), "people.ndjson.gz"), b.String())
	_, err = loader.New(recordtest.NewStore()).File(t.Context(), record.ForEveryone(), path, loader.Options{})
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v", err)
	}
}

// The loader opens a named pipe once: the writer would end with its first reader.
func TestNamedPipeIsLoaded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.ndjson")
	expect.NoError(t, syscall.Mkfifo(path, 0o600))
	expect.NoError(t, loader.Check(path, 0))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(path, []byte(good+"\n"), 0o600) }()
	s := recordtest.NewStore()
	stats, err := loader.New(s).File(t.Context(), record.ForEveryone(), path, loader.Options{})
	if expect.NoError(t, err); stats.Read != 1 || len(s.State.PersonRows) != 1 {
		t.Errorf("got the stats %+v, want one line", stats)
	}
	expect.NoError(t, <-written)
}

// A load can be canceled while its writer is silent.
func TestLoadFromASilentWriterCanBeCanceled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.ndjson")
	expect.NoError(t, syscall.Mkfifo(path, 0o600))
	silent, writer, err := os.Pipe()
	expect.NoError(t, err)
	defer writer.Close()
	defer silent.Close()
	for _, from := range []string{"-", path} {
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() {
			opts := loader.Options{Kind: record.People, Stdin: silent, Rejects: filepath.Join(t.TempDir(), "rejects")}
			_, err := loader.New(recordtest.NewStore()).File(ctx, record.ForEveryone(), from, opts)
			stopped <- err
		}()
		if from == path {
			named, err := os.OpenFile(path, os.O_WRONLY, 0) // returns when the loader opens it
			expect.NoError(t, err)
			defer named.Close()
		}
		cancel()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", from, err)
		}
	}
}
