package imports_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

const cards = `BEGIN:VCARD
VERSION:3.0
FN:Bob Roe
ORG:Import Example GmbH
TITLE:Senior Engineer
EMAIL:bob@roe.example
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Jane Doe
ORG:Import Example GmbH
TITLE:Accountant
EMAIL:jane.doe@home.example
END:VCARD
`

const acquaintances = `First Name,Last Name,URL,Email Address,Company,Position,Connected On
Robert,Roe,https://www.linkedin.com/in/robert-import-placeholder,,Import Example GmbH,Engineer,1 Feb 2019
Jane,Doe,https://www.linkedin.com/in/jane-import-placeholder,,Import Example GmbH,Head of Data,12 Mar 2024
`

// Two files about the same people: certain matches merge, and possible ones are listed. Decisions persist and can
// be undone.
func TestImportMergesCertainDuplicates(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		for name, text := range map[string]string{"Connections.csv": acquaintances, "contacts.vcf": cards} {
			k.File(t, name, text)
		}
		import1 := func(name string) string { return k.Run(t, "import", "--yes", filepath.Join(k.Dir, name)) }
		count := func(who string) int {
			return strings.Count(k.Find(t, "-f", "name="+who), "Import Example")
		}
		import1("Connections.csv")
		if out := import1("contacts.vcf"); !strings.Contains(out, "kith duplicates") {
			t.Errorf("the import does not report the possible duplicate:\n%s", out)
		}
		if n := count("Roe"); n != 1 {
			t.Errorf("%d people are called Roe, want one made of two records", n)
		}
		if out := k.Run(t, "duplicates"); strings.Count(out, "Jane Doe") != 2 || strings.Contains(out, "Roe") ||
			!strings.Contains(out, "different titles") {
			t.Errorf("the possible duplicate is not listed:\n%s", out)
		}
		profile, address := "https://www.linkedin.com/in/jane-import-placeholder", "jane.doe@home.example"
		k.Run(t, "duplicates", "merge", profile, address)
		merged := k.Run(t, "duplicates", "merged", "--json")
		var jane string
		for _, line := range strings.Split(merged, "\n") {
			if strings.Contains(line, "Jane Doe") {
				jane = line
			}
		}
		var row struct{ Records []json.Number }
		expect.NoError(t, json.Unmarshal([]byte(jane), &row))
		ids := row.Records
		if count("Jane Doe") != 1 || len(ids) != 2 {
			t.Fatalf("Jane Doe is not merged:\n%s", merged)
		}
		import1("contacts.vcf")
		if n := count("Jane Doe"); n != 1 {
			t.Errorf("another import undid the decision: %d people", n)
		}
		k.Run(t, "duplicates", "apart", ids[0].String(), ids[1].String())
		import1("Connections.csv")
		if n := count("Jane Doe"); n != 2 {
			t.Errorf("the merge is not undone: %d people", n)
		}
	})
}
