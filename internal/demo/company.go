package demo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"kith"
)

// company is the part of a company that people's jobs need. The rest is computed on demand.
type company struct {
	real     *employer // nil for an invented company
	core     string    // the name without legal form
	slug     string
	form     string // the legal form, or ""
	industry int    // in tables.industries
	size     int
	founded  int
	seat     int     // in tables.cities
	offices  []int32 // other cities
	young    bool    // small and recently founded; the founders may be in the dataset
	care     bool    // in health care, where more people work than at other companies of the size
}

// staff returns the weight of the company as an employer in the dataset: 100 for about one person in a dataset of the
// default size, which has more people of large employers, but less than in proportion.
func (c *company) staff() uint64 {
	root := uint64(math.Sqrt(float64(c.size)))
	staff := 6 + root/4
	if c.real == nil {
		staff = min(uint64(c.size), 3+root)
	}
	if c.care {
		staff *= 3
	}
	return 100 * staff
}

// officeWeights returns the weights of the seat and of each other office. one is the weight of a person at an employer
// whose number of people is given.
func (c *company) officeWeights(one uint64) (seat, other uint64) {
	if c.known() {
		return 2 * one * c.real.presence, one * c.real.presence
	}
	if len(c.offices) == 0 {
		return max(c.staff(), 1), 0
	}
	return max(c.staff()/2, 1), max(c.staff()/2/uint64(len(c.offices)), 1)
}

// known reports whether the number of people at each office is given.
func (c *company) known() bool { return c.real != nil && len(c.real.offices) > 0 }

func (c *company) name() string {
	if c.form == "" {
		return c.core
	}
	return c.core + " " + c.form
}

// generateCompanies generates the companies.
func generateCompanies(cfg Config, t *tables) []company {
	companies := make([]company, cfg.Companies)
	names := make(map[string]struct{}, cfg.Companies)
	real := min(len(t.employers), cfg.Companies*realShare/100)
	// The latest foundings are a few months ago.
	year := (monthOf(cfg.Now) - 3).year()
	for i := range companies {
		d := roll(cfg.Seed, diceCompany, uint64(i+1))
		if i < real {
			companies[i] = t.companyOf(&d, &t.employers[i], year)
			names[companies[i].slug] = struct{}{}
			continue
		}
		companies[i] = t.company(&d, year, names, i+1)
	}
	return companies
}

func (t *tables) company(d *dice, year int, names map[string]struct{}, id int) company {
	c := company{industry: t.industry.spin(d), seat: t.city.spin(d)}
	kind := t.industries[c.industry].kind
	c.size, c.care = max(size(d, kind), t.industries[c.industry].least), kind == "health"
	c.founded = year - age(d, kind, c.size)
	c.young = c.size <= 200 && year-c.founded <= 15 && kind != "gov"
	c.offices = t.offices(d, c.seat, c.size, t.industries[c.industry].abroad(c.size))
	home := &t.countries[t.cities[c.seat].country]
	if d.in1000(550) && kind != "gov" && kind != "edu" {
		c.form = of(d, home.legalForms)
	}
	t.christen(d, &c, names, id)
	return c
}

// size draws the number of employees of an invented company, from 1 to 5,000, approximately log-normal.
func size(d *dice, kind string) int {
	bands := []int{1, 10, 50, 200, 500, 1000, 5000}
	shares := []int{300, 350, 200, 80, 40, 30}
	switch kind {
	case "tech", "agency", "partner":
		shares = []int{340, 360, 180, 70, 30, 20}
	case "gov", "edu", "health":
		shares = []int{110, 240, 300, 190, 100, 60}
	}
	luck := d.below(1000)
	i := 0
	for luck >= shares[i] {
		luck -= shares[i]
		i++
	}
	return bands[i] + d.early(bands[i+1]-bands[i]) + min(i, 1)
}

// age draws the age of a company in years; larger companies are older.
func age(d *dice, kind string, size int) int {
	bounds := [][2]int{{0, 14}, {1, 22}, {3, 30}, {4, 45}, {7, 70}, {12, 140}}
	i, _ := slices.BinarySearch([]int{10, 50, 200, 1000, 10_000}, size)
	lo, hi := bounds[i][0], bounds[i][1]
	switch kind {
	case "tech":
		return lo + d.early(min(hi, 40)-lo+1)
	case "gov", "edu", "biz", "health":
		lo, hi = lo+1, hi+hi/2
	}
	return d.between(lo, min(hi, 160))
}

// offices draws additional cities for larger companies; abroad is the share of foreign ones, in a thousand.
func (t *tables) offices(d *dice, seat, size, abroad int) []int32 {
	n := 0
	switch {
	case size > 50_000:
		n = d.between(14, 40)
	case size > 10_000:
		n = d.between(6, 16)
	case size > 2000:
		n = d.between(2, 7)
	case size > 300:
		n = d.between(0, 2)
	}
	var cities []int32
	seen := map[int]bool{seat: true}
	home := &t.countries[t.cities[seat].country]
	for range n {
		at := t.city.spin(d)
		if !d.in1000(abroad) && len(home.cities) > 0 {
			at = home.cities[home.city.spin(d)]
		}
		if !seen[at] {
			seen[at] = true
			cities = append(cities, int32(at))
		}
	}
	return cities
}

// christen gives the company a unique name, regardless of spelling.
func (t *tables) christen(d *dice, c *company, names map[string]struct{}, id int) {
	for try := range 6 {
		c.core = t.companyName(d, t.industries[c.industry], c.seat, try)
		c.slug = slug(c.core)
		if _, taken := names[c.slug]; !taken {
			names[c.slug] = struct{}{}
			return
		}
	}
	// The number is unique, so this name is free.
	c.core += " No. " + strconv.Itoa(id)
	c.slug = slug(c.core)
	names[c.slug] = struct{}{}
}

// companyName invents a name, longer with each failed try: families and places with a line of business.
func (t *tables) companyName(d *dice, in industry, seat, try int) string {
	word := of(d, in.words)
	home := &t.countries[t.cities[seat].country]
	family := func() string { return t.cultures[home.cultures[home.culture.spin(d)]].surname(d) }
	luck := d.below(100) + 8*try
	switch {
	case in.kind == "gov" && try < 3:
		return t.cities[seat].name + " " + word
	case luck < 34:
		return family() + " " + word
	case luck < 46 && in.kind == "partner":
		return family() + " & " + family()
	case luck < 62:
		return of(d, t.words["landmarks"]) + " " + word
	case luck < 74:
		return t.cities[seat].name + " " + word
	case luck < 84:
		return of(d, t.words["qualities"]) + " " + word
	case luck < 94:
		return family() + " " + of(d, t.words["companions"])
	}
	return family() + " & " + family() + " " + word
}

// Company returns the company with a number from 1 to Config.Companies.
func (d *Dataset) Company(id int64) kith.Company {
	c := &d.companies[id-1]
	if c.real != nil {
		return c.real.record(d, id)
	}
	// A random source other than that of generateCompanies, which is used up by the name.
	luck := roll(^d.cfg.Seed, diceCompany, uint64(id))
	in := d.tables.industries[c.industry]
	out := kith.Company{
		ID: id, Name: c.name(), SocialURL: companyURL(c.slug), Domain: c.slug + ".example", Industry: in.name,
		EmployeeCount: c.size, FoundedYear: c.founded, Type: companyType(&luck, in.kind, c),
		Location: d.tables.location(c.seat), Headquarters: d.tables.headquarters(&luck, c.seat),
		Keywords: some(&luck, in.keywords, luck.between(2, 4)),
	}
	out.Funding = d.funding(&luck, c, out.Type)
	out.Aliases = aliases(&luck, c.core)
	out.Description = description(&luck, out)
	if luck.in1000(700) {
		out.ImageURL = "https://images.social.example/c/" + strconv.FormatInt(id, 10) + ".png"
	}
	forget(&luck, &out)
	return out
}

func companyURL(slug string) string { return "https://social.example/company/" + slug }

// forget removes some data that is not always known about companies.
func forget(d *dice, c *kith.Company) {
	if d.in1000(40) {
		c.Domain = ""
	}
	if d.in1000(30) {
		c.Industry = ""
	}
	if d.in1000(40) {
		c.EmployeeCount = 0
	}
	if d.in1000(80) {
		c.FoundedYear = 0
	}
	if d.in1000(30) {
		c.Location, c.Headquarters = kith.Location{}, ""
	}
	if d.in1000(200) {
		c.Keywords = nil
	}
}

func companyType(d *dice, kind string, c *company) string {
	switch kind {
	case "gov":
		return "Government"
	case "charity":
		return "Nonprofit"
	case "edu":
		return of(d, []string{"Educational", "Educational", "Nonprofit"})
	case "partner":
		return of(d, []string{"Partnership", "Private"})
	case "health":
		return of(d, []string{"Nonprofit", "Private", "Public"})
	}
	if c.size <= 3 && d.in1000(400) {
		return "Sole Proprietorship"
	}
	if c.size > 1500 && d.in1000(450) {
		return "Public"
	}
	return "Private"
}

// aliases gives some companies a short name: the first word or the initials.
func aliases(d *dice, core string) []string {
	words := strings.Fields(core)
	switch luck := d.below(1000); {
	case luck < 90 && len(words) > 1:
		return words[:1]
	case luck < 160 && len(words) > 2:
		var initials []rune
		for _, w := range words {
			initials = append(initials, []rune(w)[0])
		}
		return []string{string(initials)}
	}
	return nil
}

func description(d *dice, c kith.Company) string {
	if len(c.Keywords) < 2 || d.in1000(350) {
		return ""
	}
	for_ := of(d, []string{
		"teams of every size", "enterprises", "small businesses", "consumers", "the public sector",
		"its home region",
	})
	return c.Name + " is about " + c.Keywords[0] + " and " + c.Keywords[1] + " for " + for_ + "."
}

// some draws at most n different values and keeps their order.
func some(d *dice, values []string, n int) []string {
	out := make([]string, 0, n)
	for i, v := range values {
		if d.below(len(values)-i) < n-len(out) {
			out = append(out, v)
		}
	}
	return out
}
