package demo

import (
	"slices"
	"strconv"

	"kith"
)

// stages lists the funding rounds in order.
func stages() []string {
	return []string{"Pre-Seed", "Seed", "Series A", "Series B", "Series C", "Series D", "Series E"}
}

// funding draws a company's funding, with a stage that matches its size and age. It is nil
// for most companies of kinds that are rarely funded.
func (d *Dataset) funding(luck *dice, c *company, typ string) *kith.Funding {
	kind := d.tables.industries[c.industry].kind
	year := (d.now - 3).year()
	switch {
	case typ == "Public":
		return d.round(luck, c, "IPO", luck.between(3, 9), min(c.founded+luck.between(6, 20), year))
	case typ == "Private" && kind == "tech" && c.size <= 5000 && luck.in1000(780):
		stage := min(stageBySize(luck, c.size), stageByAge(year-c.founded))
		return d.round(luck, c, stages()[stage], stage+1+luck.below(2), min(c.founded+stage+luck.between(0, 2), year))
	case typ == "Private" && c.size > 100 && luck.in1000(60):
		return d.round(luck, c, "Private Equity", luck.between(1, 3), min(c.founded+luck.between(5, 25), year))
	}
	return nil
}

func stageBySize(d *dice, size int) int {
	stage, _ := slices.BinarySearch([]int{6, 20, 60, 160, 450, 1200}, size)
	if stage > 0 && d.in1000(250) {
		stage--
	}
	return stage
}

// stageByAge returns the latest stage that a company reaches in so many years.
func stageByAge(age int) int {
	stage, _ := slices.BinarySearch([]int{1, 2, 3, 5, 7, 9}, age+1)
	return stage
}

func (d *Dataset) round(luck *dice, c *company, stage string, rounds, year int) *kith.Funding {
	at := january(year) + month(luck.below(12))
	f := &kith.Funding{
		LastRoundStage: stage, NumberOfRounds: rounds, Price: price(luck, c.size),
		LastRoundDate: min(at, d.now-1).date(days, luck.between(1, 28)),
	}
	for range luck.between(1, 4) {
		f.Investors = append(f.Investors,
			kith.Investor{Name: of(luck, d.tables.words["landmarks"]) + " " + of(luck, d.tables.words["investors"])})
	}
	return f
}

// price returns an amount in proportion to the company: 60,000 to 200,000 dollars per employee.
func price(d *dice, size int) string {
	thousands := max(size*d.between(60, 200), 100)
	switch {
	case thousands >= 1_000_000:
		return "$" + strconv.Itoa(thousands/1_000_000) + "." + strconv.Itoa(thousands/100_000%10) + "B"
	case thousands >= 1000:
		return "$" + strconv.Itoa(thousands/1000) + "." + strconv.Itoa(thousands/100%10) + "M"
	}
	return "$" + strconv.Itoa(thousands) + "K"
}

// location returns a city in the form of records, with the state only where it is usual.
func (t *tables) location(at int) kith.Location {
	c := t.cities[at]
	return kith.Location{City: c.name, State: c.state, Country: t.countries[c.country].name}
}

func (t *tables) headquarters(d *dice, at int) string {
	l := t.location(at)
	switch luck := d.below(10); {
	case luck < 3 && l.State != "":
		return l.City + ", " + l.State
	case luck < 5 && l.State != "":
		return l.City + ", " + l.State + ", " + l.Country
	case luck < 9:
		return l.City + ", " + l.Country
	}
	return ""
}
