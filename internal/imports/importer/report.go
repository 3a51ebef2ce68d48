package importer

import (
	"cmp"
	"maps"
	"slices"

	"kith/internal/imports/importer/layout"
)

// Report summarises an import.
type Report struct {
	Files []*FileReport
	// Owner is the person whose contacts were counted; empty if unknown.
	Owner Party
	// People, Companies and Histories count records passed on; Rejected counts the others.
	People, Companies, Histories, Rejected int64
	// Notes describe contacts that were not counted.
	Notes []string
}

// FileReport describes how one file was read. Single messages in one folder share a report.
type FileReport struct {
	Name string
	// Format is the name of the format, Title its name for people; both are empty if the file was not recognised.
	Format, Title string
	// Encoding, Separator and Header (a line number) describe a table.
	Encoding  string
	Separator string
	Header    int64
	// Columns are those of a table, or the fields of objects. A table with unknown columns has them, but no format.
	Columns []layout.Column
	// Records counts the records read, Taken the used ones. Reasons counts the others.
	Records, Taken int64
	Reasons        map[string]int64
	// Problem is why the file was not read completely.
	Problem string
}

// reject counts a record that was left out.
func (f *FileReport) reject(reason string) {
	if f.Reasons == nil {
		f.Reasons = map[string]int64{}
	}
	f.Reasons[reason]++
}

// Count is a number of occurrences.
type Count struct {
	What string
	N    int64
}

// Reasons returns why records were left out, most frequent first.
func (r *Report) Reasons() []Count {
	all := map[string]int64{}
	for _, f := range r.Files {
		for reason, n := range f.Reasons {
			all[reason] += n
		}
	}
	return counts(all)
}

// SortedReasons returns the reasons of one file, most frequent first.
func (f *FileReport) SortedReasons() []Count { return counts(f.Reasons) }

func counts(all map[string]int64) []Count {
	list := make([]Count, 0, len(all))
	for _, what := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Count{what, all[what]})
	}
	slices.SortStableFunc(list, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return list
}
