package evalset

// truth is whether something holds: people may differ on it.
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

// holds is a predicate on people, jobIs one on jobs, firmIs one on companies.
type (
	holds  func(p *person) truth
	jobIs  func(j *job) truth
	firmIs func(c *company) truth
)

// all holds where each of some predicates does, on the same person, job or company.
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

// anyOf holds where one of some predicates does.
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

func never(h holds) holds { return func(p *person) truth { return not(h(p)) } }

// nobody holds of no one.
func nobody(*person) truth { return no }

// at turns a predicate on companies into one on the jobs there.
func at(is firmIs) jobIs { return func(j *job) truth { return is(j.company) } }

// now holds of people with such a job today, once of those who had such a job
// and ended it, ever of both.
func now(is jobIs) holds { return held(is, true) }

func once(is jobIs) holds { return held(is, false) }

func held(is jobIs, today bool) holds {
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

func ever(is jobIs) holds { return anyOf(now(is), once(is)) }

// left holds of people who ended a job at such a company and have none there
// now.
func left(is firmIs) holds { return all(once(at(is)), never(now(at(is)))) }
