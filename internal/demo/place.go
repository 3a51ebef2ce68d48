package demo

// office is a company in one of its cities.
type office struct {
	company int // in Dataset.companies
	city    int // in tables.cities
}

// market is a set of employers.
type market struct {
	companies []int // in Dataset.companies
	wheel     wheel // by number of employees
}

func (m *market) add(company int, staff uint64) {
	m.companies = append(m.companies, company)
	m.wheel.add(staff)
}

func (m *market) draw(d *dice) (company int, ok bool) {
	if len(m.companies) == 0 {
		return 0, false
	}
	return m.companies[m.wheel.spin(d)], true
}

// employers are the employers by place.
type employers struct {
	all               market
	cities, countries []market // as in tables
	// young are the small young companies with headquarters in a city, whose founders may be in the dataset.
	young map[int][]int
}

func newEmployers(t *tables) *employers {
	return &employers{
		cities: make([]market, len(t.cities)), countries: make([]market, len(t.countries)), young: map[int][]int{},
	}
}

func (e *employers) add(t *tables, o office, staff uint64) {
	e.all.add(o.company, staff)
	e.cities[o.city].add(o.company, staff)
	e.countries[t.cities[o.city].country].add(o.company, staff)
}

// area is where a person looks for an employer.
type area int

const (
	inCity area = iota // mostly: one in 7 jobs is elsewhere in the country
	inCountry
	anywhere
)

// near draws an employer in an area around a city, if there is one.
func (e *employers) near(d *dice, t *tables, home int, where area) (company int, ok bool) {
	luck := d.below(100)
	switch {
	case where == anywhere:
		return e.all.draw(d)
	case where == inCity && luck < 85:
		if company, ok := e.cities[home].draw(d); ok {
			return company, true
		}
	}
	return e.countries[t.cities[home].country].draw(d)
}

// places are all offices and employers.
type places struct {
	offices []office
	office  wheel // by number of employees
	general *employers
	// known are the employers whose number of people at each office is given.
	known *employers
	// crafts are the employers of functions that only some industries have, by function.
	crafts map[int]*employers
}

// locate indexes companies by city.
func locate(companies []company, t *tables) places {
	p := places{general: newEmployers(t), known: newEmployers(t), crafts: map[int]*employers{}}
	one := personWeight(companies)
	for i := range companies {
		c := &companies[i]
		seat, other := c.officeWeights(one)
		p.add(t, c, office{i, c.seat}, seat)
		for _, o := range c.offices {
			p.add(t, c, office{i, int(o)}, other)
		}
		if c.young {
			p.addYoung(t, i, c)
		}
	}
	return p
}

// personWeight returns the weight of one person at a known employer, if a dataset has five people for each company.
func personWeight(companies []company) uint64 {
	var others, known uint64
	for i := range companies {
		if c := &companies[i]; c.known() {
			known += c.real.presence * uint64(2+len(c.offices))
		} else {
			others += c.staff()
		}
	}
	total := 5 * uint64(len(companies))
	return max(others/(total-min(known, total/2)), 1)
}

func (p *places) add(t *tables, c *company, o office, staff uint64) {
	p.offices = append(p.offices, o)
	p.office.add(staff)
	p.general.add(t, o, staff)
	if c.known() {
		p.known.add(t, o, staff)
	}
	for _, craft := range t.industries[c.industry].crafts {
		if t.functions[craft.function].everywhere {
			continue
		}
		if p.crafts[craft.function] == nil {
			p.crafts[craft.function] = newEmployers(t)
		}
		p.crafts[craft.function].add(t, o, staff*uint64(craft.percent))
	}
}

// addYoung adds a young company for its special functions, and for everyone if people of
// any function found such companies.
func (p *places) addYoung(t *tables, id int, c *company) {
	in := &t.industries[c.industry]
	if in.kind == "tech" || in.kind == "agency" || in.kind == "partner" {
		p.general.young[c.seat] = append(p.general.young[c.seat], id)
	}
	for _, craft := range in.crafts {
		if e := p.crafts[craft.function]; e != nil {
			e.young[c.seat] = append(e.young[c.seat], id)
		}
	}
}

// of returns the employers of a function.
func (p *places) of(function int) *employers {
	if e := p.crafts[function]; e != nil {
		return e
	}
	return p.general
}
