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

// groups returns the groups of some numbers, in order.
func (f forest) groups(of []int) [][]int {
	byRoot := map[int][]int{}
	for _, i := range of {
		byRoot[f.find(i)] = append(byRoot[f.find(i)], i)
	}
	var all [][]int
	for _, root := range sortedKeys(byRoot) {
		all = append(all, byRoot[root])
	}
	return all
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
