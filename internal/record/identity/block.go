package identity

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kith/internal/record"
)

// Block is a blocking key: the hash of a name together with a company, a school or a city. Records that share no mark
// are compared only if they share a block. All pairs that can score [Doubtful] or more share one.
type Block struct {
	Key int64
	// Most limits how many people may share the key. A key shared by more distinguishes nobody, and is ignored.
	Most int
}

// MostSharing is how many people may share a block, an address or an id of a source for it to say that two may be one.
// It is also more names than one person has.
const MostSharing = 50

// mostInCity is [MostSharing] for cities: a shared city scores less than a company or a school, and is shared by more
// namesakes.
const mostInCity = 10

// The kinds of blocks.
const (
	blockCompany byte = iota + 1
	blockSchool
	blockCity
)

func hashBlock(name string, kind byte, value string, most int) Block {
	var buf [256]byte
	text := append(append(buf[:0], name...), 0, kind)
	sum := sha256.Sum256(append(text, value...))
	return Block{int64(binary.LittleEndian.Uint64(sum[:])), most} // any bits are a key
}

// blocks returns the blocking keys of names. It omits nickname and city together, which score too little. Records of
// more names than a person has are not compared, so their names and companies do not multiply.
func (f *features) blocks(names []string) []Block {
	if len(f.own) > MostSharing {
		return nil
	}
	out := make([]Block, 0, len(names)*(len(f.titles)+len(f.schools)+1))
	for _, name := range names {
		for company := range f.titles {
			out = append(out, hashBlock(name, blockCompany, company, MostSharing))
		}
		for _, school := range f.schools {
			out = append(out, hashBlock(name, blockSchool, school, MostSharing))
		}
		if !slices.Contains(f.own, name) {
			continue
		}
		for _, city := range f.cities {
			out = append(out, hashBlock(name, blockCity, city, mostInCity))
		}
	}
	return out
}

// BlockingKeys returns the keys of all blocks of people with these records, by person; [Tx.Related] finds the people by
// them.
func BlockingKeys(ctx context.Context, tx record.Tx, records []Record) (map[int64][]int64, error) {
	var all []*Record
	groups := map[int64][]*Record{}
	for i := range records {
		r := &records[i]
		all, groups[r.Person] = append(all, r), append(groups[r.Person], r)
	}
	names := map[int64]string{}
	if err := nameCompanies(ctx, tx, names, all); err != nil {
		return nil, err
	}
	keys := make(map[int64][]int64, len(groups))
	for person, group := range groups {
		keys[person] = storedKeys(group, names)
	}
	return keys, nil
}

// storedKeys returns the sorted keys of all blocks of a person. companies maps ids of companies to names.
func storedKeys(group []*Record, companies map[int64]string) []int64 {
	var f *features
	for _, r := range group {
		f = f.with(r.featuresIn(companies))
	}
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
