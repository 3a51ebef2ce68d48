package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// overload finds out what a server does with more than it can serve.
type overload struct {
	url   string
	pid   int
	phase time.Duration
	burst int
	heavy bool
}

func (o *overload) flags(flags *flag.FlagSet) {
	flags.StringVar(&o.url, "url", "", "overload: address of another kith serve than those of the cluster")
	flags.IntVar(&o.pid, "pid", 0, "overload: its process")
	flags.DurationVar(&o.phase, "phase", 10*time.Second, "overload: duration of each load")
	flags.IntVar(&o.burst, "burst", 2000, "overload: streams at once, at the end")
	flags.BoolVar(&o.heavy, "heavy", false, "overload: streams of 100 explained people, with counts")
}

// mostAnswered is the load whose answers are the capacity.
const mostAnswered = "as answered"

// maxInFlight bounds the requests of a load that wait for their answers.
const maxInFlight = 20_000

// run measures the capacity with as many requests at once as are answered, then sends multiples of it, whether they are
// answered or not, and prints a row for each. The last user sends a search now and then beside the others.
func (o overload) run(ctx context.Context, users []string) error {
	if len(users) < 2 {
		return errors.New("name at least two tokens, of different users: the last one sends a search now and then")
	}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t.MaxIdleConns, t.MaxIdleConnsPerHost = maxInFlight, maxInFlight
	}
	neighbour := users[len(users)-1]
	users = users[:len(users)-1]
	fmt.Println("| load | sent/s | answered/s | of the capacity | p50 | p99 | refused after, p99 | failed | memory | " +
		"the neighbour: p50 | p90 | refused |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
	capacity := 1.0
	row := func(name string, send func(context.Context, func(user, body string))) {
		var all, beside tally
		began, memory := time.Now(), o.memory(ctx)
		timed, stop := context.WithTimeout(ctx, o.phase)
		var group sync.WaitGroup
		group.Go(func() {
			for timed.Err() == nil {
				o.ask(ctx, &beside, neighbour, searches()[0])
				time.Sleep(200 * time.Millisecond)
			}
		})
		send(timed, func(user, body string) { o.ask(ctx, &all, user, body) })
		<-timed.Done()
		stop()
		took := time.Since(began)
		group.Wait()
		answered := float64(len(all.answered)) / took.Seconds()
		if name == mostAnswered {
			capacity = answered
		}
		fmt.Printf("| %s | %.0f | %.1f | %.2f | %s | %s | %s | %d | %d MiB | %s | %s | %d |\n", name,
			float64(all.sent())/took.Seconds(), answered, answered/capacity, at(all.answered, .5),
			at(all.answered, .99), at(all.refused, .99), all.failed, memory(), at(beside.answered, .5),
			at(beside.answered, .9), len(beside.refused))
	}
	for _, body := range append(searches(), streams()...) { // what the server prepares for its first searches
		o.ask(ctx, &tally{}, neighbour, body)
	}
	row("none", func(context.Context, func(string, string)) {})
	row(mostAnswered, func(ctx context.Context, ask func(string, string)) { o.closed(ctx, users, ask) })
	for _, times := range []float64{1, 2, 5, 10, 20} {
		row(fmt.Sprintf("%.0f times", times), func(ctx context.Context, ask func(string, string)) {
			o.open(ctx, users, times*capacity, ask)
		})
	}
	row(fmt.Sprintf("%d streams at once", o.burst), func(_ context.Context, ask func(string, string)) {
		var group sync.WaitGroup
		for i := range o.burst {
			group.Go(func() { ask(users[i%len(users)], streams()[i%len(streams())]) })
		}
		group.Wait()
	})
	return ctx.Err()
}

func (o overload) bodies() []string {
	if o.heavy {
		return streams()
	}
	return searches()
}

// streams are heavy searches.
func streams() []string {
	var all []string
	for _, s := range searches() {
		s = strings.NewReplacer(`,"limit":10`, "", `,"limit":20`, "", `,"include_counts":"global"`, "").Replace(s)
		all = append(all, strings.TrimSuffix(s, "}")+
			`,"limit":100,"stream":true,"explain":true,"closest":true,"include_counts":"global"}`)
	}
	return all
}

// closed keeps a few requests of each user in progress.
func (o overload) closed(ctx context.Context, users []string, ask func(user, body string)) {
	var group sync.WaitGroup
	for i := range 4 * len(users) {
		group.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				ask(users[i%len(users)], o.bodies()[n%len(o.bodies())])
			}
		})
	}
	group.Wait()
}

// open sends requests at a rate.
func (o overload) open(ctx context.Context, users []string, rate float64, ask func(user, body string)) {
	var group sync.WaitGroup
	waiting := make(chan struct{}, maxInFlight)
	began := time.Now()
	for n := 0; ctx.Err() == nil; {
		for ; float64(n) < rate*time.Since(began).Seconds(); n++ {
			waiting <- struct{}{}
			group.Go(func() {
				ask(users[n%len(users)], o.bodies()[n/len(users)%len(o.bodies())])
				<-waiting
			})
		}
		time.Sleep(2 * time.Millisecond)
	}
	group.Wait()
}

// tally are the times of the answers to a load.
type tally struct {
	mu                sync.Mutex
	answered, refused []time.Duration
	failed            int
}

func (t *tally) sent() int { return len(t.answered) + len(t.refused) + t.failed }

// ask sends a search. A refusal names the time of another try; all else but a whole answer is a failure.
func (o overload) ask(ctx context.Context, to *tally, user, body string) {
	began := time.Now()
	a, err := send(ctx, http.MethodPost, o.url+"/v2/people/search", user, body)
	took := time.Since(began)
	to.mu.Lock()
	defer to.mu.Unlock()
	switch {
	case err == nil && a.status == http.StatusOK && !strings.Contains(string(a.body), "\nevent: error"):
		to.answered = append(to.answered, took)
	case a.retryAfter != "" && (a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable):
		to.refused = append(to.refused, took)
	default:
		to.failed++
	}
}

func at(times []time.Duration, share float64) string {
	if len(times) == 0 {
		return ""
	}
	slices.Sort(times)
	return fmt.Sprint(times[int(share*float64(len(times)-1))].Round(time.Millisecond))
}

// memory returns the most MiB that the server has in memory until the returned function is called.
func (o overload) memory(ctx context.Context) func() int {
	ctx, stop := context.WithCancel(ctx)
	most := make(chan int)
	go func() {
		tick, kb := time.NewTicker(50*time.Millisecond), 0
		defer tick.Stop()
		for {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", o.pid))
			if _, after, ok := strings.Cut(string(text), "VmRSS:"); ok {
				now := 0
				_, _ = fmt.Sscan(after, &now)
				kb = max(kb, now)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				most <- kb
				return
			}
		}
	}()
	return func() int { stop(); return <-most >> 10 }
}
