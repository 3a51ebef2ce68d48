package demo

import (
	"fmt"
	"strconv"
	"strings"
)

// The levels of a career, lowest first. The lists of data/titles.txt have one
// entry for each but mid, whose titles are the trades themselves.
const (
	intern = iota
	entry
	mid
	senior
	lead
	manager
	director
	vp
	top
)

// function is a line of work with its titles.
type function struct {
	name   string
	trades []string
	levels [top + 1][]string
	skills []string
	fields []string
	topics []string
}

func readFunctions(t *tables) error {
	return keyed("titles.txt", func(key, value string) error {
		if key == "[" {
			t.functions = append(t.functions, function{name: value})
			return nil
		}
		if key == "share" {
			weight, err := strconv.ParseUint(value, 10, 64)
			t.function.add(weight)
			return err
		}
		return t.functions[len(t.functions)-1].set(key, strings.Split(value, "; "))
	})
}

func (f *function) set(key string, values []string) error {
	lists := map[string]*[]string{
		"role": &f.trades, "intern": &f.levels[intern], "entry": &f.levels[entry], "senior": &f.levels[senior],
		"lead": &f.levels[lead], "manager": &f.levels[manager], "director": &f.levels[director], "vp": &f.levels[vp],
		"top": &f.levels[top], "skills": &f.skills, "fields": &f.fields, "about": &f.topics,
	}
	list, ok := lists[key]
	if !ok {
		return fmt.Errorf("unknown key %q", key)
	}
	*list = values
	return nil
}

// keyed calls row for each "key: value" line of a list, and with the key "["
// for each "[value]" line.
func keyed(file string, row func(key, value string) error) error {
	return lines(file, 1, func(cols []string) error {
		line := cols[0]
		if name, ok := strings.CutPrefix(line, "["); ok {
			return row("[", strings.TrimSuffix(name, "]"))
		}
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return fmt.Errorf("no key in %q", line)
		}
		return row(key, value)
	})
}

// title returns a title of a level for somebody of a trade.
func (f *function) title(d *dice, level int, trade string) string {
	luck := d.below(1000)
	switch {
	case level == mid && luck < 60:
		return trade + " II"
	case level == mid:
		return trade
	case level == entry && luck < 400:
		return "Junior " + trade
	case level == senior && luck < 520:
		return "Senior " + trade
	case level == senior && luck < 680:
		return "Sr. " + trade
	case level == lead && luck < 450:
		return of(d, []string{"Lead ", "Staff ", "Principal "}) + trade
	}
	return of(d, f.levels[level])
}

// founding is the title of an early employee, or "" where none is usual.
func (f *function) founding(d *dice) string {
	switch f.name {
	case "engineering":
		return of(d, []string{"Founding Engineer", "Founding Software Engineer", "First Engineer"})
	case "design":
		return "Founding Designer"
	case "product":
		return of(d, []string{"Founding PM", "Founding Product Manager"})
	case "sales":
		return "Founding Account Executive"
	}
	return ""
}

// founder is the title of somebody who starts a company; alone says that
// nobody else does.
func (f *function) founder(d *dice) string {
	titles := []string{"Co-Founder & CEO", "Founder & CEO", "Co-Founder", "Founder", "CEO & Co-Founder", "Cofounder & COO"}
	if f.name == "engineering" || f.name == "data" || f.name == "security" {
		titles = []string{"Co-Founder & CTO", "Founder & CEO", "CTO & Co-Founder", "Co-Founder", "Co-Founder & CTO", "Founder & CTO"}
	}
	return of(d, titles)
}

// specials are what people add to a title now and then.
func specials() []string {
	return []string{", EMEA", ", Payments", " - Growth", " (Remote)", ", Platform", " - North America", ", APAC", " (Contract)", ", Enterprise", " - Mobile"}
}
