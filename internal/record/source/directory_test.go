package source_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kith"
	"kith/internal/record/source"
	"kith/internal/test/expect"
)

func write(t *testing.T, path, text string, changed time.Time) {
	t.Helper()
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	expect.NoError(t, os.Chtimes(path, changed, changed))
}

func TestDirectoryFindsTheNewestLine(t *testing.T) {
	dir := t.TempDir()
	older, newer := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	write(t, filepath.Join(dir, "z.ndjson"), `{"full_name":"Old","social_url":"https://social.example/in/jane-doe"}
{"full_name":"John","social_url":"social.example/in/john/"}
`, older)
	write(t, filepath.Join(dir, "a.ndjson"), "\xef\xbb\xbf"+`{"full_name":"New",`+
		`"social_url":"http://www.social.example/in/Jane-Doe"}
not json
{"full_name":"`+strings.Repeat("x", 2<<20)+`","social_url":"https://social.example/in/long"}

{"full_name":"Last","social_url":"https://social.example/in/last"}`, newer)
	write(t, filepath.Join(dir, "people.csv"), `{"full_name":"No","social_url":"https://social.example/in/no"}`, newer)
	d, err := source.OpenDirectory(dir)
	expect.NoError(t, err)
	for profile, want := range map[string]string{
		"https://social.example/in/jane-doe": "New", "https://social.example/in/JOHN?x": "John",
		"https://social.example/in/last": "Last",
	} {
		rec, err := d.Fetch(t.Context(), profile)
		if err != nil || !strings.Contains(string(rec.Line), want) {
			t.Errorf("%s: %s, %v", profile, rec.Line, err)
		}
		if day := map[string]time.Time{"John": older}[want]; !day.IsZero() && !rec.AsOf.Equal(day) {
			t.Errorf("%s is as of %s", want, rec.AsOf)
		}
	}
	for _, profile := range []string{"https://social.example/in/long", "https://social.example/in/no", "nothing"} {
		_, err := d.Fetch(t.Context(), profile)
		wants(t, err, kith.NotFound, "PERSON_NOT_FOUND")
	}
}

// A replaced file is noticed at the latest when one of its lines is read.
func TestReplacedFilesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "people.ndjson")
	write(t, path, `{"full_name":"Jane","social_url":"https://social.example/in/jane-doe"}`, time.Now().Add(-time.Hour))
	d, err := source.OpenDirectory(dir)
	expect.NoError(t, err)
	write(t, path, `{"full_name":"A very much longer line about someone else",`+
		`"social_url":"https://social.example/in/else"}
{"full_name":"Jane II","social_url":"https://social.example/in/jane-doe"}`, time.Now())
	rec, err := d.Fetch(t.Context(), jane)
	if err != nil || !strings.Contains(string(rec.Line), "Jane II") {
		t.Errorf("got the line %s, %v", rec.Line, err)
	}
	if _, err := source.OpenDirectory(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing directory was opened")
	}
}

// The lines of a removed file are gone, even right after they were read.
func TestLinesOfRemovedFilesAreNotFound(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "people.ndjson")
	write(t, path, `{"full_name":"Jane","social_url":"https://social.example/in/jane-doe"}`, time.Now())
	d, err := source.OpenDirectory(dir)
	expect.NoError(t, err)
	expect.NoError(t, os.Remove(path))
	for range 2 {
		_, err := d.Fetch(t.Context(), jane)
		wants(t, err, kith.NotFound, "PERSON_NOT_FOUND")
	}
}

// A canceled caller returns while files are read. So does a canceled caller waiting for another one's read.
func TestCallersCanLeaveWhileFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "people.ndjson")
	write(t, path, `{"full_name":"Jane","social_url":"https://social.example/in/jane-doe"}`, time.Now())
	d, err := source.OpenDirectory(dir)
	expect.NoError(t, err)
	expect.NoError(t, errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for range 2 {
		if _, err := d.Fetch(ctx, jane); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want DeadlineExceeded", err)
		}
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // now the reader can open the pipe
	expect.NoError(t, err)
	expect.NoError(t, errors.Join(os.Remove(path), pipe.Close()))
	_, err = d.Fetch(t.Context(), jane)
	wants(t, err, kith.NotFound, "PERSON_NOT_FOUND")
}
