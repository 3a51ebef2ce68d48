package network_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/network"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
)

// world is a random dataset with users who know some of its people.
type world struct {
	*dataset
	people []kith.Person
	size   map[int64]int
	users  []kith.Actor
	// knows holds the relationships of each user by person.
	knows   []map[int64]float64
	sharing []network.Sharing
	teams   []map[string]bool
}

var today = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

const worldPeople = 40

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	w := &world{dataset: newDataset(t, 0), size: map[int64]int{}}
	w.loadCompanies(t, r)
	w.loadPeople(t, r)
	for _, team := range []string{"red", "blue"} {
		expect.NoError(t, w.db.Network().CreateTeam(t.Context(), w.app.ID, team))
	}
	for i := range 4 {
		w.addUser(t, r, i)
	}
	return w
}

func (w *world) loadCompanies(t *testing.T, r *rand.Rand) {
	t.Helper()
	var lines strings.Builder
	for id := int64(1); id <= 5; id++ {
		w.size[id] = []int{0, 3, 80, 4000, 200_000}[r.IntN(5)]
		fmt.Fprintf(&lines, `{"id":%d,"name":"Company %d","employee_count":%d}`+"\n", id, id, w.size[id])
	}
	pgtest.Load(t, w.db, record.Companies, lines.String())
}

func (w *world) loadPeople(t *testing.T, r *rand.Rand) {
	t.Helper()
	var lines strings.Builder
	for id := int64(1); id <= worldPeople; id++ {
		p := kith.Person{
			ID: id, FullName: fmt.Sprintf("Person %d", id),
			SocialURL: fmt.Sprintf("https://social.example/in/p%d", id), Email: fmt.Sprintf("u%d@acme.example", id),
		}
		for range r.IntN(4) {
			from, to := span(r)
			p.WorkHistory = append(p.WorkHistory,
				kith.Job{Title: "Engineer", Company: kith.Company{ID: 1 + r.Int64N(5)}, StartDate: from, EndDate: to})
		}
		for range r.IntN(2) {
			from, to := span(r)
			e := kith.Education{Institute: []string{"MIT", "ETH Zürich", "eth zurich"}[r.IntN(3)]}
			if from != nil {
				e.StartDate = *from
			}
			if to != nil {
				e.EndDate = *to
			}
			p.EducationHistory = append(p.EducationHistory, e)
		}
		w.people = append(w.people, p)
		line, err := json.Marshal(p)
		expect.NoError(t, err)
		// Only the definition of a company has its members. A line refers to it by id.
		lines.Write(append([]byte(companyRefs(string(line))), '\n'))
	}
	pgtest.Load(t, w.db, record.People, lines.String())
}

// companyRefs keeps only the id of every company.
func companyRefs(line string) string {
	var v map[string]any
	if json.Unmarshal([]byte(line), &v) != nil {
		return line
	}
	jobs, _ := v["work_history"].([]any)
	for _, j := range jobs {
		job := j.(map[string]any)
		job["company"] = map[string]any{"id": job["company"].(map[string]any)["id"]}
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// span draws a time. The start may be unknown, and the end open.
func span(r *rand.Rand) (from, to *string) {
	start := 2000 + r.IntN(26)
	if r.IntN(8) > 0 {
		s := fmt.Sprintf("%d-%02d", start, 1+r.IntN(12))
		if start > 2025 {
			s = fmt.Sprint(start)
		}
		from = &s
	}
	if r.IntN(3) > 0 {
		s := fmt.Sprint(start + r.IntN(6))
		to = &s
	}
	return from, to
}

func (w *world) addUser(t *testing.T, r *rand.Rand, i int) {
	t.Helper()
	name := fmt.Sprintf("u%d", i+1)
	u := w.user(t, name)
	knows := map[int64]float64{}
	var elements []network.Element
	for _, id := range r.Perm(worldPeople)[:3+r.IntN(6)] {
		s := float64(r.IntN(21)) / 2
		knows[int64(id+1)] = s
		elements = append(elements, network.Element{Identifier: fmt.Sprintf("p%d", id+1), Score: &s})
	}
	if i == 0 { // the first user knows the others, so their shares count
		for id := int64(2); id <= 4; id++ {
			s := 8.0
			knows[id] = s
			elements = append(elements, network.Element{Identifier: fmt.Sprintf("p%d", id), Score: &s})
		}
	}
	if _, err := w.svc.Import(t.Context(), u, elements, 5); err != nil {
		t.Fatal(err)
	}
	sharing := []network.Sharing{network.ShareNone, network.ShareTeam, network.ShareCommunity}[r.IntN(3)]
	expect.NoError(t, w.svc.SetSharing(t.Context(), u, sharing))
	teams := map[string]bool{}
	for _, team := range []string{"red", "blue"} {
		if r.IntN(2) == 0 {
			teams[team] = true
			expect.NoError(t, w.db.Network().AddMember(t.Context(), w.app.ID, team, name))
		}
	}
	w.users, w.knows, w.sharing, w.teams = append(w.users, u), append(w.knows, knows), append(w.sharing, sharing),
		append(w.teams, teams)
}

// day reads a date like the records.
func day(s string, end bool) network.Day {
	d, err := analysis.ParseDay(s, end)
	if err != nil {
		panic(err)
	}
	return network.Day(d)
}

// stay is an unbroken time of a person at one organization, read from the record.
type stay struct {
	company  int64
	school   string
	from, to network.Day
}

// stays joins stays that overlap or adjoin at one organization, pair by pair.
func stays(p kith.Person) []stay { return united(spells(p)) }

func united(all []stay) []stay {
	for i := range all {
		for j := range i {
			a, b := all[i], all[j]
			if a.company == b.company && a.school == b.school && int64(a.from) <= int64(b.to)+1 &&
				int64(b.from) <= int64(a.to)+1 {
				all[j].from, all[j].to = min(a.from, b.from), max(a.to, b.to)
				return united(slices.Delete(all, i, i+1))
			}
		}
	}
	return all
}

// spells returns the jobs and schools of a person one by one.
func spells(p kith.Person) []stay {
	var out []stay
	for _, j := range p.WorkHistory {
		if j.StartDate == nil {
			continue
		}
		s := stay{company: j.Company.ID, from: day(*j.StartDate, false), to: network.Open}
		if j.EndDate != nil {
			s.to = day(*j.EndDate, true)
		}
		out = append(out, s)
	}
	for _, e := range p.EducationHistory {
		if e.StartDate == "" {
			continue
		}
		s := stay{
			school: strings.ReplaceAll(strings.ToLower(e.Institute), "ü", "u"), from: day(e.StartDate, false),
			to: network.Open,
		}
		if e.EndDate != "" {
			s.to = day(e.EndDate, true)
		}
		out = append(out, s)
	}
	return out
}

// bond compares every pair of stays to find the strongest reason why two people know each other.
func (w *world) bond(a, b kith.Person) float64 {
	now := network.Day(today.Unix() / 86400)
	best := -1.0
	for _, x := range stays(a) {
		for _, y := range stays(b) {
			from, to := max(x.from, y.from), min(x.to, y.to, now)
			if x.company != y.company || x.school != y.school || from > to {
				continue
			}
			days, ago := int(to-from)+1, int(now-to)
			if x.company != 0 {
				best = max(best, network.WorkedScore(days, w.size[x.company], ago))
			} else {
				best = max(best, network.StudiedScore(days, ago))
			}
		}
	}
	return best
}

// naive returns the paths of a user to a person as "introducer score", strongest first.
func (w *world) naive(user int, target int64) (direct string, ways []string) {
	type way struct {
		id     int64
		score  float64
		strong float64
	}
	var all []way
	for id, score := range w.knows[user] {
		if id == target {
			direct = fmt.Sprint(score)
			continue
		}
		bond := w.bond(w.people[id-1], w.people[target-1])
		for other := range w.users {
			if other != user && int64(other+1) == id && w.shares(other, user) {
				if s, ok := w.knows[other][target]; ok {
					bond = max(bond, s)
				}
			}
		}
		if bond >= 0 {
			all = append(all, way{id, network.PathScore(score, bond), score})
		}
	}
	slices.SortFunc(all, func(a, b way) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.strong, a.strong), cmp.Compare(a.id, b.id))
	})
	for _, a := range all[:min(len(all), network.MaxIntroducers)] {
		ways = append(ways, fmt.Sprintf("%d %.9f", a.id, a.score))
	}
	return direct, ways
}

// best is the strength of the strongest path of a user to a person.
func (w *world) best(user int, target int64) (score float64, reached bool) {
	direct, ways := w.naive(user, target)
	score = -1
	if direct != "" {
		score = w.knows[user][target]
	}
	if len(ways) > 0 {
		var id int64
		var way float64
		if _, err := fmt.Sscan(ways[0], &id, &way); err == nil {
			score = max(score, way)
		}
	}
	return score, score >= 0
}

// shares reports whether a user shares with another.
func (w *world) shares(user, with int) bool {
	switch w.sharing[user] {
	case network.ShareCommunity:
		return true
	case network.ShareTeam:
		for team := range w.teams[user] {
			if w.teams[with][team] {
				return true
			}
		}
	}
	return false
}

// The paths, their scores and their order equal those from comparing every pair.
func TestPathsEqualComparingEveryPair(t *testing.T) {
	ways := 0
	for seed := range uint64(6) {
		w := newWorld(t, seed)
		circles := network.NewCircles(w.db.Network(), func() time.Time { return today })
		var ids []int64
		for id := int64(1); id <= worldPeople; id++ {
			ids = append(ids, id)
		}
		for user := range w.users {
			got, err := circles.To(t.Context(), w.users[user], ids)
			expect.NoError(t, err)
			for i, p := range got {
				direct, want := w.naive(user, ids[i])
				ways += len(want)
				if a, b := describePaths(p), direct+"|"+strings.Join(want, ", "); a != b {
					t.Errorf("seed %d, user %d, person %d:\ngot  %s\nwant %s", seed, user+1, ids[i], a, b)
				}
			}
			w.checkCompanies(t, circles, user)
		}
	}
	if ways < 500 {
		t.Errorf("only %d paths were compared", ways)
	}
}

func describePaths(p network.Paths) string {
	direct := ""
	if p.Direct != nil {
		direct = fmt.Sprint(p.Direct.Score)
	}
	var ways []string
	for _, i := range p.Introductions {
		ways = append(ways, fmt.Sprintf("%d %.9f", i.Introducer.Person, i.Score()))
	}
	return direct + "|" + strings.Join(ways, ", ")
}

// checkCompanies compares the paths into each company with those to each of its people.
func (w *world) checkCompanies(t *testing.T, circles *network.Circles, user int) {
	t.Helper()
	for company := int64(1); company <= 5; company++ {
		got, total, err := circles.AtCompany(t.Context(), w.users[user], []int64{company}, 5)
		expect.NoError(t, err)
		best := map[int64]float64{}
		var want []int64
		for _, p := range w.people {
			there := slices.ContainsFunc(p.WorkHistory, func(j kith.Job) bool {
				return j.Company.ID == company && j.Current()
			})
			if score, reached := w.best(user, p.ID); there && reached {
				best[p.ID], want = score, append(want, p.ID)
			}
		}
		slices.SortFunc(want, func(a, b int64) int { return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a, b)) })
		reached := len(want)
		for i, p := range got {
			if math.Abs(p.Score()-best[p.Person]) > 1e-9 || math.Abs(best[p.Person]-best[want[i]]) > 1e-9 {
				t.Errorf("company %d, position %d: person %d of %v, want %d of %v", company, i, p.Person, p.Score(),
					want[i], best[want[i]])
			}
		}
		if total != reached || len(got) != min(total, 5) {
			t.Errorf("company %d: %d of %d people are reached, want %d", company, len(got), total, reached)
		}
	}
}
