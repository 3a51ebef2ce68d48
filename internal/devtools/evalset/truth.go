package evalset

// truth says whether something holds; maybe means that readers disagree (it is open).
type truth uint8

const (
	no truth = iota
	maybe
	yes
)

func when(b bool) truth {
	if b {
		return yes
	}
	return no
}

func not(t truth) truth { return yes - t }

// personIs is a predicate on people, jobIs on jobs, firmIs on companies.
type (
	personIs func(p *person) truth
	jobIs    func(j *job) truth
	firmIs   func(c *company) truth
)

// all holds if each predicate holds for the same person, job or company.
func all[T any](each ...func(T) truth) func(T) truth {
	return func(of T) truth {
		t := yes
		for _, is := range each {
			if t = min(t, is(of)); t == no {
				break
			}
		}
		return t
	}
}

// anyOf holds if one of the predicates does.
func anyOf[T any](each ...func(T) truth) func(T) truth {
	return func(of T) truth {
		t := no
		for _, is := range each {
			if t = max(t, is(of)); t == yes {
				break
			}
		}
		return t
	}
}

func never(h personIs) personIs { return func(p *person) truth { return not(h(p)) } }

// matchesNone holds for no one.
func matchesNone(*person) truth { return no }

// at converts a predicate on companies into one on the jobs there.
func at(is firmIs) jobIs { return func(j *job) truth { return is(j.company) } }

// now holds for people with such a job today, once for people who ended such a job, ever for both.
func now(is jobIs) personIs { return held(is, true) }

func once(is jobIs) personIs { return held(is, false) }

func held(is jobIs, today bool) personIs {
	return func(p *person) truth {
		t := no
		for _, j := range p.jobs {
			if j.current == today {
				t = max(t, is(j))
			}
		}
		return t
	}
}

func ever(is jobIs) personIs { return anyOf(now(is), once(is)) }

// left holds for people who ended a job at such a company and have none there now.
func left(is firmIs) personIs { return all(once(at(is)), never(now(at(is)))) }
