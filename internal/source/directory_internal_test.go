package source

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Adding a file does not read the others again, which may be large. A line added to an old file
// without a change of its size and time must therefore not be found.
func TestNewFilesDoNotReloadOthers(t *testing.T) {
	dir, day := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	write := func(name, who string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(`{"social_url":"https://social.example/in/`+who+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, day, day); err != nil {
			t.Fatal(err)
		}
	}
	has := func(d *Directory, who string) bool {
		_, known := d.latest("social.example/in/" + who)
		return known
	}
	write("one.ndjson", "ada")
	d, err := OpenDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	write("one.ndjson", "bob")
	write("two.ndjson", "eve")
	if err := d.look(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if !has(d, "ada") || has(d, "bob") || !has(d, "eve") {
		t.Errorf("found: ada %v, bob %v, eve %v", has(d, "ada"), has(d, "bob"), has(d, "eve"))
	}
	if err := os.Remove(filepath.Join(dir, "one.ndjson")); err != nil {
		t.Fatal(err)
	}
	if err := d.look(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if has(d, "ada") || len(d.lines) != 1 {
		t.Errorf("the lines of a removed file are still known: %v", d.lines)
	}
}
