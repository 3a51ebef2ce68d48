package importer

// memo remembers what values were read as, some of them.
type memo[K comparable, V any] struct{ read map[K]V }

// What is remembered: how many values, and of how many bytes.
const (
	manyRead = 20_000
	longRead = 1000
)

// of reads a value of so many bytes, or remembers what it was read as.
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
