package network

import (
	"cmp"
	"container/heap"
	"slices"

	"kith"
)

// ranking keeps the people with the highest scores.
type ranking struct {
	limit int
	// scores are the scores of the people kept.
	scores map[int64]float64
	// last is a heap of the people kept, the last first. A person whose score rose is in it once for each score; only
	// the entry that equals scores counts.
	last lowest
}

// newRanking keeps limit people; before orders people of equal score.
func newRanking(limit int, before func(a, b int64) int) *ranking {
	return &ranking{limit: limit, scores: map[int64]float64{}, last: lowest{before: before}}
}

func (r *ranking) has(person int64) bool {
	_, there := r.scores[person]
	return there
}

// least is the score below which nobody is kept.
func (r *ranking) least() float64 {
	if len(r.scores) < r.limit || r.limit == 0 {
		return unreached
	}
	return r.last.list[0].score
}

// add records a score of a person; the highest counts.
func (r *ranking) add(person int64, score float64) {
	if before, there := r.scores[person]; there && before >= score {
		return
	}
	r.scores[person] = score
	heap.Push(&r.last, scored{person, score})
	r.dropOutdated()
	for len(r.scores) > r.limit {
		delete(r.scores, r.last.list[0].person)
		heap.Pop(&r.last)
		r.dropOutdated()
	}
}

// dropOutdated removes outdated entries from the top of the heap.
func (r *ranking) dropOutdated() {
	for len(r.last.list) > 0 {
		if score, there := r.scores[r.last.list[0].person]; there && score == r.last.list[0].score {
			return
		}
		heap.Pop(&r.last)
	}
}

// people returns the people kept, highest score first.
func (r *ranking) people() []int64 {
	out := make([]scored, 0, len(r.scores))
	for id, score := range r.scores {
		out = append(out, scored{id, score})
	}
	slices.SortFunc(out, r.last.compare)
	return kith.Each(out, func(p scored) int64 { return p.person })
}

// scored is a person with a score.
type scored struct {
	person int64
	score  float64
}

// lowest is a heap for container/heap.
type lowest struct {
	list   []scored
	before func(a, b int64) int
}

func (l *lowest) compare(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), l.before(a.person, b.person))
}

func (l *lowest) Len() int           { return len(l.list) }
func (l *lowest) Less(i, j int) bool { return l.compare(l.list[i], l.list[j]) > 0 }
func (l *lowest) Swap(i, j int)      { l.list[i], l.list[j] = l.list[j], l.list[i] }

// Push implements [heap.Interface].
func (l *lowest) Push(x any) { l.list = append(l.list, x.(scored)) } // nothing else is pushed

// Pop implements [heap.Interface].
func (l *lowest) Pop() any {
	end := len(l.list) - 1
	x := l.list[end]
	l.list = l.list[:end]
	return x
}
