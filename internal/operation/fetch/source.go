package fetch

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// Source is the place of a file in a public registry. A mirror that the machine is configured for replaces the
// registry.
type Source interface {
	// File is the name of the file.
	File() string
	// Address returns the address of the file. It may have to ask the registry by f.
	Address(ctx context.Context, f *Fetcher) (*url.URL, error)
}

const mavenCentral = "https://repo.maven.apache.org/maven2"

// Maven is a file of Maven Central, or of the mirror of it in Maven's settings.
type Maven struct{ Group, Name, Version, Extension string }

// File implements [Source].
func (m Maven) File() string { return m.Name + "-" + m.Version + "." + m.Extension }

// Address implements [Source].
func (m Maven) Address(context.Context, *Fetcher) (*url.URL, error) {
	base, err := mavenMirror()
	if err != nil {
		return nil, err
	}
	return base.JoinPath(strings.ReplaceAll(m.Group, ".", "/"), m.Name, m.Version, m.File()), nil
}

// expand replaces ${env.NAME} and ${user.home} in a value of Maven's settings.
func expand(value string) string {
	return placeholder.ReplaceAllStringFunc(value, func(whole string) string {
		name := whole[2 : len(whole)-1]
		if variable, ok := strings.CutPrefix(name, "env."); ok {
			return os.Getenv(variable)
		}
		if home, err := os.UserHomeDir(); err == nil && name == "user.home" {
			return home
		}
		return whole
	})
}

var placeholder = regexp.MustCompile(`\$\{[^}]*\}`)

// ParseAddress reads the address of a mirror from the settings, which the error names.
func ParseAddress(text, from string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err == nil && u.Scheme != "http" && u.Scheme != "https" {
		err = fmt.Errorf("%q must begin with https:// or http://", u.Redacted())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return u, nil
}
