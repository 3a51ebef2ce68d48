package demo

import (
	"math"
	"strconv"
	"strings"

	"kith"
)

// company is the part of a company that people's jobs need. The rest is computed on demand.
type company struct {
	core     string // the name without legal form
	slug     string
	form     string // the legal form, or ""
	industry int    // in tables.industries
	size     int
	founded  int
	seat     int     // in tables.cities
	offices  []int32 // other cities
	young    bool    // small and recently founded; the founders may be in the dataset
}

// staff returns the weight of the company as an employer in the dataset. Large employers
// have more people in it, but less than in proportion to their size.
func (c *company) staff() uint64 {
	root := math.Sqrt(float64(c.size))
	return uint64(root * math.Sqrt(root) * 100)
}

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
	// The latest foundings are a few months ago.
	year := (monthOf(cfg.Now) - 3).year()
	for i := range companies {
		d := roll(cfg.Seed, diceCompany, uint64(i+1))
		companies[i] = t.company(&d, year, names, i+1)
	}
	return companies
}

func (t *tables) company(d *dice, year int, names map[string]struct{}, id int) company {
	c := company{industry: t.industry.spin(d), seat: t.city.spin(d)}
	kind := t.industries[c.industry].kind
	c.size = size(d, kind)
	c.founded = year - age(d, kind, c.size)
	c.young = c.size <= 200 && year-c.founded <= 15 && kind != "gov"
	c.offices = t.offices(d, c.seat, c.size)
	home := &t.countries[t.cities[c.seat].country]
	if d.in1000(550) && kind != "gov" && kind != "edu" {
		c.form = of(d, home.legalForms)
	}
	t.christen(d, &c, names, id)
	return c
}

// size draws a number of employees from 1 to 200,000, approximately log-normal.
func size(d *dice, kind string) int {
	bands := []int{1, 10, 50, 200, 500, 1000, 5000, 10_000, 50_000, 200_000}
	shares := []int{240, 290, 200, 95, 60, 70, 22, 18, 5}
	switch kind {
	case "tech", "agency", "partner":
		shares = []int{310, 330, 185, 70, 38, 45, 12, 8, 2}
	case "gov", "edu", "health":
		shares = []int{60, 170, 250, 170, 120, 160, 40, 28, 2}
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
	i := 0
	for _, limit := range []int{10, 50, 200, 1000, 10_000} {
		if size > limit {
			i++
		}
	}
	lo, hi := bounds[i][0], bounds[i][1]
	switch kind {
	case "tech":
		return lo + d.early(min(hi, 40)-lo+1)
	case "gov", "edu", "biz", "health":
		lo, hi = lo+1, hi+hi/2
	}
	return d.between(lo, min(hi, 160))
}

// offices draws additional cities for larger companies.
func (t *tables) offices(d *dice, seat, size int) []int32 {
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
		if d.in1000(700) {
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
		c.core = t.companyName(d, t.industries[c.industry], try)
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

// companyName invents a name, longer with each failed try.
func (t *tables) companyName(d *dice, in industry, try int) string {
	word := of(d, in.words)
	luck := d.below(100) + 8*try
	switch {
	case luck < 10:
		return t.inventName(d)
	case luck < 58:
		return t.inventName(d) + " " + word
	case luck < 63 && in.kind == "partner":
		return t.partnerName(d) + " & " + t.partnerName(d)
	case luck < 68:
		return of(d, t.words["ambiguous"]) + " " + of(d, t.words["markers"]) + " " + word
	case luck < 84:
		return t.inventName(d) + " " + of(d, t.words["markers"]) + " " + word
	case luck < 96:
		return t.inventName(d) + " " + word + " " + of(d, t.words["companions"])
	}
	return t.inventName(d) + " " + t.inventName(d) + " " + word
}

func (t *tables) inventName(d *dice) string {
	return of(d, t.stems).in("+" + of(d, t.words["endings"]))
}

func (t *tables) partnerName(d *dice) string {
	return of(d, t.stems).in(of(d, []string{"+son", "+ley", "+er", "+man", "+berg", "+eau"}))
}

// Company returns the company with a number from 1 to Config.Companies.
func (d *Dataset) Company(id int64) kith.Company {
	c := &d.companies[id-1]
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
		var initials []byte
		for _, w := range words {
			initials = append(initials, w[0])
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
