package proximity

import lru "github.com/hashicorp/golang-lru/v2"

// sample counts the people asked about so far, and how many of them satisfied the search.
type sample struct{ asked, matched int }

func (s *sample) add(asked, matched int) { s.asked, s.matched = s.asked+asked, s.matched+matched }

// selectivity is the share of people asked about who satisfied the search; 0 if none were asked about.
func (s sample) selectivity() float64 {
	if s.asked == 0 {
		return 0
	}
	return float64(s.matched) / float64(s.asked)
}

// memory remembers statistics of earlier runs of a search.
type memory struct {
	counts *lru.Cache[string, int]
	search string
}

// shareScale is the unit in which shares are stored: parts per ten thousand.
const shareScale = 10_000

// sample returns the share of a circle that satisfied the search the last time, as a sample of the given size.
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

// listing precedes the search in the key of a count.
const listing = "listing "

// listed is how many people the last listing found; known is false if there was none.
func (m memory) listed() (n int, known bool) { return m.counts.Get(listing + m.search) }

func (m memory) keepListed(n int) { m.counts.Add(listing+m.search, n) }
