package tidy

import (
	"net/mail"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"kith"
	"kith/query/analysis"
)

// Emails returns the distinct addresses in cells, in lower case. It splits at white space and punctuation, accepts Jane
// Doe <jane@example.com> and mailto:, and skips anything else.
func Emails(cells ...string) []string {
	var all []string
	for _, cell := range cells {
		for _, s := range strings.FieldsFunc(cell,
			func(r rune) bool { return strings.ContainsRune(" \t\r\n,;|<>()\"", r) || r == '\u00a0' }) {
			s = strings.TrimRight(strings.ToLower(analysis.Address(strings.Trim(s, "'.[]"))), ".")
			if isAddress(s) && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

func isAddress(s string) bool {
	_, domain, _ := strings.Cut(s, "@")
	return kith.ValidEmail(s) && strings.Contains(domain, ".") && !words().noAddresses[s]
}

// Mailbox parses one address of a mail header or a calendar. name is empty if the header has none.
func Mailbox(a *mail.Address) (name, email string) {
	if all := Emails(a.Address); len(all) > 0 && !strings.ContainsAny(a.Address, "\" ") { // not part of a quoted one
		email = all[0]
	}
	if a.Name == "" || strings.Contains(a.Name, "@") {
		return "", email
	}
	return Person(Names{Full: strings.Trim(a.Name, "'")}).Full, email
}

// AddressName returns the name in jane.doe@example.com, or "" if the address does not clearly have one.
func AddressName(address string) string {
	local, _, _ := strings.Cut(address, "@")
	for word := range strings.FieldsFuncSeq(local, func(r rune) bool { return strings.ContainsRune("._-+", r) }) {
		if analysis.IsOffice(word + "@") {
			return ""
		}
	}
	return Person(Names{Full: address}).Full
}

// Employer returns the site and the name of the company that an address belongs to; both are empty for an e-mail
// provider and for anything but a registered domain. The name is the domain without its ending.
func Employer(address string) (site, name string) {
	_, host, _ := strings.Cut(address, "@")
	site, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(host))
	if err != nil || analysis.IsMailProvider(host) || analysis.IsMailProvider(site) || Domain(site) == "" {
		return "", ""
	}
	name, _, _ = strings.Cut(site, ".")
	if unicode, err := idna.ToUnicode(name); err == nil {
		name = unicode
	}
	if utf8.RuneCountInString(name) <= maxInitials {
		return site, strings.ToUpper(name)
	}
	return site, Company(strings.ReplaceAll(name, "-", " "))
}

// maxInitials is the length of domains that are probably initials: ibm.com, sap.com.
const maxInitials = 3

// site is a site with profiles.
type site struct {
	host string // the canonical host of profiles
	// people and companies are the first segments of profile paths; - means that the segment is the name.
	people, companies []string
}

var sites = sync.OnceValue(func() map[string]site {
	all := map[string]site{}
	for _, line := range lines("sites.tsv") {
		f := strings.Split(line, "\t")
		all[f[0]] = site{host: f[1], people: strings.Fields(f[2]), companies: strings.Fields(f[3])}
	}
	return all
})

// Profile returns the canonical URL of a person's profile, or "". On unknown sites it accepts any path.
func Profile(s string) string { return profile(s, func(s site) []string { return s.people }) }

// CompanyProfile is the same for companies.
func CompanyProfile(s string) string {
	return profile(s, func(s site) []string { return s.companies })
}

func profile(s string, begins func(site) []string) string {
	key, ok := analysis.URLKey(strings.Trim(Text(s), "<>\"'"))
	host, path, found := strings.Cut(key, "/")
	if !ok || !found || path == "" {
		return ""
	}
	known, ok := findSite(host)
	if !ok {
		return "https://" + key
	}
	segments := strings.Split(path, "/")
	if raw := strings.Split(s, "/"); len(segments) > 1 { // an id in a URL may be case-sensitive
		for _, part := range raw {
			part, _, _ = strings.Cut(part, "?")
			if strings.HasPrefix(part, "ACo") && strings.EqualFold(part, segments[1]) {
				segments[1] = part
			}
		}
	}
	for _, begin := range begins(known) {
		switch {
		case begin == "-" && len(segments) >= 1:
			return "https://" + known.host + "/" + segments[0]
		case begin == segments[0] && len(segments) >= 2 && segments[1] != "":
			return "https://" + known.host + "/" + segments[0] + "/" + segments[1]
		}
	}
	return ""
}

// IsProfileSite reports whether a URL is a person's profile on a known site.
func IsProfileSite(s string) bool {
	key, ok := analysis.URLKey(Text(s))
	host, _, _ := strings.Cut(key, "/")
	_, known := findSite(host)
	return ok && known && Profile(s) != ""
}

func findSite(host string) (site, bool) {
	for {
		if known, ok := sites()[host]; ok {
			return known, true
		}
		var more bool
		if _, host, more = strings.Cut(host, "."); !more {
			return site{}, false
		}
	}
}

// Domain returns the host of a company's site, or that of an e-mail address. It returns ""
// for a page on a shared site and for anything else.
func Domain(s string) string {
	s = Text(s)
	if i := strings.LastIndexByte(s, '@'); i >= 0 && !strings.Contains(s, "/") {
		s = s[i+1:]
	}
	key, ok := analysis.URLKey(s)
	if !ok {
		return ""
	}
	if site := analysis.SiteKey(key); !strings.Contains(site, "/") {
		host, _, _ := strings.Cut(site, ":")
		if _, profiles := findSite(host); profiles {
			return ""
		}
		return host
	}
	return ""
}

// IsMachine reports whether an address is automated: noreply@, notifications@, anything at reply.example.com, or a long
// local part of random letters and digits.
func IsMachine(address string) bool {
	local, domain, _ := strings.Cut(strings.ToLower(address), "@")
	local, _, _ = strings.Cut(local, "+")
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return r
	}, local)
	host, _, _ := strings.Cut(domain, ".")
	for _, sign := range words().machines {
		if at, ok := strings.CutPrefix(sign, "@"); ok {
			if host == at && strings.Count(domain, ".") > 1 {
				return true
			}
			continue
		}
		if begin, ok := strings.CutSuffix(sign, "*"); ok && strings.HasPrefix(plain, begin) || plain == sign {
			return true
		}
	}
	return isRandom(plain)
}

// isRandom reports whether a local part is a key of a machine rather than a name.
func isRandom(local string) bool {
	digits := 0
	for _, r := range local {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return len(local) >= 20 && digits >= 6
}
