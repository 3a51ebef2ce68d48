package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// load is a bounded load, during which a part of the cluster hangs.
type load struct {
	rate                int
	lasts, hangs, wakes time.Duration
	node                int
}

func (l *load) flags(flags *flag.FlagSet) {
	flags.IntVar(&l.rate, "rate", 20, "try: searches per second")
	flags.DurationVar(&l.lasts, "for", time.Minute, "try: duration")
	flags.IntVar(&l.node, "hang", 1, "try: the Elasticsearch node that hangs, from 1; 0 is none")
	flags.DurationVar(&l.hangs, "at", 10*time.Second, "try: when it hangs")
	flags.DurationVar(&l.wakes, "until", 40*time.Second, "try: when it goes on")
}

// searches are the bodies of the searches, which differ in cost and in the number of requests to the engine.
func searches() []string {
	return []string{
		`{"filters":{"position":"engineer"},"limit":10}`,
		`{"filters":{"country":"Germany"},"limit":20,"include_counts":"global"}`,
		`{"prompt":"software engineers in Berlin","limit":10}`,
		`{"prompt":"founders who worked at a bank","limit":10}`,
		`{"filters":{"position":"manager","country":"United States"},"limit":10,"facets":["city","company"]}`,
		`{"prompt":"doctors in France","limit":10}`,
	}
}

// outcome is one answer during the load.
type outcome struct {
	at, took time.Duration
	status   int
	wrong    bool
}

// try sends the load, and compares each answer with that of the healthy cluster.
func (l load) try(ctx context.Context, s state) error {
	want := map[string]string{}
	for _, body := range searches() {
		a, err := send(ctx, http.MethodPost, s.Kith[0].URL+"/v2/people/search", s.Token, body)
		if err != nil || a.status != http.StatusOK {
			return fmt.Errorf("the healthy cluster answers %s with %d: %s %w", body, a.status, a.body, err)
		}
		if want[body], err = a.people(); err != nil {
			return err
		}
	}
	var mu sync.Mutex
	var all []outcome
	var group sync.WaitGroup
	began := time.Now()
	if l.node > 0 {
		group.Go(func() { l.fault(ctx, s, began) })
	}
	tick := time.NewTicker(time.Second / time.Duration(l.rate))
	defer tick.Stop()
	for n := 0; time.Since(began) < l.lasts && ctx.Err() == nil; n++ {
		<-tick.C
		group.Go(func() {
			body := searches()[n%len(searches())]
			o := outcome{at: time.Since(began)}
			a, err := send(ctx, http.MethodPost, s.Kith[n%len(s.Kith)].URL+"/v2/people/search", s.Token, body)
			o.took, o.status = time.Since(began)-o.at, a.status
			if err == nil && a.status == http.StatusOK {
				people, err := a.people()
				o.wrong = err != nil || people != want[body]
			}
			mu.Lock()
			all = append(all, o)
			mu.Unlock()
		})
	}
	group.Wait()
	for _, phase := range []struct {
		name     string
		from, to time.Duration
	}{{"before", 0, l.hangs}, {"hanging", l.hangs, l.wakes}, {"after", l.wakes, l.lasts + time.Hour}} {
		report(phase.name, slices.DeleteFunc(slices.Clone(all), func(o outcome) bool {
			return o.at < phase.from || o.at >= phase.to
		}))
	}
	return ctx.Err()
}

// fault stops the process group of a node, and continues it, also if ctx ends meanwhile.
func (l load) fault(ctx context.Context, s state, began time.Time) {
	group := -s.Nodes[l.node-1].PID
	defer func() { _ = syscall.Kill(group, syscall.SIGCONT) }()
	for _, step := range []struct {
		at     time.Duration
		signal syscall.Signal
	}{{l.hangs, syscall.SIGSTOP}, {l.wakes, syscall.SIGCONT}} {
		select {
		case <-time.After(time.Until(began.Add(step.at))):
		case <-ctx.Done():
			return
		}
		if err := syscall.Kill(group, step.signal); err != nil {
			fmt.Println("the node cannot be stopped:", err)
		}
		if a, err := send(ctx, http.MethodGet, s.Kith[0].URL+"/readyz", "", ""); err == nil {
			fmt.Printf("%4.0fs %v, /readyz %d\n", time.Since(began).Seconds(), step.signal, a.status)
		}
		time.Sleep(min(3*time.Second, l.wakes-l.hangs))
		if a, err := send(ctx, http.MethodGet, s.Kith[0].URL+"/readyz", "", ""); err == nil {
			fmt.Printf("%4.0fs /readyz %d %s\n", time.Since(began).Seconds(), a.status, a.body)
		}
	}
}

func report(phase string, all []outcome) {
	var times []time.Duration
	statuses, wrong := map[int]int{}, 0
	for _, o := range all {
		statuses[o.status]++
		if o.status == http.StatusOK {
			times = append(times, o.took)
		}
		if o.wrong {
			wrong++
		}
	}
	if len(times) == 0 {
		fmt.Printf("%-8s %d searches, none answered %v\n", phase, len(all), statuses)
		return
	}
	slices.Sort(times)
	at := func(share float64) float64 { return times[int(share*float64(len(times)-1))].Seconds() }
	fmt.Printf("%-8s %4d searches, %.1f %% answered, p50 %.3f s, p99 %.3f s, slowest %.3f s, %d wrong, by status %v\n",
		phase, len(all), 100*float64(len(times))/float64(len(all)), at(.5), at(.99), at(1), wrong, statuses)
}

// reply is an answer of kith.
type reply struct {
	status     int
	retryAfter string
	body       []byte
}

// people returns the people found and the counts, in order.
func (r reply) people() (string, error) {
	var found struct {
		Data []struct {
			ID json.RawMessage `json:"id"`
		} `json:"data"`
		Metadata struct {
			Counts json.RawMessage `json:"counts"`
			Facets json.RawMessage `json:"facets"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(r.body, &found); err != nil {
		return "", err
	}
	var ids []string
	for _, p := range found.Data {
		ids = append(ids, string(p.ID))
	}
	return strings.Join(ids, " ") + string(found.Metadata.Counts) + string(found.Metadata.Facets), nil
}

// send sends one request. It gives up after 40 seconds.
func send(ctx context.Context, method, url, token, body string) (r reply, err error) {
	ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return r, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return r, err
	}
	r.status, r.retryAfter = res.StatusCode, res.Header.Get("Retry-After")
	r.body, err = io.ReadAll(res.Body)
	return r, errors.Join(err, res.Body.Close())
}
