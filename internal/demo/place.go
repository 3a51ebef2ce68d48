package demo

// office is a company at one of its cities.
type office struct {
	company int // in Directory.companies
	city    int // in tables.cities
}

// market is the employers of one city.
type market struct {
	companies []int // in Directory.companies
	wheel     wheel // by how many people they employ
	startups  []int // small young companies that have their seat here
}

// places says who employs people where.
type places struct {
	offices []office
	office  wheel // by how many people they employ
	cities  []market
	// startups are all small young companies.
	startups []int
}

// locate sorts companies by their cities.
func locate(companies []company, t *tables) places {
	p := places{cities: make([]market, len(t.cities))}
	for i := range companies {
		c := &companies[i]
		staff := c.staff()
		p.add(i, c.seat, max(staff/uint64(1+min(len(c.offices), 1)), 1))
		for _, o := range c.offices {
			p.add(i, int(o), max(staff/2/uint64(len(c.offices)), 1))
		}
		if c.startup {
			p.startups = append(p.startups, i)
			p.cities[c.seat].startups = append(p.cities[c.seat].startups, i)
		}
	}
	return p
}

func (p *places) add(company, city int, staff uint64) {
	p.offices = append(p.offices, office{company: company, city: city})
	p.office.add(staff)
	m := &p.cities[city]
	m.companies = append(m.companies, company)
	m.wheel.add(staff)
}

// near draws an employer for somebody who lives in a city: mostly one that is
// there, else one in the same country, else any.
func (p *places) near(d *dice, t *tables, home int) int {
	where := home
	luck := d.below(100)
	if luck >= 85 {
		country := &t.countries[t.cities[home].country]
		where = country.cities[country.city.spin(d)]
	}
	m := &p.cities[where]
	if luck >= 95 || len(m.companies) == 0 {
		return p.offices[p.office.spin(d)].company
	}
	return m.companies[m.wheel.spin(d)]
}

// newest draws a young company to found, at home where there is one.
func (p *places) newest(d *dice, home int) (company int, ok bool) {
	from := p.cities[home].startups
	if len(from) == 0 {
		from = p.startups
	}
	if len(from) == 0 {
		return 0, false
	}
	return of(d, from), true
}
