package taxonomy

import (
	"strings"

	"kith/query/tokenizer"
)

// maxTitleWords limits the cost of a title; further words are ignored.
const maxTitleWords = 40

// Title returns the words of a job title in normal form: abbreviations spelled out (VP Eng → vice president
// engineering, SWE → software engineer, CTO → chief technology officer, PM → product manager), spellings unified
// (back-end and back end → backend), plurals of five letters or more made singular, and `of`, `the`, `and`, `at`,
// `a`, `an` removed unless nothing else is left. Documents and filters both use it: titles with equal normal forms
// mean the same position.
func Title(title string) []string { return Texts(TitleWords(title)) }

// Texts returns the words without fillers, unless there are only fillers.
func Texts(ws []Word) []string {
	out := make([]string, 0, len(ws))
	for _, w := range ws {
		if !isFiller(w.Text) {
			out = append(out, w.Text)
		}
	}
	if len(out) == 0 {
		for _, w := range ws {
			out = append(out, w.Text)
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

// TitleWords returns the normal form, including fillers.
func TitleWords(title string) []Word {
	var buf [16]Word
	raw := cutWords(buf[:0], tokenizer.Fold(title))
	return wordForms().titles.apply(make([]Word, 0, len(raw)+4), raw)
}

// cutWords appends the words of folded text to out, and notes how each is separated from the one before.
func cutWords(out []Word, folded string) []Word {
	sc := tokenizer.Scanner{Text: folded}
	end := 0
	for len(out) < maxTitleWords {
		tok, start, ok := sc.Next()
		if !ok {
			break
		}
		w := Word{Text: tok, apart: len(out) > 0 && separates(folded[end:start])}
		if n := len(out); n > 0 && (out[n-1].Text == "and" || out[n-1].Text == "und" || out[n-1].Text == "et") {
			w.apart = true
		}
		out = append(out, w)
		end = sc.Pos
	}
	return out
}

// separates reports whether the text between two words divides a title. A dot does not (Sr. Engineer), nor does a
// hyphen within a word.
func separates(gap string) bool {
	if len(gap) == 1 {
		switch gap[0] {
		case ' ', '-', '.', '_':
			return false
		}
	}
	return strings.ContainsAny(gap, ",;|/()[]{}&+@:·•—–~<>\n") || strings.Contains(gap, " - ")
}
