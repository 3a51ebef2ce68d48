package source

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"kith/internal/test/expect"
)

// Adding a file does not read the others again, which may be large. A line added to an old file
// without a change of its size and time must therefore not be found.
func TestNewFilesDoNotReloadOthers(t *testing.T) {
	dir, day := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	write := func(name, who string) {
		path := filepath.Join(dir, name)
		expect.NoError(t, os.WriteFile(path, []byte(`{"social_url":"https://social.example/in/`+who+`"}`), 0o600))
		expect.NoError(t, os.Chtimes(path, day, day))
	}
	has := func(d *Directory, who string) bool {
		_, known := d.latest("social.example/in/" + who)
		return known
	}
	write("one.ndjson", "ada")
	d, err := OpenDirectory(dir)
	expect.NoError(t, err)
	write("one.ndjson", "bob")
	write("two.ndjson", "eve")
	expect.NoError(t, d.look(time.Now().Add(time.Minute)))
	if !has(d, "ada") || has(d, "bob") || !has(d, "eve") {
		t.Errorf("found: ada %v, bob %v, eve %v", has(d, "ada"), has(d, "bob"), has(d, "eve"))
	}
	expect.NoError(t, os.Remove(filepath.Join(dir, "one.ndjson")))
	expect.NoError(t, d.look(time.Now().Add(time.Hour)))
	if has(d, "ada") || len(d.lines) != 1 {
		t.Errorf("the lines of a removed file are still known: %v", d.lines)
	}
}
