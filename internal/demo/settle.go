package demo

// settle makes the last job the post. An earlier job at the same employer becomes a step on the way.
func (c *career) settle(at post) {
	last := c.last()
	if last == nil || last.end != 0 {
		job, ok := c.next(c.now - 1 - month(c.luck.below(12)))
		if !ok {
			return
		}
		if last != nil {
			job.start = max(job.start, last.end+1)
		}
		c.stints = append(c.stints, job)
	}
	job := c.takeLast(at.level)
	switch {
	case at.company >= 0:
		job.company = at.company
	case c.luck.in1000(600):
		job.company = c.smallEmployer(job.company)
	}
	job.start = min(max(job.start, c.openingMonth(job.company)), c.now-1)
	if at.founder {
		job.start = c.founding(job.company)
	}
	job.level, job.founder, job.title = at.level, at.founder, at.title
	if at.title == "" {
		job.title = c.called(at.level, job.start)
	}
	c.await(&job)
	if !at.founder {
		c.climb(job, c.companies[job.company].mostRise())
	}
	c.add(job)
}

// takeLast returns the current job as one of a level. If that is usual only after more years, the job remains as one
// before it.
func (c *career) takeLast(level int) stint {
	job := *c.last()
	usual := c.since
	if level >= mid {
		usual += month(9 * ladder()[level-mid])
	}
	if level > job.level && job.start < usual && usual < c.now-1 {
		c.last().end, job.start = usual-1, usual
		return job
	}
	c.stints = c.stints[:len(c.stints)-1]
	return job
}

// await lets a job begin when there was its title. The job before lasts until a new kind of job, or a new company, is
// there.
func (c *career) await(job *stint) {
	if first := c.tables.since(job.title); job.start < first {
		job.start = min(first+month(c.luck.below(24)), c.now-1)
	}
	last := c.last()
	if last == nil || last.level == intern || job.founder || job.start-last.end <= 24 {
		return
	}
	last.end = job.start - 1
	if last.level == entry {
		last.level, last.title = mid, c.called(mid, last.start)
	}
}

// mostRise returns how many levels a person rises at most with a new job at the company.
func (c *company) mostRise() int {
	switch {
	case c.size > 5000:
		return 1
	case c.size > 500:
		return 2
	}
	return 4
}

// climb lets the career before a job come close to its level: the last job becomes one on the way, or its second half
// if it is long. At a large company that is a job there, if the last one was at a small one.
func (c *career) climb(to stint, most int) {
	last := c.last()
	if last == nil || last.founder || last.level == intern || to.level-last.level <= most {
		return
	}
	job := *last
	job.level = to.level - most
	if half := (job.end + 1 - job.start) / 2; half >= 30 {
		job.start += half
		last.end = job.start - 1
	} else {
		c.stints = c.stints[:len(c.stints)-1]
	}
	if c.companies[job.company].size < 1000 && c.companies[to.company].size > 5000 &&
		c.openingMonth(to.company) <= job.start {
		job.company = to.company
	}
	c.climb(job, most)
	job.title = c.called(job.level, job.start)
	c.add(job)
}

// smallEmployer draws a small company in the city; otherwise if none is found soon.
func (c *career) smallEmployer(otherwise int) int {
	for range 12 {
		company, ok := c.places.of(c.craft).near(c.luck, c.tables, c.home, inCity)
		if !ok || !c.companies[company].isNear(c.home) || c.companies[company].size > 250 {
			continue
		}
		if c.work.fits(c.industryOf(company)) {
			return company
		}
	}
	return otherwise
}
