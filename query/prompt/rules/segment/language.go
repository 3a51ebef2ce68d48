package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// standsAlone reports whether a span is an entry of its own in a list behind
// others.
func (l *Lattice) standsAlone(from, to int) bool {
	joins := func(at int) bool { return at >= 0 && at < len(l.Tokens) && isJoin(l.Tokens[at].Norm) }
	slash := func(at int) bool { return at < len(l.Tokens) && l.Tokens[at].Slash() }
	ends := l.apart(to) || joins(to) && l.apart(min(to+2, len(l.Tokens))) || slash(to) && l.apart(to+1) // Italian and English
	switch {
	case from == 0 || !ends:
		return false
	case l.apart(from), slash(from) && l.apart(from-1):
		return true
	case joins(from-1) && from > 2:
		before := l.Tokens[from-2].Norm
		return l.apart(from-2) || before == "experience" || before == "skills"
	}
	return false
}

// apart reports whether the prompt, a sentence or an entry of a list ends before a
// token.
func (l *Lattice) apart(at int) bool {
	return at == len(l.Tokens) || l.Tokens[at].Apart()
}

// closes reports whether a word ends an entry of a list, or the prompt, with no noun
// behind it that it could describe, and is not said of people: Zürich german, but
// "people who are German".
func (l *Lattice) closes(from, to int) bool {
	if from == 0 || !l.apart(to) {
		return false
	}
	switch l.leftCue(from) {
	case cue.Work, cue.Not, cue.Past, cue.Now, cue.Lives, cue.NotAt:
		return false
	}
	return true
}

// spoken reports whether a word stands where a language does, not what describes a
// noun behind it: with German and English who, support agents German Lisbon.
func (l *Lattice) spoken(from, to int) bool {
	if to-from > 1 || from == 0 || to >= len(l.Tokens) || l.apart(to) {
		return false
	}
	city := func(s lexicon.Sense) bool { return !s.NeedsCue && (s.Type == lexicon.City || s.Type == lexicon.Metro) }
	ofCity := func(_ int, senses []lexicon.Sense) bool { return slices.ContainsFunc(senses, city) }
	if l.leftCue(from) == cue.None && l.titleEnds(from) && l.ahead(to, 3, ofCity) {
		return true
	}
	w := l.Tokens[to].Norm
	if !isJoin(w) && w != "but" && w != "who" && w != "that" && w != "in" && w != "at" {
		return false
	}
	first := from
	for first > 1 && isJoin(l.Tokens[first-1].Norm) {
		first -= 2
	}
	return l.leftCue(first) == cue.With
}

// aboutLanguages reports whether a word of the prompt says that languages, not
// nationalities, are named in it.
func (l *Lattice) aboutLanguages() bool {
	return slices.ContainsFunc(l.Tokens, func(t token.Token) bool {
		switch t.Norm {
		case "bilingual", "trilingual", "multilingual", "translator", "translators", "interpreter", "interpreters", "fluent", "fluently":
			return true
		}
		return false
	})
}

// demanded reports whether the words from a token on say that what stands before
// is asked for: German is a must, French required.
func (l *Lattice) demanded(at int) bool {
	for at+2 < len(l.Tokens) && isJoin(l.Tokens[at].Norm) && !l.apart(at) { // German and French a plus
		at += 2
	}
	if at < len(l.Tokens) && (l.Tokens[at].Norm == "is" || l.Tokens[at].Norm == "are") && !l.apart(at) {
		at++
	}
	if at < len(l.Tokens) && l.Tokens[at].Article() {
		at++
	}
	if at >= len(l.Tokens) || l.Tokens[at].Comma() || l.Tokens[at].Stop() {
		return false
	}
	switch l.Tokens[at].Norm {
	case "must", "required", "mandatory", "obligatory", "compulsory", "essential", "necessary", "needed", "requirements", "musts", "plus", "advantage", "bonus", "desirable", "desired", "fluency", "good", "skills", "skill", "proficiency":
		return true
	}
	return false
}

// isGermanWith reports whether "mit" is no school but the German "with": mit 10
// Jahren Erfahrung, mit MBA.
func (l *Lattice) isGermanWith(s Span) bool {
	if l.Tokens[s.From].Norm != "mit" || l.Tokens[s.From].Capital() || s.To >= len(l.Tokens) {
		return false
	}
	switch l.leftCue(s.From) {
	case cue.From, cue.At, cue.In, cue.Studied, cue.Alumni:
		return false
	}
	return l.letters.mixed && !isAlumni(l.Tokens[s.To].Norm) || l.Tokens[s.To].Kind == token.Number
}

// addLanguageTeachers adds those who teach the languages right before the noun, which say
// nothing of where they come from: English or Dutch teachers.
func (l *Lattice) addLanguageTeachers() {
	isLanguage := func(at int) bool {
		return l.Tokens[at].Kind == token.Word && slices.ContainsFunc(l.lex.Senses(l.phrases.norms[at:at+1]), func(s lexicon.Sense) bool { return s.Type == lexicon.Language })
	}
	for noun := 1; noun < len(l.Tokens); noun++ {
		if !teachesLanguages(l.Tokens[noun].Norm) || l.apart(noun) {
			continue
		}
		last := noun - 1
		if l.Tokens[last].Norm == "language" && last > 0 && !l.apart(last) {
			last--
		}
		for at, to := last, noun+1; at >= 0 && isLanguage(at); {
			title := lexicon.Title([]string{l.Tokens[at].Norm, strings.TrimSuffix(l.Tokens[noun].Norm, "s")})
			title.ByRule = false
			title.Values = append(title.Values, `"`+strings.TrimSuffix(l.Tokens[noun].Norm, "s")+" of "+l.Tokens[at].Norm+`"`)
			l.add(Span{From: at, To: to, Type: lexicon.Role, Sense: title}, teacherPrior)
			listed := l.Tokens[at].Comma() || l.Tokens[at].Slash()
			if at--; at > 0 && isJoin(l.Tokens[at].Norm) {
				at, listed = at-1, true
			}
			if !listed {
				break
			}
			to = at + 1
		}
	}
}

// teacherPrior is how likely a language before those who teach is what they do.
const teacherPrior = 9

func teachesLanguages(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "teacher", "tutor", "instructor":
		return true
	}
	return false
}
