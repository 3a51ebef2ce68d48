package analysis

import (
	"sync"

	"kith"
)

// Of bulk data most titles, companies and places are read again and again. A memo keeps what became of the latest
// few thousand. What it gives is shared: nobody may change it.
type memo[K comparable, V any] struct {
	mu   sync.RWMutex
	have map[K]V
}

const (
	// maxMemo bounds a memo, to a few megabytes; a full one starts anew.
	maxMemo = 8192
	// maxMemoText is the longest text in bytes that is kept.
	maxMemoText = 100
)

// of returns what read makes of a key. A text of the key is up to size bytes long.
func (m *memo[K, V]) of(key K, size int, read func(K) V) V {
	if size > maxMemoText {
		return read(key)
	}
	m.mu.RLock()
	v, ok := m.have[key]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = read(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.have == nil || len(m.have) >= maxMemo {
		m.have = make(map[K]V)
	}
	m.have[key] = v
	return v
}

var (
	//nolint:gochecknoglobals // a memoised pure function, not state
	titleMemo memo[string, titleRead]
	//nolint:gochecknoglobals // a memoised pure function, not state
	companyMemo memo[string, [][]string]
	//nolint:gochecknoglobals // a memoised pure function, not state
	placeMemo memo[kith.Location, PlaceTerms]
)

// titleRead is what a title says of a job.
type titleRead struct {
	words             []word
	title             []string
	key               string
	levels, functions []string
}

func readTitle(title string) titleRead {
	return titleMemo.of(title, len(title), func(title string) titleRead {
		r := titleRead{words: titleWords(title)}
		r.title = texts(r.words)
		r.key = termOf(r.title)
		r.levels, r.functions = levelsOf(r.words), words().functions.of(r.words)
		return r
	})
}

// knownCompanyForms is [companyForms].
func knownCompanyForms(name string) [][]string { return companyMemo.of(name, len(name), companyForms) }

// knownPlace is [Place].
func knownPlace(l kith.Location) PlaceTerms {
	if l.IsZero() {
		return PlaceTerms{}
	}
	return placeMemo.of(l, len(l.City)+len(l.State)+len(l.Country), Place)
}
