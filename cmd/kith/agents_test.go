package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kith/http/agents"
	"kith/internal/test/expect"
)

// server.json has the current version and the members that registries require.
func TestRegistryEntryIsCurrent(t *testing.T) {
	text, err := os.ReadFile("../../server.json")
	expect.NoError(t, err)
	var entry struct {
		Name, Description, Version string
		Remotes                    []struct{ Type, URL string }
	}
	expect.NoError(t, json.Unmarshal(text, &entry))
	if entry.Version != release || len(entry.Description) > 100 || len(entry.Remotes) != 1 ||
		!regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(entry.Name) {
		t.Errorf("server.json has %+v; the version is %s", entry, release)
	}
}

// server.json is published only under the name that the publisher gives.
func TestRegistryEntryDemandsItsName(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"io.github.jane/kith"}, 0, `"name": "io.github.jane/kith"`},
		{nil, 2, "NAME must be your own"},
		{[]string{"kith"}, 2, "(got 'kith')"},
		{[]string{"io.github.OWNER/kith"}, 2, "NAME must be your own"},
		{[]string{`a/b", "x": "`}, 2, "NAME must be your own"},
	} {
		out, err := exec.CommandContext(t.Context(), "../../scripts/registry-entry", c.args...).CombinedOutput()
		code := 0
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			code = failed.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if code != c.code || !strings.Contains(string(out), c.says) || c.code == 0 && !json.Valid(out) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s", c.args, code, c.code, c.says, out)
		}
	}
}

// docs/agents.md lists exactly the existing tools.
func TestToolsInDocumentsExist(t *testing.T) {
	var there []string
	server, client := mcp.NewInMemoryTransports()
	if _, err := agents.New(agents.Config{Write: true}).Connect(t.Context(), server, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), client, nil)
	expect.NoError(t, err)
	defer func() { _ = session.Close() }()
	for tool, err := range session.Tools(t.Context(), nil) {
		expect.NoError(t, err)
		there = append(there, tool.Name)
	}
	var named []string
	rows := regexp.MustCompile("(?m)^\\| (`[a-z_`, ]+) \\|")
	for _, row := range rows.FindAllStringSubmatch(documents(t)["docs/agents.md"], -1) {
		named = append(named, regexp.MustCompile(`[a-z_]+`).FindAllString(row[1], -1)...)
	}
	slices.Sort(there)
	slices.Sort(named)
	if !slices.Equal(there, named) {
		t.Errorf("the tools are %v; docs/agents.md lists %v", there, named)
	}
}
