package evalset

import (
	"slices"
	"strconv"
	"strings"
)

// phrase is a part of a prompt with its meaning.
type phrase struct {
	text string
	is   personIs
}

// noun is the subject of a prompt, in plural and singular, with its condition on a job.
type noun struct {
	plural, singular string
	is               jobIs
}

// role draws a role that matches a job, in some spelling.
func (g *gen) role(j *job) (noun, bool) {
	var fits []*role
	for _, r := range g.tables.roles {
		if r.is(j) == yes {
			fits = append(fits, r)
		}
	}
	if len(fits) == 0 {
		return noun{}, false
	}
	return g.spell(pick(g, fits...)), true
}

func (g *gen) spell(r *role) noun {
	name := r.spellings[0]
	if g.odds(40) {
		name = pick(g, r.spellings...)
	}
	return noun{singular: name[0], plural: name[1], is: r.is}
}

// chief draws a role above manager.
func (g *gen) chief(j *job) (noun, bool) {
	for _, i := range g.Perm(len(g.tables.chiefs)) {
		if r := g.tables.chiefs[i]; r.is(j) == yes {
			return g.spell(r), true
		}
	}
	return noun{}, false
}

// anyRole draws a role of either kind.
func (g *gen) anyRole(j *job) (noun, bool) {
	if n, ok := g.role(j); ok {
		return n, ok
	}
	return g.chief(j)
}

// employee draws a person with a current job that matches a role in prompts.
func (g *gen) employee(wishes ...func(*person) bool) (*person, *job, noun, bool) {
	for range 50 {
		p, j, ok := g.worker(wishes...)
		if !ok {
			return nil, nil, noun{}, false
		}
		if n, ok := g.anyRole(j); ok {
			return p, j, n, true
		}
	}
	return nil, nil, noun{}, false
}

// place draws a name for the place where a person lives: the city, the country, or an area that contains the city.
func (g *gen) place(p *person) phrase {
	switch g.IntN(10) {
	case 0, 1, 2, 3:
		return phrase{p.Location.City, lives(inCity(p.Location.City))}
	case 4, 5:
		return g.country(p)
	case 6:
		return g.exactPlace(p)
	}
	return g.area(p)
}

func (g *gen) country(p *person) phrase {
	return phrase{the(p.Location.Country), lives(inCountry(p.Location.Country))}
}

// the adds the article to countries that need one.
func the(country string) string {
	if slices.Contains([]string{"United States", "United Kingdom", "Netherlands", "United Arab Emirates", "Philippines"},
		country) {
		return "the " + country
	}
	return country
}

// exactPlace returns the city with its state or country.
func (g *gen) exactPlace(p *person) phrase {
	l := p.Location
	within := l.Country
	if l.State != "" && l.State != l.City && g.odds(60) {
		within = l.State
	}
	if within == l.City {
		return phrase{l.City, lives(exactly(l))}
	}
	return phrase{l.City + ", " + within, lives(exactly(l))}
}

func (g *gen) area(p *person) phrase {
	var fits []area
	for _, a := range g.tables.areas {
		if a.is(p.Location) == yes {
			fits = append(fits, a)
		}
	}
	if len(fits) == 0 {
		return g.country(p)
	}
	a := pick(g, fits...)
	return phrase{a.name, lives(a.is)}
}

// in says where a person lives.
func (g *gen) in(s phrase) string {
	return pick(g, "in ", "in ", "in ", "based in ", "living in ", "located in ", "who live in ") + s.text
}

// firmName returns the name of a company as people write it.
func (g *gen) firmName(c *company) string {
	if g.odds(15) {
		return c.Name
	}
	return c.core
}

// drawIndustry draws a kind of company that matches a company.
func (g *gen) drawIndustry(c *company) (industry, bool) {
	var fits []industry
	for _, i := range g.tables.industries {
		if i.is(c) == yes {
			fits = append(fits, i)
		}
	}
	if len(fits) == 0 {
		return industry{}, false
	}
	return pick(g, fits...), true
}

// sizes draws a range of employees that includes the company's: "with fewer than 50 employees".
func (g *gen) sizes(c *company) (string, firmIs) {
	n := c.EmployeeCount
	if n == 0 {
		return "", nil
	}
	bounds := []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000, 200001}
	i := slices.IndexFunc(bounds, func(b int) bool { return b > n })
	over := bounds[max(i-1, 0)]
	people := pick(g, "employees", "employees", "people", "staff")
	switch choice := g.IntN(6); {
	case choice < 3 && i < len(bounds)-1:
		words := pick(g, "with fewer than %d ", "with less than %d ", "with under %d ", "that have fewer than %d ",
			"of fewer than %d ")
		return number(words, bounds[i]) + people, sized(1, bounds[i]-1)
	case choice == 3 && i < len(bounds)-1:
		return "with at most " + strconv.Itoa(bounds[i]) + " " + people, sized(1, bounds[i])
	case choice == 4 && i > 0 && i < len(bounds)-1:
		return pick(g, "with "+strconv.Itoa(over)+"-"+strconv.Itoa(bounds[i])+" ",
			"with "+strconv.Itoa(over)+" to "+strconv.Itoa(bounds[i])+" ") + people, sized(over, bounds[i])
	case over <= n:
		if n > over && g.odds(60) {
			return number(pick(g, "with more than %d ", "with over %d "), over) + people, sized(over+1, 1<<40)
		}
		return number(pick(g, "with at least %d ", "with %d+ "), over) + people, sized(over, 1<<40)
	}
	return "", nil
}

func number(pattern string, n int) string { return strings.Replace(pattern, "%d", strconv.Itoa(n), 1) }
