package identity_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kith"
	"kith/internal/record/identity"
)

// world generates people, some of them with the same name, and records of them as files have them:
// with nicknames, other jobs, missing members and typing errors.
type world struct {
	dice  *rand.Rand
	names int
}

// being is the true data of a person.
type being struct {
	first, middle, last, nick string
	jobs                      []kith.Job
	school, city, country     string
	work, private, profile    string
}

func (w world) pick(texts ...string) string { return texts[w.dice.IntN(len(texts))] }

func (w world) half() bool { return w.dice.IntN(2) == 0 }

func (w world) someone() being {
	firsts := [][2]string{
		{"Robert", "Bob"},
		{"William", "Bill"},
		{"Elizabeth", "Liz"},
		{"Katherine", "Kate"},
		{"Michael", "Mike"},
		{"Jane", "Jane"},
		{"Anna", "Anna"},
		{"Thomas", "Tom"},
		{"Margaret", "Peggy"},
		{"Jörg", "Joerg"},
		{"Olga", "Olga"},
		{"Ahmed", "Ahmed"},
	}
	first := firsts[w.dice.IntN(len(firsts))]
	b := being{
		first: first[0], nick: first[1],
		last: fmt.Sprintf("%s%c%c", w.pick("Mil", "Schmid", "Garc", "Nov", "Tanak", "Oko"),
			'a'+rune(w.dice.IntN(26)*w.names/(w.names+1)), 'a'+rune(w.dice.IntN(max(1, w.names/12)))),
	}
	if w.dice.IntN(4) == 0 {
		b.middle = w.pick("Anne", "Lee", "Maria", "James")
	}
	for range 1 + w.dice.IntN(3) {
		b.jobs = append(b.jobs, kith.Job{
			Title: w.pick("Engineer", "Head of Sales", "CTO", "Product Manager", "Designer", "Accountant",
				"Data Scientist", "Recruiter", "Legal Counsel", "Operations Lead", "Marketing Analyst", "Consultant"),
			Company: kith.Company{ID: 1 + w.dice.Int64N(int64(w.names)*10)},
		})
	}
	b.school = w.pick("MIT", "ETH Zurich", "Charles University", "Keio University", "")
	place := [][2]string{
		{"Berlin", "Germany"},
		{"Paris", "France"},
		{"Prague", "Czechia"},
		{"Boston", "United States"},
		{"Lagos", "Nigeria"},
		{"Seoul", "South Korea"},
		{"Toronto", "Canada"},
		{"Madrid", "Spain"},
	}[w.dice.IntN(8)]
	b.city, b.country = place[0], place[1]
	number := w.dice.IntN(1 << 30)
	handle := strings.ToLower(b.first + "." + b.last)
	b.profile = fmt.Sprintf("https://social.example/in/%s-%d", handle, number)
	b.private = fmt.Sprintf("%s%d@gmail.com", handle, number)
	b.work = fmt.Sprintf("%s%d@c%d.example", handle, number%7, b.jobs[0].Company.ID)
	return b
}

// record is the data of a person in one file.
func (w world) record(b being) kith.Person {
	first := b.first
	if w.dice.IntN(5) == 0 {
		first = b.nick
	}
	name := first + " " + b.last
	if b.middle != "" && w.half() {
		name = first + " " + w.pick(b.middle, b.middle[:1]+".") + " " + b.last
	}
	if w.dice.IntN(20) == 0 { // a typing error
		i := 1 + w.dice.IntN(len(b.last)-2)
		name = strings.Replace(name, b.last, b.last[:i]+b.last[i+1:], 1)
	}
	p := kith.Person{FullName: name}
	job := b.jobs[0]
	if w.dice.IntN(4) == 0 { // a file from before or after a change of jobs
		job = b.jobs[w.dice.IntN(len(b.jobs))]
	}
	if w.dice.IntN(5) > 0 {
		if w.dice.IntN(3) == 0 {
			job.Title = ""
		}
		p.WorkRelevant = &job
	}
	if w.half() {
		p.Location = kith.Location{City: b.city, Country: b.country}
	}
	if b.school != "" && w.dice.IntN(3) == 0 {
		p.EducationHistory = []kith.Education{{Institute: b.school}}
	}
	if w.dice.IntN(3) == 0 {
		p.SocialURL = b.profile
	}
	switch w.dice.IntN(4) {
	case 0:
		p.Email = b.private
	case 1:
		p.Email = b.work
	}
	return p
}

// The test merges records of generated people, and counts the merged pairs of one person.
func TestClusterIsPreciseOnGeneratedPeople(t *testing.T) {
	var merged, right, same int
	for seed := range uint64(8) {
		w := world{rand.New(rand.NewPCG(seed, 7)), 40}
		var people []kith.Person
		var truth []int
		for k := range 800 {
			b := w.someone()
			if k%50 == 0 { // a namesake at the same company
				twin := w.someone()
				twin.first, twin.nick, twin.last, twin.jobs[0].Company = b.first, b.nick, b.last, b.jobs[0].Company
				people, truth = append(people, w.record(twin), w.record(twin)), append(truth, -k-1, -k-1)
			}
			for range 1 + w.dice.IntN(4) {
				people, truth = append(people, w.record(b)), append(truth, k)
			}
		}
		names := map[int64]string{}
		for id := range int64(500) {
			names[id] = fmt.Sprintf("company %d", id)
		}
		groups, _ := identity.Cluster(recordsOf(people...), names, nil, nil)
		count := map[int]int{}
		for _, who := range truth {
			same += count[who]
			count[who]++
		}
		for _, g := range groups {
			for i, a := range g {
				for _, b := range g[i+1:] {
					merged++
					if truth[a.ID-1] == truth[b.ID-1] {
						right++
					}
				}
			}
		}
	}
	precision, recall := float64(right)/float64(merged), float64(right)/float64(same)
	t.Logf("precision %.4f, recall %.3f of %d pairs", precision, recall, same)
	if precision < 0.995 || recall < 0.4 {
		t.Errorf("precision %.4f, recall %.3f", precision, recall)
	}
}
