// Package packages locates files of PyPI and npm, for tests and for the commands that generate tables. A mirror that
// pip or npm is configured for replaces the registry.
package packages

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kith/internal/operation/fetch"
)

// PyPI is a file of a project on PyPI, or on the index in pip's settings.
type PyPI struct{ Project, Name string }

// File is the name of the file.
func (p PyPI) File() string { return p.Name }

// maxIndex limits the page of a project.
const maxIndex = 16 << 20

// Address looks the file up in the page of the project, whose links may lead to another host.
func (p PyPI) Address(ctx context.Context, f *fetch.Fetcher) (*url.URL, error) {
	index, err := pipIndex()
	if err != nil {
		return nil, err
	}
	page := index.JoinPath(p.Project, "/")
	accept := "application/vnd.pypi.simple.v1+html, text/html;q=0.5"
	res, err := f.Get(ctx, page, http.Header{"Accept": {accept}})
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxIndex))
	if err != nil {
		return nil, fetch.Temporary{Err: fmt.Errorf("%s: %w", page.Redacted(), err)}
	}
	for _, link := range link.FindAllStringSubmatch(string(text), -1) {
		u, err := res.Request.URL.Parse(html.UnescapeString(cmp.Or(link[1], link[2])))
		if err != nil || !strings.HasSuffix(u.Path, "/"+p.Name) {
			continue
		}
		u.Fragment = ""
		if u.Host == page.Host && u.User == nil {
			u.User = page.User
		}
		return u, nil
	}
	return nil, fmt.Errorf("%s does not list %s", page.Redacted(), p.Name)
}

var link = regexp.MustCompile(`(?i)<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// pipIndex returns pip's index: from the environment, else from the first of pip's files that names one, else PyPI.
func pipIndex() (*url.URL, error) {
	if address := os.Getenv("PIP_INDEX_URL"); address != "" {
		return fetch.ParseAddress(address, "$PIP_INDEX_URL")
	}
	for _, path := range pipFiles() {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		address, err := pipSetting(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if address != "" {
			return fetch.ParseAddress(address, path)
		}
	}
	return url.Parse("https://pypi.org/simple")
}

// pipSetting returns the index in a file of pip. The section of a command precedes the section for all.
func pipSetting(f io.Reader) (address string, err error) {
	section, found := "", map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if name, ok := strings.CutPrefix(line, "["); ok {
			section = strings.TrimSuffix(name, "]")
			continue
		}
		if i := strings.IndexAny(line, "=:"); i > 0 {
			key := strings.ReplaceAll(strings.TrimSpace(line[:i]), "_", "-")
			if key == "index-url" {
				found[section] = strings.TrimSpace(line[i+1:])
			}
		}
	}
	return cmp.Or(found["download"], found["install"], found["global"]), lines.Err()
}

// pipFiles returns pip's files, the strongest first.
func pipFiles() (paths []string) {
	given := os.Getenv("PIP_CONFIG_FILE")
	if given == os.DevNull { // this switches all files off
		return nil
	}
	paths = append(paths, given)
	if dir := os.Getenv("VIRTUAL_ENV"); dir != "" {
		paths = append(paths, filepath.Join(dir, "pip.conf"))
	}
	if dir, err := os.UserConfigDir(); err == nil { // on macOS, ~/Library/Application Support
		paths = append(paths, filepath.Join(dir, "pip", "pip.conf"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		paths = append(paths, filepath.Join(home, ".config", "pip", "pip.conf"),
			filepath.Join(home, ".pip", "pip.conf"))
	}
	for _, dir := range filepath.SplitList(cmp.Or(os.Getenv("XDG_CONFIG_DIRS"), "/etc/xdg")) {
		paths = append(paths, filepath.Join(dir, "pip", "pip.conf"))
	}
	paths = append(paths, "/etc/pip.conf", "/Library/Application Support/pip/pip.conf")
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}
