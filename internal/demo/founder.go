package demo

import "slices"

// founding returns when the founder of a company began, and ends the jobs before.
func (c *career) founding(company int) month {
	start := min(january(c.companies[company].founded)+month(c.luck.below(12)), c.now-1)
	c.stints = slices.DeleteFunc(c.stints, func(s stint) bool { return s.start >= start })
	if last := c.last(); last != nil && last.end >= start {
		last.end = start - 1
	}
	return start
}

// openingMonth returns the first month in which people of the person's country can have worked for a company.
func (c *career) openingMonth(company int) month {
	at := &c.companies[company]
	if c.tables.cities[at.seat].country != c.tables.cities[c.home].country {
		return january(at.founded + min(yearsAtHome, (c.now.year()-at.founded)/2))
	}
	return january(at.founded)
}

// yearsAtHome is how long companies have no offices abroad, but at most half of their age.
const yearsAtHome = 5

// suits reports whether the person joins a company: companies with special functions
// employ fewer people of other functions.
func (c *career) suits(company, try int) bool {
	in := c.industryOf(company)
	if !c.work.fits(in) && try < 20 {
		return false
	}
	return in.has(c.craft) || try > 3 || !c.luck.in1000(10*in.percent())
}

// foundCompany lets the person found a company within three years. The job before lasts until then.
func (c *career) foundCompany(last *stint, at month) (stint, bool) {
	young := c.places.of(c.craft).young[c.home]
	if len(young) == 0 {
		return stint{}, false
	}
	for range 8 {
		company := of(c.luck, young)
		start := january(c.companies[company].founded) + month(c.luck.below(12))
		if start < at || start > at+36 || start >= c.now {
			continue
		}
		if last.level != intern {
			last.end = start - 1
		}
		return stint{company: company, title: of(c.luck, c.work.founders), level: top, start: start, founder: true},
			true
	}
	return stint{}, false
}
