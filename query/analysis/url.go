package analysis

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"

	"kith"
	"kith/query/tokenizer"
)

// URLKey returns the host and path that compare URLs: without scheme, user, default port, `www.`, query, fragment,
// trailing slashes and invisible characters, with percent escapes resolved and letters composed, in lower case, the
// host as [kith.NormalDomain] writes it. ok is false for anything but a site's address: a host has a dot and no white
// space.
func URLKey(raw string) (key string, ok bool) {
	s := tokenizer.Trimmed(raw)
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[i+3:]
	} else {
		s = strings.TrimPrefix(s, "//")
	}
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	host, path, _ := strings.Cut(s, "/")
	host, ok = hostKey(host)
	if !ok {
		return "", false
	}
	path, ok = pathKey(path)
	if !ok {
		return "", false
	}
	if path == "" {
		return tokenizer.Cut(host, tokenizer.MaxKey), true
	}
	return tokenizer.Cut(host+"/"+path, tokenizer.MaxKey), true
}

func hostKey(host string) (string, bool) {
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	host = tokenizer.Visible(host)
	host = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443"))
	host = strings.TrimSuffix(strings.TrimPrefix(host, "www."), ".")
	if !strings.Contains(host, ".") || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return "", false
	}
	return kith.NormalDomain(host), strings.IndexFunc(host, notInHost) < 0
}

func notInHost(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '.' && r != '-' && r != '_' &&
		r != ':'
}

func pathKey(path string) (string, bool) {
	if strings.Contains(path, "%") {
		if plain, err := url.PathUnescape(path); err == nil {
			path = plain
		}
	}
	path = norm.NFC.String(strings.ToLower(tokenizer.Visible(strings.ToValidUTF8(path, ""))))
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return strings.Trim(path, "/"), strings.IndexFunc(path, notInPath) < 0
}

func notInPath(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }

// SiteKey returns the part of a site's URL key that identifies the company: the host, or the whole key on a host
// shared by many companies.
func SiteKey(key string) string {
	host, path, _ := strings.Cut(key, "/")
	if path == "" {
		return host
	}
	for domain, more := host, true; more; _, domain, more = strings.Cut(domain, ".") {
		if words().sharedSites[domain] {
			return key
		}
	}
	return host
}

// SiteName returns the name in the key of a site, such as stripe for pay.stripe.co.uk; "" on a host shared by many
// companies.
func SiteName(siteKey string) string {
	domain, err := publicsuffix.EffectiveTLDPlusOne(siteKey)
	if err != nil || strings.Contains(siteKey, "/") {
		return ""
	}
	name, _, _ := strings.Cut(domain, ".")
	return name
}

// SocialID returns the social identifier of a profile URL: its last path segment, in lower case. Other values are
// treated as an identifier; "" if there is none.
func SocialID(raw string) string {
	key, ok := URLKey(raw)
	if !ok || !strings.Contains(raw, "/") {
		return bareID(raw)
	}
	if i := strings.LastIndexByte(key, '/'); i >= 0 {
		return key[i+1:]
	}
	return ""
}

// bareID normalizes an identifier without a URL.
func bareID(raw string) string {
	id, ok := pathKey(strings.TrimPrefix(tokenizer.Trimmed(raw), "@"))
	if !ok {
		return ""
	}
	return tokenizer.Cut(id[strings.LastIndexByte(id, '/')+1:], tokenizer.MaxKey)
}
