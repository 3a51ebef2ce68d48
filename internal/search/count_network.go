package search

import (
	"context"
	"math"
	"strconv"
	"time"

	"kith/index"
	"kith/internal/network"
	"kith/query"
)

const (
	// mostIDs is the most people named in one request, somewhat below the limit of the engines.
	mostIDs = 60_000
	// sampled is the sample size for estimated counts.
	sampled = 10_000
)

// countNear counts the matches within reach. The count is exact if the network or the matches fit under the cap;
// otherwise it is estimated from a sample spread evenly over the network.
func (r *execution) countNear(ctx context.Context) (NetworkCount, error) {
	circle, err := r.nearby(ctx)
	if err != nil || circle == nil || circle.Size() == 0 {
		return NetworkCount{}, err
	}
	if r.list != nil {
		ids, err := r.whenGathered(ctx)
		return NetworkCount{Value: contained(circle, ids)}, err
	}
	q := index.Prepare(r.asked.query)
	if circle.Size() <= min(r.svc.cfg.CountCap, mostIDs) {
		n, more, err := r.svc.cfg.Index.Count(ctx, index.Within(q, circle.People()), 0)
		return NetworkCount{Value: n, IsEstimated: more}, err
	}
	ids, all, err := r.svc.cfg.Index.IDs(ctx, q, r.svc.cfg.CountCap)
	if err != nil || all {
		return NetworkCount{Value: contained(circle, ids)}, err
	}
	sample := circle.Sample(sampled)
	n, _, err := r.svc.cfg.Index.Count(ctx, index.Within(q, sample), 0)
	share := float64(n) / float64(len(sample))
	return NetworkCount{
		Value:       int(math.Round(share * float64(circle.Size()))),
		IsEstimated: len(sample) < circle.Size(),
	}, err
}

func contained(circle *network.Circle, ids []int64) int {
	n := 0
	for _, id := range ids {
		if circle.Contains(id) {
			n++
		}
	}
	return n
}

// keepTime is the time limit for saving a circle.
const keepTime = 10 * time.Second

// keepCircle saves the people within reach for the rest of the walk.
func (r *execution) keepCircle(ctx context.Context) (struct{}, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTime)
	defer cancel()
	return struct{}{}, r.svc.cfg.Network.Keep(ctx, r.circle)
}

// circleFirst makes a statement order the people of a circle first, by class or strength; with only, it excludes
// everyone else.
func circleFirst(st *query.Statement, circle *network.Circle, only bool) {
	if circle == nil {
		return
	}
	st.Only = only
	if strengths := circle.Strengths(); len(strengths) > 0 {
		st.First = []query.Set{setOf(circle.Size(), func() []int64 { return circle.People() })}
		st.Scores = scoresOf(strengths)
		return
	}
	for class := range network.Class(network.Classes) {
		if n := circle.Count(class); n > 0 {
			st.First = append(st.First, setOf(n, func() []int64 { return circle.PeopleOf(class) }))
		}
	}
}

// setOf returns a set for a statement. It lists the people only if they are few.
func setOf(n int, people func() []int64) query.Set {
	set := query.Set{Size: n}
	if n <= query.MaxListed {
		set.People = people()
	}
	return set
}

func scoresOf(strengths []network.Strength) []query.Scored {
	var out []query.Scored
	for _, s := range strengths {
		for _, id := range s.People {
			out = append(out, query.Scored{Value: strconv.FormatInt(id, 10), Score: s.Score})
		}
	}
	return out
}
