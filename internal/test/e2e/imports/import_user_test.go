package imports_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kith/internal/test/e2e"
)

// networkExport writes the export of the user me, who lately wrote to Jane and long ago to John. Jane is a
// colleague of the user. One person has no profile URL.
func networkExport(t *testing.T, k e2e.Kith) string {
	t.Helper()
	const me = "https://www.linkedin.com/in/me-import-placeholder"
	messages := "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE " +
		"URLS,DATE,SUBJECT,CONTENT,FOLDER\n"
	write := func(from, to string, daysAgo int) {
		url := func(name string) string {
			first, _, _ := strings.Cut(strings.ToLower(name), " ")
			return "https://www.linkedin.com/in/" + first + "-import-placeholder"
		}
		at := time.Now().UTC().AddDate(0, 0, -daysAgo).Format(time.DateTime)
		messages += fmt.Sprintf("2-a,,%s,%s,%s,%s,%s UTC,,\"a secret, kept\",INBOX\n", from, url(from), to, url(to), at)
	}
	for i := range 4 {
		write("Me Myself", "Jane Doe", 20+i)
		write("Jane Doe", "Me Myself", 25+i)
	}
	write("Me Myself", "John Roe", 700)
	for name, text := range map[string]string{
		"Connections.csv": connections + "Max,Mustermann,https://www.linkedin.com/in/max-import-placeholder,,Other " +
			"Example AG,CTO,3 Mar 2018\n",
		"messages.csv": messages,
		"Profile.csv":  "First Name,Last Name,Maiden Name,Headline,Geo Location\nMe,Myself,,Builder,\n",
		"Positions.csv": "Company Name,Title,Description,Location,Started On,Finished On\nImport Example " +
			"GmbH,Engineer,,,Mar 2020,\n",
		"people.ndjson": `{"full_name":"Jane Doe","linkedin_url":"` + strings.Replace(me, "/me-", "/jane-", 1) +
			`","experience":[{"title":{"name":"Head of Data"},"company":{"name":"Import Example GmbH"},` +
			`"start_date":"2021-01",` +
			`"is_primary":true}]}` + "\n",
	} {
		k.File(t, filepath.Join("export", name), text)
	}
	return filepath.Join(k.Dir, "export")
}

// An import for a user adds relationships, scored by how often they were in contact. Message texts are not stored.
func TestImportForUserAddsRelationships(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		k.Run(t, "app", "create", "acme")
		dir := networkExport(t, k)
		args := []string{"import", "--yes", "--app", "acme", "--user", "me", dir}
		out := k.Run(t, args...)
		for _, want := range []string{"relationships of me: 4 new", "contacts of me: with 2 people"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is missing:\n%s", want, out)
			}
		}
		token := k.Token(t, "acme", "me")
		s := k.Serve(t, e2e.Unlimited()...)
		list := func() string {
			a := s.Get(t, "/v2/user/relationships", token)
			if a.Status != http.StatusOK {
				t.Fatalf("status %d: %s", a.Status, a.Body)
			}
			return string(a.Body)
		}
		first := list()
		for _, want := range []string{
			`"contact":{"outgoing":4,"incoming":4,`, `"connected_on":"2024-03-12"`, `"worked_together"`,
			`"contact":null`,
			`"title":"In contact"`,
		} {
			if !strings.Contains(strings.ReplaceAll(first, ": ", ":"), want) {
				t.Errorf("%s is missing: %s", want, first)
			}
		}
		if i, j := strings.Index(first, "Jane Doe"), strings.Index(first, "Max Mustermann"); i < 0 || j < i {
			t.Errorf("Jane is not before Max: %s", first)
		}
		if strings.Contains(first, "secret") {
			t.Errorf("the dataset has message texts: %s", first)
		}
		if out := k.Run(t, args...); !strings.Contains(out, "relationships of me: 0 new, 0 changed, 4 unchanged") {
			t.Errorf("the second import changed relationships:\n%s", out)
		}
		if second := list(); withoutRequest(second) != withoutRequest(first) {
			t.Errorf("the second import changed the answer:\n%s\n%s", first, second)
		}
		for prompt, want := range map[string]string{
			"who haven't I talked to in six months": "John Roe Max Mustermann",
			"people I talked to last month":         "Jane Doe",
			"who do I know at Import Example":       "Jane Doe John Roe",
		} {
			if got := k.Find(t, "--app", "acme", "--user", "me", prompt); namesIn(got) != want {
				t.Errorf("%s: %q\n%s", prompt, namesIn(got), got)
			}
		}
	})
}

func withoutRequest(answer string) string {
	before, _, _ := strings.Cut(answer, `"metadata"`)
	return before
}

// namesIn returns the test people whose names a text contains, sorted by name.
func namesIn(text string) string {
	var names []string
	for _, name := range []string{"Jane Doe", "John Roe", "Max Mustermann", "Me Myself"} {
		if strings.Contains(text, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// An address book is imported for a user and then for everyone. The user keeps the same contacts, without duplicates.
func TestImportForEveryoneKeepsRelationships(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		nobody := "BEGIN:VCARD\nVERSION:3.0\nFN:Max Mustermann\nORG:Import Example GmbH\nTITLE:CTO\nEND:VCARD\n"
		book := k.File(t, "contacts.vcf", cards+nobody)
		k.Run(t, "app", "create", "acme")
		mine := []string{"import", "--yes", "--app", "acme", "--user", "me", book}
		search := func(user string) string {
			return k.Find(t, "--app", "acme", "--user", user, "people at Import Example")
		}
		if out := k.Run(t, mine...); !strings.Contains(out, "relationships of me: 3 new") {
			t.Errorf("some relationships are missing:\n%s", out)
		}
		k.Token(t, "acme", "other")
		if out := search("other"); strings.Contains(out, "Jane Doe") {
			t.Errorf("another user sees them:\n%s", out)
		}
		for range 2 {
			if out := k.Run(t, mine...); !strings.Contains(out, "relationships of me: 0 new, 0 changed, 3 unchanged") {
				t.Errorf("another import changed relationships:\n%s", out)
			}
			if out := search("me"); strings.Count(out, "Jane Doe") != 1 || strings.Count(out, "Max Mustermann") != 1 {
				t.Errorf("people are missing or duplicate:\n%s", out)
			}
			k.Run(t, "import", "--yes", book)
		}
		if out := search("other"); strings.Count(out, "Jane Doe") != 1 {
			t.Errorf("another user does not see the shared people:\n%s", out)
		}
	})
}
