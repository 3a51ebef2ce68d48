package evalset

import (
	"strings"
	"unicode"
)

// terse: cto fintech berlin.
func terse(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	l := p.Location
	role, city := strings.ToLower(n.singular), strings.ToLower(l.City)
	if strings.Contains(city, "reading") || city == "nice" || city == "bath" || city == "mobile" {
		return "", nil
	}
	in := lives(inCity(l.City))
	kind, ok := g.drawIndustry(j.company)
	switch g.IntN(6) {
	case 0, 1:
		if !ok {
			return "", nil
		}
		return role + " " + strings.ToLower(kind.adjective) + " " + city, all(now(all(n.is, at(kind.is))), in)
	case 2:
		return role + " " + city, all(now(n.is), in)
	case 3:
		return city + " " + role, all(now(n.is), in)
	case 4:
		return role + " " + strings.ToLower(j.company.core), now(all(n.is, at(same(j.company))))
	}
	return role + ", " + strings.ToLower(g.country(p).text) + ", " + strings.ToLower(j.company.core),
		all(now(all(n.is, at(same(j.company)))), g.country(p).is)
}

// frames are patterns for asking, in different words.
func frames() []string {
	return []string{
		"Can you find me %s please?", "I am looking for %s.", "I'm looking for %s, thanks!", "Could you please show me %s?",
		"find %s",
		"Show me all %s", "Who are the %s?", "We need %s", "List %s", "I would like to find %s", "please get me a list of %s",
		"Hi, I need to talk to some %s",
		"Do you know any %s?", "search for %s", "Looking for %s!", "I want to meet %s", "Give me %s",
		"Hello! We are hiring and I am searching for %s. Thank you",
	}
}

// verbose asks politely or at length.
func verbose(g *gen) (string, personIs) {
	text, is := pick(g, rolesInPlaces, industries, seniorities, alternatives, headcounts, atCompanies)(g)
	if text == "" || strings.HasPrefix(text, "who ") || strings.HasPrefix(text, "the ") {
		return "", nil
	}
	return strings.Replace(pick(g, frames()...), "%s", text, 1), is
}

// typos misspells one long word of a prompt.
func typos(g *gen) (string, personIs) {
	text, is := pick(g, rolesInPlaces, atCompanies, industries, startups)(g)
	words := strings.Fields(text)
	var long []int
	for i, w := range words {
		if len([]rune(w)) >= 7 && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return "", nil
	}
	i := pick(g, long...)
	words[i] = g.misspell(words[i])
	return strings.Join(words, " "), is
}

// misspell omits, doubles or swaps a letter in the middle of a word.
func (g *gen) misspell(word string) string {
	letters := []rune(word)
	at := 2 + g.IntN(len(letters)-4)
	switch g.IntN(3) {
	case 0:
		return string(letters[:at]) + string(letters[at+1:])
	case 1:
		return string(letters[:at]) + string(letters[at]) + string(letters[at:])
	}
	letters[at], letters[at+1] = letters[at+1], letters[at]
	return string(letters)
}

// marksAndCase writes a prompt without diacritics, or in another case.
func marksAndCase(g *gen) (string, personIs) {
	text, is := pick(g, rolesInPlaces, atCompanies, education, seniorities)(g)
	if text == "" {
		return "", nil
	}
	switch g.IntN(3) {
	case 0:
		return strings.ToUpper(text), is
	case 1:
		return strings.ToLower(text), is
	}
	if bare := plain(text); bare != strings.ToLower(text) {
		return bare, is
	}
	return "", nil
}

// ambiguous uses companies named like places and roles, and cities named like common words.
func ambiguous(g *gen) (string, personIs) {
	tricky := map[string]bool{
		"Paris": true, "Georgia": true, "Engineer": true, "Director": true, "Square": true,
		"Founders": true, "Marketing": true, "Berlin": true, "Cambridge": true, "Reading": true, "Partner": true,
		"Mobile": true, "Washington": true, "Head": true, "Jackson": true, "Product": true, "Florence": true, "Austin": true,
		"Sales": true, "Nice": true, "Lead": true, "Orange": true, "Chief": true, "Target": true, "Bath": true,
		"Intern": true,
	}
	if g.odds(35) {
		p, _, n, ok := g.employee(func(p *person) bool {
			l := p.Location
			return l.City == "Reading" || l.City == "Bath" || l.City == "Nice" || l.City == "Paris" || l.City == "Victoria" ||
				l.City == "Austin" || l.Country == "Georgia" || l.State == "Georgia" || l.City == "Charlotte"
		})
		if !ok {
			return "", nil
		}
		if l := p.Location; l.Country == "Georgia" || l.State == "Georgia" {
			return n.plural + " in " + l.City + ", Georgia", all(now(n.is), lives(exactly(l)))
		}
		if g.odds(50) {
			where := g.exactPlace(p)
			return n.plural + " in " + where.text, all(now(n.is), where.is)
		}
		return n.plural + " in " + p.Location.City, all(now(n.is), lives(inCity(p.Location.City)))
	}
	_, j, n, ok := g.employee(func(p *person) bool {
		first, _, _ := strings.Cut(p.main().company.core, " ")
		return tricky[first]
	})
	if !ok {
		return "", nil
	}
	here := at(same(j.company))
	return pick(g, n.plural+" at "+j.company.core, n.plural+" who work for "+j.company.core), now(all(n.is, here))
}

// unknowns name a place or a company that does not exist, or contradict themselves.
func unknowns(g *gen) (string, personIs) {
	_, _, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	place := pick(g, "Atlantis", "Narnia", "Gotham City", "Wakanda", "El Dorado", "Mordor")
	firm := pick(g, "Hogwarts", "Umbrella Corporation", "Wonka Industries", "Cyberdyne Systems", "Globochem",
		"Soylent Corp")
	return pick(g,
		n.plural+" in "+place, n.plural+" at "+firm, "people working at "+firm, n.plural+" based in "+place+" at startups",
		n.plural+" at companies with more than 500 and fewer than 50 employees",
		n.plural+" with more than 10 and less than 5 years of experience",
		"ex-"+firm+" "+n.plural,
	), matchesNone
}
