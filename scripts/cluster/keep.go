package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"kith/internal/postgres/embedded"
	"kith/internal/test/elastictest"
)

// Ports are relative to the first: those of kith serve, then those of Elasticsearch, for HTTP and among themselves.
const (
	nodes, servers          = 3, 2
	httpPorts, innerPorts   = 10, 20
	demoToken, demoUserName = "demo_token_global", "somebody"
)

// keep starts all parts, writes the state, and stops them when ctx ends or a kith serve does.
func (o options) keep(ctx context.Context) (err error) {
	s := state{Keeper: os.Getpid(), Demo: len(o.args) == 0}
	kith := filepath.Join(o.dir, "kith")
	if err := command(ctx, nil, "go", "build", "-o", kith, "./cmd/kith"); err != nil {
		return err
	}
	stop := func() error { return nil }
	defer func() { err = errors.Join(err, stop(), os.Remove(o.stateFile())) }()
	s.Nodes, stop, err = o.startNodes(ctx)
	if err != nil {
		return err
	}
	db, err := embedded.Open(ctx, filepath.Join(o.dir, "data"), embedded.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var urls []string
	for _, n := range s.Nodes {
		urls = append(urls, n.URL)
	}
	s.Env = []string{"KITH_DATABASE_URL=" + db.URL(), "KITH_ELASTICSEARCH_URL=" + strings.Join(urls, ",")}
	if err := o.fill(ctx, kith, &s); err != nil {
		return err
	}
	return o.serve(ctx, kith, s)
}

// startNodes starts the Elasticsearch nodes together, since none is ready without a second one.
func (o options) startNodes(ctx context.Context) (started []part, stop func() error, err error) {
	running, parts := make([]*elastictest.Node, nodes), make([]part, nodes)
	stop = func() (err error) {
		for _, n := range running {
			if n != nil {
				_ = syscall.Kill(-n.PID, syscall.SIGCONT) // a hung one does not stop
				err = errors.Join(err, n.Stop())
			}
		}
		return err
	}
	var group errgroup.Group
	for i := range nodes {
		group.Go(func() error {
			peers := make([]int, nodes)
			for j := range peers {
				peers[j] = o.port + innerPorts + (i+j)%nodes
			}
			n, err := elastictest.Start(ctx, elastictest.Options{
				Port: o.port + httpPorts + i, Peers: peers, Dir: filepath.Join(o.dir, fmt.Sprintf("node-%d", i+1)),
				Heap: "512m", Brief: true, Log: os.Stderr,
			})
			if err == nil {
				running[i], parts[i] = n, part{n.URL, n.PID}
			}
			return err
		})
	}
	return parts, stop, group.Wait()
}

// fill loads the given files, and makes a token.
func (o options) fill(ctx context.Context, kith string, s *state) error {
	if s.Demo {
		s.Token = demoToken
		return nil
	}
	if err := command(ctx, s.Env, kith, append([]string{"load"}, o.args...)...); err != nil {
		return err
	}
	_ = command(ctx, s.Env, kith, "app", "create", "cluster") // it may exist
	issue := exec.CommandContext(ctx, kith, "token", "issue", "--app", "cluster", "--user", demoUserName,
		"--email", demoUserName+"@example.com")
	issue.Env, issue.Stderr = append(os.Environ(), s.Env...), os.Stderr
	token, err := issue.Output()
	s.Token = strings.TrimSpace(string(token))
	return err
}

// serve runs the servers. It writes the state once they are ready.
func (o options) serve(ctx context.Context, kith string, s state) error {
	group, ctx := errgroup.WithContext(ctx)
	for i := range servers {
		address := fmt.Sprintf("127.0.0.1:%d", o.port+i)
		args := []string{"serve", "--listen", address, "--rate", "100000", "--burst", "100000"}
		if s.Demo {
			args = append(args, "--demo")
		}
		log, err := os.Create(filepath.Join(o.dir, fmt.Sprintf("kith-%d.log", i+1)))
		if err != nil {
			return err
		}
		defer log.Close()
		server := exec.CommandContext(ctx, kith, args...)
		server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
		server.Env = append(os.Environ(), append(s.Env, fmt.Sprintf("KITH_DATA=%s/serve-%d", o.dir, i+1))...)
		server.Stdout, server.Stderr = log, log
		if err := server.Start(); err != nil {
			return err
		}
		s.Kith = append(s.Kith, part{"http://" + address, server.Process.Pid})
		group.Go(func() error {
			if err := server.Wait(); err != nil && ctx.Err() == nil {
				return fmt.Errorf("kith serve %d ended, see %s: %w", i+1, log.Name(), err)
			}
			return nil
		})
		// One after the other: the first makes the tables.
		if err := awaitReady(ctx, s.Kith[i].URL); err != nil {
			return errors.Join(err, group.Wait())
		}
	}
	text, err := json.MarshalIndent(s, "", "\t")
	if err == nil {
		err = os.WriteFile(o.stateFile(), text, 0o600)
	}
	return errors.Join(err, group.Wait())
}

// awaitReady waits until a server can answer searches.
func awaitReady(ctx context.Context, url string) error {
	for tick := time.Tick(200 * time.Millisecond); ; {
		select {
		case <-tick:
			a, err := send(ctx, http.MethodGet, url+"/readyz", "", "")
			if err == nil && a.status == http.StatusOK {
				return nil
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func command(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), os.Stderr, os.Stderr
	return cmd.Run()
}
