package wordlist

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"sort"
	"strings"
)

// Table is an embedded table, searched in place: a map of a quarter million names would take longer to build than
// most processes run.
type Table struct {
	text string
	// starts are the offsets of the lines, and the length of the text.
	starts []uint32
}

// Text returns the text of a gzipped file in the folder data of files.
func Text(files fs.FS, name string) string {
	zipped, err := fs.ReadFile(files, "data/"+name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		panic(err)
	}
	var text strings.Builder
	text.Grow(4 * len(zipped))
	if _, err := io.Copy(&text, r); err != nil {
		panic(err)
	}
	return text.String()
}

// Open reads a gzipped table in the folder data of files.
func Open(files fs.FS, name string) Table {
	t := Table{text: Text(files, name)}
	t.starts = make([]uint32, 1, 1+strings.Count(t.text, "\n"))
	for at := 0; ; {
		i := strings.IndexByte(t.text[at:], '\n')
		if i < 0 {
			return t
		}
		at += i + 1
		t.starts = append(t.starts, uint32(at))
	}
}

// Len is the number of lines.
func (t Table) Len() int { return len(t.starts) - 1 }

// Line returns line i without its line break.
func (t Table) Line(i int) string { return t.text[t.starts[i] : t.starts[i+1]-1] }

// Find returns the second and third column of the line with the key in its first column. The table must be sorted by
// that column, in byte order.
func (t Table) Find(key string) (second, third string) {
	i := sort.Search(t.Len(), func(i int) bool {
		first, _, _ := strings.Cut(t.Line(i), "\t")
		return first >= key
	})
	if i == t.Len() {
		return "", ""
	}
	first, rest, _ := strings.Cut(t.Line(i), "\t")
	if first != key {
		return "", ""
	}
	second, third, _ = strings.Cut(rest, "\t")
	return second, third
}

// Starting returns at most n values of the first column that begin with a text.
func (t Table) Starting(text string, n int) []string {
	first := func(i int) string {
		key, _, _ := strings.Cut(t.Line(i), "\t")
		return key
	}
	var keys []string
	at := sort.Search(t.Len(), func(i int) bool { return first(i) >= text })
	for ; at < t.Len() && len(keys) < n && strings.HasPrefix(first(at), text); at++ {
		keys = append(keys, first(at))
	}
	return keys
}
