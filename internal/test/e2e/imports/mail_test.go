package imports_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kith/internal/test/e2e"
)

// letter is a message of a mailbox, sent some days ago.
func letter(from, to string, daysAgo int, headers string) string {
	at := time.Now().UTC().AddDate(0, 0, -daysAgo).Format(time.RFC1123Z)
	return fmt.Sprintf("From x Mon Nov  2 10:00:00 2026\nFrom: %s\nTo: %s\nDate: %s\nMessage-ID: "+
		"<%[1]s%[2]s%[3]s>\n%s\n"+"a secret\n\n", from, to, at, headers)
}

// People with mail in both directions, in whichever files, are people the user knows: with name, company and last
// contact, for nobody else. Newsletters, offices and mail in one direction name nobody.
func TestMailMakesPeopleWithoutOtherFiles(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		const me, jane, news = "You <you@example.com>", "jane.doe@acme-placeholder.com", "shop@shop-placeholder.com"
		sent := k.File(t, "sent.mbox", letter(me, jane, 400, "")+letter(me, news, 400, "")+
			letter(me, "support@acme-placeholder.com", 400, "")+letter(me, "only@acme-placeholder.com", 400, ""))
		inbox := k.File(t, "inbox.mbox", letter(`"Doe, Jane" <`+jane+">", me, 300, "")+
			letter(news, me, 300, "List-Unsubscribe: <mailto:x@shop-placeholder.com>\n")+
			letter("support@acme-placeholder.com", me, 300, "")+letter("stranger@acme-placeholder.com", me, 300, ""))
		k.Run(t, "app", "create", "acme")
		args := func(files ...string) []string {
			return append([]string{"import", "--yes", "--app", "acme", "--user", "me", "--owner", "you@example.com"},
				files...)
		}
		if out := k.Run(t, "import", "--dry-run", "--owner", "you@example.com", sent, inbox); !strings.Contains(out,
			"1 person exchanged mail with you in both directions") {
			t.Errorf("the preview does not count people of mail:\n%s", out)
		}
		if out := k.Run(t, args(sent)...); strings.Contains(out, "people known from mail") {
			t.Errorf("mail in one direction made people:\n%s", out)
		}
		const stored = "people known from mail only: 1 line read: 1 stored (1 new"
		if out := k.Run(t, args(inbox)...); !strings.Contains(out, stored) {
			t.Errorf("the second import made no person:\n%s", out)
		}
		search := func(user, prompt string) string {
			out, _, _ := k.Try(t, "search", "--app", "acme", "--user", user, prompt) // no match may be an error
			return out
		}
		for _, prompt := range []string{
			"who do I know at acme-placeholder.com", "who do I know at Acme Placeholder",
			"who haven't I talked to in six months",
		} {
			if out := search("me", prompt); strings.Count(out, "Jane Doe") != 1 {
				t.Errorf("%s:\n%s", prompt, out)
			}
		}
		k.Token(t, "acme", "other")
		if out := search("other", "people at Acme Placeholder"); strings.Contains(out, "Jane Doe") {
			t.Errorf("another user sees people of mail:\n%s", out)
		}
		if out := k.Run(t, args(sent, inbox)...); !strings.Contains(out, "relationships of me: 0 new") ||
			strings.Contains(out, "people known from mail") {
			t.Errorf("importing again changed people:\n%s", out)
		}
		book := k.File(t, "book.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nEMAIL:"+jane+"\nTITLE:CTO\nEND:VCARD\n")
		k.Run(t, args(book)...)
		if out := search("me", "who do I know at acme-placeholder.com"); strings.Count(out, "Jane Doe") != 1 {
			t.Errorf("an address book makes a second person:\n%s", out)
		}
	})
}
