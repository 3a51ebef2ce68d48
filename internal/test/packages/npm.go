package packages

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"kith/internal/operation/fetch"
)

// NPM is a package of npm's registry, or of the registry in npm's settings.
type NPM struct{ Name, Version string }

// npmPublic is npm's own registry.
const npmPublic = "https://registry.npmjs.org"

// File is the name of the file.
func (n NPM) File() string { return n.Name + "-" + n.Version + ".tgz" }

// Address returns the address of the file.
func (n NPM) Address(context.Context, *fetch.Fetcher) (*url.URL, error) {
	base, err := npmRegistry()
	if err != nil {
		return nil, err
	}
	return base.JoinPath(n.Name, "-", n.File()), nil
}

func npmRegistry() (*url.URL, error) {
	for _, name := range []string{"NPM_CONFIG_REGISTRY", "npm_config_registry"} {
		if address := os.Getenv(name); address != "" {
			return fetch.ParseAddress(address, "$"+name)
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return url.Parse(npmPublic)
	}
	path := filepath.Join(home, ".npmrc")
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return url.Parse(npmPublic)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	address := ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok && strings.TrimSpace(name) == "registry" {
			address = strings.TrimSpace(value)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return fetch.ParseAddress(cmp.Or(address, npmPublic), path)
}
