package evalset

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"kith/internal/demo"
	"kith/query/prompt"
)

// The parts of a set.
const (
	Tuning = "tuning"
	Unseen = "unseen"
)

// Prompt is a prompt with its answer.
type Prompt struct {
	Text string
	// Category is lookup/…, simple/… or complex/….
	Category string
	// Mode is the expected mode; empty if readers disagree.
	Mode prompt.Mode
	// Part is Tuning or Unseen.
	Part string
	// Want are the ids of the correct people, Allowed those that readers disagree on; both are in ascending order.
	Want, Allowed []int64
}

// Options select a set.
type Options struct {
	// Seed selects one of the possible sets.
	Seed uint64
	// Now is the day of the searches, from which years are counted.
	Now time.Time
	// Scale is the size in per cent of a full set, which has about a thousand prompts; 0 means
	// 100.
	Scale int
}

// Prompts generates the set for a dataset. A small dataset gives fewer prompts: no answer
// may have more than [MaxAnswer] people, and most need at least one.
func Prompts(d *demo.Dataset, o Options) ([]Prompt, error) {
	w, err := read(d, o.Now)
	if err != nil {
		return nil, err
	}
	if o.Scale == 0 {
		o.Scale = 100
	}
	var out []Prompt
	seen := map[string]bool{}
	for i, f := range families() {
		g := &gen{world: w, Rand: rand.New(rand.NewPCG(o.Seed, uint64(i+1)))}
		for range (f.count*o.Scale + 99) / 100 {
			p, ok := g.prompt(f)
			if ok && !seen[p.Text] {
				seen[p.Text] = true
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Prompt) int { return cmp.Compare(a.Category, b.Category) })
	return out, nil
}

// MaxAnswer limits the people in an answer.
const MaxAnswer = 1000

// family generates prompts of one kind.
type family struct {
	category string
	mode     prompt.Mode
	count    int
	make     func(g *gen) (text string, is personIs)
	// empty is true for prompts without any correct person.
	empty bool
}

// attempts limits the tries of a family for one prompt.
const attempts = 60

// prompt calls a family until it returns a prompt with an answer of suitable size.
func (g *gen) prompt(f family) (Prompt, bool) {
	for range attempts {
		text, is := f.make(g)
		if text == "" {
			continue
		}
		p := Prompt{Text: text, Category: f.category, Mode: f.mode, Part: part(text)}
		for _, who := range g.people {
			switch is(who) {
			case yes:
				p.Want = append(p.Want, who.ID)
			case maybe:
				p.Allowed = append(p.Allowed, who.ID)
			}
		}
		if len(p.Want)+len(p.Allowed) <= MaxAnswer && (len(p.Want) > 0) != f.empty {
			return p, true
		}
	}
	return Prompt{}, false
}

// part puts three in ten prompts into the unseen part.
func part(text string) string {
	h := fnv.New32a()
	// Writing to a hash does not fail.
	_, _ = h.Write([]byte(text))
	if h.Sum32()/7%10 < 3 {
		return Unseen
	}
	return Tuning
}

// gen generates prompts about a dataset.
type gen struct {
	*world
	*rand.Rand
}

// pick draws one of the values.
func pick[T any](g *gen, values ...T) T { return values[g.IntN(len(values))] }

// odds is true with a probability of n in 100.
func (g *gen) odds(n int) bool { return g.IntN(100) < n }

// someone draws a person who satisfies all wishes.
func (g *gen) someone(wishes ...func(p *person) bool) (*person, bool) {
	for range 2000 {
		p := g.people[g.IntN(len(g.people))]
		if !slices.ContainsFunc(wishes, func(wish func(*person) bool) bool { return !wish(p) }) {
			return p, true
		}
	}
	return nil, false
}

// worker draws a person with a current job and a known city, and returns the job too.
func (g *gen) worker(wishes ...func(p *person) bool) (*person, *job, bool) {
	p, ok := g.someone(append([]func(*person) bool{hasJob, hasCity}, wishes...)...)
	if !ok {
		return nil, nil, false
	}
	return p, p.main(), true
}

// main returns the current job that is not a side job, the last to begin; nil if there is none.
func (p *person) main() *job {
	if p.WorkRelevant == nil {
		return nil
	}
	for _, j := range slices.Backward(p.jobs) {
		if j.current && j.title.text == p.WorkRelevant.Title && j.company.ID == p.WorkRelevant.Company.ID {
			return j
		}
	}
	return nil
}

func hasJob(p *person) bool { return p.main() != nil }
func hasCity(p *person) bool {
	return p.Location.City != "" && p.Location.Country != "" && p.Location.City != "San Jose" &&
		p.Location.City != "San José"
}

func hasPast(p *person) bool {
	return slices.ContainsFunc(p.stays, func(s *stay) bool { return !s.current && !p.worksAt(s.company) })
}

func (p *person) worksAt(c *company) bool {
	return slices.ContainsFunc(p.jobs, func(j *job) bool { return j.current && j.company == c })
}

// former draws a past job at a company where the person no longer works.
func (g *gen) former(p *person) *job {
	var jobs []*job
	for _, j := range p.jobs {
		if !j.current && !p.worksAt(j.company) {
			jobs = append(jobs, j)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	return pick(g, jobs...)
}
