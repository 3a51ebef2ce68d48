package loader_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
)

// A small file that unpacks to far more lines than fit on disk does not fill the disk.
func TestRejectFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.ndjson.gz")
	f, err := os.Create(path)
	check(t, err)
	z := gzip.NewWriter(f)
	line := `{"full_name":7,"about_me":"` + strings.Repeat("x", 1_000_000) + `"}` + "\n"
	const lines = 100
	for range lines {
		_, err := io.WriteString(z, line)
		check(t, err)
	}
	check(t, z.Close())
	check(t, f.Close())
	stats, err := loader.New(recordtest.NewStore()).File(t.Context(), path, loader.Options{})
	check(t, err)
	info, err := os.Stat(stats.Rejects)
	check(t, err)
	if stats.Rejected != lines || info.Size() > 64<<20 {
		t.Errorf("%d lines are rejected, %d bytes of them written", stats.Rejected, info.Size())
	}
	text, err := os.ReadFile(stats.Rejects)
	check(t, err)
	if last := text[strings.LastIndex(strings.TrimSuffix(string(text), "\n"), "\n")+1:]; !strings.Contains(string(last),
		"the reject file is full") {
		t.Errorf("the last line is %.300s", last)
	}
}

func TestImageURLsMustBeHTTP(t *testing.T) {
	for _, bad := range []string{
		"javascript:alert(1)", "data:image/png;base64,AA", "file:///etc/passwd",
		"//img.example/a.png", "img.example/a.png", "https:", "ftp://img.example/a.png",
	} {
		for kind, line := range map[record.Kind]string{
			record.People:    `{"full_name":"A","social_url":"https://social.example/in/a","image_url":"` + bad + `"}`,
			record.Companies: `{"name":"A","image_url":"` + bad + `"}`,
		} {
			stats, rejects := loadText(t, recordtest.NewStore(), kind, line+"\n")
			if stats.Rejected != 1 || len(rejects) != 1 ||
				!strings.Contains(rejects[0].Reason, "image_url: must be an http or https URL") {
				t.Errorf("%s: %+v %v", line, stats, rejects)
			}
		}
	}
	for _, good := range []string{"https://img.example/a.png?x=1", "http://img.example/a.png", ""} {
		stats, rejects := loadText(t, recordtest.NewStore(), record.Companies, `{"name":"A","image_url":"`+good+`"}`+"\n")
		if stats.Created != 1 {
			t.Errorf("%s: %+v %v", good, stats, rejects)
		}
	}
}
