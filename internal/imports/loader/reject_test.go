package loader_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
)

// A small file that unpacks to far more lines than fit on disk does not fill the disk.
func TestRejectFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.ndjson.gz")
	f, err := os.Create(path)
	expect.NoError(t, err)
	z := gzip.NewWriter(f)
	line := `{"full_name":7,"about_me":"` + strings.Repeat("x", 1_000_000) + `"}` + "\n"
	const lines = 100
	for range lines {
		_, err := io.WriteString(z, line)
		expect.NoError(t, err)
	}
	expect.NoError(t, z.Close())
	expect.NoError(t, f.Close())
	stats, err := loader.New(recordtest.NewStore()).File(t.Context(), record.ForEveryone(), path, loader.Options{})
	expect.NoError(t, err)
	info, err := os.Stat(stats.Rejects)
	expect.NoError(t, err)
	if stats.Rejected != lines || info.Size() > 64<<20 {
		t.Errorf("%d lines are rejected, %d bytes of them written", stats.Rejected, info.Size())
	}
	text, err := os.ReadFile(stats.Rejects)
	expect.NoError(t, err)
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
		stats, rejects := loadText(t, recordtest.NewStore(), record.Companies,
			`{"name":"A","image_url":"`+good+`"}`+"\n")
		if stats.Created != 1 {
			t.Errorf("%s: %+v %v", good, stats, rejects)
		}
	}
}

// nothing stores neither relationships nor sequences.
type nothing struct{}

func (nothing) PutRelations(_ context.Context, _ int64, relations []loader.Relation) ([]loader.Related, error) {
	return make([]loader.Related, len(relations)), nil
}

func (nothing) PutSequence(context.Context, loader.Sequence) (loader.Related, error) {
	return loader.Related{}, nil
}

// A reason names the expected type of a member of any type.
func TestReasonsNameTheExpectedType(t *testing.T) {
	related, planned := `{"app":"a","external_user_id":"u","identifier":"x",`,
		`{"app":"a","external_user_id":"u","name":"n","leads":[{"social_url":"x",`
	for _, c := range []struct {
		kind         record.Kind
		line, reason string
	}{
		{record.Relationships, related + `"score":"5"}`, "score: must be a number, not a string"},
		{record.Relationships, related + `"score":1e999}`, "score: is too large a number"},
		{record.Relationships, related + `"types":5}`, "types: must be an array, not a number"},
		{
			record.Sequences, planned + `"next_followup_at":"2020"}]}`,
			"leads[0].next_followup_at: is not a time such as 2026-03-01T12:00:00Z",
		},
		{
			record.Sequences, planned + `"next_followup_at":2020}]}`,
			"leads[0].next_followup_at: must be a time, not a number",
		},
		{
			record.Sequences, planned + `"selected_introducers":[{"is_direct":"yes"}]}]}`,
			"leads[0].selected_introducers[0].is_direct: must be a boolean, not a string",
		},
		{
			record.Companies, `{"name":"Acme","domain":"not a domain"}`,
			`domain: is not a domain such as acme.example: "not a domain"`,
		},
	} {
		load := loader.New(recordtest.NewStore())
		load.Relations, load.Sequences = nothing{}, nothing{}
		path := filepath.Join(t.TempDir(), "r")
		_, err := load.File(
			t.Context(),
			record.ForEveryone(),
			"-",
			loader.Options{Kind: c.kind, Rejects: path, Stdin: strings.NewReader(c.line)},
		)
		expect.NoError(t, err)
		if got := readRejects(t, path); len(got) != 1 || got[0].Reason != c.reason {
			t.Errorf("%s is rejected as %+v, not %q", c.line, got, c.reason)
		}
	}
}
