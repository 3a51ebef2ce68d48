package token

import (
	"strings"
	"unicode"

	"kith/query/tokenizer"
)

// word returns the word that starts at i and its length in code points: the longest piece up to a
// hyphen, slash or other separator that is one folded word (AT&T, C++, .NET, Node.js, O'Neil).
func (s *splitter) word(i, to int) (int, Token) {
	if !isStart(s.runes[i]) {
		return 0, Token{}
	}
	end := i
	for end < to && end < i+longest(s.runes[i]) && !isSeparator(s.runes, end, i) {
		end++
	}
	for last := end; end > i; end-- {
		if end < last && isLatin(s.runes[end-1]) && isLatin(s.runes[end]) { // M.Sc is not M.S and a c
			continue
		}
		if t, ok := s.single(i, end); ok {
			return end - i, t
		}
	}
	return 0, Token{}
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// longestWord bounds the work for text without spaces: longer words are split.
const longestWord = 48

// longest returns the maximum length in code points of a word that begins with r: one in scripts
// where every letter is a word.
func longest(r rune) int {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return 1
	}
	return longestWord
}

// isSeparator reports whether the mark at p is always between words. So is a letter that folds to
// several, because trying all the words it could be part of takes long.
func isSeparator(runes []rune, p, start int) bool {
	r := runes[p]
	switch r {
	case '-', '‐', '‑', '‒', '−', '–', '—', '/', '\\', '|', ',', ';', ':', '(', ')', '[', ']', '{', '}', '"', '“', '”',
		'=', '<', '>', '*', '_', '~', '^', '@', '!', '?', '…':
		return p > start || !isWord(r)
	}
	return r > unicode.MaxLatin1 && strings.ContainsRune(tokenizer.Fold(string(r)), ' ') // ﷺ is four words
}

// single returns the token of a piece that is one folded word.
func (s *splitter) single(from, to int) (Token, bool) {
	if !isEdge(s.runes[to-1]) {
		return Token{}, false
	}
	piece := string(s.runes[from:to])
	bare, possessive := strings.CutSuffix(strings.ReplaceAll(piece, "’", "'"), "'s")
	if !possessive {
		bare, possessive = strings.CutSuffix(strings.ReplaceAll(piece, "’", "'"), "'S")
	}
	words := tokenizer.Tokens(bare)
	if len(words) != 1 {
		return Token{}, false
	}
	if strings.HasSuffix(bare, "'") {
		possessive = true
	}
	return Token{Text: piece, Norm: words[0], From: from, To: to, Possessive: possessive}, true
}

// initials joins two capitals with a spaced ampersand into one word, as without the spaces: R & D, M & A.
func (s *splitter) initials() {
	out := s.out[:0]
	for _, t := range s.out {
		n := len(out)
		if n == 0 || t.Gap != "&" || !isInitial(t) || !isInitial(out[n-1]) {
			out = append(out, t)
			continue
		}
		one := &out[n-1]
		one.Text, one.To = one.Text+"&"+t.Text, t.To
		one.Norm = strings.Join(tokenizer.Tokens(one.Text), " ")
	}
	s.out = out
}

// isInitial reports whether a token is a single capital.
func isInitial(t Token) bool { return len(t.Text) == 1 && t.Capital() && t.Kind == Word }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func isStart(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' }

// isEdge reports whether a word may end with r.
func isEdge(r rune) bool { return isWord(r) || r == '+' || r == '#' || r == '\'' || r == '’' }
