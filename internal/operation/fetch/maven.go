package fetch

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// mavenSettings is what matters here of a settings.xml.
type mavenSettings struct {
	Mirrors []mirror `xml:"mirrors>mirror"`
	Servers []struct {
		ID       string `xml:"id"`
		Username string `xml:"username"`
		Password string `xml:"password"`
	} `xml:"servers>server"`
}

type mirror struct {
	ID  string `xml:"id"`
	URL string `xml:"url"`
	Of  string `xml:"mirrorOf"`
	// from is the file.
	from string
}

// mavenMirror returns the mirror of Maven Central, with its credentials, or Maven Central itself if the settings name
// none. As in Maven, the user's settings precede those of the installation, and a mirror of exactly "central" precedes
// patterns.
func mavenMirror() (*url.URL, error) {
	all, err := readMaven()
	if err != nil {
		return nil, err
	}
	for _, matches := range []func(string) bool{func(of string) bool { return of == "central" }, matchesCentral} {
		for _, m := range all.Mirrors {
			if matches(strings.TrimSpace(m.Of)) {
				return all.locate(m)
			}
		}
	}
	return url.Parse(mavenCentral)
}

func (s mavenSettings) locate(m mirror) (*url.URL, error) {
	u, err := ParseAddress(expand(strings.TrimSpace(m.URL)), m.from)
	if err != nil {
		return nil, err
	}
	for _, server := range s.Servers {
		if server.ID == m.ID && server.Username != "" {
			u.User = url.UserPassword(expand(server.Username), expand(server.Password))
			break
		}
	}
	return u, nil
}

// matchesCentral reports whether the pattern of a mirror includes Maven Central.
func matchesCentral(of string) bool {
	found := false
	for one := range strings.SplitSeq(of, ",") {
		switch strings.TrimSpace(one) {
		case "central":
			return true
		case "!central":
			return false
		case "*", "external:*":
			found = true
		}
	}
	return found
}

// readMaven reads the settings of the user and then those of the installation.
func readMaven() (all mavenSettings, err error) {
	for _, path := range mavenFiles() {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return all, err
		}
		var one mavenSettings
		if err := xml.Unmarshal(text, &one); err != nil {
			return all, fmt.Errorf("%s: %w", path, err)
		}
		for _, m := range one.Mirrors {
			m.from = path
			all.Mirrors = append(all.Mirrors, m)
		}
		all.Servers = append(all.Servers, one.Servers...)
	}
	return all, nil
}

func mavenFiles() (paths []string) {
	if home, err := os.UserHomeDir(); err == nil {
		paths = append(paths, filepath.Join(home, ".m2", "settings.xml"))
	}
	for _, name := range []string{"MAVEN_HOME", "M2_HOME"} {
		if dir := os.Getenv(name); dir != "" {
			paths = append(paths, filepath.Join(dir, "conf", "settings.xml"))
		}
	}
	if program, err := exec.LookPath("mvn"); err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			paths = append(paths, filepath.Join(filepath.Dir(real), "..", "conf", "settings.xml"))
		}
	}
	return append(paths, "/usr/share/maven/conf/settings.xml", "/etc/maven/settings.xml")
}
