package network

import "kith"

// Ask writes to an introducer who has a bond with a target at a company.
func Ask(introducer, target kith.Person, b Bond, at kith.Company) IntroductionRequest {
	n := nouns{companies: map[int64]kith.Company{at.ID: at}}
	return ask(introducer, target, []Reason{n.reason(b, target)})
}

// Bytes is the memory accounted for, in bytes.
func (c *Circles) Bytes() int { return c.kept.size - c.kept.room }
