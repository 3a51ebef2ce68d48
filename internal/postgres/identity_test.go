package postgres_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// unite imports lines like kith import.
func unite(t testing.TB, db *postgres.DB, batch int, lines ...string) loader.Stats {
	t.Helper()
	opts := loader.Options{Kind: record.People, Uniter: identity.Uniter{}, BatchLines: batch}
	return pgtest.LoadOwned(t, db, record.Everyone, opts, lines...)
}

// everyone returns all people without ids, as text, in a fixed order.
func everyone(t testing.TB, db *postgres.DB) []string {
	t.Helper()
	ids, err := db.IDs(t.Context(), record.People, 0, 1<<20)
	expect.NoError(t, err)
	people, err := db.People(t.Context(), kith.Operator(), ids)
	expect.NoError(t, err)
	var out []string
	for _, p := range people {
		p.ID = 0
		for _, j := range p.Jobs() {
			j.Company.ID = 0
		}
		text, err := json.Marshal(p)
		expect.NoError(t, err)
		out = append(out, string(text))
	}
	slices.Sort(out)
	return out
}

// messy makes lines about few people, who share names, companies and addresses.
func messy(dice *rand.Rand, n int) []string {
	pick := func(texts ...string) string { return texts[dice.IntN(len(texts))] }
	var lines []string
	for range n {
		who := dice.IntN(n / 3)
		last := fmt.Sprintf("Last%c", 'a'+rune(who%7))
		parts := []string{fmt.Sprintf(`"full_name":"%s %s"`,
			[]string{pick("Robert", "Bob"), pick("Jane", "JANE"), "Olga"}[who%3], last)}
		if dice.IntN(3) > 0 {
			parts = append(parts, fmt.Sprintf(`"work_relevant":{"title":%q,"company":{"name":"Company %d"}}`,
				pick("CTO", "Engineer", ""), who%5))
		}
		if dice.IntN(3) == 0 {
			parts = append(parts, fmt.Sprintf(`"social_url":"https://social.example/in/p%d"`, who))
		}
		if dice.IntN(3) == 0 {
			parts = append(parts, fmt.Sprintf(`"email":"p%d@example.com"`, who))
		}
		if dice.IntN(3) == 0 {
			parts = append(parts, fmt.Sprintf(`"location":{"city":"City %d"}`, who%4))
		}
		parts = append(parts, fmt.Sprintf(`"sources":["file%d:%d"]`, dice.IntN(3), who),
			fmt.Sprintf(`"as_of":"2026-01-%02dT00:00:00Z"`, 1+dice.IntN(5)))
		lines = append(lines, "{"+strings.Join(parts, ",")+"}")
	}
	return lines
}

// The order of records, the size of batches and repetition do not matter.
func TestImportsDoNotDependOnOrder(t *testing.T) {
	for seed := range uint64(4) {
		dice := rand.New(rand.NewPCG(seed, 3))
		lines := messy(dice, 45)
		var want []string
		for _, batch := range []int{1000, 1, 7} {
			db := pgtest.NewDataset(t)
			unite(t, db, batch, lines...)
			got := everyone(t, db)
			if want == nil {
				want = got
			}
			if diff := firstDifference(want, got); diff != "" {
				t.Fatalf("seed %d, batches of %d: %s", seed, batch, diff)
			}
			again := unite(t, db, 1+dice.IntN(20), lines...)
			if again.Created+again.Changed > 0 || firstDifference(want, everyone(t, db)) != "" {
				t.Fatalf("seed %d: a second import changes something: %s", seed, again)
			}
			dice.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		}
	}
}

func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		a, b := "nobody", "nobody"
		if i < len(want) {
			a = want[i]
		}
		if i < len(got) {
			b = got[i]
		}
		if a != b {
			return fmt.Sprintf("%d and %d people; first:\n%s\n%s", len(want), len(got), a, b)
		}
	}
	return ""
}

// know stores that a user knows a person.
func know(t testing.TB, db *postgres.DB, user int64, identifier string) {
	t.Helper()
	_, err := db.Network().
		Import(t.Context(), kith.Actor{UserID: user}, []network.Entry{{Identifier: identifier, Score: 5}})
	expect.NoError(t, err)
}

// knownTo returns the people that a user knows.
func knownTo(t testing.TB, db *postgres.DB, user int64) []int64 {
	t.Helper()
	known, err := db.Network().List(t.Context(), user, nil, 10)
	expect.NoError(t, err)
	var ids []int64
	for _, r := range known {
		ids = append(ids, r.Person.ID)
	}
	return ids
}

// After a split, ids, relationships and records are as before, whichever of the two has the lower id: ids are random.
func TestSplitUndoesAMerge(t *testing.T) {
	seen := map[bool]bool{}
	for tries := 0; len(seen) < 2 && tries < 50; tries++ {
		seen[splitUndoesAMerge(t)] = true
	}
	expect.Len(t, "orders of the ids", slices.Collect(maps.Keys(seen)), 2)
}

// splitUndoesAMerge merges and splits two new people, and reports whether the first has the lower id. Both decisions
// outlast further imports.
func splitUndoesAMerge(t *testing.T) bool {
	t.Helper()
	db := pgtest.NewDataset(t)
	lines := []string{
		`{"full_name":"Jane Doe","social_url":"https://social.example/in/jane","headline":"CTO",` +
			`"as_of":"2026-01-02T00:00:00Z"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com","about_me":"Hello","as_of":"2026-01-01T00:00:00Z"}`,
	}
	unite(t, db, 10, lines...)
	before := everyone(t, db)
	jane, janet := identify(t, db, "https://social.example/in/jane")[0], identify(t, db, "janet@example.com")[0]
	user := firstUser(t, db)
	know(t, db, user, "janet@example.com")
	service := identity.NewService(db)
	expect.NoError(t, service.Merge(t.Context(), kith.Operator(), "https://social.example/in/jane",
		"janet@example.com"))
	for range 2 {
		for _, identifier := range []string{
			fmt.Sprint(jane), fmt.Sprint(janet), "janet@example.com", "social.example/in/jane",
		} {
			if ids := identify(t, db, identifier); !slices.Equal(ids, []int64{min(jane, janet)}) {
				t.Fatalf("%s: %v", identifier, ids)
			}
		}
		people, err := db.People(t.Context(), kith.Operator(), []int64{min(jane, janet)})
		expect.NoError(t, err)
		if p := people[0]; p.FullName != "Jane Doe" || p.Email != "janet@example.com" || p.AboutMe != "Hello" ||
			p.Headline != "CTO" {
			t.Fatalf("the merged person is %+v", p)
		}
		if known := knownTo(t, db, user); !slices.Equal(known, []int64{min(jane, janet)}) {
			t.Fatalf("known: %v", known)
		}
		unite(t, db, 10, lines...)
	}
	expect.NoError(t, service.Part(t.Context(), kith.Operator(), fmt.Sprint(janet), fmt.Sprint(jane)))
	for range 2 {
		if diff := firstDifference(before, everyone(t, db)); diff != "" {
			t.Fatal(diff)
		}
		if ids := identify(t, db, fmt.Sprint(janet)); !slices.Equal(ids, []int64{janet}) {
			t.Fatal(ids)
		}
		if known := knownTo(t, db, user); !slices.Equal(known, []int64{janet}) {
			t.Fatalf("known: %v", known)
		}
		unite(t, db, 10, lines...)
	}
	return jane < janet
}

// Nobody knows themselves, neither by an import nor by a merge with a person they know.
func TestNobodyHasARelationshipWithThemselves(t *testing.T) {
	seen := map[bool]bool{}
	for tries := 0; len(seen) < 2 && tries < 50; tries++ {
		db := pgtest.NewDataset(t)
		unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
			`{"full_name":"Janet Roe","email":"janet@example.com"}`)
		jane, janet := identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
		seen[jane < janet] = true
		user := firstUser(t, db)
		expect.NoError(t, db.Network().SetOwner(t.Context(), user, "jane@example.com"))
		imported, err := db.Network().Import(t.Context(), kith.Actor{UserID: user}, []network.Entry{
			{Identifier: "jane@example.com", Score: 5}, {Identifier: "janet@example.com", Score: 5},
		})
		expect.NoError(t, err)
		expect.Values(t, "statuses", []any{imported[0].Status, imported[1].Status}, network.Unchanged, network.Created)
		service := identity.NewService(db)
		expect.NoError(t, service.Merge(t.Context(), kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
		expect.Len(t, "relationships after the merge", knownTo(t, db, user), 0)
		expect.NoError(t, service.Part(t.Context(), kith.Operator(), fmt.Sprint(janet), fmt.Sprint(jane)))
		var want []int64 // the account stays with the person of both, who has the lower id
		if jane < janet {
			want = []int64{janet}
		}
		if known := knownTo(t, db, user); !slices.Equal(known, want) {
			t.Errorf("after the split: known are %v, want %v", known, want)
		}
	}
	expect.Len(t, "orders of the ids", slices.Collect(maps.Keys(seen)), 2)
}

// addTwoLeads adds two people to a sequence, each with a sent and a scheduled e-mail, and returns their ids.
func addTwoLeads(t *testing.T, db *postgres.DB) (jane, janet int64) {
	t.Helper()
	unite(t, db, 10, `{"full_name":"Jane Doe","email":"jane@example.com"}`,
		`{"full_name":"Janet Roe","email":"janet@example.com"}`)
	user, ctx := firstUser(t, db), t.Context()
	s, err := db.Outreach().CreateSequence(ctx, user, outreach.Sequence{
		Name: "Q3", Status: outreach.SequenceActive,
	}, "test")
	expect.NoError(t, err)
	_, err = db.Outreach().AddLeads(ctx, user, s.ID, "test",
		[]outreach.NewLead{{Identifier: "jane@example.com"}, {Identifier: "janet@example.com"}},
		func(outreach.Standing) *outreach.Refusal { return nil })
	expect.NoError(t, err)
	pgtest.Exec(t, db, `insert into emails (user_id, sequence_id, lead_id, loaded, status, subject, from_address,
			to_address, created_at, replied_at)
		select user_id, sequence_id, id, 0, 'sent', '', '', '', now(), now() from leads
		union all select user_id, sequence_id, id, 1, 'scheduled', '', '', '', now(), null from leads`)
	pgtest.Exec(t, db, `insert into activities (user_id, sequence_id, lead_id, email_id, type, decision, created_at)
		select user_id, sequence_id, lead_id, id, 'email', 'approved', now() from emails`)
	return identify(t, db, "jane@example.com")[0], identify(t, db, "janet@example.com")[0]
}

// leadEmails returns the states of all e-mails, and the moves of the only lead and what belongs to it.
func leadEmails(t *testing.T, db *postgres.DB) (emails, history string) {
	t.Helper()
	expect.NoError(t, db.Pool().QueryRow(t.Context(), `select
		(select string_agg(status, ' ' order by status) from emails),
		(select string_agg(subject || ' ' || to_state || case moved_by when 'merge' then ' by merge' else '' end, ', '
			order by id) from outreach_history where lead_id = (select id from leads))`).Scan(&emails, &history))
	return emails, history
}

// Two leads of one sequence who are one person become one lead with all their e-mails and history. Only the scheduled
// e-mails of one of them are sent.
func TestMergedLeadsKeepTheirEmails(t *testing.T) {
	db, ctx := pgtest.NewDataset(t), t.Context()
	jane, janet := addTwoLeads(t, db)
	service := identity.NewService(db)
	expect.NoError(t, service.Merge(ctx, kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
	var leads, activities, sent, replied int
	expect.NoError(t, db.Pool().QueryRow(ctx, `select (select count(*) from leads), (select count(*) from activities),
		s.sent, s.replied from sequences s`).Scan(&leads, &activities, &sent, &replied))
	expect.Values(t, "leads, activities, sent, replies", []any{leads, activities, sent, replied}, 1, 4, 2, 2)
	if emails, history := leadEmails(t, db); emails != "canceled scheduled sent sent" ||
		!strings.HasSuffix(history, ", email canceled by merge") {
		t.Errorf("the e-mails are %s, the history is %s", emails, history)
	}
	expect.NoError(t, service.Part(ctx, kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
}

// Of a removed lead and another one, the other's state and scheduled e-mails stay, whichever person stays.
func TestMergesReviveRemovedLeads(t *testing.T) {
	for _, keptIsRemoved := range []bool{true, false} {
		db, ctx := pgtest.NewDataset(t), t.Context()
		jane, janet := addTwoLeads(t, db)
		removed := max(jane, janet)
		if keptIsRemoved {
			removed = min(jane, janet)
		}
		pgtest.Exec(t, db, `update leads set stage = 1, latest_update = 'E-mail sent',
			status = case person_id when $1 then 'deleted' else 'active' end`, removed)
		pgtest.Exec(t, db, `update emails set status = 'canceled' where status = 'scheduled'
			and lead_id = (select id from leads where person_id = $1)`, removed)
		expect.NoError(t, identity.NewService(db).Merge(ctx, kith.Operator(), fmt.Sprint(jane), fmt.Sprint(janet)))
		var status string
		var leads, active int
		expect.NoError(t, db.Pool().QueryRow(ctx, `select l.status, s.leads, s.active_leads from leads l
			join sequences s on s.id = l.sequence_id`).Scan(&status, &leads, &active))
		expect.Values(t, "status, leads, active leads", []any{status, leads, active}, "active", 1, 1)
		if emails, history := leadEmails(t, db); emails != "canceled scheduled sent sent" ||
			strings.HasSuffix(history, ", lead active by merge") != keptIsRemoved {
			t.Errorf("kept is removed: %t: the e-mails are %s, the history is %s", keptIsRemoved, emails, history)
		}
	}
}

// Two records of one profile can be separated, whichever person keeps it.
func TestRecordsOfOneProfileCanBeSeparated(t *testing.T) {
	seen := map[bool]bool{}
	for tries := 0; len(seen) < 2 && tries < 50; tries++ {
		db := pgtest.NewDataset(t)
		unite(t, db, 10, `{"full_name":"Jane Doe","social_url":"https://social.example/in/jane","headline":"CTO",`+
			`"as_of":"2026-01-02T00:00:00Z"}`,
			`{"full_name":"Janet Roe","social_url":"https://social.example/in/jane","as_of":"2026-01-01T00:00:00Z"}`)
		expect.Len(t, "people of one profile", everyone(t, db), 1)
		person := identify(t, db, "social.example/in/jane")[0]
		var other int64
		expect.NoError(t, db.Querier().QueryRow(t.Context(), "select id from person_records where id <> $1",
			person).Scan(&other))
		seen[person < other] = true
		expect.NoError(t, identity.NewService(db).Part(t.Context(), kith.Operator(), fmt.Sprint(other),
			fmt.Sprint(person)))
		expect.Len(t, "people of two records", everyone(t, db), 2)
	}
	expect.Len(t, "orders of the ids", slices.Collect(maps.Keys(seen)), 2)
}

func TestDoubtfulPairsAreListedUntilDecided(t *testing.T) {
	db := pgtest.NewDataset(t)
	unite(t, db, 1,
		`{"full_name":"Jane Doe","email":"j1@example.com","work_relevant":{"title":"Engineer",`+
			`"company":{"name":"Acme"}}}`,
		`{"full_name":"Jane Doe","email":"j2@example.org","work_relevant":{"title":"Head of Sales",`+
			`"company":{"name":"Acme"}}}`,
		`{"full_name":"Max Roe","email":"max@example.org","work_relevant":{"title":"Head of Sales",`+
			`"company":{"name":"Acme"}}}`)
	service := identity.NewService(db)
	pairs, err := service.Duplicates(t.Context(), kith.Operator(), nil, 10)
	expect.NoError(t, err)
	if len(pairs) != 1 || pairs[0].People[0].Email == pairs[0].People[1].Email || pairs[0].Score != 6 {
		t.Fatalf("got the pairs %+v, want one", pairs)
	}
	if more, err := service.Duplicates(t.Context(), kith.Operator(), &pairs[0].At, 10); err != nil || len(more) > 0 {
		t.Fatal(more, err)
	}
	expect.NoError(t, service.Part(t.Context(), kith.Operator(), "j1@example.com", "j2@example.org"))
	if pairs, err = service.Duplicates(t.Context(), kith.Operator(), nil, 10); err != nil || len(pairs) > 0 {
		t.Fatal(pairs, err)
	}
	err = service.Merge(t.Context(), kith.Operator(), "j1@example.com", "j1@example.com")
	if kith.KindOf(err) != kith.Conflict {
		t.Error(err)
	}
	if err := service.Merge(t.Context(), kith.Operator(), "j1@example.com", "nobody@example.com"); kith.KindOf(
		err,
	) != kith.NotFound {
		t.Error(err)
	}
}

func TestMergedPeopleAreErasedUnderAllMarks(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	lines := []string{
		`{"full_name":"Jane Doe","social_url":"https://social.example/in/jane","email":"jane@example.com"}`,
		`{"full_name":"Jane Doe","email":"jane@example.com","emails":["jd@example.org"],"headline":"CTO"}`,
	}
	unite(t, db, 10, lines...)
	_, err := forget(t.Context(), db, "jd@example.org")
	expect.NoError(t, err)
	stats := unite(t, db, 10, append(lines, `{"full_name":"Jane","email":"jd@example.org"}`)...)
	if stats.Suppressed != 3 || len(everyone(t, db)) > 0 {
		t.Errorf("%s: %v", stats, everyone(t, db))
	}
	var left int
	expect.NoError(t, connect(t, url).QueryRow(t.Context(),
		"select (select count(*) from kith.person_records) + (select count(*) from "+
			"kith.person_identifiers)").Scan(&left))
	if left > 0 {
		t.Errorf("%d records and marks are left", left)
	}
}
