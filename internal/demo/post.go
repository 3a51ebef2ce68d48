package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// post is a job that somebody in the dataset has now.
type post struct {
	company  int // in Dataset.companies, -1 for any employer of the city
	city     int // in tables.cities
	function int // in tables.functions
	level    int
	trade    string
	title    string // "" for one of the level
	founder  bool
}

// role is a kind of post that large employers have.
type role struct {
	titles   []string
	function int // in tables.functions
	level    int
	always   int      // employers of this size all have it; 0 for none
	kinds    []string // of industries, empty for all
}

func readRoles(t *tables) error {
	return lines("posts.tsv", 5, func(c []string) error {
		r := role{titles: strings.Split(c[0], "; "), level: slices.Index(levelNames(), c[2])}
		r.function = slices.IndexFunc(t.functions, func(f function) bool { return f.name == c[1] })
		if r.function < 0 || r.level < 0 {
			return fmt.Errorf("unknown function %q or level %q", c[1], c[2])
		}
		if c[4] != "all" {
			r.kinds = strings.Fields(c[4])
		}
		var err error
		if c[3] != "-" {
			r.always, err = strconv.Atoi(c[3])
		}
		t.roles = append(t.roles, r)
		return err
	})
}

// exists reports whether employers of an industry have the role.
func (r role) exists(t *tables, in *industry) bool {
	f := &t.functions[r.function]
	return (f.everywhere && f.fits(in) || in.has(r.function)) &&
		(len(r.kinds) == 0 || slices.Contains(r.kinds, in.kind))
}

const (
	// largeCity is the least weight of a city that has the common trades of every function; smaller ones have a share,
	// and those up to smallCity an eighth of it. perTrade is the weight for one trade more, and perManager that for one
	// level of managers.
	largeCity, smallCity, perTrade, perManager = 6, 3, 12, 18
	// rareIn is one in how many large cities that has a rare trade.
	rareIn = 40
	// perOffice is the presence of an employer in a city for one post there.
	perOffice = 7
	// postShare is how many of twenty people have a post, while there are any.
	postShare = 19
	// stride spreads the posts over the people. It is a prime.
	stride = 1_000_003
)

// postOf returns the post of a person.
func (d *Dataset) postOf(id int64) (post, bool) {
	turn, place := (id-1)/20, (id-1)%20
	n := turn*postShare + place
	if place >= postShare || n >= int64(len(d.posts)) {
		return post{}, false
	}
	return d.posts[n*stride%int64(len(d.posts))], true
}

// plan lists the posts: those of the employers, and in every city every function that its country has employers of.
func plan(companies []company, at *places, t *tables) []post {
	p := planner{tables: t, places: at, turn: map[int]int{}, trades: map[[2]int]int{}}
	// Neighbours in this order have different roles, so that each country has all of them in each industry.
	byCountry := make([]int, len(companies))
	for i := range companies {
		byCountry[i] = i
	}
	slices.SortStableFunc(byCountry, func(a, b int) int {
		return t.cities[companies[a].seat].country - t.cities[companies[b].seat].country
	})
	for _, i := range byCountry {
		p.addCompany(i, &companies[i])
		p.addFounder(i, &companies[i])
	}
	for city := range t.cities {
		if t.cities[city].weight > 0 { // not only a seat
			p.addCity(city)
		}
	}
	return p.posts
}

// planner collects posts.
type planner struct {
	*tables
	places *places
	posts  []post
	turn   map[int]int    // the next role of an industry, or function of a founder
	trades map[[2]int]int // how many trades of a function a city has
}

// postCount returns how many posts an employer has.
func (c *company) postCount() int {
	if c.known() {
		return 28
	}
	if c.real == nil {
		return 0
	}
	count := 1
	for _, step := range [][2]int{{5000, 2}, {20_000, 5}, {100_000, 10}} {
		if c.size >= step[0] {
			count = step[1]
		}
	}
	return count
}

// addCompany adds the roles that all employers of the size have, then others in turn, and people of the industry's
// functions in proportion.
func (p *planner) addCompany(id int, c *company) {
	in := &p.industries[c.industry]
	var roles, others []role
	for _, r := range p.roles {
		switch {
		case !r.exists(p.tables, in):
		case r.always > 0 && r.always <= c.size:
			roles = append(roles, r)
		default:
			others = append(others, r)
		}
	}
	count := c.postCount()
	crafts := count * in.percent() / 100
	for len(roles) < count-crafts && len(others) > 0 {
		at := p.next(c.industry) % len(others)
		roles = append(roles, others[at])
		others = slices.Delete(others, at, at+1)
	}
	for i, r := range roles {
		p.posts = append(p.posts, post{
			company: id, city: c.cityOf(r.level, i), function: r.function, level: r.level,
			title: r.titles[(id+i)%len(r.titles)],
		})
	}
	for i := range crafts {
		p.addCraft(id, c, in, i)
	}
	if c.known() && crafts > 0 {
		p.addOffices(id, c, in.crafts[0].function)
	}
}

// addOffices adds people of the industry's first function in the cities where an employer has many people.
func (p *planner) addOffices(id int, c *company, function int) {
	trades := p.functions[function].trades
	for _, city := range c.offices {
		for i := range int(c.real.presence) / perOffice {
			p.add(id, int(city), function, []int{mid, senior}[i%2], trades[i%len(trades)])
		}
	}
}

// addFounder adds the founder of every second young company, in the first of the industry's functions.
func (p *planner) addFounder(id int, c *company) {
	if !c.young || id%2 == 0 {
		return
	}
	function := p.general[p.next(-1000)%len(p.general)]
	if crafts := p.industries[c.industry].crafts; len(crafts) > 0 {
		function = crafts[0].function
	}
	titles := p.functions[function].founders
	p.posts = append(p.posts, post{
		company: id, city: c.seat, function: function, level: top, title: titles[id%len(titles)], founder: true,
	})
}

// addCraft adds a person of one of the industry's functions.
func (p *planner) addCraft(id int, c *company, in *industry, i int) {
	usual := []int{mid, senior, mid, manager, lead, mid, director, entry}
	level := usual[(id+i)%len(usual)]
	luck := (id*7 + i*37) % in.percent()
	for _, craft := range in.crafts {
		if luck -= craft.percent; luck < 0 {
			city := c.cityOf(level, i)
			p.posts = append(p.posts, post{
				company: id, city: city, function: craft.function, level: level,
				trade: p.tradeIn(city, craft.function),
			})
			return
		}
	}
}

// cityOf returns a city for a post: the seat for officers, else the seat or an office.
func (c *company) cityOf(level, i int) int {
	if level >= vp || len(c.offices) == 0 || i%2 == 0 {
		return c.seat
	}
	return int(c.offices[i/2%len(c.offices)])
}

// addCity adds trades of each function, those that employers have not brought there, and managers.
func (p *planner) addCity(city int) {
	weight := int(p.cities[city].weight)
	usual := []int{mid, senior, mid, lead, mid}
	for f := range p.functions {
		if len(p.places.of(f).countries[p.cities[city].country].companies) == 0 {
			continue
		}
		want := p.functions[f].common*min(weight, largeCity)/largeCity + weight/perTrade
		if weight <= smallCity && (city+f)%8 != 0 {
			want = 0
		}
		for i := p.trades[[2]int{city, f}]; i < want; i++ {
			p.add(-1, city, f, usual[(city+f+i)%len(usual)], p.tradeIn(city, f))
		}
		for i, trade := range p.functions[f].rare {
			if weight >= largeCity && (city+f+i)%rareIn == 0 {
				p.add(-1, city, f, usual[(city+i)%len(usual)], trade)
			}
		}
		p.addManagers(city, f, min(weight/perManager, 3))
	}
}

// addManagers adds n managers of a function.
func (p *planner) addManagers(city, f, n int) {
	for i, level := range []int{manager, director, manager}[:n] {
		titles := p.functions[f].levels[level]
		p.posts = append(p.posts, post{
			company: -1, city: city, function: f, level: level, title: titles[(city+i)%len(titles)],
		})
	}
}

// add adds a post of a trade at a company, -1 for any employer of the city.
func (p *planner) add(company, city, f, level int, trade string) {
	p.posts = append(p.posts, post{
		company: company, city: city, function: f, level: level, trade: trade,
		title: p.functions[f].tradeTitle(level, trade),
	})
}

// tradeIn returns the trades of a function in turn: in each city the common ones and one more, then others than in the
// next city.
func (p *planner) tradeIn(city, f int) string {
	key := [2]int{city, f}
	trades := p.functions[f].occupations
	turn := p.trades[key]
	p.trades[key]++
	if common := p.functions[f].common + 1; turn >= common && len(trades) > common {
		turn = common + (5*city+turn-common)%(len(trades)-common)
	}
	return trades[turn%len(trades)]
}

func (p *planner) next(key int) int {
	p.turn[key]++
	return p.turn[key] - 1
}

// tradeTitle returns the title of a trade at a level.
func (f *function) tradeTitle(level int, trade string) string {
	if level == senior && len(f.forms[senior]) > 0 {
		return strings.Replace(f.forms[senior][0], "+", trade, 1)
	}
	return trade
}
