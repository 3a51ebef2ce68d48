// Package demo generates a coherent dataset of invented people of any size. Their names are the most common ones of
// their countries; e-mail addresses are masked and in a reserved domain. Large employers, cities, industries, schools
// and titles are real, small companies invented.
//
// A dataset is a function of its [Config], on every machine. Each record is computed from the seed and its number, in
// any order and in parallel; only companies are kept in memory.
package demo

import (
	"fmt"
	"iter"
	"time"

	"kith"
)

// Config selects the dataset to generate.
type Config struct {
	// Seed selects one of the possible datasets.
	Seed uint64
	// People is the number of people, numbered from 1.
	People int
	// Companies is the number of companies, numbered from 1. 0 means one per five people, and at least one.
	Companies int
	// Now is the date of the dataset: it has nothing later, and current jobs have not ended.
	// The zero value means 2026-10-01.
	Now time.Time
}

// MaxPeople and MaxCompanies are the largest possible sizes. They keep identifiers apart
// from those that a database assigns.
const (
	MaxPeople    = 100_000_000
	MaxCompanies = 20_000_000
)

// Default is the dataset of the demo.
func Default() Config { return Config{Seed: 20260501, People: 80_000, Companies: 13_000} }

func (c Config) withDefaults() (Config, error) {
	if c.People < 0 || c.People > MaxPeople {
		return c, fmt.Errorf("demo: %d people cannot be generated; give 0 to %d", c.People, MaxPeople)
	}
	if c.Companies < 0 || c.Companies > MaxCompanies {
		return c, fmt.Errorf("demo: %d companies cannot be generated; give 0 (for one in five people) to %d",
			c.Companies, MaxCompanies)
	}
	if c.Companies == 0 {
		c.Companies = max(c.People/5, 1)
	}
	if c.Now.IsZero() {
		c.Now = time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC)
	}
	if year := c.Now.Year(); year < 2000 || year > 2200 {
		return c, fmt.Errorf("demo: the year %d is out of range; give a day between 2000 and 2200", year)
	}
	return c, nil
}

// Dataset is a generated dataset. It does not change, and is safe for concurrent use.
type Dataset struct {
	cfg       Config
	tables    *tables
	companies []company
	places    places
	posts     []post
	now       month
}

// New prepares a dataset. It generates the companies, which takes some microseconds and about 200 bytes for each.
func New(cfg Config) (*Dataset, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	t, err := readTables()
	if err != nil {
		return nil, err
	}
	d := &Dataset{cfg: cfg, tables: t, now: monthOf(cfg.Now)}
	d.companies = generateCompanies(cfg, t)
	d.places = locate(d.companies, t)
	d.posts = plan(d.companies, &d.places, t)
	return d, nil
}

// Companies yields every company, by number.
func (d *Dataset) Companies() iter.Seq[kith.Company] {
	return func(yield func(kith.Company) bool) {
		for i := range d.companies {
			if !yield(d.Company(int64(i + 1))) {
				return
			}
		}
	}
}

// People yields every person, by number. The company of a job has only its ID.
func (d *Dataset) People() iter.Seq[kith.Person] {
	return func(yield func(kith.Person) bool) {
		for i := range d.cfg.People {
			if !yield(d.Person(int64(i + 1))) {
				return
			}
		}
	}
}
