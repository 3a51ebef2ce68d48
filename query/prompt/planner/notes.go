package planner

import (
	"embed"
	"strings"
)

//go:embed data/notes.tsv
var notesFile embed.FS

// readNotes reads what is said of words that ask for what no record holds: the
// name that the lexicon gives such words, a tab, and the note.
func readNotes() map[string]string {
	text, err := notesFile.ReadFile("data/notes.tsv")
	if err != nil {
		panic(err) // the file is part of the binary
	}
	notes := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, note, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(name, "#") {
			notes[name] = note
		}
	}
	return notes
}
