package importer

import (
	"cmp"
	"maps"
	"slices"

	"kith/internal/importer/layout"
)

// Report says what was read.
type Report struct {
	Files []*FileReport
	// Owner is who the contacts were counted for; empty where nobody could be told.
	Owner Party
	// People, Companies and Histories were handed on, Rejected records were not.
	People, Companies, Histories, Rejected int64
	// Notes say what was not counted.
	Notes []string
}

// FileReport says what one file was taken for. Messages of a folder with one file
// each have one report.
type FileReport struct {
	Name string
	// Format is the name of the format, Title says it for people; both are empty where
	// the file was not recognised.
	Format, Title string
	// Encoding, Separator and Header (the number of its line) say how a table is
	// written.
	Encoding  string
	Separator string
	Header    int64
	Columns   []layout.Column
	// Records were read, of which Taken were used; the others have a reason.
	Records, Taken int64
	Reasons        map[string]int64
	// Problem is why the file was not read, or not to its end.
	Problem string
}

// reject counts a record that was left out.
func (f *FileReport) reject(reason string) {
	if f.Reasons == nil {
		f.Reasons = map[string]int64{}
	}
	f.Reasons[reason]++
}

// Count is how often something was.
type Count struct {
	What string
	N    int64
}

// Reasons are why records were left out, the most common first.
func (r *Report) Reasons() []Count {
	all := map[string]int64{}
	for _, f := range r.Files {
		for reason, n := range f.Reasons {
			all[reason] += n
		}
	}
	return counts(all)
}

// SortedReasons are those of one file, the most common first.
func (f *FileReport) SortedReasons() []Count { return counts(f.Reasons) }

func counts(all map[string]int64) []Count {
	list := make([]Count, 0, len(all))
	for _, what := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Count{what, all[what]})
	}
	slices.SortStableFunc(list, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return list
}
