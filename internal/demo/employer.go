package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kith"
)

// employer is a real organisation, with public facts.
type employer struct {
	name, site string
	aliases    []string
	industry   int // in tables.industries
	size       int
	seat       int // in tables.cities
	founded    int // 0 if unknown
	status     string
	keywords   []string
	// offices are cities in which the dataset has people of it, besides the seat: about presence in each.
	offices  []int32
	presence uint64
}

// realShare is the largest share of real companies in a dataset, in percent: most people work for small firms.
const realShare = 40

func readEmployers(t *tables) error {
	return lines("employers.tsv", 11, func(c []string) error {
		e := employer{name: c[0], site: c[2], status: c[9], keywords: strings.Split(c[10], ",")}
		if c[1] != "" {
			e.aliases = strings.Split(c[1], "; ")
		}
		e.industry = slices.IndexFunc(t.industries, func(in industry) bool { return in.name == c[3] })
		if e.industry < 0 {
			return fmt.Errorf("unknown industry %q", c[3])
		}
		var err error
		if e.size, err = strconv.Atoi(c[4]); err != nil {
			return err
		}
		if c[8] != "" {
			if e.founded, err = strconv.Atoi(c[8]); err != nil {
				return err
			}
		}
		e.seat, err = t.seat(c[5], c[6], c[7])
		t.employers = append(t.employers, e)
		return err
	})
}

// seat returns the city of a seat. It adds cities where only employers have seats: nobody moves there.
func (t *tables) seat(name, state, land string) (int, error) {
	in, err := t.findCountry(land)
	if err != nil {
		return 0, err
	}
	at := city{name: name, state: state, country: in}
	for i, c := range t.cities {
		at.weight = c.weight
		if c == at {
			return i, nil
		}
	}
	at.weight = 0
	t.cities = append(t.cities, at)
	return len(t.cities) - 1, nil
}

// readOffices reads groups of cities, the weight of an office in them, and the employers that have people there.
func readOffices(t *tables) error {
	byName := map[string]*employer{}
	for i := range t.employers {
		e := &t.employers[i]
		for _, name := range append([]string{e.name}, e.aliases...) {
			if key := strings.ToLower(name); byName[key] == nil {
				byName[key] = e
			}
		}
	}
	return lines("offices.tsv", 3, func(c []string) error {
		people, err := strconv.ParseUint(c[1], 10, 64)
		if err != nil {
			return err
		}
		var cities []int32
		for name := range strings.SplitSeq(c[0], "; ") {
			if i := t.largest(name); i >= 0 {
				cities = append(cities, int32(i))
			}
		}
		for name := range strings.SplitSeq(c[2], "; ") {
			if e := byName[strings.ToLower(name)]; e != nil {
				e.presence = people
				e.offices = slices.DeleteFunc(slices.Clone(cities), func(i int32) bool { return int(i) == e.seat })
			}
		}
		return nil
	})
}

// largest returns the city of a name with the most people, -1 for none.
func (t *tables) largest(name string) int {
	at := -1
	for i, c := range t.cities {
		if c.name == name && (at < 0 || c.weight > t.cities[at].weight) {
			at = i
		}
	}
	return at
}

// companyOf returns the company of an employer.
func (t *tables) companyOf(d *dice, e *employer, year int) company {
	c := company{
		real: e, core: e.name, slug: slug(e.name), industry: e.industry, size: e.size, founded: e.founded, seat: e.seat,
		offices: e.offices, care: t.industries[e.industry].kind == "health",
	}
	if c.founded == 0 {
		c.founded = year - age(d, t.industries[e.industry].kind, e.size)
	}
	if len(c.offices) == 0 {
		abroad := t.industries[e.industry].abroad(e.size)
		if e.status == "government" {
			abroad = 0
		}
		c.offices = t.offices(d, e.seat, min(e.size/4, 20_000), abroad)
	}
	return c
}

// abroad returns the share of offices in foreign countries, in a thousand, of a company of the industry.
func (in *industry) abroad(size int) int {
	switch {
	case !in.isAbroad:
		return 0
	case in.kind == "biz":
		return 300 * min(size, 60_000) / 60_000
	}
	return 300
}

// record returns the record of an employer: only what is public, nothing missing.
func (e *employer) record(d *Dataset, id int64) kith.Company {
	out := kith.Company{
		ID: id, Name: e.name, Aliases: e.aliases, SocialURL: companyURL(slug(e.name)), Domain: e.site,
		Industry: d.tables.industries[e.industry].name, EmployeeCount: e.size, FoundedYear: e.founded,
		Location: d.tables.location(e.seat), Keywords: e.keywords,
		Description: e.name + ": " + strings.Join(e.keywords, ", ") + ".",
	}
	at := []string{out.Location.City, out.Location.State, out.Location.Country}
	out.Headquarters = strings.Join(slices.DeleteFunc(at, func(s string) bool { return s == "" }), ", ")
	switch e.status {
	case "public":
		out.Type, out.Funding = "Public", &kith.Funding{LastRoundStage: "IPO"}
	case "nonprofit":
		out.Type = "Nonprofit"
	case "government":
		out.Type = "Government"
	case "university":
		out.Type = "Educational"
	default:
		out.Type = "Private"
		if stage, ok := strings.CutPrefix(e.status, "series "); ok {
			out.Funding = &kith.Funding{LastRoundStage: "Series " + strings.ToUpper(stage)}
		}
	}
	return out
}
