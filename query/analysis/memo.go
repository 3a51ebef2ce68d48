package analysis

import (
	"sync"

	"kith"
	"kith/query/gazetteer"
	"kith/query/taxonomy"
)

// memo caches results, because bulk data repeats most titles, companies and places. It is safe for concurrent use.
// Its values are shared: nobody may modify them.
type memo[K comparable, V any] struct {
	mu   sync.RWMutex
	have map[K]V
}

const (
	// maxMemo is the most entries of a memo (a few megabytes); a full memo is cleared.
	maxMemo = 8192
	// maxMemoText is the longest cached text, in bytes.
	maxMemoText = 100
)

// of returns read(key), cached. size is the length of the key's text in bytes.
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

//nolint:gochecknoglobals // memoised pure functions, not state
var (
	titleMemo   memo[string, titleRead]
	companyMemo memo[string, [][]string]
	placeMemo   memo[kith.Location, gazetteer.PlaceTerms]
)

// titleRead is everything that a title says about a job.
type titleRead struct {
	words             []taxonomy.Word
	title             []string
	key               string
	levels, functions []string
}

func readTitle(title string) titleRead {
	return titleMemo.of(title, len(title), func(title string) titleRead {
		r := titleRead{words: taxonomy.TitleWords(title)}
		r.title = taxonomy.Texts(r.words)
		r.key = joinTerm(r.title)
		r.levels, r.functions = taxonomy.LevelsIn(r.words), taxonomy.FunctionsIn(r.words)
		return r
	})
}

// knownCompanyForms is [companyForms], cached.
func knownCompanyForms(name string) [][]string { return companyMemo.of(name, len(name), companyForms) }

// knownPlace is [gazetteer.Place], cached.
func knownPlace(l kith.Location) gazetteer.PlaceTerms {
	if l.IsZero() {
		return gazetteer.PlaceTerms{}
	}
	return placeMemo.of(l, len(l.City)+len(l.State)+len(l.Country), gazetteer.Place)
}
