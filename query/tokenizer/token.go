package tokenizer

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxToken is the longest token in bytes; longer words are cut, in documents and in queries. Postgres rejects index
// entries over some 2,700 bytes.
const maxToken = 100

// maxTokens is the most tokens of one value; the rest is ignored. It limits the cost of a record.
const maxTokens = 1000

// MaxKey is the longest key or whole-value term, in bytes.
const MaxKey = 500

// Tokens returns the folded words of s, at most 1,000, each at most 100 bytes.
//
// A word is a run of letters and digits. Hyphens, slashes and other marks separate words. Exceptions: an apostrophe
// inside a word is dropped (O'Neil → oneil); an ampersand between one or two letters on each side stays (AT&T →
// at&t); C++, C#, F# and .NET stay; a dot stays before the ending of a site or file (Node.js, booking.com) and in
// numbers; dots between single letters are dropped (U.S.A. → usa). Each Han character or kana is a word.
func Tokens(s string) []string {
	var few [24]string // enough for most values, which then need one allocation
	tokens := few[:0]
	sc := Scanner{Text: Fold(s)}
	for len(tokens) < maxTokens {
		tok, _, ok := sc.Next()
		if !ok {
			break
		}
		tokens = append(tokens, tok)
	}
	if len(tokens) == 0 {
		return nil
	}
	return append(make([]string, 0, len(tokens)), tokens...)
}

// Scanner cuts folded text into words.
type Scanner struct {
	Text string
	Pos  int
}

// Next returns the next word and its offset.
func (sc *Scanner) Next() (tok string, start int, ok bool) {
	for sc.Pos < len(sc.Text) {
		r, size := sc.at(sc.Pos)
		switch {
		case IsIdeograph(r):
			start = sc.Pos
			sc.Pos += size
			return sc.Text[start:sc.Pos], start, true
		case isWord(r):
			tok, start = sc.word()
			return tok, start, true
		case r == '.' && sc.dotNet():
			start = sc.Pos
			sc.Pos += len(".net")
			return ".net", start, true
		}
		sc.Pos += size
	}
	return "", sc.Pos, false
}

// word reads the word at the current position.
func (sc *Scanner) word() (string, int) {
	start := sc.Pos
	from := start     // start of the part after the last dropped character
	var joined []byte // the parts before it
	for sc.Pos < len(sc.Text) {
		r, size := sc.at(sc.Pos)
		if isWord(r) && !IsIdeograph(r) {
			sc.Pos += size
			continue
		}
		keep, drop := sc.joiner(r, start)
		if keep == 0 && drop == 0 {
			break
		}
		if r == '+' || r == '#' { // these only end a word
			sc.Pos += keep
			break
		}
		if drop > 0 {
			joined = append(joined, sc.Text[from:sc.Pos]...)
			from = sc.Pos + drop
		}
		sc.Pos += keep + drop
	}
	if joined == nil {
		return Cut(sc.Text[start:sc.Pos], maxToken), start
	}
	return Cut(string(append(joined, sc.Text[from:sc.Pos]...)), maxToken), start
}

// joiner decides on a non-letter inside or after a word. keep is the number of its bytes that belong to the word;
// drop is the number to skip while the word continues.
func (sc *Scanner) joiner(r rune, start int) (keep, drop int) {
	p := sc.Pos
	switch {
	case r == '\'' && sc.wordAt(p+1):
		return 0, 1
	case r == '.':
		return sc.dot(start)
	case r == '&' && p-start <= 2 && sc.isShort(p+1):
		return 1, 0
	case r == '+' && sc.isPlusPlus(p):
		return 2, 0
	case r == '#' && p == start+1 && IsLetter(sc.Text[start]) && !sc.wordAt(p+1):
		return 1, 0
	}
	return 0, 0
}

// isShort reports whether a run of one or two letters begins at p.
func (sc *Scanner) isShort(p int) bool {
	n := sc.runAt(p)
	return n == 1 || n == 2
}

// isPlusPlus reports whether p is the first plus of C++ or similar, but not that of "10+".
func (sc *Scanner) isPlusPlus(p int) bool {
	return p+1 < len(sc.Text) && sc.Text[p+1] == '+' && !sc.wordAt(p+2) && IsLetter(sc.Text[p-1])
}

// dot decides on a dot after a word.
func (sc *Scanner) dot(start int) (keep, drop int) {
	p := sc.Pos
	after := sc.runAt(p + 1)
	switch {
	case after == 0:
		return 0, 0
	case after == 1 && IsLetter(sc.Text[p+1]) && sc.singleBefore(start):
		return 0, 1 // U.S.A.
	case IsDigit(sc.Text[p-1]) && IsDigit(sc.Text[p+1]):
		return 1, 0 // 3.5
	case isEnding(sc.Text[p+1 : p+1+after]):
		return 1, 0 // node.js, booking.com
	}
	return 0, 0
}

// singleBefore reports whether the word so far consists of single letters with dots.
func (sc *Scanner) singleBefore(start int) bool {
	p := sc.Pos
	return IsLetter(sc.Text[p-1]) && (p-1 == start || sc.Text[p-2] == '.')
}

// isEnding lists endings of sites and of names like Node.js; they keep their dot.
func isEnding(s string) bool {
	switch s {
	case "js", "ts", "net", "com", "org", "io", "ai", "co", "app", "dev", "de", "uk", "eu", "fr", "ch", "tv", "fm",
		"ly", "me", "gg":
		return true
	}
	return false
}

func (sc *Scanner) dotNet() bool {
	p := sc.Pos
	return len(sc.Text)-p >= 4 && sc.Text[p:p+4] == ".net" && !sc.wordAt(p+4)
}

func (sc *Scanner) at(p int) (rune, int) {
	if c := sc.Text[p]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(sc.Text[p:])
}

// wordAt reports whether a word character starts at p.
func (sc *Scanner) wordAt(p int) bool {
	if p >= len(sc.Text) {
		return false
	}
	r, _ := sc.at(p)
	return isWord(r)
}

// runAt counts the ASCII word characters at p, up to 8; 0 if they continue in another script.
func (sc *Scanner) runAt(p int) int {
	n := 0
	for p+n < len(sc.Text) && n < 8 && isWordByte(sc.Text[p+n]) {
		n++
	}
	if sc.wordAt(p+n) && n < 8 {
		return 0
	}
	return n
}

func isWordByte(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsLetter reports whether c is an ASCII letter in lower case.
func IsLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordByte(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// IsIdeograph reports whether r belongs to a script without spaces, in which each character is a word.
func IsIdeograph(r rune) bool {
	switch {
	case r < 0x3005:
		return false
	case r <= 0x3007, r >= 0x3041 && r <= 0x30FF && r != 0x30FB,
		r >= 0x3400 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return true
	}
	return false
}

// Cut shortens s to at most n bytes, at a character boundary.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// AppendNew appends those of more that list lacks.
func AppendNew(list, more []string) []string {
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}
