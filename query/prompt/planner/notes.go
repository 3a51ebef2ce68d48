package planner

import (
	"embed"
	"strings"
)

//go:embed data/notes.tsv
var notesFile embed.FS

// readNotes reads the notes for words about things that no record holds. Each line has the
// lexicon's name of the words, a tab, and the note.
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
