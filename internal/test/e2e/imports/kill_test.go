package imports_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// bookPeople is the size of the address book: its import takes many transactions.
const bookPeople = 12_000

// addressBook is a CSV file of people. One in three has a namesake at another company, and one in twenty is in it
// twice.
func addressBook(t *testing.T, k e2e.Kith) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("First Name,Last Name,E-mail Address,Company,Job Title\n")
	for i := range bookPeople {
		row := fmt.Sprintf("Given%d,Family%d,p%d@book%d.example,Book Example %d,Engineer\n", i%(bookPeople*2/3),
			i%(bookPeople*2/3), i, i%97, i%97)
		b.WriteString(row)
		if i%20 == 0 {
			b.WriteString(row)
		}
	}
	return k.File(t, "book.csv", b.String())
}

// counts are the people that a user finds and the user's relationships.
type counts struct{ found, known int }

func count(t *testing.T, s *e2e.Server, token string) counts {
	t.Helper()
	var me struct {
		Data struct {
			Network struct{ Relationships int }
		}
	}
	if a := s.Get(t, "/v2/user/me", token); json.Unmarshal(a.Body, &me) != nil {
		t.Fatalf("user: %s", a.Body)
	}
	return counts{s.Found(t, token), me.Data.Network.Relationships}
}

// storedInPart waits until some of the people are stored, but not all.
func storedInPart(t *testing.T, in e2e.Inside, what string) {
	t.Helper()
	e2e.Eventually(t, what, func() bool { return in.People(t) > 0 })
	if n := in.People(t); n >= bookPeople {
		t.Errorf("%d people are stored, so the kill would come too late", n)
	}
}

// An import is killed, and then repeated twice. No person is missing or duplicate, and the last import changes nothing.
func TestKilledImportsCanBeRepeated(t *testing.T) {
	effort.OnlyLong(t)
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) {
		k.Run(t, "app", "create", "acme")
		args := []string{"import", "--yes", "--app", "acme", "--user", "u1", addressBook(t, k)}
		in := k.Look(t)
		cmd := k.Command(t.Context(), t, args...)
		expect.NoError(t, cmd.Start())
		storedInPart(t, in, "the command stores people")
		e2e.Kill(t, cmd)
		in.Close()
		k.Run(t, args...)
		if out := k.Run(t, args...); !strings.Contains(out,
			fmt.Sprintf("relationships of u1: 0 new, 0 changed, %d unchanged", bookPeople)) {
			t.Errorf("the last import changed records:\n%s", out)
		}
		token := k.Token(t, "acme", "u1")
		s := k.Serve(t, e2e.Unlimited()...)
		if got := count(t, s, token); got != (counts{bookPeople, bookPeople}) {
			t.Errorf("people found and relationships: %+v", got)
		}
	})
}

// A server is killed while it imports, and again while it deletes an import. The next server finishes both.
func TestNextServerFinishesImports(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		path, token := addressBook(t, k), k.LiveToken(t)
		flags := append(e2e.Unlimited(), "--import-quota", "0")
		s, in := k.Serve(t, flags...), k.Look(t)
		m := s.StartImport(t, token, path)
		storedInPart(t, in, "the server stores people")
		s.Kill()
		s = k.Serve(t, flags...)
		m, _ = s.EndImport(t, token, m.ID)
		if m.Status != "succeeded" {
			t.Fatalf("the import ended as %+v", m)
		}
		all := counts{bookPeople, bookPeople}
		e2e.Eventually(t, "all people are found", func() bool { return count(t, s, token) == all })
		again, _ := s.EndImport(t, token, s.StartImport(t, token, path).ID)
		if p := again.Files[0].People; p.Created+p.Merged+p.Rejected != 0 ||
			again.Relationships.Unchanged != bookPeople || count(t, s, token) != all {
			t.Errorf("the second import changed records: %+v", again)
		}
		s.DeleteImport(t, token, again.ID)
		if _, there := s.EndImport(t, token, again.ID); there || count(t, s, token) != all {
			t.Errorf("deleting the second import removed data of the first: %+v", count(t, s, token))
		}
		s.DeleteImport(t, token, m.ID)
		e2e.Eventually(t, "the server deletes people", func() bool { return in.People(t) < bookPeople })
		if n := in.People(t); n == 0 {
			t.Error("nobody remains, so the kill would come too late")
		}
		s.Kill()
		s = k.Serve(t, flags...)
		if _, there := s.EndImport(t, token, m.ID); there {
			t.Error("the import still exists")
		}
		e2e.Eventually(t, "nobody is found", func() bool { return count(t, s, token) == counts{} })
		if n := in.People(t); n != 0 {
			t.Errorf("%d people remain", n)
		}
	})
}
