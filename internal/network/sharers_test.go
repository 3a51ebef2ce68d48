package network_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/network"
	networksql "kith/internal/postgres/network"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// counting counts reads of the sharers.
type counting struct {
	*networksql.Store
	reads int
}

func (c *counting) Sharers(ctx context.Context, user int64) ([]network.Sharer, error) {
	c.reads++
	return c.Store.Sharers(ctx, user)
}

// sharers are two users. The caller knows person 2, who has the address of the other user; that
// user shares, and knows person 3.
func sharers(t *testing.T) (d *dataset, caller, sharer kith.Actor) {
	t.Helper()
	d = newDataset(t, 6)
	caller, sharer = d.userAt(t, "u1", "p1@example.com"), d.userAt(t, "u2", "p2@example.com")
	d.knows(t, caller, "p2")
	d.knows(t, sharer, "p3")
	expect.NoError(t, d.svc.SetSharing(t.Context(), sharer, network.ShareCommunity))
	return d, caller, sharer
}

func (d *dataset) userAt(t *testing.T, id, email string) kith.Actor {
	t.Helper()
	return pgtest.User(t, d.db, d.app, id, email)
}

func (d *dataset) knows(t *testing.T, a kith.Actor, identifiers ...string) {
	t.Helper()
	var elements []network.Element
	for _, id := range identifiers {
		elements = append(elements, network.Element{Identifier: id})
	}
	if _, err := d.svc.Import(t.Context(), a, elements, 5); err != nil {
		t.Fatal(err)
	}
}

// record loads a person with an address.
func (d *dataset) record(t *testing.T, id int, email string) {
	t.Helper()
	pgtest.Load(t, d.db, record.People, fmt.Sprintf(`{"id":%[1]d,"full_name":"Person %[1]d",`+
		`"social_url":"https://social.example/in/p%[1]d","email":%[2]q,"headline":%[2]q}`, id, email))
}

// Relationships of others, and records of people who do not share, need no new read of the sharers.
func TestSharersAreReadAgainOnlyAfterRelevantChanges(t *testing.T) {
	d, caller, sharer := sharers(t)
	store := &counting{Store: d.db.Network()}
	circles := network.NewCircles(store, nil)
	stranger := d.userAt(t, "u3", "p5@example.com")
	for _, step := range []struct {
		name  string
		do    func()
		reads int
		want  []int64
	}{
		{"the first time", func() {}, 1, []int64{2, 3}},
		{"nothing changed", func() {}, 0, []int64{2, 3}},
		{"the sharer knows another", func() { d.knows(t, sharer, "p4") }, 0, []int64{2, 3, 4}},
		{"a stranger imports", func() { d.knows(t, stranger, "p1", "p2", "p3") }, 0, []int64{2, 3, 4}},
		{"a record of a person who is no user", func() { d.record(t, 6, "other@example.com") }, 0, []int64{2, 3, 4}},
		{"a record of a stranger", func() { d.record(t, 5, "p5@example.com") }, 0, []int64{2, 3, 4}},
		{"the stranger shares", func() { d.share(t, stranger, network.ShareCommunity) }, 1, []int64{2, 3, 4}},
		{"the caller knows the stranger", func() { d.knows(t, caller, "p5") }, 1, []int64{1, 2, 3, 4, 5}},
		{"the stranger's record has another address", func() { d.record(t, 5, "new@example.com") }, 1, []int64{
			2, 3, 4,
			5,
		}},
		{"another has the stranger's address", func() { d.record(t, 2, "p5@example.com") }, 1, []int64{1, 2, 3, 5}},
		{"the sharer has another address", func() { d.userAt(t, "u2", "new@example.com") }, 1, []int64{1, 2, 3, 4, 5}},
		{"the sharer stops sharing", func() { d.share(t, sharer, network.ShareNone) }, 1, []int64{1, 2, 3, 5}},
		{"the stranger shares with a team", func() { d.share(t, stranger, network.ShareTeam) }, 1, []int64{2, 5}},
	} {
		step.do()
		before := store.reads
		circle, err := circles.Now(t.Context(), caller, network.Filter{})
		expect.NoError(t, err)
		got := circle.People()
		if reads := store.reads - before; reads != step.reads || !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, read %d times; want %v, %d", step.name, got, reads, step.want, step.reads)
		}
	}
}

func (d *dataset) share(t *testing.T, a kith.Actor, s network.Sharing) {
	t.Helper()
	expect.NoError(t, d.svc.SetSharing(t.Context(), a, s))
}

// A cached circle always equals a new one.
func TestCachedCirclesFollowEveryChange(t *testing.T) {
	d := newDataset(t, 12)
	r := rand.New(rand.NewPCG(3, 9))
	var users []kith.Actor
	for i := range 4 {
		users = append(users, d.userAt(t, fmt.Sprint("u", i), fmt.Sprintf("p%d@example.com", i+1)))
	}
	for _, team := range []string{"red", "blue"} {
		expect.NoError(t, d.db.Network().CreateTeam(t.Context(), d.app.ID, team))
	}
	kept := network.NewCircles(d.db.Network(), nil)
	reached := 0
	for step := range 250 {
		d.shake(t, r, users)
		who := users[r.IntN(len(users))]
		got, err := kept.Now(t.Context(), who, network.Filter{})
		expect.NoError(t, err)
		want, err := network.NewCircles(d.db.Network(), nil).Now(t.Context(), who, network.Filter{})
		expect.NoError(t, err)
		reached += want.Size()
		if got.ID != want.ID || !slices.Equal(got.People(), want.People()) {
			t.Fatalf("step %d, user %s: kept %v, want %v", step, who.ExternalID, got.People(), want.People())
		}
	}
	if reached < 500 {
		t.Errorf("only %d people were reached", reached)
	}
}

// shake makes a random change.
func (d *dataset) shake(t *testing.T, r *rand.Rand, users []kith.Actor) {
	t.Helper()
	i := r.IntN(len(users))
	u, person := users[i], 1+r.IntN(12)
	email := fmt.Sprintf("p%d@example.com", 1+r.IntN(6))
	switch r.IntN(8) {
	case 0, 1:
		d.knows(t, u, fmt.Sprint("p", person))
	case 2:
		list, _, err := d.svc.List(t.Context(), u, nil, 100)
		expect.NoError(t, err)
		if len(list) > 3 {
			expect.NoError(t, d.svc.Delete(t.Context(), u, list[r.IntN(len(list))].Person.ID))
		}
	case 3:
		d.share(t, u, []network.Sharing{network.ShareNone, network.ShareTeam, network.ShareCommunity}[r.IntN(3)])
	case 4, 5:
		change := []func(context.Context, int64, string, ...string) error{
			d.db.Network().AddMember,
			d.db.Network().RemoveMember,
		}[r.IntN(2)]
		expect.NoError(t, change(t.Context(), d.app.ID, []string{"red", "blue"}[r.IntN(2)], u.ExternalID))
	case 6:
		d.userAt(t, u.ExternalID, email)
	case 7:
		d.record(t, person, email)
	}
}

// The strength of a bond depends on the size of the company, too.
func TestCirclesFollowTheSizesOfCompanies(t *testing.T) {
	d := newDataset(t, 1)
	company := func(employees int) {
		pgtest.Load(t, d.db, record.Companies, fmt.Sprintf(`{"id":1,"name":"Acme","employee_count":%d}`, employees))
	}
	company(5)
	for id := range 2 {
		pgtest.Load(t, d.db, record.People,
			fmt.Sprintf(`{"id":%d,"full_name":"Colleague","social_url":"https://social.example/in/c%[1]d",`+
				`"work_history":[{"title":"Engineer","company":{"id":1},"start_date":"2010-01-01"}]}`, id+10))
	}
	caller := d.user(t, "u1")
	d.knows(t, caller, "c10")
	circles := network.NewCircles(d.db.Network(), nil)
	reached := func() int {
		t.Helper()
		circle, err := circles.Now(t.Context(), caller, network.Filter{TargetLeast: network.VeryGood})
		expect.NoError(t, err)
		return circle.Size()
	}
	if n := reached(); n != 1 {
		t.Errorf("%d people are reached through a company of five", n)
	}
	company(50_000)
	if n := reached(); n != 0 {
		t.Errorf("%d people are reached through a company that has grown", n)
	}
}

// Each filter has its own circle, however similar two filters look. The names in a filter count as memory.
func TestSimilarFiltersHaveSeparateCircles(t *testing.T) {
	d, caller, _ := sharers(t)
	circles := network.NewCircles(d.db.Network(), nil)
	for _, step := range []struct {
		introducers []string
		want        []int64
	}{
		{[]string{"p1", "p2"}, []int64{3}},
		{[]string{"p1 p2"}, nil},
		{[]string{strings.Repeat("x", 100_000)}, nil},
	} {
		before := circles.Bytes()
		circle, err := circles.Now(t.Context(), caller, network.Filter{Introducers: step.introducers})
		expect.NoError(t, err)
		if got := circle.People(); !slices.Equal(got, step.want) {
			t.Errorf("%.20q: %v, want %v", step.introducers, got, step.want)
		}
		if named := len(strings.Join(step.introducers, "")); circles.Bytes()-before < named {
			t.Errorf("%.20q: %d bytes are kept, but only %d accounted for", step.introducers, named,
				circles.Bytes()-before)
		}
	}
}
