package importer_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"kith/internal/imports/importer"
	"kith/internal/imports/mapping"
	"kith/internal/test/expect"
)

func imported(t *testing.T, opts importer.Options, text string) (string, *importer.Report) {
	t.Helper()
	opts.Stdin = strings.NewReader(text)
	d, report := read(t, opts, "-")
	return d.String(), report
}

// A mapping assigns columns and members to fields, in any language.
func TestMappingsNameColumnsAndMembers(t *testing.T) {
	m := mapping.Mapping{
		Root:         "page.rows",
		Person:       mapping.Group{"full_name": {"Wer"}, "emails": {"Post *", "post.*.to"}},
		Current:      mapping.Group{"title": {"Was"}, "company.name": {"Wo.heute", "Wo"}},
		Relationship: mapping.Group{"since": {"Seit"}},
	}
	want := "person Jane Doe | Jane | Doe | mail: jane@example.com jd@example.org | contact: since 2024-03-01 | now: " +
		"CTO @ Acme\n"
	for _, text := range []string{
		"Liste\n\nWer;Was;Wo;Post 1;Post 2;Seit;Mehr\njane doe;cto;acme;jane@example.com;jd@example.org;1.3.2024;x\n",
		`{"page":{"rows":[{"Wer":"jane doe","Was":"cto","Wo":{"heute":"acme"},"post":[{"to":"jane@example.com"},` +
			`{"to":"jd@example.org"}],"Seit":"2024-03-01"}]}}`,
	} {
		got, report := imported(t, importer.Options{Mapping: &m}, text)
		if _, got, _ = strings.Cut(got, " "); got != want {
			t.Errorf("%q is\n%s\nnot\n%s(%+v)", text, got, want, report.Files[0])
		}
	}
}

// Options can name an encoding that cannot be detected.
func TestEncodingCanBeNamed(t *testing.T) {
	text, err := charmap.Windows1251.NewEncoder().String("name;company;title\nИван Петров;Пример;директор\n")
	expect.NoError(t, err)
	got, _ := imported(t, importer.Options{Encoding: "windows-1251"}, text)
	if !strings.Contains(got, "person Иван Петров | Иван | Петров | now: Директор @ Пример") {
		t.Error("person in windows-1251:", got)
	}
	if _, report := imported(t, importer.Options{},
		"name;title;company\nJ\xfcrgen Doe;x;y\n"); report.Files[0].Encoding != "Windows-1252" {
		t.Errorf("the detected encoding is %q", report.Files[0].Encoding)
	}
}

// The owner of contacts comes from the options, or else is the most frequent participant.
func TestOwnerIsNamedOrDetected(t *testing.T) {
	opts := importer.Options{OwnerEmails: []string{"Olga@example.com"}}
	d, report := read(t, opts, "testdata/formats/maildir")
	if report.Owner.Name != "Olga Owner" ||
		!strings.Contains(d.String(), "mail with Jane Doe jane@example.com: 1 out, 1 in, 2025-01-13 to 2025-01-14") {
		t.Errorf("owner and contacts: %+v\n%s", report.Owner, d)
	}
	d, report = read(t, importer.Options{}, "testdata/formats/maildir", "testdata/formats/mail.mbox")
	if report.Owner.Name != "Olga Owner" ||
		!strings.Contains(d.String(), "mail with John Roe john@example.com: 1 out, 0 in") {
		t.Errorf("owner and contacts: %+v\n%s", report.Owner, d)
	}
}

// A format from the options is used even without its distinguishing columns.
func TestFormatCanBeNamed(t *testing.T) {
	got, _ := imported(t, importer.Options{Format: "outlook-contacts"}, "Title,First Name,Last Name\nDr.,Jane,Doe\n")
	if !strings.Contains(got, "person Jane Doe | Jane | Doe | contact: since") {
		t.Error("person:", got)
	}
	for _, opts := range []importer.Options{{Format: "nonsense"}, {Encoding: "nonsense"}} {
		if _, err := importer.Run(t.Context(), nil, opts, &nothing{}); err == nil ||
			!strings.Contains(err.Error(), "unknown ") {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}
