package proximity

import lru "github.com/hashicorp/golang-lru/v2"

// sample is how many people were asked for so far, and how many of them satisfied
// the search.
type sample struct{ asked, matched int }

func (s *sample) add(asked, matched int) { s.asked, s.matched = s.asked+asked, s.matched+matched }

// selectivity is the share of the people asked for who satisfied the search; 0
// where none were.
func (s sample) selectivity() float64 {
	if s.asked == 0 {
		return 0
	}
	return float64(s.matched) / float64(s.asked)
}

// memory is what is known of a search from when it was asked before.
type memory struct {
	counts *lru.Cache[string, int]
	search string
}

// shareScale is what a share is remembered as parts of.
const shareScale = 10_000

// sample is the share of a circle that satisfied the search the last time, as if
// it were that of some people.
func (m memory) sample(circle string, people int) sample {
	n, known := m.counts.Get(circle + m.search)
	if !known {
		return sample{}
	}
	return sample{asked: people, matched: people * n / shareScale}
}

func (m memory) keepSample(circle string, s sample) {
	if s.asked > 0 {
		m.counts.Add(circle+m.search, int(s.selectivity()*shareScale))
	}
}

// listed is how many people a way to list them gave the last time; known is false
// where it was not tried.
func (m memory) listed(w way) (n int, known bool) { return m.counts.Get(string(w) + m.search) }

func (m memory) keepListed(w way, n int) { m.counts.Add(string(w)+m.search, n) }
