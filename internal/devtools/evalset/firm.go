package evalset

import (
	"slices"
	"strings"
)

// same holds for one company. It is open for companies whose names contain all words of its name.
func same(c *company) firmIs { return func(other *company) truth { return c.alike[other] } }

// findSimilar compares the names of all companies.
func findSimilar(companies []*company) {
	byWord := map[string][]*company{}
	for _, c := range companies {
		for _, name := range c.words {
			for _, w := range name {
				byWord[w] = append(byWord[w], c)
			}
		}
	}
	for _, c := range companies {
		c.alike = map[*company]truth{}
		for _, other := range byWord[c.words[0][0]] {
			if slices.ContainsFunc(other.words, func(name []string) bool { return within(c.words[0], name) }) {
				c.alike[other] = maybe
			}
		}
		c.alike[c] = yes
	}
}

// within reports whether others contains all words of some.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(others, w) })
}

// firmIn holds for companies with one of the industries, keywords ("k:saas") or types ("t:Public").
func firmIn(names []string) firmIs {
	return func(c *company) truth {
		for _, name := range names {
			if keyword, ok := strings.CutPrefix(name, "k:"); ok {
				if slices.Contains(c.Keywords, keyword) {
					return yes
				}
			} else if typ, ok := strings.CutPrefix(name, "t:"); ok {
				if c.Type == typ {
					return yes
				}
			} else if c.Industry == name {
				return yes
			}
		}
		return no
	}
}

// sized holds for companies with low to high employees. If the number is unknown, it does not hold.
func sized(low, high int) firmIs {
	return func(c *company) truth {
		return when(c.EmployeeCount > 0 && c.EmployeeCount >= low && c.EmployeeCount <= high)
	}
}

// founded holds for companies founded from low to high.
func founded(low, high int) firmIs {
	return func(c *company) truth {
		return when(c.FoundedYear > 0 && c.FoundedYear >= low && c.FoundedYear <= high)
	}
}

func staged(stages ...string) firmIs {
	return func(c *company) truth { return when(slices.Contains(stages, c.stage)) }
}

// startup holds for companies with funding stage Pre-Seed to Series B and fewer than 200
// people or, if the stage is unknown, fewer than 50.
func startup(c *company) truth {
	switch c.stage {
	case "":
		return when(c.EmployeeCount > 0 && c.EmployeeCount < 50)
	case "Pre-Seed", "Seed", "Series A", "Series B":
		if c.EmployeeCount == 0 {
			return maybe
		}
		return when(c.EmployeeCount < 200)
	}
	return no
}
