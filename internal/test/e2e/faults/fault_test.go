package faults_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kith/client"
	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// fault is something that happens to a site and ends.
type fault struct {
	name  string
	lasts time.Duration
	// breaks is true if connections of clients may break.
	breaks bool
	// begin begins it, and returns what ends it.
	begin func(t *testing.T, s *site) (end func())
}

// faults are the rows of the matrix. The long part has those of processes of its own, and those that show nothing in
// seconds.
func faults() []fault {
	const moment, short = 3 * time.Second, 10 * time.Second
	all := []fault{
		{name: "none", lasts: moment, begin: func(*testing.T, *site) func() { return func() {} }},
		{name: "kith killed", lasts: moment, breaks: true, begin: killKith},
		{name: "kith frozen", lasts: moment, begin: freezeKith},
		{name: "clients gone, again and again", lasts: moment, breaks: true, begin: again(clients)},
		{name: "Postgres gone", lasts: moment, begin: on(postgres, gone)},
		{name: "Postgres silent", lasts: moment, begin: on(postgres, silent)},
		{name: "Postgres resets connections", lasts: moment, begin: again(postgres)},
		{name: "Elasticsearch gone", lasts: moment, begin: on(elastic, gone)},
		{name: "Elasticsearch silent", lasts: moment, begin: on(elastic, silent)},
		{name: "Elasticsearch resets connections", lasts: moment, begin: again(elastic)},
		{name: "index read-only", lasts: moment, begin: refuseWrites},
	}
	if !effort.Long() {
		return all
	}
	return append(all, []fault{
		{name: "Postgres silent for 30 s", lasts: 30 * time.Second, begin: on(postgres, silent)},
		{name: "Postgres 300 ms away, 100 KB/s", lasts: short, begin: on(postgres, slow)},
		{name: "Postgres restarted", lasts: 0, begin: restartPostgres},
		{name: "Postgres at a new address", lasts: short, begin: failOver},
		{name: "Postgres has a full disk", lasts: short, begin: fillPostgres},
		{name: "Elasticsearch silent for 30 s", lasts: 30 * time.Second, begin: on(elastic, silent)},
		{name: "Elasticsearch 300 ms away, 100 KB/s", lasts: short, begin: on(elastic, slow)},
		{name: "a node killed", lasts: short, begin: kill(others, 1)},
		{name: "the elected node killed", lasts: short, begin: kill(electedFirst, 1)},
		{name: "two of three nodes killed", lasts: short, begin: kill(electedFirst, 2)},
		{name: "all nodes killed and started", lasts: 0, begin: kill(electedFirst, 3)},
		{name: "a node hung for 20 s", lasts: 20 * time.Second, begin: hang(others)},
		{name: "a node hung for 60 s", lasts: time.Minute, begin: hang(others)},
		{name: "the elected node hung for 20 s", lasts: 20 * time.Second, begin: hang(electedFirst)},
		{name: "nodes have full disks", lasts: 25 * time.Second, begin: fillNodes},
		{name: "ten times as many searches", lasts: short, begin: overload},
	}...)
}

func clients(s *site) []*proxy  { return s.fronts }
func postgres(s *site) []*proxy { return []*proxy{s.postgres} }
func elastic(s *site) []*proxy  { return s.elastic }

// on has proxies do something until the end.
func on(proxies func(*site) []*proxy, what state) func(*testing.T, *site) func() {
	return func(_ *testing.T, s *site) func() {
		set := func(to state) {
			for _, p := range proxies(s) {
				p.set(to)
			}
		}
		set(what)
		return func() { set(passing) }
	}
}

// again breaks all connections, three times a second.
func again(proxies func(*site) []*proxy) func(*testing.T, *site) func() {
	return func(_ *testing.T, s *site) func() {
		return repeat(1, func() {
			for _, p := range proxies(s) {
				p.reset()
			}
			<-time.After(time.Second / 3)
		})
	}
}

// repeat has some goroutines do something again and again until the end.
func repeat(goroutines int, do func()) (end func()) {
	ending := make(chan struct{})
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for {
				select {
				case <-ending:
					return
				default:
					do()
				}
			}
		})
	}
	return func() {
		close(ending)
		group.Wait()
	}
}

func killKith(_ *testing.T, s *site) func() {
	s.servers[0].Kill()
	return func() { s.serve(0) }
}

func freezeKith(t *testing.T, s *site) func() {
	expect.NoError(t, s.servers[0].Signal(syscall.SIGSTOP))
	return func() { expect.NoError(t, s.servers[0].Signal(syscall.SIGCONT)) }
}

// failOver closes the way to Postgres and opens the other one, as the address of a standby would.
func failOver(_ *testing.T, s *site) func() {
	s.postgres.set(gone)
	s.standby.set(passing)
	return func() {
		s.postgres.set(passing)
		s.standby.set(gone)
	}
}

func restartPostgres(t *testing.T, s *site) func() {
	s.database.Stop(t)
	return func() { s.database.Start(t) }
}

// fillPostgres leaves no room on the disk of Postgres. Postgres may end itself then.
func fillPostgres(t *testing.T, s *site) func() {
	full, err := os.Create(filepath.Join(s.disk, "full"))
	expect.NoError(t, err)
	for err == nil {
		_, err = full.Write(make([]byte, 1<<20))
	}
	full.Close()
	return func() {
		expect.NoError(t, os.Remove(full.Name()))
		_, socket := s.postgres.now()
		if conn, err := new(net.Dialer).DialContext(t.Context(), socket.network, socket.address); err == nil {
			conn.Close()
			return
		}
		s.database.Stop(t)
		s.database.Start(t)
	}
}

// refuseWrites has Elasticsearch refuse writes to the indices.
func refuseWrites(t *testing.T, s *site) func() {
	set := func(yes any) {
		configure(t, s.engine+"/"+s.prefix+"*/_settings", map[string]any{"index.blocks.write": yes})
	}
	set(true)
	return func() { set(nil) }
}

// fillNodes has Elasticsearch take its disks for full, which it finds out every ten seconds.
func fillNodes(t *testing.T, s *site) func() {
	const disk = "cluster.routing.allocation.disk."
	set := func(enabled, mark any) {
		configure(t, s.engine+"/_cluster/settings", map[string]any{"transient": map[string]any{
			disk + "threshold_enabled": enabled, disk + "watermark.low": mark, disk + "watermark.high": mark,
			disk + "watermark.flood_stage": mark, "cluster.info.update.interval": "10s",
		}})
	}
	set(true, "0.01%")
	return func() {
		set(true, "99.99%") // so that Elasticsearch itself allows writes again
		e2e.Eventually(t, "the nodes have room", func() bool {
			blocked, err := e2e.Ask(http.MethodGet, s.engine+"/_all/_settings?filter_path=*.settings.index.blocks")
			return err == nil && !strings.Contains(blocked, "read_only_allow_delete")
		})
		set(nil, nil)
	}
}

// configure changes settings of Elasticsearch.
func configure(t *testing.T, url string, settings any) {
	t.Helper()
	text, err := json.Marshal(settings)
	expect.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, strings.NewReader(string(text)))
	expect.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	a, err := e2e.Do(req)
	if err != nil || a.Status != http.StatusOK {
		t.Fatalf("PUT %s: %v, %d %s", url, err, a.Status, a.Body)
	}
}

// electedFirst are the nodes, the elected one first; others are those that are not.
func electedFirst(t *testing.T, s *site) []*e2e.Node {
	t.Helper()
	elected := -1
	e2e.Eventually(t, "the nodes have elected one", func() bool {
		elected = slices.IndexFunc(s.nodes, func(n *e2e.Node) bool {
			says, err := e2e.Ask(http.MethodGet, n.URL()+"/_cat/nodes?h=http,master&full_id")
			return err == nil && strings.Contains(says, strings.TrimPrefix(n.URL(), "http://")+" *")
		})
		return elected >= 0
	})
	return slices.Concat(s.nodes[elected:], s.nodes[:elected])
}

func others(t *testing.T, s *site) []*e2e.Node { t.Helper(); return electedFirst(t, s)[1:] }

// kill kills the first nodes of some at once, and starts them together.
func kill(some func(*testing.T, *site) []*e2e.Node, n int) func(*testing.T, *site) func() {
	return func(t *testing.T, s *site) func() {
		nodes := some(t, s)[:n]
		for _, node := range nodes {
			node.Signal(syscall.SIGKILL)
		}
		for _, node := range nodes {
			node.Kill(t)
		}
		return func() {
			effort.Within(t, 2*effort.Patience())
			started := make(chan error, n)
			for _, node := range nodes {
				go func() { started <- node.Start() }()
			}
			for range nodes {
				expect.NoError(t, <-started)
			}
		}
	}
}

// hang stops the processes of a node.
func hang(some func(*testing.T, *site) []*e2e.Node) func(*testing.T, *site) func() {
	return func(t *testing.T, s *site) func() {
		node := some(t, s)[0]
		node.Signal(syscall.SIGSTOP)
		return func() { node.Signal(syscall.SIGCONT) }
	}
}

// overload has eight users send eight searches each at once.
func overload(t *testing.T, s *site) func() {
	crowd := make(chan *client.Client, 64)
	for user := range 8 {
		c := s.as(fmt.Sprint("crowd", user))
		for range 8 {
			crowd <- c
		}
	}
	return repeat(cap(crowd), func() {
		c := <-crowd
		_, _ = c.Search(t.Context(), managers()) // it is part of the load
		crowd <- c
	})
}
