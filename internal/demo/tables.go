package demo

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed data
var data embed.FS

// city is a real-world city.
type city struct {
	name, state string
	country     int // in tables.countries
	weight      uint64
}

// country is a real country with its customs.
type country struct {
	name       string
	legalForms []string
	cultures   []int // in tables.cultures
	culture    wheel // over cultures
	cities     []int // in tables.cities
	city       wheel // over cities
	schools    schools
}

// culture is a set of names, the most frequent first.
type culture struct {
	code            string
	given, families []string
	language        string // "" for none in particular
	natives         []native
	native          int // how many in a thousand are natives
}

// native is a placeholder name in its own script.
type native struct{ given, family, slug string }

// industry is a line of business.
type industry struct {
	name, kind string
	words      []string
	keywords   []string
	// least is the number of people of the smallest companies.
	least int
	// isAbroad is true if its larger companies have offices abroad.
	isAbroad bool
	// crafts are the special functions of the industry, besides those of every industry.
	crafts []craft
}

// craft is a function with its share of the people in an industry, in per cent.
type craft struct {
	function int // in tables.functions
	percent  int
}

// percent returns the share of people with special functions in the industry.
func (in *industry) percent() int {
	total := 0
	for _, c := range in.crafts {
		total += c.percent
	}
	return total
}

// has reports whether a function is one of the industry's crafts.
func (in *industry) has(function int) bool {
	return slices.ContainsFunc(in.crafts, func(c craft) bool { return c.function == function })
}

// tables are the embedded lists.
type tables struct {
	cities     []city
	city       wheel
	countries  []country
	cultures   []culture
	industries []industry
	industry   wheel
	functions  []function
	general    []int // the functions of every industry, in functions
	function   wheel // over general
	words      map[string][]string
	schools    schools
	employers  []employer // the largest first
	roles      []role
	// titleSkills are the skills of titles that have one of some beginnings of words.
	titleSkills []titleSkills
	debuts      map[string][]debut // by their first word
}

// readTables parses the embedded lists. An error means that a list is defective.
func readTables() (*tables, error) {
	t := &tables{}
	steps := []func(*tables) error{
		readCultures, readCountries, readCities, readWords, readSchools, readFunctions, readIndustries, readEmployers,
		readOffices, readRoles, readTitleSkills, readDebuts,
	}
	for _, step := range steps {
		if err := step(t); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	return t, nil
}

// lines calls row with the columns of each line of a tab-separated list.
func lines(file string, columns int, row func(cols []string) error) error {
	text, err := data.ReadFile("data/" + file)
	if err != nil {
		return fmt.Errorf("reading the list: %w", err)
	}
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != columns {
			return fmt.Errorf("%s, line %d: %d columns, not %d", file, n+1, len(cols), columns)
		}
		if err := row(cols); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, n+1, err)
		}
	}
	return nil
}

func readCultures(t *tables) error {
	err := lines("names.tsv", 4, func(c []string) error {
		t.cultures = append(t.cultures, culture{
			code: c[0], given: strings.Split(c[1], ","), families: strings.Split(c[2], ","), language: c[3],
		})
		return nil
	})
	if err != nil {
		return err
	}
	return lines("natives.tsv", 5, func(c []string) error {
		i, err := t.findCulture(c[0])
		if err != nil {
			return err
		}
		share, err := strconv.Atoi(c[4])
		t.cultures[i].natives = append(t.cultures[i].natives, native{given: c[1], family: c[2], slug: c[3]})
		t.cultures[i].native += share
		return err
	})
}

func (t *tables) findCulture(code string) (int, error) {
	for i, c := range t.cultures {
		if c.code == code {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown culture %q", code)
}

func readCountries(t *tables) error {
	return lines("countries.tsv", 3, func(c []string) error {
		row := country{name: c[0], legalForms: strings.Split(c[1], "; ")}
		for part := range strings.FieldsSeq(c[2]) {
			code, share, _ := strings.Cut(part, ":")
			i, err := t.findCulture(code)
			if err != nil {
				return err
			}
			weight, err := strconv.ParseUint(share, 10, 64)
			if err != nil {
				return err
			}
			row.cultures = append(row.cultures, i)
			row.culture.add(weight)
		}
		t.countries = append(t.countries, row)
		return nil
	})
}

func (t *tables) findCountry(name string) (int, error) {
	for i, c := range t.countries {
		if c.name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown country %q", name)
}

func readCities(t *tables) error {
	return lines("cities.tsv", 4, func(c []string) error {
		i, err := t.findCountry(c[2])
		if err != nil {
			return err
		}
		weight, err := strconv.ParseUint(c[3], 10, 64)
		if err != nil {
			return err
		}
		home := &t.countries[i]
		home.cities = append(home.cities, len(t.cities))
		home.city.add(weight)
		t.cities = append(t.cities, city{name: c[0], state: c[1], country: i, weight: weight})
		t.city.add(weight)
		return nil
	})
}

func readIndustries(t *tables) error {
	return lines("industries.tsv", 8, func(c []string) error {
		weight, err := strconv.ParseUint(c[1], 10, 64)
		if err != nil {
			return err
		}
		row := industry{
			name: c[0], kind: c[2], words: strings.Split(c[3], ","), keywords: strings.Split(c[4], ","),
			isAbroad: c[6] == "yes",
		}
		if row.least, err = strconv.Atoi(c[7]); err != nil {
			return err
		}
		if c[5] != "-" {
			row.crafts, err = t.parseCrafts(c[5])
		}
		if err != nil {
			return err
		}
		t.industries = append(t.industries, row)
		t.industry.add(weight)
		return nil
	})
}

// parseCrafts parses "function:percent function:percent".
func (t *tables) parseCrafts(text string) ([]craft, error) {
	var crafts []craft
	for part := range strings.FieldsSeq(text) {
		name, share, _ := strings.Cut(part, ":")
		at := slices.IndexFunc(t.functions, func(f function) bool { return f.name == name })
		if at < 0 {
			return nil, fmt.Errorf("unknown function %q", name)
		}
		percent, err := strconv.Atoi(share)
		if err != nil {
			return nil, err
		}
		crafts = append(crafts, craft{function: at, percent: percent})
	}
	return crafts, nil
}

// functionIn draws a function in an industry, as an index in tables.functions.
func (t *tables) functionIn(d *dice, in *industry) int {
	luck := d.below(100)
	for _, c := range in.crafts {
		if luck < c.percent {
			return c.function
		}
		luck -= c.percent
	}
	f := t.anyFunction(d)
	for !t.functions[f].fits(in) {
		f = t.anyFunction(d)
	}
	return f
}

// anyFunction draws a function that every industry has.
func (t *tables) anyFunction(d *dice) int { return t.general[t.function.spin(d)] }

func readWords(t *tables) error {
	t.words = map[string][]string{}
	return keyed("words.txt", func(key, value string) error {
		t.words[key] = strings.Split(value, "; ")
		return nil
	})
}
