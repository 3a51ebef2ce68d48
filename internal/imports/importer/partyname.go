package importer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kith/internal/imports/importer/tidy"
)

// maxNames limits the different names counted for a party.
const maxNames = 5

// addName counts a name of a party. Most parties have one name, which needs no map.
func (c *contacts) addName(id int32, name string) {
	if name == "" {
		return
	}
	p := &c.parties[id]
	p.Name = cmp.Or(p.Name, name)
	if name == p.Name {
		c.named[id]++
		return
	}
	others := c.otherNames[id]
	if others == nil {
		others = map[string]int32{}
		c.otherNames[id] = others
	}
	if _, known := others[name]; known || len(others) < maxNames {
		others[name]++
	}
}

// chooseNames gives each party its most frequent name. Names of several words are better than single words. An address
// without a name has the name in it, if any.
func (c *contacts) chooseNames() {
	for id, others := range c.otherNames {
		p := &c.parties[id]
		best, n := p.Name, c.named[id]
		for _, name := range slices.Sorted(maps.Keys(others)) {
			whole, isBest := strings.Contains(name, " "), strings.Contains(best, " ")
			if whole && !isBest || whole == isBest && others[name] > n {
				best, n = name, others[name]
			}
		}
		p.Name = best
	}
	c.otherNames = nil
	for id := range c.parties {
		if p := &c.parties[id]; p.Name == "" && p.Email != "" {
			p.Name = tidy.AddressName(p.Email)
		}
	}
}
