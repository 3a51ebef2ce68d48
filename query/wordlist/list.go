package wordlist

import (
	"io/fs"
	"strings"
)

// Lines returns the lines of a list in the folder data of files, without empty lines and comments.
func Lines(files fs.FS, name string) []string {
	text, err := fs.ReadFile(files, "data/"+name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// Set returns a set of entries.
func Set(entries []string) map[string]bool {
	set := make(map[string]bool, len(entries))
	for _, e := range entries {
		set[e] = true
	}
	return set
}
