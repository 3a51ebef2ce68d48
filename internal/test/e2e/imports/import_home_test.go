package imports_test

import (
	"archive/zip"
	"net/http"
	"os"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// zipped packs the files of a folder.
func zipped(t *testing.T, dir string) string {
	t.Helper()
	path := dir + ".zip"
	f, err := os.Create(path)
	expect.NoError(t, err)
	w := zip.NewWriter(f)
	expect.NoError(t, w.AddFS(os.DirFS(dir)))
	expect.NoError(t, w.Close())
	expect.NoError(t, f.Close())
	return path
}

// typed returns the first command in a text with a prefix, as arguments.
func typed(t *testing.T, text, begins string) []string {
	t.Helper()
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "kith ")
		if !ok || !strings.HasPrefix(command, begins) {
			continue
		}
		command, _, _ = strings.Cut(command, "    #")
		words, quoted, _ := strings.Cut(command, ` "`)
		args := strings.Fields(words)
		if quoted != "" {
			args = append(args, strings.TrimSuffix(quoted, `"`))
		}
		return args
	}
	t.Fatalf("no command %q in:\n%s", begins, text)
	return nil
}

// One command imports an export into an empty dataset. The next commands that it prints work.
func TestFirstImportNeedsNoSetup(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		out := k.Run(t, "import", "--yes", zipped(t, networkExport(t, k)))
		asked := typed(t, out, "search")
		if last := asked[len(asked)-1]; last != "who do I know at Import Example GmbH" {
			t.Errorf("the printed example is %q", last)
		}
		if got := k.Run(t, asked...); namesIn(got) != "Jane Doe John Roe" {
			t.Errorf("people of the printed search: %q\n%s", namesIn(got), got)
		}
		token := strings.TrimSpace(k.Run(t, typed(t, out, "token")...))
		s := k.Serve(t, e2e.Unlimited()...)
		page := s.Search(t, token, map[string]any{"prompt": asked[len(asked)-1]})
		if len(page.Data) != 3 { // those two, and one called No Profile
			t.Errorf("the API finds %v", page.Data)
		}
		if a := s.Get(t, "/", ""); a.Status != http.StatusOK {
			t.Errorf("the page answered %d", a.Status)
		}
		more := k.File(t, "more.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Nora Next\nORG:Import Example GmbH\nEND:VCARD\n")
		if out := k.Run(t, "import", "--yes", more); !strings.Contains(out, "relationships of me: 1 new") {
			t.Errorf("a second file does not belong to the same user:\n%s", out)
		}
		k.Run(t, "app", "create", "acme")
		if out := k.Run(t, "import", "--yes", more); strings.Contains(out, "relationships of me") {
			t.Errorf("with a second app, a file still belongs to the default user:\n%s", out)
		}
	})
}

// Mail alone, which stores nobody, counts contacts with people known from an earlier import.
func TestMailNeedsNoSetup(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		card := k.File(t, "a.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Nora Next\nEMAIL:nora@next.example\nEND:VCARD\n")
		k.Run(t, "import", "--yes", card)
		mail := k.File(t, "mail.mbox", `From nora@next.example Mon Nov  2 10:00:00 2026
From: Nora Next <nora@next.example>
To: You <you@example.com>
Date: Mon, 02 Nov 2026 10:00:00 +0000
Message-ID: <1@next.example>
Subject: lunch

Today?
`)
		out := k.Run(t, "import", "--yes", "--owner", "you@example.com", mail)
		if !strings.Contains(out, "contacts of me: with 1 person") {
			t.Errorf("the contacts were not counted:\n%s", out)
		}
		if _, errs, err := k.Try(t, "import", "--yes", "--everyone", "--owner", "you@example.com", mail); err == nil ||
			!strings.Contains(errs, "say whose contacts they are") {
			t.Errorf("contacts for everyone: %v\n%s", err, errs)
		}
	})
}
