package identity

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kith"
	"kith/index/load"
)

// Block is a blocking key: the hash of a name together with a company, a school or a city.
// Two records without a mark in common are compared where they share one. All that scores
// [Doubtful] or more does.
type Block struct {
	Key int64
	// Most is how many people may share the key. What more share tells nobody apart, and
	// nobody is compared because of it.
	Most int
}

// The most people who are compared because they share a name and a company, a school or a
// city. A city scores less than the others and has more namesakes.
const (
	crowd     = 50
	cityCrowd = 10
)

// A Block is about one of these.
const (
	blockCompany byte = iota + 1
	blockSchool
	blockCity
)

func blockOf(name string, kind byte, value string, most int) Block {
	var buf [256]byte
	text := append(append(buf[:0], name...), 0, kind)
	sum := sha256.Sum256(append(text, value...))
	return Block{int64(binary.LittleEndian.Uint64(sum[:])), most} //nolint:gosec // any bits are a key
}

// blocks are the blocking keys of names; a nickname with nothing but a city in common
// scores too little to be looked for.
func (f *features) blocks(names []string) []Block {
	out := make([]Block, 0, len(names)*(len(f.titles)+len(f.schools)+1))
	for _, name := range names {
		for company := range f.titles {
			out = append(out, blockOf(name, blockCompany, company, crowd))
		}
		for _, school := range f.schools {
			out = append(out, blockOf(name, blockSchool, school, crowd))
		}
		if !slices.Contains(f.own, name) {
			continue
		}
		for _, city := range f.cities {
			out = append(out, blockOf(name, blockCity, city, cityCrowd))
		}
	}
	return out
}

// BlockingKeys are the keys of all blocks of a person of some records, in order: what
// [Tx.Related] finds the person by. companies has the names of companies by id.
func BlockingKeys(records []kith.Person, companies map[int64]string) []int64 {
	group := make([]*Record, len(records))
	for i, p := range records {
		group[i] = &Record{Dated: load.Dated{Person: p}}
	}
	return storedKeys(group, companies)
}

// storedKeys is [BlockingKeys] of records.
func storedKeys(group []*Record, companies map[int64]string) []int64 {
	f := featuresOfAll(group, companies)
	if f == nil {
		return nil
	}
	keys := []int64{}
	for _, b := range f.blocks(f.own) {
		keys = append(keys, b.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// featuresOfAll are those of several records together; nil where there is none.
func featuresOfAll(group []*Record, companies map[int64]string) *features {
	var all *features
	for _, r := range group {
		all = all.with(r.featuresIn(companies))
	}
	return all
}
