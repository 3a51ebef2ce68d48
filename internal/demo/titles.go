package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The levels of a career, lowest first.
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

func levelNames() []string {
	return []string{"intern", "entry", "mid", "senior", "lead", "manager", "director", "vp", "top"}
}

// function is a line of work with its titles.
type function struct {
	name   string
	trades []string
	// occupations are the trades, each once; rare are further ones, of few people.
	occupations, rare []string
	// common is how many occupations every large city has.
	common int
	// levels are the titles of each level. forms are patterns for titles in which '+' stands for a trade.
	levels, forms [top + 1][]string
	// line is what people call the work; abroad is how many jobs of a thousand may be in any country.
	line   string
	abroad int
	// ceiling is how many in a thousand reach each level as their highest.
	ceiling [top + 1]int
	skills  []string
	topics  []string
	// founding, founders and sides are titles of early employees, of founders, and of side jobs.
	founding, founders, sides []string
	// additions are occasional additions to a title.
	additions []string
	fields    []string
	study     study
	// first are the least and the most years of a first degree.
	first [2]int
	// bachelors, masters and doctors are names of degrees; local are bachelor degrees by country.
	bachelors, masters, doctors []string
	local                       map[string][]string
	// everywhere is true if every industry has people with the function, not only industries that list it.
	everywhere bool
	// kinds are the kinds of industries that have the function, empty for all.
	kinds []string
}

// study has the shares of people with degrees, in a thousand.
type study struct{ none, master, doctor, mba int }

// readFunctions parses the functions. A block inherits missing values from the previous
// block [usual], which inherits from the one before.
func readFunctions(t *tables) error {
	usual, into := &function{}, (*function)(nil)
	row := func(key, value string) error {
		switch {
		case key == "[" && value == "usual":
			into = usual
			return nil
		case key == "[":
			next := *usual
			next.name, next.local, next.line = value, map[string][]string{}, strings.ReplaceAll(value, "_", " ")
			t.functions = append(t.functions, next)
			into = &t.functions[len(t.functions)-1]
			return nil
		case key == "share":
			weight, err := strconv.ParseUint(value, 10, 64)
			into.everywhere = true
			t.general = append(t.general, len(t.functions)-1)
			t.function.add(weight)
			return err
		}
		return into.set(key, value)
	}
	for _, file := range []string{"titles.txt", "occupations.txt"} {
		if err := keyed(file, row); err != nil {
			return err
		}
	}
	for i := range t.functions {
		t.functions[i].complete()
	}
	return nil
}

func (f *function) set(key, value string) error {
	if country, ok := strings.CutPrefix(key, "bachelor in "); ok {
		f.local[country] = strings.Split(value, "; ")
		return nil
	}
	if key == "line" {
		f.line = value
		return nil
	}
	if _, ok := f.numbers()[key]; ok {
		return f.setNumbers(key, value)
	}
	list, ok := f.lists()[key]
	if !ok {
		return fmt.Errorf("unknown key %q", key)
	}
	*list = strings.Split(value, "; ")
	if value == "-" {
		*list = nil
	}
	return nil
}

// lists maps keys to the lists of titles, skills, and so on.
func (f *function) lists() map[string]*[]string {
	lists := map[string]*[]string{
		"kinds": &f.kinds, "role": &f.trades, "rare": &f.rare, "skills": &f.skills, "fields": &f.fields,
		"about":    &f.topics,
		"founding": &f.founding, "founder": &f.founders, "side": &f.sides, "additions": &f.additions,
		"bachelor": &f.bachelors, "master": &f.masters, "doctor": &f.doctors,
	}
	for level, name := range levelNames() {
		lists[name] = &f.levels[level]
		lists["+"+name] = &f.forms[level]
	}
	return lists
}

// numbers maps keys to lists of numbers.
func (f *function) numbers() map[string][]*int {
	n := map[string][]*int{
		"common": {&f.common}, "abroad": {&f.abroad},
		"first": {&f.first[0], &f.first[1]},
		"study": {&f.study.none, &f.study.master, &f.study.doctor, &f.study.mba},
	}
	for i := range f.ceiling {
		n["ceiling"] = append(n["ceiling"], &f.ceiling[i])
	}
	return n
}

func (f *function) setNumbers(key, value string) error {
	words, into := strings.Fields(value), f.numbers()[key]
	if len(words) != len(into) {
		return fmt.Errorf("%s has %d numbers, not %d", key, len(words), len(into))
	}
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil {
			return err
		}
		*into[i] = n
	}
	return nil
}

// fits reports whether companies of an industry have people with the function.
func (f *function) fits(in *industry) bool {
	return len(f.kinds) == 0 || slices.Contains(f.kinds, in.kind)
}

// complete lists the occupations, and copies titles to levels without any, from the next level towards mid, which has
// some.
func (f *function) complete() {
	f.occupations, f.common = slices.Compact(slices.Clone(f.trades)), max(f.common, 1)
	like := func(level, other int) {
		if len(f.levels[level])+len(f.forms[level]) == 0 {
			f.levels[level], f.forms[level] = f.levels[other], f.forms[other]
		}
	}
	like(entry, mid)
	like(intern, entry)
	for level := senior; level <= top; level++ {
		like(level, level-1)
	}
}

// keyed calls row for each "key: value" line of a list, and with the key "[" for each "[value]" line.
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

// title returns a title of a level for a trade. If the level has titles of both kinds,
// half of the results are formed from the trade.
func (f *function) title(d *dice, level int, trade string) string {
	from := f.levels[level]
	if len(from) == 0 || len(f.forms[level]) > 0 && d.in1000(500) {
		from = f.forms[level]
	}
	return strings.Replace(of(d, from), "+", trade, 1)
}
