package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

const (
	// longestCampus is how many words beside "university" the name of one may have.
	longestCampus = 4
	// campusPrior is how likely such words are a name, whatever each of them means.
	campusPrior = 9
)

// addCampuses adds the names of universities that nothing knows but that are built as
// such names are: eastern michigan university, university of north texas, illinois
// institute of technology.
func (l *Lattice) addCampuses() {
	for at := range l.Tokens {
		end := l.campus(at)
		if end == at {
			continue
		}
		from, to := l.beforeCampus(at, end), l.behindCampus(at, end)
		if to-from > end-at && !l.knownCampus(from, to) {
			l.addNameOf(GroupSchool, from, to, campusPrior)
		}
	}
}

// knownCampus reports whether a school, or something else that has all the words, is
// known.
func (l *Lattice) knownCampus(from, to int) bool {
	for at := from; at < to; at++ {
		if l.begins(at, func(s Span) bool {
			return s.Group() == GroupSchool && s.Type != Named && s.To >= to && (s.From == from || s.Len() > 2)
		}) {
			return true
		}
	}
	return l.knownWhole(from, to)
}

// campus is the end of the word that names of universities are built with, if one
// begins at a token.
func (l *Lattice) campus(at int) int {
	switch {
	case isCampus(l.Tokens[at].Norm) && l.Tokens[at].Kind == token.Word:
		return at + 1
	case l.joined(at, at+3) && l.key(at, at+3) == "institute of technology":
		return at + 3
	}
	return at
}

// isCampus lists what names of universities are built with.
func isCampus(w string) bool {
	switch w {
	case "university", "univ", "college", "polytechnic", "universitat", "universite", //nolint:misspell // French
		"universidad", "universidade", "universita", "universiteit":
		return true
	}
	return false
}

// beforeCampus is where the name begins that ends in "university": the words before it
// are places and what tells universities of one place apart. A place alone is where
// universities are, unless one is expected.
func (l *Lattice) beforeCampus(at, end int) int {
	from, placed, told := at, false, false
	for from > 0 && at-from < longestCampus && l.joined(from-1, from+1) && !l.Tokens[from].Slash() {
		place := l.partOfPlace(from-1, at) || l.Tokens[from-1].Kind == token.Word && l.blank(from-1) // Quinnipiac University
		if !place && !tellsCampus(l.Tokens[from-1].Norm) {
			break
		}
		from--
		placed, told = placed || place, told || !place
	}
	if !placed || !told && !l.schoolExpected(from, end) {
		return at
	}
	return from
}

// schoolExpected reports whether a school stands between two tokens: behind at or
// from, before alumni.
func (l *Lattice) schoolExpected(from, end int) bool {
	switch l.leftCue(from) {
	case cue.At, cue.From, cue.Of, cue.For, cue.Studied, cue.Alumni, cue.Left, cue.Joined:
		return true
	}
	return end < len(l.Tokens) && l.begins(end, func(s Span) bool {
		c := cue.Cue(s.Sense.Name)
		return s.Type == lexicon.Cue && (c == cue.Alumnus || c == cue.Graduate || c == cue.Alumni)
	})
}

// behindCampus is where the name ends that begins with "university of".
func (l *Lattice) behindCampus(at, end int) int {
	first := end + 1
	if !l.joined(at, first+1) || !isOf(l.Tokens[end].Norm) {
		return end
	}
	if l.Tokens[first].Norm == "the" {
		first++
	}
	to := end
	for i := first; i < len(l.Tokens) && i-first < longestCampus && l.joined(at, i+1); i++ {
		switch {
		case l.partOfPlace(i, len(l.Tokens)), isSubject(l.Tokens[i].Norm), isDiscipline(l.Tokens[i].Norm):
			to = i + 1
		case !tellsCampus(l.Tokens[i].Norm) && l.Tokens[i].Norm != "at":
			return to
		}
	}
	return to
}

func isOf(w string) bool { return w == "of" || w == "de" || w == "di" || w == "do" || w == "van" }

// isDiscipline lists what universities are for.
func isDiscipline(w string) bool {
	switch w {
	case "sciences", "science", "technology", "arts", "business", "law", "health", "music", "engineering":
		return true
	}
	return false
}

// partOfPlace reports whether a token is in the name of a place that ends by a token.
func (l *Lattice) partOfPlace(at, end int) bool {
	for from := max(0, at-lexicon.MaxWords); from <= at; from++ {
		if l.begins(from, func(s Span) bool { return s.Group() == GroupPlace && s.Type != Named && s.To > at && s.To <= end }) {
			return l.Tokens[at].Kind == token.Word
		}
	}
	return false
}

// tellsCampus lists the words that tell universities of one place apart.
func tellsCampus(w string) bool {
	switch w {
	case "north", "south", "east", "west", "northern", "southern", "eastern", "western", "central", "middle", "upper", "northeast", "northeastern", "northwest", "northwestern", "southeast", "southeastern", "southwest", "southwestern",
		"state", "st", "tech", "technical", "technological", "polytechnic", "metropolitan", "international", "national", "federal", "city", "american", "christian", "catholic", "baptist", "wesleyan", "lutheran", "methodist", "valley", "coast", "pacific", "atlantic", "gulf", "bay", "applied", "medical", "free", "open", "new":
		return true
	}
	return false
}

// cameFrom reports whether "from" stands before a school, and a subject before it, or a
// city behind it in which those from there live now: grads in computer science from
// Waterloo, interns from Waterloo in Toronto.
func (l *Lattice) cameFrom(s Span) bool {
	if s.From < 2 || l.Tokens[s.From-1].Norm != "from" {
		return false
	}
	if l.endsAt(s.From-1, lexicon.MaxWords, func(o Span) bool { return o.Type == lexicon.FieldOfStudy }) {
		return true
	}
	if s.To+1 >= len(l.Tokens) || l.Tokens[s.To].Norm != "in" || !l.joined(s.From, s.To+1) {
		return false
	}
	return l.ahead(s.To+1, 3, func(_ int, senses []lexicon.Sense) bool {
		return len(senses) > 0 && (senses[0].Type == lexicon.City || senses[0].Type == lexicon.Metro)
	})
}

// canBeCampus reports whether a reading may be the university where somebody works: at
// Heidelberg or Institut Pasteur.
func canBeCampus(s Span) bool {
	return s.Group() == GroupSchool || s.Type == lexicon.City
}

// isTaught reports whether somebody teaches what begins at a token: lecturers in nursing.
func (l *Lattice) isTaught(at int) bool {
	if at < 2 || l.Tokens[at-1].Norm != "in" && l.Tokens[at-1].Norm != "of" {
		return false
	}
	return Teaches(l.Tokens[at-2].Norm)
}

// Teaches reports whether a title is of those who teach at a university.
func Teaches(title string) bool {
	return strings.Contains(title, "profess") || strings.Contains(title, "lecturer")
}

// isTown reports whether a school is the city of its name: in Columbia, Columbia MO.
func (l *Lattice) isTown(s Span) bool {
	is := func(from, to int, t lexicon.Type) bool {
		return slices.ContainsFunc(l.lex.Senses(l.phrases.norms[from:to]), func(o lexicon.Sense) bool { return o.Type == t })
	}
	if !is(s.From, s.To, lexicon.City) {
		return false
	}
	return l.leftCue(s.From) == cue.In || s.To < len(l.Tokens) && !isCueOrJoin(l.Tokens[s.To].Norm) && is(s.To, s.To+1, lexicon.State)
}

// isCueOrJoin reports whether a word is one of grammar: in, or.
func isCueOrJoin(w string) bool { return len(cue.Find(w)) > 0 || isJoin(w) }

// byAlumni rates a reading by a word for alumni behind it.
func byAlumni(group Group, graduates bool) float64 {
	switch group {
	case GroupSchool:
		return 2
	case GroupCompany: // nobody graduates from one
		return choose(graduates, -4, 1.5)
	case GroupStudy: // CS grads
		return 3
	case GroupPlace:
		return -1
	case GroupName:
		return -4
	}
	return 0
}

// alumniBehind reports whether a list that goes on at a token ends in "alumni".
func (l *Lattice) alumniBehind(at int) bool {
	for i := at; i < len(l.Tokens) && i < at+4; i++ {
		switch {
		case isAlumni(l.Tokens[i].Norm):
			return i > at
		case l.Tokens[i].Stop():
			return false
		}
	}
	return false
}

// beforeAlumni reports whether a run of words with capitals that begins at a token
// ends in a word for alumni: Lehman Brothers alumni.
func (l *Lattice) beforeAlumni(at int) bool {
	if at > 0 && l.Tokens[at-1].Capital() && l.joined(at-1, at+1) {
		return false
	}
	for i := at; i < len(l.Tokens) && i < at+4 && (i == at || l.joined(at, i+1)); i++ {
		switch {
		case isAlumni(l.Tokens[i].Norm):
			return i > at
		case !l.Tokens[i].Capital():
			return false
		}
	}
	return false
}
