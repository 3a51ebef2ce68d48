package http_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kith"
	"kith/internal/network"
	networksql "kith/internal/postgres/network"
)

// reading records the reads of an answer. It leaves out versions, which only say that something visible to the
// caller has changed.
type reading struct {
	*networksql.Store
	mu  sync.Mutex
	log []string
}

func (r *reading) note(name string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, name+fmt.Sprint(args...))
}

// taken returns and clears the recorded reads. It sorts them, because counts are read concurrently with the people.
func (r *reading) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.log
	r.log = nil
	slices.Sort(log)
	return log
}

func (r *reading) Contacts(ctx context.Context, user int64) ([]network.Contact, error) {
	out, err := r.Store.Contacts(ctx, user)
	r.note("contacts", user, out)
	return out, err
}

func (r *reading) TimesOf(ctx context.Context, people []int64) ([]network.Time, error) {
	sorted := slices.Sorted(slices.Values(people))
	r.note("times", sorted)
	return r.Store.TimesOf(ctx, people)
}

func (r *reading) Shared(ctx context.Context, user int64, introducers, targets []int64) ([]network.Shared, error) {
	out, err := r.Store.Shared(ctx, user, introducers, targets)
	r.note("shared", user, slices.Sorted(slices.Values(introducers)), slices.Sorted(slices.Values(targets)), out)
	return out, err
}

func (r *reading) Sizes(ctx context.Context, companies []int64) (map[int64]int, error) {
	r.note("sizes", slices.Sorted(slices.Values(companies)))
	return r.Store.Sizes(ctx, companies)
}

func (r *reading) Stamp(ctx context.Context, a kith.Actor, sharers []network.Sharer) (network.Stamp, error) {
	out, err := r.Store.Stamp(ctx, a, sharers)
	r.note("stamp", a.UserID, bare(sharers), bare(out.Sharers), out.People)
	return out, err
}

func (r *reading) Sharers(ctx context.Context, user int64) ([]network.Sharer, error) {
	out, err := r.Store.Sharers(ctx, user)
	r.note("sharers", user, bare(out))
	return out, err
}

func (r *reading) EachTimeAt(ctx context.Context, a kith.Actor, orgs []network.Org, f func(int, network.Time)) error {
	r.note("times at", len(orgs))
	return r.Store.EachTimeAt(ctx, a, orgs, f)
}

func (r *reading) ByRank(ctx context.Context, people []int64) ([]network.Ranked, error) {
	r.note("ranks", people)
	return r.Store.ByRank(ctx, people)
}

func bare(sharers []network.Sharer) string {
	var out []string
	for _, s := range sharers {
		out = append(out, fmt.Sprint(s.User, s.Introducer, s.Team))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
