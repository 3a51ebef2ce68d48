package importer

// memo is a cache of parsed values.
type memo[K comparable, V any] struct{ read map[K]V }

// Limits: the number of values, and the bytes of each.
const (
	manyRead = 20_000
	longRead = 1000
)

// of returns the cached result for a key, or calls read. It does not cache keys of more than longRead bytes.
func (m *memo[K, V]) of(key K, size int, read func() V) V {
	if size > longRead {
		return read()
	}
	if v, ok := m.read[key]; ok {
		return v
	}
	if m.read == nil || len(m.read) >= manyRead {
		m.read = map[K]V{}
	}
	v := read()
	m.read[key] = v
	return v
}
