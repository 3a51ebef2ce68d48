package imports_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// sequenceLine is a sequence of the user me with an e-mail sent to Jane and a draft to John.
const sequenceLine = `{"app":"acme","external_user_id":"me","name":"Q3","status":"active","description":"all of it",` +
	`"ai_email_templates":[{"name":"first","subject":"Hello {first_name}","email_body":"Hi {first_name}"}],"leads":[` +
	`{"social_url":"https://www.linkedin.com/in/jane-import-placeholder","status":"active","pipeline_stage":1,` +
	`"next_followup_at":"2026-05-01T10:00:00Z",` +
	`"selected_introducers":[{"social_identifier":"john-import-placeholder",` +
	`"name":"John Roe","rank":1,"is_direct":true}],` +
	`"emails":[{"subject":"Hello","to":"jane@example.com","status":"sent","sent_at":"2026-02-01T10:00:00Z",` +
	`"content":{"body":"How are you?"}}]},` +
	`{"social_url":"https://www.linkedin.com/in/john-import-placeholder",` +
	`"emails":[{"subject":"Hi","to":"john@example.com","content":{"body":"Hi"},"activity":{"note":"ask Max",` +
	`"ai_confidence_score":0.5}}]}]}` + "\n"

// lines sorts the lines of an export and drops ids, because a load assigns new ones.
func lines(export string) []string {
	all := strings.Split(strings.TrimSpace(export), "\n")
	slices.Sort(all)
	return all
}

// keepers returns people for three pages of a search, each with a formula as headline.
func keepers() string {
	var b strings.Builder
	for i := range 250 {
		fmt.Fprintf(&b, `{"full_name":"Keeper %d","social_url":"https://social.example/in/keeper-%d",`+
			`"headline":"=1+1",`+
			`"work_relevant":{"title":"Lighthouse Keeper","company":{"name":"Lights"}}}`+"\n", i, i)
	}
	return b.String()
}

// tableOfKeepers checks the CSV of all of them.
func tableOfKeepers(t *testing.T, s *e2e.Server, token string) {
	t.Helper()
	req, err := s.Request(t.Context(), "/v2/people/search", token,
		map[string]any{"filters": map[string]string{"position": "lighthouse keeper"}})
	expect.NoError(t, err)
	req.Header.Set("Accept", "text/csv")
	a, err := e2e.Do(req)
	if err != nil || a.Status != http.StatusOK {
		t.Fatal(a.Status, err, string(a.Body))
	}
	rows, err := csv.NewReader(bytes.NewReader(a.Body)).ReadAll()
	expect.NoError(t, err)
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		if seen[row[0]] = true; row[4] != "'=1+1" {
			t.Errorf("a cell is a formula: %q", row)
		}
	}
	if len(seen) != 250 || len(rows) != 251 {
		t.Errorf("%d people in %d rows", len(seen), len(rows))
	}
}

// An export of a user's data, loaded into an empty dataset, gives the same export again. It has no records of others.
func TestExportsLoadUnchanged(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "app", "create", "acme")
	everyones := k.File(t, "people.ndjson", `{"full_name":"John Roe",`+
		`"social_url":"https://www.linkedin.com/in/john-import-placeholder","email":"john@example.com",`+
		`"work_relevant":{"title":"Engineer","company":{"name":"Import Example GmbH","domain":"import.example",`+
		`"keywords":["imports"]}}}`+"\n"+
		`{"full_name":"Someone Else",`+
		`"social_url":"https://www.linkedin.com/in/else-import-placeholder"}`+"\n"+keepers())
	k.Run(t, "load", everyones)
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "me", networkExport(t, k))
	book := k.File(t, "contacts.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Nora Nobody\nORG:Import Example GmbH\nEND:VCARD\n")
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "me", book)
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "other",
		k.File(t, "others.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Olga Other\nEMAIL:olga@example.com\nEND:VCARD\n"))
	if out := k.Run(t, "load", k.File(t, "sequences.ndjson", sequenceLine)); !strings.Contains(out, " 0 rejected") {
		rejected, err := os.ReadFile(filepath.Join(k.Dir, "sequences.ndjson.rejects.ndjson"))
		t.Fatal(out, string(rejected), err)
	}

	first := filepath.Join(k.Dir, "export.ndjson")
	k.Run(t, "export", "--app", "acme", "--user", "me", "--out", first)
	text, err := os.ReadFile(first)
	expect.NoError(t, err)
	expect.Parts(t, "export", string(text),
		`{"export":{"app":"acme","external_user_id":"me","self":"https://`, `"full_name":"Jane Doe"`,
		`"full_name":"John Roe"`, `"domain":"import.example"`,
		`"connected_on":"2024-03-12"`, `"kind":"message"`, `"full_name":"Nora Nobody"`, `{"sequence":{"name":"Q3"`,
		`"note":"ask Max"`, `{"end":{"lines":`)
	for _, other := range []string{"Olga", "Someone Else"} {
		if strings.Contains(string(text), other) {
			t.Errorf("the export of me has %s", other)
		}
	}
	token := k.Token(t, "acme", "me")
	s := k.Serve(t, e2e.Unlimited()...)
	if a := s.Get(t, "/v2/user/export", token); a.Status != http.StatusOK || string(a.Body) != string(text) {
		t.Errorf("the export over HTTP answered %d\n%s\n%s", a.Status, a.Body, text)
	}
	if audit := k.Run(t, "audit", "show", "--action", "user.exported"); strings.Count(audit, "user.exported") != 2 {
		t.Errorf("the audit has %q", audit)
	}

	tableOfKeepers(t, s, token)

	empty := e2e.New(t, e2e.Postgres())
	empty.Run(t, "app", "create", "acme")
	expect.Parts(t, "load of the export", empty.Run(t, "load", "--strict", first), " 0 rejected")
	for range 2 {
		if got, want := lines(empty.Run(t, "export", "--user", "me")), lines(string(text)); !slices.Equal(got, want) {
			t.Errorf("after the round trip:\n%s\nbefore:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if out := empty.Run(t, "load", first); !strings.Contains(out, "(0 new, 0 changed") &&
			!strings.Contains(out, "unchanged") {
			t.Error("second load of the export:", out)
		}
	}
	importAgain(t, first, string(text))
	begin, _, _ := strings.Cut(string(text), "\n")
	for name, cut := range map[string]string{
		"without its end":     string(text[:strings.LastIndex(string(text), `{"end"`)]),
		"followed by another": begin + "\n" + string(text),
	} {
		file := empty.File(t, "export-cut.ndjson", cut)
		if _, stderr, err := empty.Try(t, "load", file); err == nil || !strings.Contains(stderr, "the export was cut") {
			t.Errorf("load of an export %s: %v %s", name, err, stderr)
		}
	}
}

// importAgain imports an export of the user me three times: as an archive into an empty dataset, for another user,
// and over the API, where it is deleted again.
func importAgain(t *testing.T, export, text string) {
	t.Helper()
	k := e2e.New(t, e2e.Postgres())
	dir := filepath.Dir(k.File(t, "mine/all that I had", text))
	for range 2 {
		expect.Parts(t, "import of the export", k.Run(t, "import", "--yes", zipped(t, dir)), " 0 rejected")
		if got, want := lines(k.Run(t, "export", "--user", "me")), lines(text); !slices.Equal(got, want) {
			t.Errorf("after the import:\n%s\nbefore:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "other", export)
	want := strings.ReplaceAll(text, `"external_user_id":"me"`, `"external_user_id":"other"`)
	got := lines(k.Run(t, "export", "--user", "other"))
	if !slices.Equal(got, lines(want)) {
		t.Errorf("the export of another user:\n%s\nnot\n%s", strings.Join(got, "\n"), want)
	}
	for args, problem := range map[string]string{
		"--everyone": "leave out --everyone", "--app acme": "name the user with --user",
	} {
		_, stderr, err := k.Try(t, append([]string{"import", "--yes", export}, strings.Fields(args)...)...)
		if err == nil || !strings.Contains(stderr, problem) {
			t.Errorf("%s: %v %s", args, err, stderr)
		}
	}

	token := k.Token(t, "acme", "third")
	s := k.Serve(t, e2e.Unlimited()...)
	m, _ := s.EndImport(t, token, s.StartImport(t, token, export).ID)
	people := strings.Count(text, `{"person":`)
	expect.Len(t, "files of the import over the API", m.Files, 1)
	expect.Values(t, "import over the API",
		[]any{m.Status, m.Files[0].People.Created, m.Relationships.Created > 0}, "succeeded", people, true)
	third := string(s.Get(t, "/v2/user/export", token).Body)
	if n := strings.Count(third, `{"person":`); n != people || strings.Contains(third, `{"sequence":`) {
		t.Errorf("the import over the API has %d people, not %d:\n%s", n, people, third)
	}
	s.DeleteImport(t, token, m.ID)
	if _, there := s.EndImport(t, token, m.ID); there {
		t.Error("the import still exists")
	}
	third = string(s.Get(t, "/v2/user/export", token).Body)
	if strings.Contains(third, `{"person":`) || strings.Contains(third, `{"relationship":`) {
		t.Errorf("after the import was deleted:\n%s", third)
	}
}
