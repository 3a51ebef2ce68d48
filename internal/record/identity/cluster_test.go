package identity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kith"
	"kith/internal/record"
	"kith/internal/record/identity"
)

var companies = map[int64]string{1: "acme", 2: "globex", 3: "initech"}

func person(name string, set ...func(*kith.Person)) kith.Person {
	p := kith.Person{FullName: name}
	for _, s := range set {
		s(&p)
	}
	return p
}

func at(company int64, title string) func(*kith.Person) {
	return func(p *kith.Person) { p.WorkRelevant = &kith.Job{Title: title, Company: kith.Company{ID: company}} }
}

func mail(address string) func(*kith.Person) { return func(p *kith.Person) { p.Email = address } }

func profile(id string) func(*kith.Person) {
	return func(p *kith.Person) { p.SocialURL = "https://social.example/in/" + id }
}

func in(city, country string) func(*kith.Person) {
	return func(p *kith.Person) { p.Location = kith.Location{City: city, Country: country} }
}

func school(name string) func(*kith.Person) {
	return func(p *kith.Person) { p.EducationHistory = []kith.Education{{Institute: name}} }
}

func inCRM(p *kith.Person) { p.Sources = []string{"crm:1"} }

func recordsOf(people ...kith.Person) []*identity.Record {
	var out []*identity.Record
	for i, p := range people {
		out = append(out, &identity.Record{ID: int64(i + 1), Dated: record.Dated{Person: p, AsOf: time.Unix(0, 0)}})
	}
	return out
}

// grouped returns the groups as lists of ids.
func grouped(groups [][]*identity.Record) [][]int64 {
	var out [][]int64
	for _, g := range groups {
		var ids []int64
		for _, r := range g {
			ids = append(ids, r.ID)
		}
		out = append(out, ids)
	}
	return out
}

func TestCluster(t *testing.T) {
	for _, c := range []struct {
		name     string
		people   []kith.Person
		groups   string
		doubtful int
	}{
		{
			"one profile",
			[]kith.Person{person("Jane Doe", profile("jane")), person("J. Roe", profile("jane"))},
			"[[1 2]]", 0,
		},
		{
			"one address",
			[]kith.Person{person("Jane Doe", mail("jane@x.example")), person("Jane Roe", mail("jane@x.example"))},
			"[[1 2]]", 0,
		},
		{"a family's address", []kith.Person{
			person("Jane Doe", mail("doe@x.example")),
			person("John Doe", mail("doe@x.example")),
		}, "[[1] [2]]", 1},
		{"an office's address", []kith.Person{
			person("Jane Doe", mail("info@x.example")),
			person("Jane Doe", mail("info@x.example")),
		}, "[[1] [2]]", 0},
		{"one address, two profiles", []kith.Person{
			person("Jane Doe", mail("doe@x.example"), profile("a")), person("Jane Doe", mail("doe@x.example"),
				profile("b")),
		}, "[[1] [2]]", 0},
		{"an id in a source", []kith.Person{person("Jane Doe", inCRM), person("Jane M. Doe", inCRM)}, "[[1 2]]", 0},
		{
			"the id of another system",
			[]kith.Person{person("Jane Doe", inCRM), person("Max Roe", inCRM)},
			"[[1] [2]]",
			1,
		},
		{
			"name and company",
			[]kith.Person{person("Jane Doe", at(1, "CTO")), person("JANE DOE", at(1, ""))},
			"[[1 2]]",
			0,
		},
		{"nickname, company and title", []kith.Person{
			person("Robert Smith", at(1, "Engineer")),
			person("Bob Smith", at(1, "Senior Engineer")),
		}, "[[1 2]]", 0},
		{
			"nickname and company",
			[]kith.Person{person("Robert Smith", at(1, "")), person("Bob Smith", at(1, "Engineer"))},
			"[[1] [2]]", 1,
		},
		{"name alone", []kith.Person{person("Jane Doe"), person("Jane Doe")}, "[[1] [2]]", 0},
		{
			"name and place",
			[]kith.Person{person("Jane Doe", in("Berlin", "Germany")), person("Jane Doe", in("Berlin", ""))},
			"[[1] [2]]", 1,
		},
		{"name, school and place", []kith.Person{
			person("Jane Doe", in("Berlin", "Germany"), school("MIT")),
			person("Jane Doe", in("Berlin", "Germany"), school("MIT")),
		}, "[[1 2]]", 0},
		{"namesakes at a company", []kith.Person{
			person("Jane Doe", at(1, "Engineer")),
			person("Jane Doe", at(1, "Head of Sales")),
		}, "[[1] [2]]", 1},
		{"a third between namesakes", []kith.Person{
			person("Jane Doe", at(1, "Engineer")), person("Jane Doe", at(1, "Head of Sales")), person("Jane Doe",
				at(1, "")),
		}, "[[1] [2] [3]]", 3},
		{"a third between profiles", []kith.Person{
			person("Jane Doe", at(1, ""), profile("a")), person("Jane Doe", at(1, ""), profile("b")),
			person("Jane Doe", at(1, "")),
		}, "[[1] [2] [3]]", 2},
		{
			"middle initials",
			[]kith.Person{person("Jane A. Doe", at(1, "")), person("Jane B. Doe", at(1, ""))},
			"[[1] [2]]",
			0,
		},
		{"two addresses at the company", []kith.Person{
			person("Jane Doe", at(1, "CTO"), mail("jane@acme.example")),
			person("Jane Doe", at(1, "CTO"), mail("jane.doe@acme.example")),
		}, "[[1] [2]]", 1},
		{"two private addresses", []kith.Person{
			person("Jane Doe", at(1, ""), mail("jane@gmail.com")), person("Jane Doe", at(1, ""), mail("jd@gmail.com")),
		}, "[[1 2]]", 0},
		{"other countries", []kith.Person{
			person("Jane Doe", at(1, ""), in("", "Germany")),
			person("Jane Doe", at(1, ""), in("", "France")),
		}, "[[1] [2]]", 0},
		{"umlauts", []kith.Person{person("Jörg Müller", at(1, "")), person("Joerg Mueller", at(1, ""))}, "[[1 2]]", 0},
		{"through an address", []kith.Person{
			person("Jane Doe", at(1, "")), person("Jane Roe", at(2, ""), mail("j@x.example")),
			person("Jane Doe", at(1, ""), mail("j@x.example")),
		}, "[[1 2 3]]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			groups, doubtful := identity.Cluster(recordsOf(c.people...), companies, nil, nil)
			if got := fmt.Sprint(grouped(groups)); got != c.groups || len(doubtful) != c.doubtful {
				t.Errorf("%s and %v; want %s and %d doubtful pairs", got, doubtful, c.groups, c.doubtful)
			}
		})
	}
}

// A person may merge records without a common mark, and keep records with a common mark apart.
func TestDecisionsOverrideMarks(t *testing.T) {
	people := []kith.Person{
		person("Jane Doe", at(1, ""), profile("jane")), person("Janet Smith", at(2, "")), person("Jane Doe",
			profile("jane")),
	}
	groups, _ := identity.Cluster(recordsOf(people...), companies,
		[]identity.Decision{{1, 2, true}, {1, 3, false}}, nil)
	if got := fmt.Sprint(grouped(groups)); got != "[[1 2] [3]]" {
		t.Error(got)
	}
}

func TestClusterDoesNotDependOnOrder(t *testing.T) {
	for seed := range uint64(30) {
		dice := rand.New(rand.NewPCG(seed, 1))
		var people []kith.Person
		for range 60 {
			people = append(people, world{dice, 12}.record(world{dice, 12}.someone()))
		}
		want := partition(people)
		for range 3 {
			order := dice.Perm(len(people))
			shuffled := make([]kith.Person, len(people))
			for i, k := range order {
				shuffled[i] = people[k]
			}
			groups, _ := identity.Cluster(recordsOf(shuffled...), companies, nil, nil)
			var got [][]int64
			for _, g := range grouped(groups) {
				for i, id := range g {
					g[i] = int64(order[id-1] + 1)
				}
				slices.Sort(g)
				got = append(got, g)
			}
			slices.SortFunc(got, slices.Compare)
			if fmt.Sprint(got) != want {
				t.Fatalf("seed %d:\n%v\n%s", seed, got, want)
			}
		}
	}
}

func partition(people []kith.Person) string {
	groups, _ := identity.Cluster(recordsOf(people...), companies, nil, nil)
	all := grouped(groups)
	slices.SortFunc(all, slices.Compare)
	return fmt.Sprint(all)
}
