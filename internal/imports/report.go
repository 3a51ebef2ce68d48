package imports

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/record"
)

// Limits of the lists in a report.
const (
	mostColumns = 100
	mostReasons = 20
	mostFiles   = 200
)

// Report says what was recognised in files, and the outcome. It names nobody.
type Report struct {
	Files []*FileReport `json:"files"`
	// MoreFiles counts the files that are not listed.
	MoreFiles int `json:"more_files"`
	// Recognised counts records: recognised people, companies and contacts, and those left out.
	Recognised Totals `json:"recognised"`
	// Doubtful counts pairs of the user's people who may be the same person and need a decision.
	Doubtful      int64         `json:"doubtful"`
	Relationships Relationships `json:"relationships"`
	Contacts      Contacts      `json:"contacts"`
	Notes         []string      `json:"notes"`
}

// Totals count recognised records.
type Totals struct {
	People    int64 `json:"people"`
	Companies int64 `json:"companies"`
	Contacts  int64 `json:"contacts"`
	// Correspondents count people with mail in both directions.
	Correspondents int64 `json:"correspondents"`
	LeftOut        int64 `json:"left_out"`
}

// Relationships count the user's relationships with people in the files.
type Relationships struct {
	Created   int64 `json:"created"`
	Updated   int64 `json:"updated"`
	Unchanged int64 `json:"unchanged"`
}

// Contacts count people the user was in contact with. Unknown people are not in the dataset. Stored are people who were
// unknown and exchanged mail with the user in both directions.
type Contacts struct {
	People  int64 `json:"people"`
	Unknown int64 `json:"unknown"`
	Stored  int64 `json:"stored"`
}

// FileReport describes how one file was read, and the outcome.
type FileReport struct {
	Name string `json:"name"`
	// Format and Title are empty if the file was not recognised; Problem says why.
	Format  string   `json:"format"`
	Title   string   `json:"title"`
	Rows    int64    `json:"rows"`
	Columns []Column `json:"columns"`
	// People and Companies count the outcomes of records.
	People    Outcomes `json:"people"`
	Companies Outcomes `json:"companies"`
	Reasons   []Reason `json:"reasons"`
	Problem   string   `json:"problem"`

	reasons map[string]*Reason
}

// Column is a column or member of a file; As are its meanings.
type Column struct {
	Name string   `json:"name"`
	As   []string `json:"as"`
}

// Outcomes count what happened to records. Merged records became part of a stored person or company.
type Outcomes struct {
	Created   int64 `json:"created"`
	Merged    int64 `json:"merged"`
	Unchanged int64 `json:"unchanged"`
	Rejected  int64 `json:"rejected"`
}

// Reason is why records were left out; Example locates the first of them, "" if unknown.
type Reason struct {
	Reason  string `json:"reason"`
	Count   int64  `json:"count"`
	Example string `json:"example"`
}

// newReport describes how files were read. It makes file names relative to a folder.
func newReport(r *importer.Report, p *Preview, folder string) *Report {
	out := &Report{
		Recognised: Totals{r.People, r.Companies, r.Histories, p.Correspondents, r.Rejected},
		Notes:      []string{}, Files: []*FileReport{},
	}
	for _, note := range r.Notes {
		out.Notes = append(out.Notes, asFields(note))
	}
	if note := p.Note(); note != "" {
		out.Notes = append(out.Notes, note)
	}
	for _, f := range r.Files {
		if len(out.Files) == mostFiles {
			out.MoreFiles++
			continue
		}
		file := &FileReport{
			Name: nameBelow(folder, f.Name), Format: f.Format, Title: f.Title, Rows: f.Records, Columns: columnsOf(f),
			Problem: asFields(strings.ReplaceAll(f.Problem, folder+"/", "")), reasons: map[string]*Reason{},
		}
		for _, c := range f.SortedReasons() {
			file.reasons[c.What] = &Reason{Reason: c.What, Count: c.N}
		}
		out.Files = append(out.Files, file)
	}
	for key, line := range p.examples {
		if f := out.file(nameBelow(folder, key.file)); f != nil && f.reasons[key.reason] != nil {
			f.reasons[key.reason].Example = fmt.Sprintf("line %d", line)
		}
	}
	out.sort()
	return out
}

// sort sorts the reasons of each file, most frequent first.
func (r *Report) sort() {
	for _, f := range r.Files {
		f.sort()
	}
}

// asFields replaces names of command-line flags by names of form fields.
func asFields(text string) string {
	return strings.NewReplacer("--map", "map", "--owner", "owner", "--encoding", "encoding", "--format",
		"format").Replace(text)
}

// nameBelow returns the name of a file as the user gave it; each upload has its own folder.
func nameBelow(folder, name string) string {
	below, ok := strings.CutPrefix(name, folder+"/")
	if !ok {
		return name
	}
	if _, own, ok := strings.Cut(below, "/"); ok {
		return own
	}
	return below
}

func columnsOf(f *importer.FileReport) []Column {
	out := []Column{}
	for _, c := range f.Columns[:min(len(f.Columns), mostColumns)] {
		out = append(out, Column{Name: c.Name, As: append([]string{}, c.Members...)})
	}
	return out
}

// file returns the report of a file, or nil if it is not listed. Messages in one folder share a report.
func (r *Report) file(name string) *FileReport {
	for _, wanted := range []string{name, path.Dir(name) + "/"} {
		if i := slices.IndexFunc(r.Files, func(f *FileReport) bool { return f.Name == wanted }); i >= 0 {
			return r.Files[i]
		}
	}
	return nil
}

// count counts the outcome of a relationship.
func (r *Relationships) count(t loader.LineOutcome) {
	switch {
	case t.Reason != "":
	case t.Outcome == record.Created:
		r.Created++
	case t.Outcome == record.Changed:
		r.Updated++
	default:
		r.Unchanged++
	}
}

// count counts the outcome of a record.
func (f *FileReport) count(kind record.Kind, outcome record.Outcome, reason string) {
	o := &f.People
	switch kind {
	case record.People:
	case record.Companies:
		o = &f.Companies
	default: // other kinds have no counts
		o = &Outcomes{}
	}
	switch {
	case reason != "":
		o.Rejected++
		f.leaveOut(reason)
	case outcome == record.Created:
		o.Created++
	case outcome == record.Changed:
		o.Merged++
	case outcome == record.Suppressed:
		o.Rejected++
		f.leaveOut("the person asked to be forgotten")
	default:
		o.Unchanged++
	}
}

// leaveOut counts a reason. It removes quoted values, because a report names nobody.
func (f *FileReport) leaveOut(reason string) {
	reason = withoutValues(reason)
	if f.reasons[reason] == nil {
		f.reasons[reason] = &Reason{Reason: reason}
	}
	f.reasons[reason].Count++
}

// withoutValues replaces text in quotation marks.
func withoutValues(text string) string {
	parts := strings.Split(text, `"`)
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = "…"
	}
	return strings.Join(parts, `"`)
}

// sort sorts the reasons, most frequent first, and cuts the list.
func (f *FileReport) sort() {
	f.Reasons = []Reason{}
	for _, what := range slices.Sorted(maps.Keys(f.reasons)) {
		f.Reasons = append(f.Reasons, *f.reasons[what])
	}
	slices.SortStableFunc(f.Reasons, func(a, b Reason) int { return cmp.Compare(b.Count, a.Count) })
	f.Reasons = f.Reasons[:min(len(f.Reasons), mostReasons)]
}
