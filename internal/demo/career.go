package demo

import "slices"

// stint is one job. start and end are its first and last month; end is 0 for a current job.
type stint struct {
	company    int // in Dataset.companies
	title      string
	level      int
	start, end month
	founder    bool
}

// career generates the jobs of one person, oldest first.
type career struct {
	*Dataset
	luck    *dice
	home    int // in tables.cities
	craft   int // in tables.functions
	work    *function
	trade   string
	begin   month
	since   month // of the present kind of work
	level   int
	ceiling int // the highest level of the person
	haste   int // how many years the person is ahead of others
	stints  []stint
	// hasPost is true if the last job is given; goal is its company, -1 for any.
	hasPost  bool
	goal     int
	language string
}

// longest limits the jobs of a person, not counting side jobs.
const longest = 12

// anyPost draws an office and a function common there.
func (d *Dataset) anyPost(luck *dice) post {
	at := d.places.offices[d.places.office.spin(luck)]
	function := d.tables.functionIn(luck, d.industryOf(at.company))
	return post{company: at.company, city: at.city, function: function, level: intern}
}

// industryOf returns the industry of a company.
func (d *Dataset) industryOf(company int) *industry {
	return &d.tables.industries[d.companies[company].industry]
}

// career generates the career of a person who lives near a post and works in its function. It ends in the post if the
// person has it.
func (d *Dataset) career(luck *dice, at post, hasPost bool) *career {
	from, to := 0, 40 // years before the post
	switch {
	case at.founder:
		from = min(int(d.now-january(d.companies[at.company].founded))/12+2, 30)
	case at.level > entry:
		from = ladder()[at.level-mid]
	case at.level == entry:
		to = 2
	}
	if at.title != "" {
		to = max(min(to, int(d.now-d.tables.since(at.title))/12-1), from+1)
	}
	years := from*12 + luck.below((to-from)*12)
	if luck.in1000(600) {
		years = min(years, from*12+luck.below((to-from)*12))
	}
	c := &career{
		Dataset: d, luck: luck, home: at.city, begin: d.now - 1 - month(years), haste: luck.between(-2, 2),
		level: entry, hasPost: hasPost, goal: -1,
	}
	c.since = c.begin
	c.learn(at.function)
	c.ceiling = c.work.highest(luck)
	if hasPost {
		c.ceiling, c.goal = max(at.level, mid), at.company
	}
	if at.trade != "" {
		c.trade = at.trade
	}
	if luck.in1000(110) {
		c.intern()
	}
	for at := c.begin; at < d.now && len(c.stints) < longest; {
		at = c.step(at)
	}
	if hasPost {
		c.settle(at)
	} else {
		c.retire()
	}
	if luck.in1000(160) {
		c.addSideJob()
	}
	return c
}

// learn sets the person's function.
func (c *career) learn(function int) {
	c.craft, c.work = function, &c.tables.functions[function]
	c.trade = of(c.luck, c.work.trades)
}

// highest draws the highest level that a person reaches; for most it is below director.
func (f *function) highest(d *dice) int {
	luck := d.below(1000)
	for level, share := range f.ceiling {
		if luck < share {
			return level
		}
		luck -= share
	}
	return mid
}

// intern adds a short job before the career.
func (c *career) intern() {
	length := month(c.luck.between(3, 7))
	start := c.begin - length - month(c.luck.between(1, 15))
	if company, ok := c.employer(start); ok {
		c.stints = append(c.stints, stint{
			company: company, title: c.called(intern, start), level: intern, start: start, end: start + length - 1,
		})
	}
}

// step adds a job that starts in month at, or a period without one, and returns when the
// next may start. A current job is the last.
func (c *career) step(at month) month {
	job, ok := c.next(at)
	if !ok {
		if last := c.last(); last != nil && last.end+1 == at {
			return last.stay(c.now)
		}
		return at + 12
	}
	length := month(12 + c.luck.below(52) + c.luck.below(98))
	switch {
	case job.level <= entry:
		length = month(12 + c.luck.below(30))
	case c.luck.in1000(330):
		length += month(c.luck.below(240))
	}
	if job.start+length >= c.now {
		c.add(job)
		return c.now
	}
	job.end = job.start + length - 1
	c.add(job)
	if c.luck.in1000(110) {
		return job.end + 1 + month(c.luck.between(2, 18))
	}
	return job.end + 1
}

// add appends a job. One that continues the last is one with it.
func (c *career) add(job stint) {
	if last := c.last(); last != nil && last.company == job.company && last.title == job.title {
		job.start = last.start
		c.stints = c.stints[:len(c.stints)-1]
	}
	c.stints = append(c.stints, job)
}

// next draws the next job: a promotion, a return to an earlier employer, founding a company, or another employer.
func (c *career) next(at month) (stint, bool) {
	last := c.last()
	luck := c.luck.below(1000)
	if luck < 260 && last.canRise(at) {
		if job := c.promotion(last, at); job.title != last.title {
			return job, true
		}
	}
	if company, ok := c.earlier(); ok && luck >= 260 && luck < 300 {
		return c.joinCompany(company, at), true
	}
	if last != nil && luck >= 970 {
		if job, ok := c.foundCompany(last, at); ok {
			return job, true
		}
	}
	company, ok := c.employer(at)
	if !ok {
		return c.rise(last, at)
	}
	if c.level <= mid && last != nil && !c.hasPost && c.luck.in1000(70) {
		c.learn(c.tables.anyFunction(c.luck))
		c.since, c.level = at, entry
	}
	return c.joinCompany(company, at), true
}

// rise draws a promotion, if one can follow the last job; with the same title it is none.
func (c *career) rise(last *stint, at month) (stint, bool) {
	level := c.level
	if last.canRise(at) {
		if job := c.promotion(last, at); job.title != last.title {
			return job, true
		}
	}
	c.level = level
	return stint{}, false
}

// canRise reports whether a promotion may directly follow a job.
func (s *stint) canRise(at month) bool {
	return s != nil && s.level != intern && !s.founder && s.end+1 == at
}

func (c *career) last() *stint {
	if len(c.stints) == 0 {
		return nil
	}
	return &c.stints[len(c.stints)-1]
}

// earlier returns a former employer that the person left for another.
func (c *career) earlier() (company int, ok bool) {
	last := c.last()
	for _, s := range c.stints {
		if s.company != last.company && !s.founder {
			return s.company, true
		}
	}
	return 0, false
}

// stay prolongs a job by a year, and returns when the next may start.
func (s *stint) stay(now month) month {
	if s.end+12 >= now-1 {
		s.end = 0
		return now
	}
	s.end += 12
	return s.end + 1
}

// employer draws a company that existed at that time and is new to the person. If there are few companies, it only
// avoids the last employer. Many people once worked for a well-known one.
func (c *career) employer(at month) (company int, ok bool) {
	famous := c.hasPost && c.luck.in1000(300)
	abroad := c.luck.in1000(c.work.abroad)
	for try := range 24 {
		from, area := c.places.of(c.craft), inCountry
		if famous = famous && try < 4; famous {
			from = c.places.known
		}
		switch {
		case abroad:
			area = anywhere
		case try < 8 || c.work.abroad == 0 && try < 20:
			area = inCity
		}
		company, ok := from.near(c.luck, c.tables, c.home, area)
		if ok && c.openingMonth(company) <= at && c.accepts(company, try, abroad) && (!famous || c.belongs(company)) {
			return company, true
		}
	}
	return 0, false
}

// accepts reports whether the person takes a job at a company: small companies have people near their seat, those of
// some industries none from abroad. Later tries accept more.
func (c *career) accepts(company, try int, abroad bool) bool {
	if !c.suits(company, try) || c.knows(company, try) {
		return false
	}
	return try >= 20 || c.companies[company].isNear(c.home) && (!abroad || c.industryOf(company).isAbroad)
}

// isNear reports whether a company has offices elsewhere, or its seat in a city.
func (c *company) isNear(city int) bool { return c.size > 300 || c.seat == city }

// belongs reports whether the industry of a company has people with the person's function.
func (c *career) belongs(company int) bool {
	return c.work.everywhere || c.industryOf(company).has(c.craft)
}

func (c *career) knows(company, try int) bool {
	if company == c.goal && try < 21 {
		return true
	}
	for i, s := range c.stints {
		if s.company == company && (try < 21 || i == len(c.stints)-1) {
			return true
		}
	}
	return false
}

func (c *career) promotion(last *stint, at month) stint {
	c.level = min(max(c.level, last.level)+1, max(c.ceiling, last.level))
	job := stint{company: last.company, level: c.levelIn(last.company), start: at}
	for range 4 {
		job.title = c.title(job)
		if job.title != last.title {
			break
		}
	}
	return job
}

func (c *career) joinCompany(company int, at month) stint {
	c.grow(at)
	job := stint{company: company, level: c.levelIn(company), start: at}
	job.title = c.title(job)
	return job
}

// ladder returns after how many years the levels from mid on are usual.
func ladder() []int { return []int{1, 4, 8, 11, 14, 18, 22} }

// grow raises the level to what is usual after so many years. A few people step back.
func (c *career) grow(at month) {
	rungs, _ := slices.BinarySearch(ladder(), int(at-c.since)/12+c.haste+1)
	usual := entry + rungs
	if last := c.last(); last != nil && last.level == entry {
		usual = max(usual, mid) // nobody begins twice
	}
	usual = min(usual, c.ceiling, c.level+2)
	if c.luck.in1000(40) {
		usual = max(c.level-1, min(mid, c.level))
		c.level = usual
	}
	c.level = max(c.level, usual)
}

// levelIn returns the person's level in a company. In small companies, managers are often chiefs; in large ones few
// are.
func (c *career) levelIn(company int) int {
	size := c.companies[company].size
	switch {
	case size <= 150 && c.level >= manager && c.luck.in1000(500):
		return top
	case size > 2000 && c.level == top && c.luck.in1000(900):
		return vp
	case size > 5000 && c.level == vp && c.luck.in1000(400):
		return director
	}
	return c.level
}

// retire ends the last job of some people, who are then without one.
func (c *career) retire() {
	last := c.last()
	if last == nil || last.end != 0 || !c.luck.in1000(800) {
		return
	}
	if held := int(c.now - last.start); held > 3 {
		last.end = c.now - 1 - month(c.luck.early(min(held-2, 30)))
	}
}

// addSideJob adds a second job to the current one.
func (c *career) addSideJob() {
	last := c.last()
	if last == nil || last.end != 0 || c.now-last.start < 3 {
		return
	}
	at := last.start + month(c.luck.below(int(c.now-last.start)))
	company := c.smallEmployer(last.company)
	if company == last.company || c.companies[company].size < 3 {
		return
	}
	if at = max(at, c.openingMonth(company)); at >= c.now {
		return
	}
	title := of(c.luck, []string{"Freelance ", "Part-time ", "Freelance "}) + c.trade
	if at-c.begin > 7*12 {
		title = of(c.luck, c.work.sides)
	}
	if c.tables.since(title) > at || !c.work.everywhere && at-c.begin <= 7*12 {
		return
	}
	// It precedes the main job, which remains the last.
	c.stints = append(c.stints[:len(c.stints)-1], stint{company: company, title: title, level: last.level, start: at},
		*last)
}
