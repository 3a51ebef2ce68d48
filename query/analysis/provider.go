package analysis

import "strings"

// IsMailProvider reports whether anyone can get an address at a domain, so that the domain names no employer.
func IsMailProvider(domain string) bool {
	domain = strings.ToLower(domain)
	name, ending, _ := strings.Cut(domain, ".")
	return words().providers[domain] || words().providers[name+".*"] && isEnding(ending)
}

// isEnding reports whether a text is the ending of domains: com or co.uk, but not example.com.
func isEnding(text string) bool {
	second, top, two := strings.Cut(text, ".")
	return len(second) > 0 && (!two || len(second) <= 3 && len(top) == 2)
}
