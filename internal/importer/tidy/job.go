package tidy

import (
	"slices"
	"strings"

	"kith/index/analysis"
)

// Title is the title of a job with its capitals, without emoji, and without the
// company that it is said to be at.
func Title(s, company string) string {
	title, at := splitTitle(clean(s))
	if at != "" && company != "" && slices.Equal(analysis.CompanyName(at), analysis.CompanyName(company)) {
		return Cased(strings.TrimSpace(title))
	}
	return Cased(clean(s))
}

// TitleAndCompany reads CTO at Acme; the company is empty where the text names none.
func TitleAndCompany(s string) (title, company string) {
	title, company = splitTitle(clean(s))
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

// Company is the name of a company with its capitals; the legal form stays. What
// says no company, or follows a middle dot (Acme · Full-time), is left out.
func Company(s string) string {
	s, _, _ = strings.Cut(clean(s), " · ")
	return Cased(strings.TrimSpace(s))
}

func clean(s string) string {
	s = Text(s)
	if isASCII(s) {
		return strings.Trim(s, " ,;|*")
	}
	return strings.Trim(strings.Join(strings.Fields(withoutSymbols(s)), " "), " ,;|*•·")
}
