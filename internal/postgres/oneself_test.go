package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/network"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Contacts from before it was known who a user is make no relationship of the user with themselves.
func TestOldContactsMakeNoRelationshipWithOneself(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`)
	user, nets := firstUser(t, db), db.Network()
	mail := []network.PastContact{{Identifier: "jane@example.com", History: network.History{
		Kind: network.ContactEmail, Outgoing: 1, Incoming: 1, First: 20000, Last: 20000,
	}}}
	_, _, err := nets.PutContacts(t.Context(), 0, user, mail)
	expect.NoError(t, err)
	expect.NoError(t, nets.SetOwner(t.Context(), user, "jane@example.com"))
	_, _, err = nets.PutContacts(t.Context(), 0, user, mail)
	expect.NoError(t, err)
	expect.Len(t, "relationships", knownTo(t, db, user), 0)
}

// An export has no contacts with oneself.
func TestExportsLeaveOutContactsWithOneself(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
		`{"full_name":"Bob Roe","email":"bob@example.com"}`)
	user, nets := pgtest.User(t, db, pgtest.App(t, db, "acme"), "u1", "u1@acme.example"), db.Network()
	var mail []network.PastContact
	for _, address := range []string{"jane@example.com", "bob@example.com"} {
		mail = append(mail, network.PastContact{Identifier: address, History: network.History{
			Kind: network.ContactEmail, Outgoing: 1, Incoming: 1, First: 20000, Last: 20000,
		}})
	}
	_, _, err := nets.PutContacts(t.Context(), 0, user.UserID, mail)
	expect.NoError(t, err)
	expect.NoError(t, nets.SetOwner(t.Context(), user.UserID, "jane@example.com"))
	var export strings.Builder
	expect.NoError(t, db.Export(t.Context(), user.Viewer(), &export))
	var contacts []string
	for line := range strings.Lines(export.String()) {
		if strings.HasPrefix(line, `{"contact":`) {
			contacts = append(contacts, line)
		}
	}
	expect.Len(t, "contacts", contacts, 1)
	expect.Parts(t, "contact", contacts[0], "bob@example.com")
}

// A migration deletes relationships with oneself, which were stored before they were refused. If a merge made one,
// separating the people gives it back.
func TestMigrationDeletesRelationshipsWithOneself(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com"}`)
	jane, janet := identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
	emails := map[int64]string{jane: "jane@example.com", janet: "janet@example.com"}
	self, other := min(jane, janet), max(jane, janet)
	user := firstUser(t, db)
	expect.NoError(t, db.Network().SetOwner(t.Context(), user, emails[self]))
	know(t, db, user, emails[other])
	service := identity.NewService(db)
	expect.NoError(t, service.Merge(t.Context(), kith.Operator(), fmt.Sprint(self), fmt.Sprint(other)))
	pgtest.Exec(t, db, "insert into relationships (user_id, person_id, score, kinds) values ($1, $2, 5, 1)", user, self)
	pgtest.Exec(t, db, "update moved_rows set existed = false where table_name = 'relationships'")
	pgtest.Exec(t, db, "delete from schema_version where version = 5")
	expect.NoError(t, db.Migrate(t.Context()))
	expect.Len(t, "relationships after the migration", knownTo(t, db, user), 0)
	expect.NoError(t, service.Part(t.Context(), kith.Operator(), fmt.Sprint(other), fmt.Sprint(self)))
	if known := knownTo(t, db, user); !slices.Equal(known, []int64{other}) {
		t.Errorf("after the split: known are %v, want %d", known, other)
	}
}
