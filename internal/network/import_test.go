package network_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// dataset is a database with some people and users.
type dataset struct {
	db  *postgres.DB
	svc *network.Service
	app auth.App
}

func newDataset(t *testing.T, people int) *dataset {
	t.Helper()
	db := pgtest.NewDataset(t)
	d := &dataset{db: db, svc: network.New(db.Network())}
	var lines strings.Builder
	for i := 1; i <= people; i++ {
		fmt.Fprintf(&lines, `{"id":%[1]d,"full_name":"Person %[1]d","social_url":"https://social.example/in/p%[1]d",`+
			`"email":"p%[1]d@example.com"}`+"\n", i)
	}
	pgtest.Load(t, db, record.People, lines.String())
	d.app = pgtest.App(t, db, "acme")
	return d
}

func (d *dataset) user(t *testing.T, id string) kith.Actor {
	t.Helper()
	return d.userAt(t, id, id+"@acme.example")
}

// says joins results into one line: "created p1 6; failed PERSON_NOT_FOUND".
func says(results []network.Result) string {
	var out []string
	for _, r := range results {
		if r.Person != nil {
			out = append(out, fmt.Sprintf("%s %d", r.Status, r.Person.ID))
		} else {
			out = append(out, fmt.Sprintf("%s %s", r.Status, r.Code))
		}
	}
	return strings.Join(out, "; ")
}

func score(f float64) *float64 { return &f }

func TestImportOutcomes(t *testing.T) {
	d := newDataset(t, 5)
	u := d.user(t, "u1")
	steps := []struct {
		name     string
		elements []network.Element
		want     string
		then     string // the user's list: "person score kinds"
	}{
		{
			"by e-mail, URL and social identifier",
			[]network.Element{
				{Identifier: "P1@Example.com"},
				{Identifier: "http://www.social.example/in/P2/?x=1", Score: score(9)},
				{Identifier: "p3"},
			},
			"created 1; created 2; created 3", "2 9 [social_contact], 1 5 [social_contact], 3 5 [social_contact]",
		},
		{
			"again",
			[]network.Element{{Identifier: "@P1"}, {Identifier: "p2", Score: score(9)}},
			"unchanged 1; unchanged 2",
			"2 9 [social_contact], 1 5 [social_contact], 3 5 [social_contact]",
		},
		{
			"another score",
			[]network.Element{{Identifier: "p1", Score: score(0)}},
			"updated 1",
			"2 9 [social_contact], 3 5 [social_contact], 1 0 [social_contact]",
		},
		{
			"repeats are one, the last score wins",
			[]network.Element{{Identifier: "p4", Score: score(1)}, {Identifier: "p4@example.com", Score: score(7.5)}},
			"created 4; created 4", "2 9 [social_contact], 4 7.5 [social_contact], 3 5 [social_contact], 1 0 " +
				"[social_contact]",
		},
		{
			"bad ones fail for themselves",
			[]network.Element{
				{Identifier: ""},
				{Identifier: "nobody@example.com"},
				{Identifier: "p5", Score: score(10.1)},
				{Identifier: "p5", Score: score(-1)},
				{Identifier: "a b"},
				{Identifier: "x@"},
				{Identifier: strings.Repeat("x", 501)},
				{Identifier: "p9"},
				{Identifier: "https://social.example"},
				{Identifier: "p5", Score: score(10)},
			},
			"failed INVALID_IDENTIFIER; failed PERSON_NOT_FOUND; failed INVALID_SCORE; failed INVALID_SCORE; failed " +
				"INVALID_IDENTIFIER; " +
				"failed INVALID_IDENTIFIER; failed INVALID_IDENTIFIER; failed PERSON_NOT_FOUND; failed " +
				"INVALID_IDENTIFIER; created 5",
			"5 10 [social_contact], 2 9 [social_contact], 4 7.5 [social_contact], 3 5 [social_contact], 1 0 " +
				"[social_contact]",
		},
		{
			"kinds are added",
			[]network.Element{
				{Identifier: "p5", Score: score(10), Kinds: network.KindsOf(network.WorkedTogether)},
				{Identifier: "p5", Score: score(10)},
			},
			"updated 5; updated 5",
			"5 10 [social_contact worked_together], 2 9 [social_contact], 4 7.5 [social_contact], 3 5 " +
				"[social_contact], 1 0 [social_contact]",
		},
	}
	for _, step := range steps {
		results, err := d.svc.Import(t.Context(), u, step.elements, network.DefaultScore)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := says(results); got != step.want {
			t.Errorf("%s:\ngot  %s\nwant %s", step.name, got, step.want)
		}
		if got := d.listed(t, u); got != step.then {
			t.Errorf("%s: the list is\ngot  %s\nwant %s", step.name, got, step.then)
		}
	}
	if s, err := d.svc.Summary(t.Context(), u); err != nil || s.Relationships != 5 || s.UpdatedAt.IsZero() {
		t.Errorf("summary %+v, %v", s, err)
	}
}

// listed reads the whole list in pages of two.
func (d *dataset) listed(t *testing.T, u kith.Actor) string {
	t.Helper()
	var out []string
	var after *network.Position
	for {
		page, more, err := d.svc.List(t.Context(), u, after, 2)
		expect.NoError(t, err)
		for _, r := range page {
			out = append(out, fmt.Sprintf("%d %v %v", r.Person.ID, r.Score, r.Kinds.List()))
			after = &network.Position{Score: r.Score, Person: r.Person.ID}
		}
		if !more {
			return strings.Join(out, ", ")
		}
	}
}

func TestUsersCannotReachRelationshipsOfOthers(t *testing.T) {
	d := newDataset(t, 2)
	mine, theirs := d.user(t, "u1"), d.user(t, "u2")
	if _, err := d.svc.Import(t.Context(), mine, []network.Element{{Identifier: "p1"}}, 5); err != nil {
		t.Fatal(err)
	}
	if got := d.listed(t, theirs); got != "" {
		t.Errorf("another user sees %s", got)
	}
	page, _, err := d.svc.List(t.Context(), mine, nil, 10)
	if err != nil || len(page) != 1 {
		t.Fatal(page, err)
	}
	err = d.svc.Delete(t.Context(), theirs, page[0].Person.ID)
	wantCode(t, err, "RELATIONSHIP_NOT_FOUND")
	wantCode(t, d.svc.Delete(t.Context(), mine, page[0].Person.ID+1), "RELATIONSHIP_NOT_FOUND")
	if err := d.svc.Delete(t.Context(), mine, page[0].Person.ID); err != nil {
		t.Error(err)
	}
	if got := d.listed(t, mine); got != "" {
		t.Errorf("after the deletion: %s", got)
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if e, ok := errors.AsType[*kith.Error](err); !ok || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

// Imports of one user run while people are deleted. Each remaining person has one relationship.
func TestConcurrentImportsLeaveOneRelationshipPerPerson(t *testing.T) {
	d := newDataset(t, 40)
	u := d.user(t, "u1")
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 10 {
				var elements []network.Element
				for p := 1; p <= 40; p++ {
					elements = append(elements, network.Element{
						Identifier: fmt.Sprintf("p%d", p),
						Score:      score(float64((w + i) % 10)),
					})
				}
				if _, err := d.svc.Import(context.WithoutCancel(t.Context()), u, elements, 5); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Go(func() {
		for id := int64(1); id <= 20; id++ {
			err := d.db.Write(context.WithoutCancel(t.Context()), record.ForEveryone(),
				func(ctx context.Context, tx record.Tx) error { return tx.DeletePeople(ctx, []int64{id}) })
			if err != nil {
				t.Error(err)
			}
		}
	})
	group.Wait()
	if s, err := d.svc.Summary(t.Context(), u); err != nil || s.Relationships != 20 {
		t.Errorf("%d relationships, %v; want 20", s.Relationships, err)
	}
}

func TestSharingAndTeamsCanBeChanged(t *testing.T) {
	d := newDataset(t, 1)
	u := d.user(t, "u1")
	before, err := d.svc.Summary(t.Context(), u)
	expect.NoError(t, err)
	expect.NoError(t, d.svc.SetSharing(t.Context(), u, network.ShareTeam))
	after, err := d.svc.Summary(t.Context(), u)
	expect.NoError(t, err)
	expect.Values(t, "settings before and after the change", []any{before.Sharing, after.Sharing},
		network.ShareNone, network.ShareTeam)
	if err := d.svc.SetSharing(t.Context(), u, "everyone"); kith.KindOf(err) != kith.Invalid {
		t.Errorf("an unknown setting: %v", err)
	}
	ctx := t.Context()
	for _, err := range []error{
		d.db.Network().CreateTeam(ctx, d.app.ID, "sales"),
		d.db.Network().AddMember(ctx, d.app.ID, "sales", "u1"), d.db.Network().AddMember(ctx, d.app.ID, "sales", "u1"),
	} {
		expect.NoError(t, err)
	}
	wantCode(t, d.db.Network().CreateTeam(ctx, d.app.ID, "sales"), "TEAM_EXISTS")
	wantCode(t, d.db.Network().AddMember(ctx, d.app.ID, "sales", "u9"), "USER_NOT_FOUND")
	wantCode(t, d.db.Network().RemoveMember(ctx, d.app.ID, "sales", "u1", "u9"), "USER_NOT_FOUND") // and u1 remains
	wantCode(t, d.db.Network().AddMember(ctx, d.app.ID, "design", "u1"), "TEAM_NOT_FOUND")
	wantCode(t, d.db.Network().AddMember(ctx, d.app.ID+1, "sales", "u1"), "TEAM_NOT_FOUND")
	teams, err := d.db.Network().Teams(ctx, d.app.ID)
	if err != nil || len(teams) != 1 || strings.Join(teams[0].Members, " ") != "u1" {
		t.Errorf("teams %+v, %v", teams, err)
	}
	expect.NoError(t, d.db.Network().RemoveMember(ctx, d.app.ID, "sales", "u1"))
	expect.NoError(t, d.db.Network().DeleteTeam(ctx, d.app.ID, "sales"))
	if teams, err := d.db.Network().Teams(ctx, d.app.ID); err != nil || len(teams) != 0 {
		t.Errorf("teams %+v, %v", teams, err)
	}
	for _, bad := range []string{"", " x", "a\n", "\u200b", strings.Repeat("é", 101)} {
		if network.CheckTeamName(bad) == nil {
			t.Errorf("%q may be a team's name", bad)
		}
	}
}
