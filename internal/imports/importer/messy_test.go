package importer_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"kith"
	"kith/internal/imports/importer"
	"kith/internal/test/expect"
	"kith/query/analysis"
)

// fields are the values read of a person or of a contact history, by name.
type fields map[string]string

// readings is a sink that keeps people and histories as fields.
type readings struct{ people, contacts []fields }

// Person implements [importer.Sink].
func (r *readings) Person(_ context.Context, p *importer.Person) error {
	f := fields{
		"full_name": p.FullName, "first_name": p.FirstName, "last_name": p.LastName, "url": p.SocialURL,
		"emails": strings.Join(p.Emails, " "), "city": p.Location.City, "state": p.Location.State,
		"country": p.Location.Country,
		"jobs":    strconv.Itoa(len(p.WorkHistory)),
	}
	job := p.Present()
	if job == nil {
		job = &kith.Job{}
	}
	f["title"], f["company"], f["domain"], f["industry"] = job.Title, job.Company.Name, job.Company.Domain,
		job.Company.Industry
	f["size"], f["start"] = strconv.Itoa(job.Company.EmployeeCount), date(job.StartDate)
	if p.Relationship != nil {
		f["since"] = p.Relationship.Since
	}
	var schools []string
	for _, e := range p.EducationHistory {
		schools = append(schools, e.Institute)
	}
	f["schools"] = strings.Join(schools, ", ")
	r.people = append(r.people, f)
	return nil
}

// Company implements [importer.Sink].
func (*readings) Company(context.Context, *importer.Company) error { return nil }

// Owner implements [importer.Sink].
func (*readings) Owner(context.Context, *importer.Owner) error { return nil }

// History implements [importer.Sink].
func (r *readings) History(_ context.Context, h *importer.History) error {
	r.contacts = append(r.contacts, fields{
		"with": h.With.Name, "email": h.With.Email, "url": h.With.SocialURL, "outgoing": strconv.FormatInt(h.Outgoing,
			10),
		"incoming": strconv.FormatInt(h.Incoming, 10), "first": h.First.Format(time.DateOnly),
		"last": h.Last.Format(time.DateOnly),
	})
	return nil
}

// Reject implements [importer.Sink].
func (*readings) Reject(context.Context, importer.Reject) error { return nil }

// Export implements [importer.Sink].
func (*readings) Export(context.Context, *importer.ExportLine) error { return nil }

// right counts the members of want that got has with the same value.
func (want fields) right(got fields) (n int) {
	for name := range want {
		if want.agrees(got, name) {
			n++
		}
	}
	return n
}

// agrees reports whether a member was read correctly. A profile has several spellings.
func (want fields) agrees(got fields, name string) bool {
	if a, is := analysis.URLKey(want[name]); is && name == "url" {
		b, _ := analysis.URLKey(got[name])
		return a == b
	}
	return got[name] == want[name]
}

// grade counts the members that were read correctly. An unexpected record is one wrong member.
func grade(t *testing.T, file string, want, got []fields) (right, all int) {
	for _, w := range want {
		best, at := fields{}, -1
		for i, g := range got {
			if at < 0 || w.right(g) > w.right(best) {
				best, at = g, i
			}
		}
		for _, name := range slices.Sorted(maps.Keys(w)) {
			if !w.agrees(best, name) {
				t.Logf("%s, %s%s: %s is %q, want %q", file, w["full_name"], w["with"], name, best[name], w[name])
			}
		}
		right, all = right+w.right(best), all+len(w)
		if at >= 0 {
			got = slices.Delete(slices.Clone(got), at, at+1)
		}
	}
	for _, g := range got {
		t.Logf("%s: unexpected record %v", file, g)
	}
	return right, all + len(got)
}

// The files were written without knowledge of the readers. The test counts the members that are read as a person
// reads them.
func TestMessyFilesAreReadAsPeopleReadThem(t *testing.T) {
	const dir = "testdata/messy"
	text, err := os.ReadFile(filepath.Join(dir, "expected.yaml"))
	expect.NoError(t, err)
	var expected map[string]struct{ People, Contacts []fields }
	expect.NoError(t, yaml.Unmarshal(text, &expected))
	right, all := 0, 0
	for _, file := range slices.Sorted(maps.Keys(expected)) {
		var got readings
		if _, err := importer.Run(t.Context(), []string{filepath.Join(dir, file)}, importer.Options{Now: now},
			&got); err != nil {
			t.Fatal(err)
		}
		for _, of := range [][2][]fields{{expected[file].People, got.people}, {expected[file].Contacts, got.contacts}} {
			r, a := grade(t, file, of[0], of[1])
			right, all = right+r, all+a
		}
	}
	share := float64(right) / float64(all)
	t.Logf("%d of %d members are correct: %.3f", right, all, share)
	if share < 0.98 {
		t.Errorf("%.3f of the members are correct, want 0.98", share)
	}
}
