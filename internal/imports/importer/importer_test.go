package importer_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/imports/importer"
	"kith/internal/test/expect"
)

var update = flag.Bool("update", false, "write the golden files anew")

// now is the day of the imports.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// dump writes records as lines of text.
type dump struct{ strings.Builder }

func (d *dump) Person(_ context.Context, p *importer.Person) error {
	fmt.Fprintf(d, "%d person %s | %s | %s", p.Source.Line, p.FullName, p.FirstName, p.LastName)
	d.field("id", p.SourceID)
	d.field("url", p.SocialURL)
	d.field("mail", strings.Join(p.Emails, " "))
	d.field("in", place(p.Location))
	d.field("headline", p.Headline)
	d.field("about", p.AboutMe)
	d.field("image", p.ImageURL)
	d.field("skills", strings.Join(p.Skills, ", "))
	if p.Relationship != nil {
		d.field(p.Relationship.Kind, "since "+p.Relationship.Since)
	}
	if p.WorkRelevant != nil {
		d.job("now", *p.WorkRelevant)
	}
	d.history(&p.Person)
	d.WriteByte('\n')
	return nil
}

func (d *dump) history(p *kith.Person) {
	for _, j := range p.WorkHistory {
		d.job("job", j)
	}
	for _, e := range p.EducationHistory {
		d.school(e)
	}
}

func (d *dump) school(e kith.Education) {
	d.field("school", strings.Join([]string{e.Institute, e.Degree, e.FieldOfStudy, e.StartDate + ".." + e.EndDate},
		", "))
}

func (d *dump) field(name, value string) {
	if strings.TrimPrefix(value, "since ") != "" || strings.HasPrefix(value, "since") {
		fmt.Fprintf(d, " | %s: %s", name, strings.TrimSuffix(strings.ReplaceAll(value, "\n", "⏎"), " "))
	}
}

func (d *dump) job(name string, j kith.Job) {
	text := j.Title + " @ " + company(j.Company)
	if j.StartDate != nil || j.EndDate != nil {
		text += " " + date(j.StartDate) + ".." + date(j.EndDate)
	}
	d.field(name, text)
}

func date(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func company(c kith.Company) string {
	parts := []string{}
	for _, s := range []string{
		c.Domain, c.SocialURL, c.Industry, place(c.Location), strings.Join(c.Keywords, "; "),
		c.Type, c.Description, c.Headquarters,
	} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if c.EmployeeCount != 0 {
		parts = append(parts, fmt.Sprintf("%d people", c.EmployeeCount))
	}
	if c.FoundedYear != 0 {
		parts = append(parts, fmt.Sprintf("of %d", c.FoundedYear))
	}
	if len(parts) == 0 {
		return c.Name
	}
	return c.Name + " (" + strings.Join(parts, ", ") + ")"
}

func place(l kith.Location) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(l.City+", "+l.State+", "+l.Country, ", , ", ", "),
		", "), ", ")
}

func (d *dump) Company(_ context.Context, c *importer.Company) error {
	fmt.Fprintf(d, "%d company %s", c.Source.Line, company(c.Company))
	d.field("id", c.SourceID)
	d.WriteByte('\n')
	return nil
}

func (d *dump) Owner(_ context.Context, o *importer.Owner) error {
	fmt.Fprintf(d, "owner %s | %s | %s", o.FullName, o.FirstName, o.LastName)
	d.field("mail", strings.Join(o.Emails, " "))
	d.field("url", o.SocialURL)
	d.field("in", place(o.Location))
	d.field("headline", o.Headline)
	d.field("about", o.AboutMe)
	d.field("skills", strings.Join(o.Skills, ", "))
	for _, j := range o.WorkHistory {
		d.WriteString("\n ")
		d.job("job", j)
	}
	for _, e := range o.EducationHistory {
		d.WriteString("\n ")
		d.school(e)
	}
	d.WriteByte('\n')
	return nil
}

func (d *dump) History(_ context.Context, h *importer.History) error {
	fmt.Fprintf(d, "%s with %s %s%s: %d out, %d in, %s to %s\n", h.Kind, h.With.Name, h.With.Email, h.With.SocialURL,
		h.Outgoing, h.Incoming,
		h.First.Format(time.DateOnly), h.Last.Format(time.DateOnly))
	return nil
}

func (d *dump) Reject(_ context.Context, r importer.Reject) error {
	fmt.Fprintf(d, "%d left out: %s\n", r.Source.Line, r.Reason)
	return nil
}

func (d *dump) Export(_ context.Context, l *importer.ExportLine) error {
	fmt.Fprintf(d, "%d export of %s %s: %s", l.Source.Line, l.App, l.User, l.Kind)
	if l.Person != nil {
		d.field("person", l.Person.FullName)
	}
	d.WriteByte('\n')
	return nil
}

// report writes the format and encoding of each file.
func (d *dump) report(r *importer.Report, dir string) {
	for _, f := range r.Files {
		fmt.Fprintf(d, "file %s is %q", strings.TrimPrefix(f.Name, dir), f.Format)
		if f.Problem != "" {
			fmt.Fprintf(d, ": %s", strings.ReplaceAll(f.Problem, dir, ""))
		}
		fmt.Fprintf(d, "\n  %d records, %d taken", f.Records, f.Taken)
		if f.Separator != "" {
			fmt.Fprintf(d, ", header in line %d, separator %q", f.Header, f.Separator)
		}
		d.WriteByte('\n')
		var out []string
		for _, c := range f.Columns {
			if len(c.Members) > 0 {
				fmt.Fprintf(d, "  %s → %s\n", c.Name, strings.Join(c.Members, ", "))
			} else if !c.Known {
				out = append(out, c.Name)
			}
		}
		if len(out) > 0 {
			fmt.Fprintf(d, "  unknown: %s\n", strings.Join(out, ", "))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(d, "note %s\n", n)
	}
}

// read imports paths and returns the records as text.
func read(t *testing.T, opts importer.Options, paths ...string) (*dump, *importer.Report) {
	t.Helper()
	opts.Now = now
	d := &dump{}
	report, err := importer.Run(t.Context(), paths, opts, d)
	expect.NoError(t, err)
	return d, report
}

// Every format is read with its quirks. A fixture is a file or a folder; its golden file has the records and the
// detected formats.
func TestFormatsAreRead(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/formats/*")
	if err != nil || len(fixtures) == 0 {
		t.Fatal(err, len(fixtures))
	}
	for _, path := range fixtures {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			d, report := read(t, importer.Options{}, path)
			d.report(report, "testdata/formats/")
			golden(t, path+".golden", d.String())
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		expect.NoError(t, os.WriteFile(path, []byte(got), 0o666))
		return
	}
	want, err := os.ReadFile(path)
	expect.NoError(t, err)
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("%s, line %d:\n got %s\nwant %s", path, i+1, a, b)
		}
	}
}
