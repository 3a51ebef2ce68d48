// Package cue knows the words that say how the others of a prompt belong
// together: prepositions, verbs of working and moving, negations, conjunctions.
package cue

import (
	_ "embed"
	"sync"

	"kith/query/prompt/phrase"
)

// Cue is what a phrase says; the phrases of each stand in cues.txt.
type Cue string

// The cues.
const (
	None Cue = ""
	// Of place, employer and origin.
	In    Cue = "in"
	Near  Cue = "near"
	Lives Cue = "lives"
	At    Cue = "at"
	For   Cue = "for"
	From  Cue = "from"
	Of    Cue = "of"
	By    Cue = "by"
	As    Cue = "as"
	Seat  Cue = "seat"
	// Of what a person has and knows.
	With  Cue = "with"
	Know  Cue = "know"
	Skill Cue = "skill"
	// Of time.
	Past        Cue = "past"
	Left        Cue = "left"
	Alumni      Cue = "alumni"   // alumni of …
	Alumnus     Cue = "alumnus"  // … alumni
	Graduate    Cue = "graduate" // … graduates
	Any         Cue = "any"
	Now         Cue = "now"
	Work        Cue = "work"
	PreviousJob Cue = "previousjob"
	Joined      Cue = "joined"
	Tenure      Cue = "tenure"
	Founded     Cue = "founded"
	Company     Cue = "company"
	// Of logic.
	Not   Cue = "not"
	But   Cue = "but" // not …, but …
	NotAt Cue = "notat"
	Or    Cue = "or"
	And   Cue = "and"
	Both  Cue = "both"
	// Of education, names and rank.
	Studied Cue = "studied"
	Majored Cue = "majored"
	Named   Cue = "named"
	Leads   Cue = "leads"
	// Of others than who is looked for, and of where they are not.
	Serves    Cue = "serves"    // recruiters hiring …
	Elsewhere Cue = "elsewhere" // originally from …
	Soft      Cue = "soft"      // preferably …
	Rivals    Cue = "rivals"    // competitors of …
	// Of searches within searches, and of careers.
	WorkedWith   Cue = "workedwith"
	Colleague    Cue = "colleague"
	Colleagues   Cue = "colleagues"
	ExColleague  Cue = "excolleague"
	ExColleagues Cue = "excolleagues"
	SameSchool   Cue = "sameschool"
	SameCompany  Cue = "samecompany"
	Moved        Cue = "moved"
	MovedTo      Cue = "movedto"
	CameBack     Cue = "cameback"
	Promoted     Cue = "promoted"
)

// MaxWords is the most words of a cue.
const MaxWords = 8

//go:embed cues.txt
var table string

//nolint:gochecknoglobals // a memoised table, not state
var cues = sync.OnceValue(read)

func read() map[string][]Cue {
	m := map[string][]Cue{}
	for name, text := range phrase.Table(table) {
		m[text] = append(m[text], Cue(name))
	}
	return m
}

// Find returns what a phrase of folded words, joined by single spaces, says as a
// cue, the usual meaning first. The slice is to be read only.
func Find(phrase string) []Cue { return cues()[phrase] }

// All returns every phrase with what it says as a cue. The map is to be read only.
func All() map[string][]Cue { return cues() }
