package identity

import (
	"cmp"
	"maps"
	"slices"
)

// ContentSource is the source of records without any identifier: their id is a hash of their content.
const ContentSource = "content"

// MailSource is the source of records made of mail; their id is the address.
const MailSource = "mail"

// Decision is a person's decision about two records.
type Decision struct {
	Low, High int64
	Together  bool
}

// Pair is two records whose people may be the same.
type Pair struct {
	Low, High int64
	Score     float64
	Reasons   []string
}

// Cluster groups records by person, and returns the doubtful pairs between groups. Groups and records are sorted by id.
//
// Decisions by people come first. Then marks (shared identifiers) join records: profiles; addresses other than an
// office's; and ids in a source. Addresses and ids also need matching names. Cluster then compares these groups by
// name, company, school and place. It joins chains of certain pairs into one group unless two of its members contradict
// each other; then it joins none of them. It does not compare records because of an overshared block.
func Cluster(records []*Record, companies map[int64]string,
	decisions []Decision, overshared map[int64]bool,
) (groups [][]*Record, doubtful []Pair) {
	c := &clustering{
		records: slices.SortedFunc(slices.Values(records), func(a, b *Record) int { return cmp.Compare(a.ID, b.ID) }),
		apart:   map[[2]int64]bool{}, doubts: map[[2]int]evidence{}, overshared: overshared,
	}
	c.forest = newForest(len(c.records))
	for _, r := range c.records {
		c.features = append(c.features, r.featuresIn(companies))
	}
	c.decide(decisions)
	c.byMarks()
	c.byScore()
	return c.result()
}

type clustering struct {
	records  []*Record
	features []*features
	// forest groups positions in records; the lowest position is the group's root.
	forest
	apart map[[2]int64]bool
	// overshared are blocking keys that too many people share.
	overshared map[int64]bool
	// doubts is keyed by positions in records.
	doubts map[[2]int]evidence
}

// join merges two groups, unless a decision keeps some of their records apart.
func (c *clustering) join(i, j int) {
	if i, j = c.find(i), c.find(j); i != j && !c.keptApart(i, j) {
		c.forest.join(i, j)
	}
}

func (c *clustering) keptApart(i, j int) bool {
	if len(c.apart) == 0 {
		return false
	}
	members := c.members()
	for _, a := range members[i] {
		for _, b := range members[j] {
			if c.apart[pairOf(c.records[a].ID, c.records[b].ID)] {
				return true
			}
		}
	}
	return false
}

func pairOf[T cmp.Ordered](a, b T) [2]T { return [2]T{min(a, b), max(a, b)} }

func comparePairs(a, b [2]int) int { return slices.Compare(a[:], b[:]) }

func (c *clustering) decide(decisions []Decision) {
	position := map[int64]int{}
	for i, r := range c.records {
		position[r.ID] = i
	}
	for _, d := range decisions {
		if !d.Together {
			c.apart[pairOf(d.Low, d.High)] = true
		}
	}
	for _, d := range decisions {
		i, low := position[d.Low]
		j, high := position[d.High]
		if d.Together && low && high {
			c.join(i, j)
		}
	}
}

// byMarks joins records that share a mark.
func (c *clustering) byMarks() {
	sharing := map[mark][]int{}
	for i, f := range c.features {
		for _, m := range f.marks {
			sharing[m] = append(sharing[m], i)
		}
	}
	maps.DeleteFunc(sharing, func(_ mark, of []int) bool { return len(of) < 2 })
	marks := slices.SortedFunc(maps.Keys(sharing), func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.text, b.text))
	})
	for _, m := range marks { // profiles come first
		if of := sharing[m]; m.kind == markProfile {
			for _, i := range of[1:] {
				c.join(of[0], i)
			}
			continue
		}
		c.byMark(sharing[m])
	}
}

// byMark joins the records of one address or id if their names agree.
func (c *clustering) byMark(positions []int) {
	if len(positions) > MostSharing {
		return
	}
	for k, i := range positions {
		for _, j := range positions[k+1:] {
			a, b := c.features[i], c.features[j]
			switch {
			case otherProfile(a, b):
			case hasCompatibleNames(a, b):
				c.join(i, j)
			default:
				c.doubts[pairOf(i, j)] = evidence{score: Doubtful, reasons: []string{"same address, different names"}}
			}
		}
	}
}

// byScore joins groups that are certainly one person by name and circumstances.
func (c *clustering) byScore() {
	groups := map[int]*features{}
	for i, f := range c.features {
		root := c.find(i)
		groups[root] = groups[root].with(f)
	}
	certain := newForest(len(c.records))
	for _, pair := range c.namesakes(groups) {
		e := compare(groups[pair[0]], groups[pair[1]])
		switch {
		case e.score >= Certain && !e.against:
			certain.join(pair[0], pair[1])
			c.doubts[pair] = e
		case e.score >= Doubtful:
			c.doubts[pair] = e
		}
	}
	members := certain.members()
	for _, root := range sortedKeys(members) {
		if roots := members[root]; len(roots) > 1 && c.agree(groups, roots) {
			for _, other := range roots[1:] {
				c.join(roots[0], other)
			}
		}
	}
}

// namesakes returns the pairs of groups that share a block, each pair once.
func (c *clustering) namesakes(groups map[int]*features) [][2]int {
	members := map[Block][]int{}
	roots := sortedKeys(groups)
	for _, root := range roots {
		f := groups[root]
		for _, b := range f.blocks(f.own) {
			members[b] = append(members[b], root)
		}
	}
	seen := map[[2]int]bool{}
	var pairs [][2]int
	for _, root := range roots {
		f := groups[root]
		for _, b := range f.blocks(f.keys) {
			others := members[b]
			if len(others) > b.Most || c.overshared[b.Key] {
				continue
			}
			for _, other := range others {
				if pair := pairOf(root, other); root != other && !seen[pair] {
					seen[pair] = true
					pairs = append(pairs, pair)
				}
			}
		}
	}
	return pairs
}

// agree reports whether no two of the groups contradict each other.
func (c *clustering) agree(groups map[int]*features, roots []int) bool {
	for k, i := range roots {
		for _, j := range roots[k+1:] {
			if compare(groups[i], groups[j]).against || c.keptApart(i, j) {
				return false
			}
		}
	}
	return true
}

// result returns the groups, and the doubtful pairs between them.
func (c *clustering) result() (groups [][]*Record, doubtful []Pair) {
	members := c.members()
	for _, root := range sortedKeys(members) {
		var group []*Record
		for _, i := range members[root] {
			group = append(group, c.records[i])
		}
		groups = append(groups, group)
	}
	best := map[[2]int]evidence{}
	for _, pair := range slices.SortedFunc(maps.Keys(c.doubts), comparePairs) {
		i, j := c.find(pair[0]), c.find(pair[1])
		if i == j || c.keptApart(i, j) {
			continue
		}
		roots := pairOf(i, j)
		if e := c.doubts[pair]; e.score > best[roots].score {
			best[roots] = e
		}
	}
	for _, roots := range slices.SortedFunc(maps.Keys(best), comparePairs) {
		e := best[roots]
		doubtful = append(doubtful, Pair{c.records[roots[0]].ID, c.records[roots[1]].ID, e.score, e.reasons})
	}
	return groups, doubtful
}
