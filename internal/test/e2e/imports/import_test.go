package imports_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

const connections = `Notes:
"Some addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
jane,doe,https://www.linkedin.com/in/jane-import-placeholder,,Import Example GmbH,head of data,12 Mar 2024
John,Roe,https://www.linkedin.com/in/john-import-placeholder,,Import Example GmbH,Engineer,1 Feb 2019
No,Profile,,no.profile@example.com,Import Example GmbH,Engineer,1 Feb 2019
,,,,,,5 Jan 2020
`

// A second import of the same export changes nothing, and searches find its people.
func TestRepeatedImportsChangeNothing(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		path := k.File(t, "Connections.csv", connections)
		out := k.Run(t, "import", "--yes", path)
		for _, want := range []string{
			"connections of a professional network", "Connected On → relationship.since",
			"Jane Doe · Head of Data at Import Example GmbH",
			"3 people (2 with a profile URL)", "people: 3 lines read: 3 stored (3 new",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is missing:\n%s", want, out)
			}
		}
		if out := k.Run(t, "import", "--yes", path); !strings.Contains(out, "3 stored (0 new, 0 changed, 3 unchanged") {
			t.Errorf("the second import changed records:\n%s", out)
		}
		if out := k.Find(t, "-f", "company=Import Example", "-f", "position=head of data"); !strings.Contains(out,
			"Jane Doe") {
			t.Errorf("the search finds nobody:\n%s", out)
		}
	})
}

// Dry runs show files without a dataset. Bad options are refused.
func TestImportDryRunNeedsNoDataset(t *testing.T) {
	k := e2e.Offline(t)
	for name, text := range map[string]string{
		"Connections.csv": connections, "nothing.csv": "id,colour\n1,red\n", "own.csv": "Wer,Was\nJane Doe,CTO\n",
		"empty.csv": "First Name,Last Name,Connected On\n,,1 Feb 2019\n,,2 Feb 2019\n",
		"own.yaml":  "person: {full_name: Wer}\ncurrent: {title: Was}\n", "bad.yaml": "person: {full_name: Who}\n",
	} {
		k.File(t, name, text)
	}
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"--dry-run Connections.csv", 0, "left out, 1: it is empty except for a date", ""},
		{"--dry-run .", 0, "Jane Doe · Head of Data", ""},
		{"--dry-run --map own.yaml own.csv", 0, "Jane Doe · CTO", ""},
		{"--dry-run --map bad.yaml own.csv", 1, "", "or format: Who"},
		{"--dry-run nothing.csv", 1, "not read", "unknown columns: id, colour"},
		{"--dry-run empty.csv", 1, "", "the most common reason, 2 times: it is empty except for a date"},
		{"--dry-run missing.csv", 1, "", "no such file or folder: missing.csv"},
		{"missing.csv own.csv gone.vcf", 1, "", "no such file or folder: missing.csv, gone.vcf"},
		{"--only-known missing.csv", 1, "", "no such file or folder: missing.csv"},
		{"--dry-run --format nonsense own.csv", 2, "", `unknown format "nonsense"`},
		{"--dry-run --encoding nonsense own.csv", 2, "", `unknown encoding "nonsense"`},
		{"Connections.csv", 2, "", "--yes"},
		{"--dry-run", 2, "", "no file is named"},
		{"--formats", 0, "network-connections", ""},
	} {
		t.Run(c.args, func(t *testing.T) {
			stdout, stderr, err := k.Try(t, append([]string{"import"}, strings.Fields(c.args)...)...)
			if e2e.ExitCode(err) != c.code || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr,
				c.stderr) {
				t.Errorf("code %d\n%s\n%s", e2e.ExitCode(err), stdout, stderr)
			}
		})
	}
	if _, err := os.Stat(k.Data()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dataset was created: %v", err)
	}
	if _, stderr, err := k.Try(t, "load", "Connections.csv"); e2e.ExitCode(err) != 2 ||
		!strings.Contains(stderr, "try kith import Connections.csv") {
		t.Errorf("code %d\n%s", e2e.ExitCode(err), stderr)
	}
}
