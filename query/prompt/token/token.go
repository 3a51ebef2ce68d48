// Package token splits a prompt into words with their offsets and the punctuation before them.
package token

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith/query/prompt/words"
	"kith/query/tokenizer"
)

// Max is the maximum number of tokens of a prompt; Split drops the rest.
const Max = 200

// Kind is the form of a token.
type Kind int

// The kinds.
const (
	Word Kind = iota
	// Number has a Value, and Plus if a plus sign follows it.
	Number
	Email
	// Profile is the address of a person's profile page, URL any other address.
	Profile
	URL
	// Domain is a host name: stripe.com.
	Domain
)

// Token is a word of a prompt.
type Token struct {
	Kind Kind
	// Text is the token as written, Norm its folded form: one word of [tokenizer.Tokens], without a possessive s.
	Text, Norm string
	// From and To are offsets in the prompt, in code points; To is exclusive.
	From, To int
	// Gap is the text between the previous token and this one, without spaces.
	Gap string
	// Spaced is true if the gap has a space or a line break.
	Spaced bool
	// Possessive is true for Stripe's and engineers'.
	Possessive bool
	// Quote is the number of the quotation that contains the token, from 1; 0 outside.
	Quote int
	// Value is the value of a number. Plus, Percent and Money report the signs written with it.
	Value                float64
	Plus, Percent, Money bool
}

// Capital reports whether the token begins with a capital.
func (t Token) Capital() bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return unicode.IsUpper(r)
}

// Shout reports whether the token has two or more letters, all capitals except the s of a plural (EMs).
func (t Token) Shout() bool {
	letters := 0
	for _, r := range strings.TrimSuffix(t.Text, "s") {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			letters++
		}
	}
	return letters > 1
}

// Comma reports whether a comma or a similar mark precedes the token.
func (t Token) Comma() bool { return strings.ContainsAny(t.Gap, ",;、，") }

// Slash reports whether a slash, ampersand, plus or bar precedes the token.
func (t Token) Slash() bool { return strings.ContainsAny(t.Gap, "/|&+") }

// Stop reports whether a sentence, a bracket or a line ends before the token.
func (t Token) Stop() bool { return strings.ContainsAny(t.Gap, ".!?:()[]{}–—•\n") }

// Split splits a prompt of any Unicode text into at most [Max] tokens.
func Split(text string) []Token {
	s := splitter{runes: []rune(text)}
	for i := 0; i < len(s.runes) && len(s.out) < Max; {
		end := i
		for end < len(s.runes) && !isSpace(s.runes[end]) {
			end++
		}
		if end == i {
			s.space(s.runes[i])
			i++
			continue
		}
		s.chunk(i, end)
		i = end
	}
	if len(s.out) > Max {
		s.out = s.out[:Max]
	}
	s.unwrap()
	s.initials()
	s.markEntries()
	joinLegalForms(s.out)
	return s.out
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

type splitter struct {
	runes  []rune
	out    []Token
	gap    []rune
	spaced bool
	dot    bool // whether a short word with a dot came last, which may end a sentence
	quote  int  // the number of the last quotation
	open   bool // whether it is open
}

func (s *splitter) space(r rune) {
	s.spaced = true
	if r == '\n' {
		s.gap = append(s.gap, r)
	}
}

// chunk splits the text between two spaces.
func (s *splitter) chunk(from, to int) {
	if to == from+1 && s.runes[from] == '@' { // swe @ stripe
		s.add(Token{Text: "at", Norm: "at", From: from, To: to})
		return
	}
	if s.isMinus(from, to) {
		s.mark(',') // no name goes on across it
		s.add(Token{Text: "-", Norm: "not", From: from, To: from + 1})
		from++
	}
	i, j := from, to
	for i < j && s.isMark(s.runes[i]) {
		s.mark(s.runes[i])
		i++
	}
	for i < j && s.isMark(s.runes[j-1]) && !s.ofMany(i, j) {
		j--
	}
	if i < j {
		s.core(i, j)
	}
	for _, r := range s.runes[j:to] {
		s.mark(r)
	}
}

// isMinus reports whether a text between spaces excludes a word: engineers -managers. At the begin of a line it is an
// entry of a list.
func (s *splitter) isMinus(from, to int) bool {
	return to > from+1 && s.runes[from] == '-' && unicode.IsLetter(s.runes[from+1]) && len(s.out) > 0 &&
		!slices.Contains(s.gap, '\n')
}

// isMark reports whether r can surround words without being part of one.
func (s *splitter) isMark(r rune) bool {
	return tokenizer.Invisible(r) || strings.ContainsRune("\"“”„«»‘’'()[]{}<>,;:!?…、，。•–—", r)
}

// ofMany reports whether the mark before j is a plural possessive apostrophe, as in engineers'.
func (s *splitter) ofMany(i, j int) bool {
	return j-i > 2 && (s.runes[j-1] == '\'' || s.runes[j-1] == '’') && (s.runes[j-2] == 's' || s.runes[j-2] == 'S')
}

// mark records a mark between tokens, and the start and end of quotations.
func (s *splitter) mark(r rune) {
	if strings.ContainsRune("\"“”„«»", r) {
		s.open = !s.open
		if s.open {
			s.quote++
		}
		return
	}
	if tokenizer.Invisible(r) {
		return
	}
	if n := len(s.out); r == '.' && n > 0 && len(s.gap) == 0 &&
		(len(s.out[n-1].Norm) <= shortened || words.In(words.Abbreviations, s.out[n-1].Norm)) {
		s.dot = true
		return
	}
	s.gap = append(s.gap, r)
}

// shortened is the maximum length of a word whose dot counts as an abbreviation's, unless a capital follows.
const shortened = 3

// endsSentence reports whether the dot after a short word ends a sentence before a token: in the
// UK. They, but not St. Gallen, J. Smith, U.S. Navy.
func (s *splitter) endsSentence(t Token) bool {
	if !s.dot || !s.spaced || !t.Capital() || len(s.gap) > 0 {
		return false
	}
	last := s.out[len(s.out)-1]
	numbered := len(s.out) > 1 && words.In(words.BeforeLetter, s.out[len(s.out)-2].Norm) // Series A. They
	return (len(last.Norm) > 1 || numbered) && !strings.Contains(last.Text, ".") &&
		!words.In(words.Abbreviations, last.Norm)
}

// core splits a chunk without the marks around it: an address, a number, one word, or several with marks between.
func (s *splitter) core(from, to int) {
	end := to
	for end > from+1 && s.runes[end-1] == '.' {
		end--
	}
	text := string(s.runes[from:end])
	if kind, ok := address(text); ok {
		s.add(Token{Kind: kind, Text: text, Norm: tokenizer.Fold(text), From: from, To: end})
		return
	}
	s.words(from, to)
}

// words splits a chunk into its words.
func (s *splitter) words(from, to int) {
	for i := from; i < to; {
		if n, t := s.number(i, to); n > 0 {
			s.add(t)
			i += n
			continue
		}
		n, t := s.word(i, to)
		if n == 0 {
			s.mark(s.runes[i])
			i++
			continue
		}
		s.add(t)
		i += n
	}
}

func (s *splitter) add(t Token) {
	if s.endsSentence(t) {
		s.gap = append(s.gap, '.')
	}
	s.dot = false
	t.Gap, t.Spaced = string(s.gap), s.spaced || len(s.out) == 0
	if strings.HasSuffix(t.Gap, ",\n") { // a list goes on in the next line
		t.Gap = t.Gap[:len(t.Gap)-1]
	}
	if s.open {
		t.Quote = s.quote
	}
	s.gap, s.spaced = nil, false
	s.out = append(s.out, t)
}
