package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"kith/client"
	"kith/internal/test/e2e"
	"kith/internal/test/effort"
)

// operation is something that a user of the same name does again and again, through all faults.
type operation struct {
	name string
	// pause is the time between two tries.
	pause time.Duration
	// try does it the nth time, or does it again after a refusal.
	try func(ctx context.Context, n int) error
	// check returns how much is lost of all that was acknowledged, and how much is there twice; it may be nil.
	check func(ctx context.Context) (lost, doubled int, err error)

	// acknowledged is how often try succeeded; next is greater after a wrong answer.
	acknowledged, next int
	mu                 sync.Mutex
	attempts           []attempt
}

// operations are all; the long part has those that take seconds each time.
func (s *site) operations() []*operation {
	all := []*operation{s.searching(), s.walking(), s.streaming(), s.writing(), s.loading(), s.importing()}
	if effort.Long() {
		all = append(all, s.reindexing(), s.refreshing(), s.sending(), s.backingUp())
	}
	return all
}

const (
	often, seldom = 100 * time.Millisecond, time.Second
	// patience is how long an operation waits for its end.
	patience = 2 * time.Minute
)

// refused is how a try ended without what it is for, in a way that users can expect.
type refused string

func (r refused) Error() string { return string(r) }

// wrong is an answer that must not be.
type wrong string

func (w wrong) Error() string { return string(w) }

const broken, late = refused("connection broken"), refused("no answer within two minutes")

// verdict tells refusals from wrong answers. Those of a server say that the same request may succeed later.
func verdict(ctx context.Context, err error) error {
	_, expected := errors.AsType[refused](err)
	_, unexpected := errors.AsType[wrong](err)
	e, answered := errors.AsType[*client.Error](err)
	switch {
	case err == nil, expected, unexpected:
		return err
	case ctx.Err() != nil:
		return late
	case !answered:
		return fmt.Errorf("%w: %w", broken, err)
	case e.Retryable && e.Status != http.StatusInternalServerError, e.Code == "IDEMPOTENCY_IN_PROGRESS":
		return refused(fmt.Sprintf("%d `%s`", e.Status, e.Code))
	}
	return err
}

// managers is a search whose people stay.
func managers() client.SearchRequest {
	return client.SearchRequest{Filters: map[string]string{"position": "manager"}, Scope: "global", Limit: 50}
}

// same returns what compares people with those of the first answer.
func same() func(people []int64) error {
	var want []int64
	return func(people []int64) error {
		if want == nil {
			want = people
		}
		if len(people) == 0 || !slices.Equal(people, want) {
			return wrong(fmt.Sprintf("another answer: %v instead of %v", people, want))
		}
		return nil
	}
}

func (s *site) searching() *operation {
	compare, c := same(), s.as("search")
	return &operation{name: "search", pause: often, try: func(ctx context.Context, _ int) error {
		page, err := c.Search(ctx, managers())
		if err != nil {
			return err
		}
		return compare(idsOf(page))
	}}
}

func idsOf(page *client.SearchPage) (ids []int64) {
	for _, p := range page.People {
		ids = append(ids, p.ID)
	}
	return ids
}

// streaming compares streams, which the client resumes.
func (s *site) streaming() *operation {
	compare, c := same(), s.as("stream")
	return &operation{name: "stream", pause: often, try: func(ctx context.Context, _ int) error {
		var people []int64
		for event, err := range c.Stream(ctx, managers()) {
			if err != nil {
				return err
			}
			if result, ok := event.(*client.Result); ok {
				people = append(people, result.Person.ID)
			}
		}
		return compare(people)
	}}
}

// walking reads page after page, and begins anew at the end. Everyone must be on one page of each walk.
func (s *site) walking() *operation {
	first := client.SearchRequest{Filters: e2e.Everyone(), Scope: "global", Limit: 50}
	next, seen, c := first, map[int64]int{}, s.as("walk")
	return &operation{name: "walk", pause: often, try: func(ctx context.Context, _ int) error {
		page, err := c.Search(ctx, next)
		if err != nil {
			return err
		}
		for _, id := range idsOf(page) {
			if seen[id]++; seen[id] > 1 {
				return wrong(fmt.Sprintf("person %d is on two pages of a walk", id))
			}
		}
		if next = (client.SearchRequest{Cursor: page.Pagination.Cursor}); page.Pagination.HasNextPage {
			return nil
		}
		if len(seen) != stays+refreshed {
			return wrong(fmt.Sprintf("a walk saw %d people, not %d", len(seen), stays+refreshed))
		}
		next, seen = first, map[int64]int{}
		return nil
	}}
}

// writing makes lists.
func (s *site) writing() *operation {
	// The answers to 10,000 changes of a user are kept for a day.
	c, o := s.as("write"), &operation{name: "write", pause: 4 * often}
	o.try = func(ctx context.Context, n int) error {
		_, err := c.CreateList(ctx, fmt.Sprint("list ", n))
		return err
	}
	o.check = func(ctx context.Context) (lost, doubled int, err error) {
		made := map[string]int{}
		for list, err := range c.Lists(ctx) {
			if err != nil {
				return 0, 0, err
			}
			made[list.Name]++
		}
		for n := range o.acknowledged {
			if made[fmt.Sprint("list ", n)] == 0 {
				lost++
			}
		}
		for _, n := range made {
			doubled += n - 1
		}
		return lost, doubled, nil
	}
	return o
}

// compare says what is lost or there twice of what is found, if each try makes some. The last one may have made them
// without an answer.
func (o *operation) compare(found, each int) (lost, doubled int, err error) {
	least := o.acknowledged * each
	return max(0, least-found), max(0, found-least-each), nil
}

// eachLoad people are in a load file, eachImport in an imported one.
const eachLoad, eachImport = 10, 5

// loading loads new people.
func (s *site) loading() *operation {
	c, o := s.as("search"), &operation{name: "load", pause: seldom}
	o.try = func(ctx context.Context, n int) error {
		var lines strings.Builder
		for _, p := range e2e.Changed(s.people[stays+n*eachLoad:][:eachLoad],
			e2e.Record{"work_relevant": e2e.Job("Zzz Keeper"), "work_history": []any{}}) {
			line, err := json.Marshal(p)
			if err != nil {
				return err
			}
			lines.Write(append(line, '\n'))
		}
		return s.command(ctx, lines.String(), "load", "--kind", "people", "-")
	}
	o.check = func(ctx context.Context) (lost, doubled int, err error) {
		found, err := count(ctx, c, map[string]string{"position": "zzz"})
		if err != nil {
			return 0, 0, err
		}
		return o.compare(found, eachLoad)
	}
	return o
}

// count is how many people match filters.
func count(ctx context.Context, c *client.Client, filters map[string]string) (int, error) {
	var page e2e.Page
	err := c.Do(ctx, http.MethodPost, "/v2/people/search",
		client.SearchRequest{Filters: filters, Scope: "global", Limit: 1, IncludeCounts: "global"}, &page)
	return page.Metadata.Counts.Global.Value, err
}
