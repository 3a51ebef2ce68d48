package analysis

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"sort"
	"strings"
)

// table is an embedded table, searched in place: a map of a quarter million names would take longer to build than
// most processes run.
type table struct {
	text string
	// starts are the offsets of the lines, and the length of the text.
	starts []uint32
}

// newTable reads a gzipped table in the folder data of files.
func newTable(files embed.FS, name string) table {
	zipped, err := files.ReadFile("data/" + name)
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
	t := table{text: text.String()}
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

func (t table) len() int { return len(t.starts) - 1 }

// line returns line i without its line break.
func (t table) line(i int) string { return t.text[t.starts[i] : t.starts[i+1]-1] }

// find returns the second and third column of the line with the key in its first column. The table must be sorted by
// that column, in byte order.
func (t table) find(key string) (second, third string) {
	i := sort.Search(t.len(), func(i int) bool {
		first, _, _ := strings.Cut(t.line(i), "\t")
		return first >= key
	})
	if i == t.len() {
		return "", ""
	}
	first, rest, _ := strings.Cut(t.line(i), "\t")
	if first != key {
		return "", ""
	}
	second, third, _ = strings.Cut(rest, "\t")
	return second, third
}
