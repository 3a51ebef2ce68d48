package demo

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
	level   int
	ceiling int // the highest level of the person
	haste   int // how many years the person is ahead of others
	stints  []stint
}

// longest limits the jobs of a person, not counting side jobs.
const longest = 12

// career generates the career of a person who lives near an office and works in a function common there.
func (d *Dataset) career(luck *dice, at office) *career {
	years := min(luck.below(38*12), luck.below(38*12))
	c := &career{
		Dataset: d, luck: luck, home: at.city, begin: d.now - 1 - month(years), haste: luck.between(-2, 2), level: entry,
	}
	c.learn(d.tables.functionIn(luck, &d.tables.industries[d.companies[at.company].industry]))
	c.ceiling = c.work.highest(luck)
	if luck.in1000(110) {
		c.intern()
	}
	for at := c.begin; at < d.now && len(c.stints) < longest; {
		at = c.step(at)
	}
	c.retire()
	if luck.in1000(58) {
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
		title := c.work.title(c.luck, intern, c.trade)
		c.stints = append(c.stints, stint{
			company: company, title: title, level: intern, start: start, end: start + length - 1,
		})
	}
}

// step adds a job that starts in month at, or a period without one, and returns when the
// next may start. A current job is the last.
func (c *career) step(at month) month {
	job, ok := c.next(at)
	if !ok {
		return at + 12
	}
	length := month(12 + c.luck.below(42) + c.luck.below(64))
	if job.start+length >= c.now {
		c.stints = append(c.stints, job)
		return c.now
	}
	job.end = job.start + length - 1
	c.stints = append(c.stints, job)
	if c.luck.in1000(110) {
		return job.end + 1 + month(c.luck.between(2, 18))
	}
	return job.end + 1
}

// next draws the next job: a promotion, a return to an earlier employer, founding a company, or another employer.
func (c *career) next(at month) (stint, bool) {
	last := c.last()
	luck := c.luck.below(1000)
	if luck < 260 && last.canRise(at) {
		return c.promotion(last, at), true
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
		return stint{}, false
	}
	if c.level <= mid && last != nil && c.luck.in1000(70) {
		c.learn(c.tables.anyFunction(c.luck))
	}
	return c.joinCompany(company, at), true
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

// employer draws a company that existed at that time and is new to the person. If there
// are few companies, it only avoids the last employer.
func (c *career) employer(at month) (company int, ok bool) {
	for try := range 24 {
		company, ok := c.places.of(c.craft).near(c.luck, c.tables, c.home, try < 8)
		if ok && c.openingMonth(company) <= at && c.suits(company, try) && !c.knows(company, try) {
			return company, true
		}
	}
	return 0, false
}

func (c *career) knows(company, try int) bool {
	for i, s := range c.stints {
		if s.company == company && (try < 21 || i == len(c.stints)-1) {
			return true
		}
	}
	return false
}

// openingMonth returns the first month in which people can have worked for a company.
func (c *career) openingMonth(company int) month { return january(c.companies[company].founded) }

// suits reports whether the person joins a company: companies with special functions
// employ fewer people of other functions.
func (c *career) suits(company, try int) bool {
	in := &c.tables.industries[c.companies[company].industry]
	if !c.work.fits(in) && try < 20 {
		return false
	}
	return in.has(c.craft) || try > 3 || !c.luck.in1000(10*in.percent())
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

// grow raises the level to what is usual after so many years. A few people step back.
func (c *career) grow(at month) {
	usual := entry
	for _, limit := range []int{1, 4, 8, 11, 14, 18, 22} {
		if int(at-c.begin)/12+c.haste >= limit {
			usual++
		}
	}
	usual = min(usual, c.ceiling, c.level+2)
	if c.luck.in1000(40) {
		usual = max(c.level-1, entry)
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

func (c *career) title(job stint) string {
	company := &c.companies[job.company]
	if job.level >= mid && job.level <= lead && company.size <= 60 && job.start-january(company.founded) < 24 {
		if len(c.work.founding) > 0 && c.luck.in1000(600) {
			return of(c.luck, c.work.founding)
		}
	}
	if job.level == top && company.size <= 100 && c.luck.in1000(220) {
		return of(c.luck, []string{"CEO", "Chief Executive Officer", "Managing Director", "President & CEO"})
	}
	title := c.work.title(c.luck, job.level, c.trade)
	if job.level >= mid && job.level <= director && len(c.work.additions) > 0 && c.luck.in1000(30) {
		title += of(c.luck, c.work.additions)
	}
	return title
}

// foundCompany lets the person found a company within three years. The job before lasts until then.
func (c *career) foundCompany(last *stint, at month) (stint, bool) {
	for range 8 {
		company, ok := c.places.of(c.craft).newest(c.luck, c.home)
		if !ok {
			return stint{}, false
		}
		start := c.openingMonth(company) + month(c.luck.below(12))
		if start < at || start > at+36 || start >= c.now {
			continue
		}
		if last.level != intern {
			last.end = start - 1
		}
		return stint{company: company, title: of(c.luck, c.work.founders), level: top, start: start, founder: true}, true
	}
	return stint{}, false
}

// retire ends the last job of some people, who are then without one.
func (c *career) retire() {
	last := c.last()
	if last == nil || last.end != 0 || !c.luck.in1000(65) {
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
	company, ok := c.employer(at)
	if !ok {
		return
	}
	title := of(c.luck, []string{"Freelance ", "Part-time ", "Freelance "}) + c.trade
	if at-c.begin > 7*12 {
		title = of(c.luck, c.work.sides)
	}
	// It precedes the main job, which remains the last.
	c.stints = append(c.stints[:len(c.stints)-1], stint{company: company, title: title, level: last.level, start: at},
		*last)
}
