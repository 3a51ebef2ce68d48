package http_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	kithhttp "kith/http"
	"kith/internal/record/privacy"
)

// letter is a message of a mailbox.
func letter(from, to, month string) string {
	return fmt.Sprintf("From x Mon May  4 10:00:00 2026\nFrom: %s\nTo: %s\nDate: 4 %s 2026 10:00:00 +0000\n"+
		"Message-Id: <%[1]s%[2]s%[3]s>\n\nsecret\n\n", from, to, month)
}

// The two mailboxes of a user, who wrote to Jane and got mail from her, and once to and from others.
func twoMailboxes() (sent, inbox part) {
	const me, jane = "U One <u1@example.com>", "Jane Doe <jane@acme-placeholder.com>"
	return part{"file", "sent.mbox", letter(me, jane, "May") + letter(me, "silent@acme-placeholder.com", "May")},
		part{"file", "inbox.mbox", letter(jane, me, "Jun") + letter("Spam <spam@other-placeholder.com>", me, "Jun")}
}

// mailbox imports a mailbox of the user.
func (f *fixture) mailbox(box part) imported {
	return f.imports(f.token, box, part{"owner", "", "u1@example.com"})
}

func (f *fixture) people() int {
	return f.count("people where owner <> '' and email <> 'u1@example.com'")
}

// Mail in both directions makes a person, even if each direction comes with another import. Undoing either import takes
// the person away, and leaves the mail of the other.
func TestMailInBothDirectionsMakesAPerson(t *testing.T) {
	sent, inbox := twoMailboxes()
	for _, order := range [][2]part{{sent, inbox}, {inbox, sent}} {
		for _, undone := range []int{0, 1} {
			f := importsFixture(t, 0)
			first := f.mailbox(order[0])
			if n := f.people() + f.count("relationships"); n != 0 {
				t.Fatalf("mail in one direction made %d rows", n)
			}
			second := f.mailbox(order[1])
			if c := second.Contacts; c.Stored != 1 || c.People != 1 || second.Relationships.Created != 1 {
				t.Errorf("second import: %+v", second)
			}
			if n := f.people(); n != 1 {
				t.Errorf("%d people", n)
			}
			f.takeBack(f.token, [2]string{first.ID, second.ID}[undone])
			if n := f.people() + f.count("relationships") + f.count("contacts"); n != 0 {
				t.Errorf("undoing leaves %d rows", n)
			}
			if n := f.count("correspondence where email like 'jane@%'"); n != 1 {
				t.Errorf("%d months of mail of the other import remain", n)
			}
			if again := f.mailbox(order[undone]); again.Contacts.Stored != 1 || f.people() != 1 {
				t.Errorf("import again: %+v", again)
			}
		}
	}
}

// An address book names the person later, and keeps the person when the mail is undone.
func TestMailAndAddressBooksMakeOnePerson(t *testing.T) {
	f := importsFixture(t, 0)
	sent, inbox := twoMailboxes()
	mails := f.imports(f.token, sent, inbox, part{"owner", "", "u1@example.com"})
	card := "BEGIN:VCARD\nVERSION:3.0\nFN:Jane Q. Doe\nEMAIL:jane@acme-placeholder.com\nTITLE:CTO\nEND:VCARD\n" +
		"BEGIN:VCARD\nVERSION:3.0\nFN:Silent Sam\nEMAIL:silent@acme-placeholder.com\nEND:VCARD\n"
	f.imports(f.token, part{"file", "book.vcf", card})
	if n := f.people(); n != 2 {
		t.Errorf("%d people, not Jane and Sam", n)
	}
	if n := f.count("contacts c join people p on p.id = c.person_id where p.email like 'silent@%'"); n != 1 {
		t.Errorf("mail with an address that the address book names is not a contact: %d", n)
	}
	a := f.call(http.MethodGet, "/v2/user/relationships", "", f.bearer())
	a.wants(t, http.StatusOK, "")
	if text := string(a.body); !strings.Contains(text, "Jane Q. Doe") || strings.Contains(text, `"Jane Doe"`) {
		t.Errorf("the name of the address book does not count: %s", a.body)
	}
	f.takeBack(f.token, mails.ID)
	if n, known := f.people(), f.count("relationships"); n != 2 || known != 2 {
		t.Errorf("%d people and %d relationships of the address book remain", n, known)
	}
	if n := f.count("contacts") + f.count("correspondence") +
		f.count("person_identifiers where value like 'mail:%'"); n != 0 {
		t.Errorf("%d rows of the mail remain", n)
	}
}

// Erasures reach people of mail, and mail with addresses of nobody. Neither comes back with the next import.
func TestErasuresReachMail(t *testing.T) {
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Privacy = privacy.New(f.db.Privacy(newSealer(t)))
		withImports(t, f, &cfg.Datasets[0], kithhttp.NewImportQuota(f.db.Limits(), 0, "live"))
	})
	sent, inbox := twoMailboxes()
	f.mailbox(sent)
	f.mailbox(inbox)
	for _, address := range []string{"jane@acme-placeholder.com", "spam@other-placeholder.com"} {
		f.call(http.MethodPost, "/v2/privacy/forget", `{"identifiers":["`+address+`"]}`, f.eraser()).
			wants(t, http.StatusAccepted, "")
	}
	f.mailbox(sent)
	f.mailbox(inbox)
	if n := f.people() + f.count("correspondence where email not like 'silent@%'"); n != 0 {
		t.Errorf("%d rows about erased people", n)
	}
}
