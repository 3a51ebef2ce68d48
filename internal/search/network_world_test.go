package search_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
	"kith/query/indexed"
)

// neighbourhood is a dataset whose users know some of its people. The expected results come from comparing every pair.
type neighbourhood struct {
	db     *postgres.DB
	net    *network.Service
	config search.Config
	apps   []auth.App
	size   map[int64]int
	stays  map[int64][]stay
	users  []*user
}

// user is a user with relationships and settings.
type user struct {
	kith.Actor
	person  int64
	app     int
	knows   map[int64]known
	sharing network.Sharing
	teams   map[string]bool
	// last holds the days of the last contacts.
	last map[int64]network.Day
}

type known struct {
	score float64
	kinds network.KindSet
}

// stay is the time of a person at a company or a school.
type stay struct {
	company  int64
	school   string
	from, to network.Day
}

var nearToday = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

const nearPeople = 150

// newNeighbourhood makes a random neighbourhood: 150 people, eight users of two apps.
func newNeighbourhood(t *testing.T, seed uint64) *neighbourhood {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	db := pgtest.NewDataset(t)
	n := &neighbourhood{db: db, net: network.New(db.Network()), size: map[int64]int{}, stays: map[int64][]stay{}}
	n.companies(t, r)
	n.loadPeople(t, r)
	clock := func() time.Time { return nearToday }
	n.config = newFixture(t).config
	n.config.Network, n.config.Now, n.config.Records, n.config.Journal = network.NewCircles(db.Network(), clock), clock,
		db, db
	for _, name := range []string{"acme", "globex"} {
		app := pgtest.App(t, db, name)
		n.apps = append(n.apps, app)
		for _, team := range []string{"red", "blue"} {
			expect.NoError(t, db.Network().CreateTeam(t.Context(), app.ID, team))
		}
	}
	for i := range 8 {
		n.join(t, r, i, i/6)
	}
	return n
}

func (n *neighbourhood) companies(t *testing.T, r *rand.Rand) {
	t.Helper()
	var lines strings.Builder
	for id := int64(1); id <= 12; id++ {
		n.size[id] = []int{0, 2, 12, 40, 4000, 200_000}[r.IntN(6)]
		fmt.Fprintf(&lines, `{"id":%d,"name":"Company %d","employee_count":%d}`+"\n", id, id, n.size[id])
	}
	pgtest.Load(t, n.db, record.Companies, lines.String())
}

// loadPeople loads the people.
func (n *neighbourhood) loadPeople(t *testing.T, r *rand.Rand) {
	t.Helper()
	var lines strings.Builder
	for id := int64(1); id <= nearPeople; id++ {
		lines.WriteString(n.person(r, id))
	}
	pgtest.Load(t, n.db, record.People, lines.String())
}

// person writes the line of a random person, and records the person's stays.
func (n *neighbourhood) person(r *rand.Rand, id int64) string {
	titles := []string{"Software Engineer", "Senior Software Engineer", "Staff Engineer", "Sales Manager", "Designer"}
	var stays []stay
	var jobs, schools []map[string]any
	for range r.IntN(3) {
		s, from, to := drawStay(r)
		s.company = 1 + r.Int64N(12)
		stays = append(stays, s)
		jobs = append(jobs, map[string]any{
			"title": titles[r.IntN(len(titles))], "company": map[string]any{"id": s.company},
			"start_date": from, "end_date": to,
		})
	}
	for range r.IntN(2) {
		s, from, to := drawStay(r)
		name := []string{"MIT", "ETH Zürich", "eth zurich"}[r.IntN(3)]
		s.school = strings.ReplaceAll(strings.ToLower(name), "ü", "u")
		stays = append(stays, s)
		school := map[string]any{"institute": name, "start_date": from}
		if to != nil {
			school["end_date"] = *to
		}
		schools = append(schools, school)
	}
	n.stays[id] = stays
	line, _ := json.Marshal(map[string]any{
		"id": id, "full_name": fmt.Sprintf("Pat Number%d", id),
		"social_url": fmt.Sprintf("https://social.example/in/p%d", id),
		"email":      fmt.Sprintf("u%d@acme.example", id), "work_history": jobs, "education_history": schools,
		"location": map[string]any{
			"city":    []string{"Berlin", "Paris"}[r.IntN(2)],
			"country": []string{"Germany", "France", "Japan"}[r.IntN(3)],
		},
		"headline": titles[r.IntN(len(titles))],
	})
	return string(line) + "\n"
}

func drawStay(r *rand.Rand) (s stay, from string, to *string) {
	year := 2000 + r.IntN(28) // some begin in the future
	from = fmt.Sprintf("%d-%02d", year, 1+r.IntN(12))
	s = stay{from: nearDay(from, false), to: network.Open}
	if r.IntN(3) > 0 {
		end := fmt.Sprint(year + r.IntN(5) + 1)
		to, s.to = &end, nearDay(end, true)
	}
	return s, from, to
}

func nearDay(s string, end bool) network.Day {
	d, err := analysis.ParseDay(s, end)
	if err != nil {
		panic(err)
	}
	return network.Day(d)
}

// stored reads all people.
func (n *neighbourhood) stored(t *testing.T) []record.Person {
	t.Helper()
	ids := make([]int64, 2*nearPeople)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	stored, err := n.db.PeopleByID(t.Context(), ids)
	expect.NoError(t, err)
	return stored
}

// join makes a user, who is a person of the dataset, with relationships.
func (n *neighbourhood) join(t *testing.T, r *rand.Rand, i, app int) {
	t.Helper()
	u := &user{
		person: int64(i + 1), app: app, knows: map[int64]known{}, teams: map[string]bool{}, sharing: network.ShareNone,
	}
	name := fmt.Sprintf("u%d", i+1)
	u.Actor = pgtest.User(t, n.db, n.apps[app], name, name+"@acme.example")
	n.users = append(n.users, u)
	if i == 5 {
		return // knows no one
	}
	for range 2 + r.IntN(12) {
		n.meet(t, r, u, 1+r.Int64N(nearPeople))
	}
	for other := range int64(8) {
		if other+1 != u.person && r.IntN(3) > 0 {
			n.meet(t, r, u, other+1)
		}
	}
	n.share(t, u, []network.Sharing{network.ShareNone, network.ShareTeam, network.ShareCommunity}[r.IntN(3)])
	for _, team := range []string{"red", "blue"} {
		if r.IntN(2) == 0 {
			u.teams[team] = true
			expect.NoError(t, n.db.Network().AddMember(t.Context(), n.apps[app].ID, team, name))
		}
	}
}

func (n *neighbourhood) share(t *testing.T, u *user, s network.Sharing) {
	t.Helper()
	u.sharing = s
	expect.NoError(t, n.net.SetSharing(t.Context(), u.Actor, s))
}

// meet imports one relationship.
func (n *neighbourhood) meet(t *testing.T, r *rand.Rand, u *user, person int64) {
	t.Helper()
	score := float64(r.IntN(21)) / 2
	kinds := network.KindsOf(network.Kinds()[r.IntN(8)])
	el := network.Element{Identifier: fmt.Sprintf("p%d", person), Score: &score, Kinds: kinds}
	if _, err := n.net.Import(t.Context(), u.Actor, []network.Element{el}, 5); err != nil {
		t.Fatal(err)
	}
	u.knows[person] = known{score, u.knows[person].kinds | kinds}
}

// bonds returns the reasons why an introducer of a user knows a person.
func (n *neighbourhood) bonds(u *user, introducer, target int64) []network.Bond {
	var out []network.Bond
	now := network.Day(nearToday.Unix() / 86400)
	for _, a := range n.stays[introducer] {
		for _, b := range n.stays[target] {
			from, to := max(a.from, b.from), min(a.to, b.to, now)
			if a.company != b.company || a.school != b.school || from > to {
				continue
			}
			days, ago := int(to-from)+1, int(now-to)
			if a.company != 0 {
				out = append(out, network.Bond{
					Kind:  network.WorkedTogether,
					Score: network.WorkedScore(days, n.size[a.company], ago),
				})
			} else {
				out = append(out, network.Bond{Kind: network.StudiedTogether, Score: network.StudiedScore(days, ago)})
			}
		}
	}
	for _, other := range n.users {
		rel, knows := other.knows[target]
		if other == u || other.person != introducer || other.app != u.app || !knows {
			continue
		}
		switch {
		case other.sharing != network.ShareNone && u.inTeamOf(other):
			out = append(out, network.Bond{Kind: network.Team, Score: rel.score})
		case other.sharing == network.ShareCommunity:
			out = append(out, network.Bond{Kind: network.Community, Score: rel.score})
		}
	}
	return out
}

func (u *user) inTeamOf(other *user) bool {
	for team := range other.teams {
		if u.teams[team] {
			return true
		}
	}
	return false
}

// nearness is how close a person is to a user: the class and the introducers.
type nearness struct {
	class       int
	introducers []int64
}

const notNear = 99

// inTouch reports whether the last contact with a person meets a filter.
func (u *user) inTouch(person int64, l *search.LastContactFilter) bool {
	if l == nil {
		return true
	}
	day, ok := u.last[person]
	if !ok {
		return l.After == ""
	}
	date := network.Date(day)
	return date >= l.After && (l.Before == "" || date < l.Before)
}

// nearness compares every pair to find how close a person is.
func (n *neighbourhood) nearness(u *user, f search.NetworkFilters, target int64) nearness {
	least, _ := network.ParseLabel(f.UserToIntroducerMinScore)
	bondLeast, _ := network.ParseLabel(f.IntroducerToTargetMinScore)
	class := func(degree int, score float64) int {
		return (degree-1)*6 + slices.Index(append(network.Labels(), network.Unlabelled), network.LabelOf(score))
	}
	will := func(id int64, k known) bool {
		return u.inTouch(id, f.LastContact) && k.score >= least.Least() && (len(f.UserToIntroducerTypes) == 0 ||
			slices.ContainsFunc(k.kinds.List(),
				func(kind network.Kind) bool { return slices.Contains(f.UserToIntroducerTypes, string(kind)) }))
	}
	out := nearness{class: notNear}
	if k, direct := u.knows[target]; direct {
		introduced := len(f.IntroducerSocialIDs)+len(f.IntroducerToTargetTypes)+len(f.IntroducerToTargetMinScore) > 0
		if hasDegree(f, 1) && !introduced && will(target, k) {
			out.class = class(1, k.score)
		}
		return out
	}
	for id, k := range u.knows {
		introduces := func(b network.Bond) bool { return b.Score >= bondLeast.Least() && counts(f, b.Kind) }
		if hasDegree(f, 2) && isNamed(f, id) && will(id, k) && slices.ContainsFunc(n.bonds(u, id, target), introduces) {
			out.class = min(out.class, class(2, k.score))
			out.introducers = append(out.introducers, id)
		}
	}
	slices.Sort(out.introducers)
	return out
}

// hasDegree reports whether the filters allow people of a degree.
func hasDegree(f search.NetworkFilters, degree int) bool {
	return len(f.ConnectionDegrees) == 0 || slices.Contains(f.ConnectionDegrees, degree)
}

// isNamed reports whether the filters allow an introducer.
func isNamed(f search.NetworkFilters, introducer int64) bool {
	return len(f.IntroducerSocialIDs) == 0 || slices.ContainsFunc(f.IntroducerSocialIDs,
		func(name string) bool { return analysis.SocialID(name) == fmt.Sprintf("p%d", introducer) })
}

// counts reports whether the filters allow introductions through a kind of bond.
func counts(f search.NetworkFilters, kind network.Kind) bool {
	return (kind != network.Team || !f.ExcludeTeams) && (kind != network.Community || !f.ExcludeCommunity) &&
		(len(f.IntroducerToTargetTypes) == 0 || slices.Contains(f.IntroducerToTargetTypes, string(kind)))
}

// inMemory indexes all stored people in memory and searches there.
func (n *neighbourhood) inMemory(t *testing.T) *search.Service {
	t.Helper()
	return n.on(t, memindex.New())
}

// on indexes all stored people in an engine and searches there.
func (n *neighbourhood) on(t *testing.T, ix indextest.Engine) *search.Service {
	t.Helper()
	var docs []indexed.Document
	for _, p := range n.stored(t) {
		d, err := analysis.Person(p.Person, p.Rank, p.Version)
		expect.NoError(t, err)
		docs = append(docs, d)
	}
	indextest.Store(t, ix, index.People, docs...)
	cfg := n.config
	cfg.Index = index.New(ix)
	return search.New(cfg)
}
