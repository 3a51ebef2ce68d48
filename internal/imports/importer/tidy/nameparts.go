package tidy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"kith/query/analysis"
	"kith/query/tokenizer"
)

// singleQuoted matches a nickname in apostrophes, but not an apostrophe within a name: Robert 'Bob' O'Neil.
var singleQuoted = regexp.MustCompile(`\s['‘’][^\s'‘’]+['‘’]\s`)

// brackets are all opening brackets, quotation marks and apostrophes.
const brackets = "([{（\"“„«'‘’"

// withoutBrackets removes text in brackets and quotation marks: pronouns, maiden names,
// nicknames, other scripts. A name entirely in brackets remains.
func withoutBrackets(s string) string {
	if !strings.ContainsAny(s, brackets) {
		return s
	}
	out := singleQuoted.ReplaceAllString(s, " ")
	for _, pair := range []string{"()", "[]", "{}", "（）", "\"\"", "“”", "„“", "«»"} {
		marks := []rune(pair)
		for range 4 {
			from := strings.IndexRune(out, marks[0])
			if from < 0 {
				break
			}
			after := from + len(string(marks[0]))
			length := strings.IndexRune(out[after:], marks[1])
			if length < 0 {
				if marks[0] == '(' || marks[0] == '（' || marks[0] == '[' { // cut off
					out = out[:from]
				}
				break
			}
			out = out[:from] + " " + out[after+length+len(string(marks[1])):]
		}
	}
	if !hasLetters(out) {
		return strings.Trim(s, "()[]{}（）\"“”„«» ")
	}
	return out
}

// withoutScripts removes the repetition of a Latin name in another script.
func withoutScripts(ws []string) []string {
	if len(ws) < 2 || !isLatin(ws[0]) {
		return ws
	}
	return slices.DeleteFunc(ws, func(w string) bool { return hasLetters(w) && !isLatin(w) })
}

func isLatin(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

// beforeBar cuts other text from the end of a name: Jane Doe | Acme, Jane Doe - Hiring, Jane Doe @ Acme.
func beforeBar(s string) string {
	for _, bar := range []string{"|", "•", "·", " - ", " – ", " — ", " @ ", " @", " / ", "//", " at ", "~", " bei "} {
		if head, tail, ok := strings.Cut(s, bar); ok && hasLetters(head) && (bar != " at " || tail != "") {
			s = head
		}
	}
	return s
}

// aroundComma handles Doe, Jane and removes the degree in Jane Doe, PhD.
func aroundComma(s string) string {
	head, tail, ok := strings.Cut(s, ",")
	if !ok {
		return s
	}
	head = strings.TrimSpace(head)
	var kept []string
	generation := ""
	for part := range strings.SplitSeq(tail, ",") {
		ws := strings.Fields(part)
		if len(ws) > 0 && suffixOf(ws[0]) != "" {
			generation, ws = " "+suffixOf(ws[0]), ws[1:]
		}
		for len(ws) > 0 && (isLetters(ws[len(ws)-1], true) || isCode(ws[len(ws)-1], head)) {
			ws = ws[:len(ws)-1]
		}
		if len(ws) > 0 {
			kept = append(kept, strings.Join(ws, " "))
		}
	}
	first := ""
	if len(kept) == 1 {
		first = kept[0]
	}
	if first != "" && !isLettersPhrase(first) && isFirstName(first, head) && len(strings.Fields(head)) <= 3 {
		return first + " " + head + generation
	}
	return head + generation
}

// isFirstName reports whether text after a comma can be a first name: at most three words, capitalised if the name is.
func isFirstName(text, head string) bool {
	ws := strings.Fields(text)
	_, large := letters(head)
	small := slices.ContainsFunc(ws, func(w string) bool { _, capitals := letters(w); return capitals == 0 })
	return len(ws) <= 3 && !isCompany(text) && (large == 0 || !small)
}

// isLettersPhrase reports whether a text is a post-nominal of several words, such as Assoc CIPD.
func isLettersPhrase(s string) bool {
	_, ok := words().postnominals[strings.ToLower(s)]
	return ok
}

func isCompany(s string) bool { return len(analysis.CompanyName(s)) < len(tokenizer.Tokens(s)) }

// isLetters reports whether a word is a post-nominal (letters after a name). One that is
// also a name counts only after a comma or with full stops.
func isLetters(word string, afterComma bool) bool {
	word = strings.Trim(word, ".,;()®™")
	isName, known := words().postnominals[strings.ToLower(strings.ReplaceAll(word, ".", ""))]
	if !known {
		isName, known = words().postnominals[strings.ToLower(word)]
	}
	return known && (!isName || afterComma || strings.Contains(word, "."))
}

// isCode reports whether a word looks like an unlisted certificate: several capitals after
// a mixed-case name, or digits.
func isCode(word, name string) bool {
	inName, _ := letters(name)
	small, large := letters(word)
	return strings.ContainsAny(word, "0123456789®™") || inName > 0 && large >= 2 && large > small
}

// withoutLetters removes post-nominals at the end of a name. If they may also be a name,
// it removes them only in capitals and after two other words.
func withoutLetters(ws []string) []string {
	capitals := !slices.ContainsFunc(ws, func(w string) bool { small, _ := letters(w); return small > 0 })
	for len(ws) > 1 {
		last := ws[len(ws)-1]
		isName := words().postnominals[strings.ToLower(strings.Trim(last, ".,"))]
		_, large := letters(last)
		inCapitals := large >= 2 && !capitals && len(ws) > 2
		if !isLetters(last, isName && inCapitals) {
			break
		}
		ws = ws[:len(ws)-1]
	}
	return ws
}

// withoutPrefixes removes forms of address, but never the only word.
func withoutPrefixes(ws []string) []string {
	for n := len(ws); len(ws) > 1; ws = ws[1:] {
		if len(ws) < n && isAfterPrefix(ws[0]) {
			continue
		}
		w := strings.ToLower(strings.Trim(ws[0], ".,"))
		dotted := strings.HasSuffix(ws[0], ".")
		if !isPrefix(w) || len(w) <= 2 && !dotted && !isTitle(w) {
			break
		}
	}
	return ws
}

// isAfterPrefix reports whether a word continues a form of address: Dr. med., Mr. & Mrs.
func isAfterPrefix(w string) bool {
	return w == "&" || w == "and" || w == "und" || w == strings.ToLower(w) && strings.HasSuffix(w, ".") && hasLetters(w)
}

// isPrefix reports whether a word is a form of address, possibly a compound: dr.-ing.
func isPrefix(w string) bool {
	for part := range strings.SplitSeq(w, "-") {
		part = strings.TrimSuffix(part, ".")
		if !words().prefixes[part] && !words().prefixes[strings.ReplaceAll(part, ".", "")] {
			return words().prefixes[w]
		}
	}
	return true
}

// isTitle reports short forms of address without a full stop. Other pairs of letters may be initials.
func isTitle(w string) bool {
	return slices.Contains([]string{"dr", "mr", "ms", "mx", "sr", "hr", "fr"}, w)
}

// withoutPronouns removes she/her and he / him outside brackets.
func withoutPronouns(ws []string) []string {
	joined := strings.Join(ws, " ")
	if !strings.Contains(joined, "/") {
		return ws
	}
	joined = strings.ReplaceAll(strings.ReplaceAll(joined, " /", "/"), "/ ", "/")
	return slices.DeleteFunc(strings.Fields(joined), func(w string) bool {
		parts := strings.Split(strings.ToLower(strings.Trim(w, "()[],.")), "/")
		return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !words().pronouns[p] })
	})
}

// employers are companies whose names may follow a person's name.
type employers struct {
	names []string
	words [][]string
}

// all returns the words of each company name, computed on first use.
func (e *employers) all() [][]string {
	for _, name := range e.names {
		text := Text(name)
		if tokens := tokenizer.Tokens(text); len(tokens) > 0 {
			e.words = append(e.words, tokens)
		}
		if short := analysis.CompanyName(text); len(short) > 0 {
			e.words = append(e.words, short)
		}
	}
	e.names = nil
	return e.words
}

// withoutCompany removes a company from the end of a name if at least one word remains, or two of a full name if the
// company is one word. It returns nothing if the name is the company.
func withoutCompany(ws []string, companies *employers, of field) []string {
	if len(ws) < 2 { // no word would remain
		return ws
	}
	tokens := tokenizer.Tokens(strings.Join(ws, " "))
	for _, company := range companies.all() {
		n := len(tokens) - len(company)
		if n == 0 && slices.Equal(tokens, company) {
			return nil
		}
		if n < 1 || !slices.Equal(tokens[n:], company) || n < 2 && len(company) < 2 && of == wholeName {
			continue
		}
		for i := range ws {
			if len(tokenizer.Tokens(strings.Join(ws[:i], " "))) == n {
				return ws[:i]
			}
		}
	}
	return ws
}

// IsLetters reports whether a text is a post-nominal or suffix after a comma: PhD, MBA.
func IsLetters(s string) bool { return isLettersPhrase(s) || isLetters(s, true) || suffixOf(s) != "" }
