package importer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"kith/internal/imports/importer"
	"kith/internal/imports/importer/unpack"
	"kith/internal/test/expect"
)

var gigabyte = flag.Bool("gigabyte", false, "read lines of a gigabyte, not of 64 MiB")

// nothing is a sink that only counts.
type nothing struct{ people, rejected int64 }

func (n *nothing) Person(context.Context, *importer.Person) error     { n.people++; return nil }
func (n *nothing) Company(context.Context, *importer.Company) error   { return nil }
func (n *nothing) Owner(context.Context, *importer.Owner) error       { return nil }
func (n *nothing) History(context.Context, *importer.History) error   { return nil }
func (n *nothing) Reject(context.Context, importer.Reject) error      { n.rejected++; return nil }
func (n *nothing) Export(context.Context, *importer.ExportLine) error { return nil }

// endless repeats a text up to a size.
type endless struct {
	text string
	at   int
	left int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && int64(n) < e.left {
		k := copy(p[n:min(int64(len(p)), e.left)], e.text[e.at:])
		e.at = (e.at + k) % len(e.text)
		n += k
	}
	e.left -= int64(n)
	return n, nil
}

func stream(head, text string, size int64, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), &endless{text: text, left: size}, strings.NewReader(tail))
}

// within runs f, and fails if the heap grew beyond a size in MiB.
func within(t *testing.T, most uint64, f func()) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // whatever GOGC says
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if grown := (after.HeapSys - min(after.HeapSys, before.HeapSys)) >> 20; grown > most {
		t.Errorf("the heap grew by %d MiB, more than %d", grown, most)
	}
}

// Huge or malicious input is read to its end or refused, in little memory.
func TestHostileFilesNeedLittleMemory(t *testing.T) {
	size := int64(64 << 20)
	if *gigabyte {
		size = 1 << 30
	}
	csv := "First Name,Last Name,Email\nJane,Doe,jane@example.com\n"
	columns := make([]string, 10_000)
	for i := range columns {
		columns[i] = fmt.Sprintf("column %d", i)
	}
	wide := "First Name,Last Name," + strings.Join(columns, ",") + "\nJane,Doe," + strings.Repeat("x,", 10_000) + "\n"
	card := "BEGIN:VCARD\nVERSION:2.1\nN:Doe;Jane\nAGENT:\n"
	for name, tt := range map[string]struct {
		in     io.Reader
		people int64
	}{
		"a line of a gigabyte":          {stream(csv, "x", size, "\nJohn,Roe,john@example.com\n"), 2},
		"a gigabyte in quotation marks": {stream(csv+`"`, "x", size, "\nJohn,Roe,john@example.com\n"), 2},
		"a gigabyte of quotation marks": {stream(csv, `"`, size/16, "\nJohn,Roe,john@example.com\n"), 2},
		"a gigabyte of separators":      {stream(csv, `,`, size/16, "\nJohn,Roe,john@example.com\n"), 2},
		"10,000 columns":                {strings.NewReader(wide), 1},
		"an object of a gigabyte": {stream(`{"full_name":"Jane Doe","social_url":"https://social.example/in/jane",`+
			`"headline":"y"}`+"\n"+`{"full_name":"`, "x", size, `"}`+"\n"+`{"full_name":"John Roe"}`+"\n"), 2},
		"deep JSON": {stream(`[{"full_name":"Jane Doe","a":`, "[", 4<<20, ""), 0},
		"a card with a line of a gigabyte": {stream("BEGIN:VCARD\nFN:Jane Doe\nPHOTO:", "x", size,
			"\nEND:VCARD\nBEGIN:VCARD\nFN:John Roe\nEND:VCARD\n"), 2},
		"a card with a folded gigabyte": {stream("BEGIN:VCARD\nFN:Jane Doe\nPHOTO:", "x\n ", size/8,
			"\nEND:VCARD\nBEGIN:VCARD\nFN:John Roe\nEND:VCARD\n"), 2},
		"cards in each other":  {stream("", card, int64(len(card))*100_000, "END:VCARD\n"), 1},
		"a million properties": {stream("BEGIN:VCARD\nFN:Jane Doe\n", "X:y\n", 4<<20, "END:VCARD\n"), 1},
		"an event with a million guests": {stream("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20250101\n",
			"ATTENDEE:mailto:a@example.com\n", 30<<20, "END:VEVENT\nEND:VCALENDAR\n"), 0},
		"a mail with a header of 64 MiB": {stream("From: a@example.com\nTo: b@example.com\nDate: Mon, 13 Jan 2025 "+
			"10:00:00 +0000\nSubject: ", "x", 64<<20, "\n\nbody\n"), 0},
		"a mail to a million": {stream("From: a@example.com\nDate: Mon, 13 Jan 2025 10:00:00 +0000\nTo: ",
			"a@example.com, ", 16<<20, "\n\nbody\n"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			within(t, 128, func() {
				sink := &nothing{}
				if _, err := importer.Run(t.Context(), []string{"-"}, importer.Options{Stdin: tt.in, Now: now},
					sink); err != nil {
					t.Fatal(err)
				}
				if sink.people != tt.people {
					t.Errorf("the import read %d people, not %d", sink.people, tt.people)
				}
			})
		})
	}
}

// An archive that unpacks to far more than its size, or nests too many others, is refused. People before that
// point are kept.
func TestArchiveBombsAreRefused(t *testing.T) {
	var bomb bytes.Buffer
	z := zip.NewWriter(&bomb)
	put(t, z, "a.csv", []byte("First Name,Last Name,Email\nJane,Doe,jane@example.com\n"))
	w, err := z.Create("b.csv")
	expect.NoError(t, err)
	if _, err := io.Copy(w, stream("First Name,Last Name,Email\n", "x", 64<<20, "\n")); err != nil {
		t.Fatal(err)
	}
	closed(t, z)
	deep := []byte("First Name,Last Name,Email\nJane,Doe,jane@example.com\n")
	for range 5 {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		put(t, z, "inner.zip", deep)
		closed(t, z)
		deep = b.Bytes()
	}
	for name, tt := range map[string]struct {
		content []byte
		people  int64
	}{"a bomb": {bomb.Bytes(), 1}, "archives in each other": {deep, 0}} {
		t.Run(name, func(t *testing.T) {
			sink := &nothing{}
			opts := importer.Options{Stdin: bytes.NewReader(tt.content), Limits: unpack.Limits{Free: 1 << 20}}
			report, err := importer.Run(t.Context(), []string{"-"}, opts, sink)
			if err != nil || sink.people != tt.people {
				t.Fatalf("%v, %d people", err, sink.people)
			}
			if last := report.Files[len(report.Files)-1]; !strings.Contains(last.Problem, "the archive is refused") {
				t.Errorf("the archive is not refused: %+v", last)
			}
		})
	}
}

// FuzzImport reads any input without a panic.
func FuzzImport(f *testing.F) {
	files(&testing.T{}, "testdata/formats", func(_ string, content []byte) {
		if len(content) < 2000 {
			f.Add(content)
		}
	})
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 4000 {
			return
		}
		_, _ = importer.Run(t.Context(), []string{"-"}, importer.Options{Stdin: bytes.NewReader(content), Now: now},
			&nothing{})
		for _, format := range []string{
			"mail", "vcard", "calendar", "network-messages", "apollo-people", "pdl-people", "kith-export",
		} {
			_, _ = importer.Run(t.Context(), []string{"-"},
				importer.Options{Stdin: bytes.NewReader(content), Now: now, Format: format}, &nothing{})
		}
	})
}
