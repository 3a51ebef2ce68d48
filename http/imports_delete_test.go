package http_test

import (
	"net/http"
	"testing"

	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Deleting an import removes only its own data. Data that another import or the user also brought stays.
func TestDeletedImportsTakeTheirDataWithThem(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	first := f.imports(f.token, part{"file", "two.csv", tableOfTwo})
	second := f.imports(f.token, part{"file", "two.csv", tableOfTwo})
	third := f.imports(f.token, part{"file", "one.csv", tableOfOne})
	if p := third.Files[0].People; p.Merged != 1 {
		t.Fatalf("third import: %+v", third)
	}
	janes := func() (id int64) {
		expect.NoError(t, f.db.Pool().QueryRow(t.Context(),
			"select id from people where owner <> '' and record ->> 'full_name' = 'Jane Doe'").Scan(&id))
		return id
	}
	jane := func() (title string) {
		people, err := f.db.PeopleByID(t.Context(), []int64{janes()})
		if err != nil || len(people) != 1 {
			t.Fatal(people, err)
		}
		return people[0].Person.WorkRelevant.Title
	}
	id := janes()
	expect := func(people, companies, relationships int) {
		t.Helper()
		got := [3]int{
			f.count("people where owner <> ''"), f.count("companies where owner <> ''"),
			f.count("relationships"),
		}
		if got != [3]int{people, companies, relationships} {
			t.Errorf("counts of people, companies and relationships are %v", got)
		}
	}
	expect(2, 2, 2)
	f.takeBack(f.token, first.ID)
	expect(2, 2, 2)
	f.takeBack(f.token, second.ID)
	expect(1, 1, 1)
	if got := jane(); got != "Founder" {
		t.Errorf("Jane's title is %s", got)
	}
	if n := f.count("people where id = $1", id); n != 1 {
		t.Error("Jane has another id")
	}
	f.takeBack(f.token, third.ID)
	expect(0, 0, 0)

	fourth := f.imports(f.token, part{"file", "two.csv", tableOfTwo})
	f.call(http.MethodPost, "/v2/user/relationships", `{"people":["jane@acme.example"]}`, f.bearer()).
		wants(t, http.StatusOK, "")
	f.takeBack(f.token, fourth.ID)
	expect(1, 1, 1)
}

// Contacts and the identity of the user go with their import. People with a duplicate decision stay.
func TestDeletedContactImportsKeepDecidedPeople(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	mail := func(from, to, id string) string {
		return "From: " + from + "\nTo: " + to + "\nDate: Mon, 4 May 2026 10:00:00 +0000\nMessage-Id: <" + id +
			">\n\nsecret\n\n"
	}
	const me, jane = "U One <u1@example.com>", "Jane Doe <jane@acme.example>"
	box := "From x Mon May  4 10:00:00 2026\n" + mail(
		me,
		jane,
		"1",
	) + "From x Mon May  4 10:00:00 2026\n" + mail(
		jane,
		me,
		"2",
	)
	table := f.imports(f.token, part{"file", "two.csv", tableOfTwo})
	mails := f.imports(f.token, part{"file", "in.mbox", box}, part{"owner", "", "u1@example.com"})
	if mails.Contacts.People != 1 ||
		mails.Relationships.Unchanged == 0 && mails.Relationships.Created == 0 && f.count("contacts") != 1 {
		t.Fatalf("import of mail: %+v", mails)
	}
	f.takeBack(f.token, table.ID)
	if n, known := f.count("people where owner <> ''"), f.count("contacts"); n == 0 || known != 1 {
		t.Errorf("%d people and %d contacts remain", n, known)
	}
	f.takeBack(f.token, mails.ID)
	if n := f.count("contacts") + f.count("relationships") + f.count("people where owner <> ''") +
		f.count("users where person_id is not null"); n != 0 {
		t.Errorf("%d rows remain", n)
	}
	again := f.imports(f.token, part{"file", "two.csv", tableOfTwo})
	pgtest.Exec(t, f.db, `insert into duplicates (low, high, together, decided_at, decided_by)
		select min(id), max(id), false, now(), 'operator' from people where owner <> ''`)
	f.takeBack(f.token, again.ID)
	if n := f.count("people where owner <> ''"); n != 2 {
		t.Errorf("%d people remain of a pair that the user keeps apart", n)
	}
}

// Time together raises a score only as long as there is a record of the user.
func TestDeletedImportsLowerTheScoresTheyRaised(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	pgtest.Load(t, f.db, record.People, `{"full_name":"Bob Roe","email":"bob@acme.example","education_history":[`+
		`{"institute":"MIT","start_date":"2008","end_date":"2012"}]}`)
	f.call(http.MethodPost, "/v2/user/relationships", `{"people":["bob@acme.example"]}`, f.bearer()).
		wants(t, http.StatusOK, "")
	own := f.imports(f.token,
		part{"file", "Profile.csv", "First Name,Last Name,Headline,Geo Location\nMe,Myself,Builder,\n"},
		part{"file", "Email Addresses.csv", "Email Address,Confirmed,Primary,Updated On\nme@example.com,Yes,Yes,\n"},
		part{"file", "Education.csv", "School Name,Start Date,End Date,Degree Name\nMIT,2008,2012,BSc\n"})
	if n := f.count("relationships where score > given"); n != 1 {
		t.Errorf("%d scores are raised by the import %+v", n, own)
	}
	f.takeBack(f.token, own.ID)
	if n := f.count("relationships where score > given"); n != 0 {
		t.Errorf("%d scores are still raised", n)
	}
}

// Records that every user sees stay unchanged.
func TestImportsLeaveSharedRecordsUnchanged(t *testing.T) {
	t.Parallel()
	f := importsFixture(t, 0)
	pgtest.Load(t, f.db, record.People, `{"full_name":"Jane Doe","email":"jane@acme.example"}`)
	m := f.imports(f.token, part{"file", "one.csv", tableOfOne})
	if p := m.Files[0].People; p.Unchanged != 1 || m.Relationships.Created != 1 {
		t.Errorf("import of a shared person: %+v", m)
	}
	f.takeBack(f.token, m.ID)
	if n := f.count("relationships"); n != 0 {
		t.Errorf("%d relationships remain", n)
	}
	if n := f.count("people where record ->> 'full_name' = 'Jane Doe'"); n != 1 {
		t.Errorf("there are %d records of Jane", n)
	}
}
