package demo

import (
	"slices"
	"strconv"
	"strings"

	"kith"
)

// Person returns the person with a number from 1 to Config.People. The company of a job has only its ID.
func (d *Dataset) Person(id int64) kith.Person {
	luck := roll(d.cfg.Seed, dicePerson, uint64(id))
	at, hasPost := d.postOf(id)
	if !hasPost {
		at = d.anyPost(&luck)
	}
	who := d.tables.name(&luck, d.tables.cities[at.city].country)
	c := d.career(&luck, at, hasPost)
	c.language = who.language
	p := kith.Person{
		ID: id, FirstName: who.first, LastName: who.last, FullName: who.full,
		SocialURL: "https://social.example/in/" + who.slug + "-" + strconv.FormatInt(id, 36),
		Location:  c.residence(),
	}
	c.jobs(&p)
	p.EducationHistory = c.education()
	p.Skills = c.skills()
	p.Headline = c.headline(p)
	p.AboutMe = c.about()
	p.Email = c.email(who)
	if luck.in1000(600) {
		p.ImageURL = "https://images.social.example/p/" + strconv.FormatInt(id, 10) + ".jpg"
	}
	return p
}

// residence returns where the person lives: mostly near the employers. Parts are missing as often as in real records.
func (c *career) residence() kith.Location {
	at := c.home
	home := &c.tables.countries[c.tables.cities[at].country]
	switch luck := c.luck.below(1000); {
	case c.hasPost:
	case luck < 50:
		at = home.cities[home.city.spin(c.luck)]
	case luck < 75:
		at = c.tables.city.spin(c.luck)
	}
	l := c.tables.location(at)
	if l.Country != "United States" && l.Country != "Canada" && c.luck.in1000(300) {
		l.State = ""
	}
	switch luck := c.luck.below(1000); {
	case c.hasPost:
	case luck < 25:
		return kith.Location{}
	case luck < 55:
		l.City = ""
		l.State = ""
	}
	return l
}

// jobs fills in the work history, latest first, and the current job.
func (c *career) jobs(p *kith.Person) {
	exact := days
	switch luck := c.luck.below(100); {
	case luck < 6:
		exact = years
	case luck < 26:
		exact = months
	}
	for _, s := range slices.Backward(c.stints) {
		start := s.start.first(exact)
		job := kith.Job{Title: s.title, Company: kith.Company{ID: int64(s.company + 1)}, StartDate: &start}
		if s.end != 0 {
			end := s.end.last(exact)
			job.EndDate = &end
		}
		p.WorkHistory = append(p.WorkHistory, job)
	}
	if last := c.last(); last != nil && last.end == 0 {
		current := p.WorkHistory[0]
		p.WorkRelevant = &current
	}
}

func (c *career) headline(p kith.Person) string {
	luck := c.luck.below(1000)
	last := c.last()
	switch {
	case luck < 60:
		return ""
	case last == nil:
		return c.work.title(c.luck, entry, c.trade) + " looking for a first position"
	case last.end != 0 && luck < 600:
		return "Former " + last.title + ", open to work"
	case last.end != 0:
		return c.trade + " | " + of(c.luck, c.work.topics)
	}
	company := c.companies[last.company].core
	switch {
	case luck < 560:
		return last.title + " at " + company
	case luck < 650:
		return last.title + " @ " + company
	case luck < 760 && len(p.Skills) >= 3:
		return last.title + " | " + p.Skills[0] + ", " + p.Skills[1] + " & " + p.Skills[2]
	case luck < 840 && len(c.stints) > 1 && c.stints[0].company != last.company:
		return last.title + " at " + company + " | ex-" + c.companies[c.stints[0].company].core
	case luck < 940:
		return last.title + " | " + of(c.luck, c.work.topics)
	}
	return last.title
}

func (c *career) about() string {
	last := c.last()
	if last == nil || c.luck.in1000(350) {
		return ""
	}
	words := c.tables.words
	text := strings.Replace(of(c.luck, words["openers"]), "@", strings.Join(some(c.luck, c.work.topics, 2), " and "), 1)
	if years := int(c.now-c.since) / 12; years >= 2 {
		span := of(c.luck, words["spans"])
		text += " " + strings.NewReplacer("#", strconv.Itoa(years), "%", c.work.line).Replace(span)
	}
	industry := strings.ToLower(c.industryOf(last.company).name)
	if last.end == 0 && !sharesWord(industry, c.work.line) && c.luck.in1000(400) {
		text += " " + strings.Replace(of(c.luck, words["lately"]), "~", industry, 1)
	}
	if last.end == 0 && c.luck.in1000(500) {
		text += " At " + c.companies[last.company].core + " since " + strconv.Itoa(last.start.year()) + "."
	}
	if c.luck.in1000(250) {
		text += " " + of(c.luck, words["closings"])
	}
	return text
}

// sharesWord reports whether two texts have a word in common.
func sharesWord(a, b string) bool {
	return slices.ContainsFunc(strings.Fields(a), func(word string) bool {
		return slices.Contains(strings.Fields(b), word)
	})
}

// email returns a masked address, at the employer or at a provider.
func (c *career) email(who name) string {
	if c.luck.in1000(200) {
		return ""
	}
	domain := of(c.luck, []string{"example.com", "example.org", "example.net"})
	if last := c.last(); last != nil && last.end == 0 && c.luck.in1000(600) {
		domain = c.companies[last.company].slug + ".example"
	}
	return who.slug[:1] + "•••@" + domain
}
