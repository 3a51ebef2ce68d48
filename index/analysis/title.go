package analysis

import (
	"slices"
	"strings"
)

// maxTitleWords bounds what a title can cost; the words behind are ignored.
const maxTitleWords = 40

// Title returns the words of a job title's normal form: abbreviations spelled
// out (VP Eng → vice president engineering, SWE → software engineer, CTO →
// chief technology officer, PM → product manager), spellings made one
// (back-end and back end → backend), plurals of five letters and more made
// singular, and `of`, `the`, `and`, `at`, `a`, `an` left out. A title of such
// words alone keeps them. Both sides use it, so two titles mean the same
// position where their normal forms are equal.
func Title(title string) []string { return texts(titleWords(title)) }

// texts are the words without the ones that carry no meaning.
func texts(ws []word) []string {
	out := make([]string, 0, len(ws))
	for _, w := range ws {
		if !isFiller(w.text) {
			out = append(out, w.text)
		}
	}
	if len(out) == 0 {
		for _, w := range ws {
			out = append(out, w.text)
		}
	}
	return out
}

func isFiller(w string) bool {
	switch w {
	case "of", "the", "and", "at", "a", "an":
		return true
	}
	return false
}

// titleWords is the normal form with the fillers still in it.
func titleWords(title string) []word {
	var buf [16]word
	raw := cutWords(buf[:0], Fold(title))
	return words().titles.apply(make([]word, 0, len(raw)+4), raw)
}

// cutWords appends the words of folded text to out, with what stands before
// them noted.
func cutWords(out []word, folded string) []word {
	sc := scanner{text: folded}
	end := 0
	for len(out) < maxTitleWords {
		tok, start, ok := sc.next()
		if !ok {
			break
		}
		w := word{text: tok, apart: len(out) > 0 && separates(folded[end:start])}
		if n := len(out); n > 0 && (out[n-1].text == "and" || out[n-1].text == "und" || out[n-1].text == "et") {
			w.apart = true
		}
		out = append(out, w)
		end = sc.pos
	}
	return out
}

// separates reports whether the text between two words sets them apart. A dot
// does not (Sr. Engineer), nor does a hyphen within a word.
func separates(gap string) bool {
	if len(gap) == 1 {
		switch gap[0] {
		case ' ', '-', '.', '_':
			return false
		}
	}
	return strings.ContainsAny(gap, ",;|/()[]{}&+@:·•—–~<>\n") || strings.Contains(gap, " - ")
}

// Degree returns the words of a degree's normal form (MSc → master science),
// without `of`, `in` and the like.
func Degree(degree string) []string {
	var buf [16]word
	out := texts(words().degrees.apply(nil, cutWords(buf[:0], Fold(degree))))
	if kept := slices.DeleteFunc(slices.Clone(out), func(w string) bool { return w == "in" }); len(kept) > 0 {
		return kept
	}
	return out
}
