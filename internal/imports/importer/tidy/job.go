package tidy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith/query/analysis"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// Title returns the title of a job in its usual case, without emoji and without the company of the job.
func Title(s, company string) string {
	title, at := splitTitle(clean(s))
	if at != "" && company != "" && slices.Equal(analysis.CompanyName(at), analysis.CompanyName(company)) {
		return Cased(strings.TrimSpace(title))
	}
	return Cased(clean(s))
}

// TitleAndCompany splits CTO at Acme; company is "" if the text names none, as in Helping people at scale.
func TitleAndCompany(s string) (title, company string) {
	title, company = splitTitle(clean(s))
	if _, large := letters(s); large > 0 && company != "" {
		if r, _ := utf8.DecodeRuneInString(company); unicode.IsLower(r) {
			return Cased(clean(s)), ""
		}
	}
	return Cased(title), Company(company)
}

func splitTitle(s string) (title, company string) {
	for _, at := range []string{" at ", " @ ", " @", " bei ", " chez ", " presso "} {
		if i := strings.LastIndex(s, at); i > 0 {
			return s[:i], strings.TrimSpace(s[i+len(at):])
		}
	}
	return s, ""
}

// Company returns the name of a company in its usual case, including the legal form. It
// drops the text after a middle dot (Acme · Full-time) or a semicolon.
func Company(s string) string {
	s, _, _ = strings.Cut(clean(s), " · ")
	s, _, _ = strings.Cut(s, ";")
	return Cased(strings.TrimSpace(s))
}

// Industry returns the name of an industry. It also accepts constants: COMPUTER_SOFTWARE.
func Industry(s string) string { return Cased(strings.ReplaceAll(clean(s), "_", " ")) }

func clean(s string) string {
	s = Text(s)
	if tokenizer.IsASCII(s) {
		return strings.Trim(s, " ,;|*")
	}
	return strings.Trim(strings.Join(strings.Fields(withoutSymbols(s)), " "), " ,;|*•·")
}

// Degree separates the degree from the field of study: BSc - Economics, Master of Science
// - MS, Physics.
func Degree(s string) (degree, field string) {
	degree = Cased(Text(s))
	for _, mark := range []string{" - ", " – ", ", ", ": "} {
		head, tail, ok := strings.Cut(degree, mark)
		if !ok || !isDegree(head) {
			continue
		}
		var kept []string
		for part := range strings.SplitSeq(tail, ", ") {
			if !isDegree(part) && !isAbbreviation(part) {
				kept = append(kept, part)
			}
		}
		return head, strings.Join(kept, ", ")
	}
	return degree, ""
}

func isDegree(s string) bool {
	ws := taxonomy.Degree(s)
	return len(ws) > 0 && slices.Contains([]string{
		"bachelor", "bachelors", "master", "masters", "mba", "doctor", "phd", "diploma",
	}, ws[0])
}

func isAbbreviation(s string) bool {
	small, large := letters(s)
	return len(s) <= 6 && large >= 2 && large > small
}
