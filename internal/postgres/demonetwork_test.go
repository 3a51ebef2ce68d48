package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/demo"
	"kith/internal/network"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Every user of the demo, existing or new, starts with the same network and shares of colleagues.
// Changes of one user affect no other.
func TestEveryDemoUserStartsWithTheSameNetwork(t *testing.T) {
	db := pgtest.NewDataset(t)
	var lines strings.Builder
	for i := 1; i <= 500; i++ {
		fmt.Fprintf(&lines, `{"id":%[1]d,"full_name":"Person %[1]d","social_url":"https://social.example/in/p%[1]d",`+
			`"email":"p•••@example.com"}`+"\n", i)
	}
	pgtest.Load(t, db, record.People, lines.String())
	svc := auth.New(db.Auth(), auth.Config{})
	app, _, err := svc.CreateApp(t.Context(), "demo")
	expect.NoError(t, err)
	sign := func(id string) kith.Actor { return pgtest.User(t, db, app, id, id+"@example.com") }
	data, err := demo.New(demo.Config{Seed: 1})
	expect.NoError(t, err)
	for start := range 2 { // each start sets up the demo
		expect.NoError(t, svc.DropUsers(t.Context()))
		early := sign("early")
		people, err := db.Network().DemoPeople(t.Context(), demo.NetworkPeople)
		if err != nil || len(people) != 500 {
			t.Fatal(len(people), err)
		}
		expect.NoError(t, db.Network().SetDemoNetwork(t.Context(), app.ID, demo.NewNetwork(data, people)))
		late := sign("late")
		nets := network.New(db.Network())
		for _, who := range []kith.Actor{early, late} {
			summary, err := nets.Summary(t.Context(), who)
			sharers, err2 := db.Network().Sharers(t.Context(), who.UserID)
			expect.Values(t, fmt.Sprintf("network of user %d at start %d", who.UserID, start),
				[]any{err, err2, summary.Relationships, summary.UpdatedAt.IsZero(), len(sharers)}, nil, nil, 400, false,
				6)
		}
		list, _, err := nets.List(t.Context(), early, nil, 1)
		expect.NoError(t, err)
		expect.Len(t, "relationships", list, 1)
		expect.NoError(t, nets.Delete(t.Context(), early, list[0].Person.ID))
		summary, err := nets.Summary(t.Context(), late)
		expect.Values(t, "network of the late user", []any{err, summary.Relationships}, nil, 400)
	}
	if teams, err := db.Network().Teams(t.Context(), app.ID); err != nil || len(teams) != 2 {
		t.Errorf("got the teams %+v, %v, want two", teams, err)
	}
}
