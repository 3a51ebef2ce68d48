package demo

import (
	"strconv"

	"kith"
)

// education draws what somebody has studied before, and rarely during, a
// career; nil for about a fifth.
func (c *career) education() []kith.Education {
	if c.luck.in1000(210) {
		return nil
	}
	var all []kith.Education
	field := of(c.luck, c.work.fields)
	end := c.begin.year() - c.luck.below(2)
	if c.luck.in1000(map[bool]int{true: 450, false: 15}[c.work.name == "research"]) {
		all = append(all, c.degree(doctor(), field, end-c.luck.between(3, 5), end))
		end -= 5
	}
	if c.luck.in1000(380) || len(all) > 0 {
		length := c.luck.between(1, 2)
		all = append(all, c.degree(master(c.work.name), field, end-length, end))
		end -= length
	}
	all = append(all, c.degree(c.bachelor(), field, end-c.luck.between(3, 4), end))
	if year := c.begin.year() + c.luck.between(4, 10); year+2 <= c.now.year() && c.luck.in1000(mbaShare(c.work.name)) {
		all = append([]kith.Education{c.degree([]string{"MBA", "MBA", "Master of Business Administration", "Executive MBA"}, "Business Administration", year, year+2)}, all...)
	}
	return all
}

func mbaShare(function string) int {
	switch function {
	case "product", "operations", "finance", "marketing", "sales":
		return 160
	}
	return 20
}

func doctor() []string { return []string{"PhD", "Ph.D.", "Doctor of Philosophy", "PhD"} }

func master(function string) []string {
	switch function {
	case "engineering", "data", "security", "research", "support":
		return []string{"MSc", "Master of Science", "M.S.", "Master's degree", "MSc"}
	case "legal":
		return []string{"LLM", "Juris Doctor", "J.D.", "Master of Laws"}
	}
	return []string{"MA", "Master of Arts", "MSc", "Master's degree", "Master of Science"}
}

func (c *career) bachelor() []string {
	switch c.work.name {
	case "engineering", "data", "security", "research", "support":
		if c.tables.countries[c.tables.cities[c.home].country].name == "India" {
			return []string{"B.Tech", "B.Tech", "Bachelor of Technology", "BE"}
		}
		return []string{"BSc", "Bachelor of Science", "B.S.", "Bachelor's degree", "BEng"}
	case "legal":
		return []string{"LLB", "Bachelor of Laws", "BA"}
	}
	return []string{"BA", "Bachelor of Arts", "BSc", "Bachelor's degree", "BBA", "Bachelor of Business Administration"}
}

// degree is one entry; now and then a part of it is not given.
func (c *career) degree(names []string, field string, from, to int) kith.Education {
	e := kith.Education{Institute: c.school(), Degree: of(c.luck, names), FieldOfStudy: field}
	if c.luck.in1000(870) {
		e.StartDate, e.EndDate = strconv.Itoa(from), strconv.Itoa(to)
	}
	if c.luck.in1000(60) {
		e.FieldOfStudy = ""
	}
	if c.luck.in1000(50) {
		e.Degree = ""
	}
	return e
}

func (c *career) school() string {
	home := &c.tables.countries[c.tables.cities[c.home].country]
	if len(home.schools) > 0 && c.luck.in1000(760) {
		return home.schools[home.school.spin(c.luck)]
	}
	return c.tables.schools[c.tables.school.spin(c.luck)]
}
