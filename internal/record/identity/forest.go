package identity

import (
	"cmp"
	"maps"
	"slices"
)

// forest is a union-find structure over numbers.
type forest []int

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = i
	}
	return f
}

func (f forest) find(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f forest) join(i, j int) {
	i, j = f.find(i), f.find(j)
	f[max(i, j)] = min(i, j)
}

// members returns the numbers of each group, in order, by its lowest one.
func (f forest) members() map[int][]int {
	all := map[int][]int{}
	for i := range f {
		root := f.find(i)
		all[root] = append(all[root], i)
	}
	return all
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
