// Command cluster runs a whole cluster of Kith on this machine, to try it and what it does about faults: three
// Elasticsearch nodes, one Postgres and two kith serve.
//
//	go run ./scripts/cluster up [FILE…]   # with the demo, or with the people and companies of load files
//	go run ./scripts/cluster try          # search while one node hangs, and count the answers
//	go run ./scripts/cluster overload TOKEN…  # up to 20 times of what a server answers, from these users
//	go run ./scripts/cluster status
//	go run ./scripts/cluster down
//
// The first start fetches Elasticsearch, Java and Postgres unless they are there. It needs some 3 GB of memory.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// options are the flags of all commands.
type options struct {
	dir  string
	port int
	args []string
	load load
	over overload
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("a command is needed: up, try, overload, status or down")
	}
	var o options
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), fmt.Sprintf("kith-cluster-%d", os.Getuid())),
		"directory of all data and logs")
	flags.IntVar(&o.port, "port", 8090, "first of the 23 ports on loopback")
	o.load.flags(flags)
	o.over.flags(flags)
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	o.args = flags.Args()
	switch args[0] {
	case "up":
		return o.up(ctx)
	case "keep": // the process that up leaves running
		return o.keep(ctx)
	case "try":
		s, err := o.state()
		if err != nil {
			return err
		}
		return o.load.try(ctx, s)
	case "overload":
		if o.over.url == "" {
			s, err := o.state()
			if err != nil {
				return err
			}
			o.over.url, o.over.pid = s.Kith[0].URL, s.Kith[0].PID
		}
		return o.over.run(ctx, o.args)
	case "status":
		return o.status()
	case "down":
		return o.down(ctx)
	}
	return fmt.Errorf("the command must be up, try, overload, status or down (got %q)", args[0])
}

// state is what runs.
type state struct {
	Keeper int      `json:"keeper"`
	Kith   []part   `json:"kith"`
	Nodes  []part   `json:"nodes"`
	Token  string   `json:"token"`
	Demo   bool     `json:"demo"`
	Env    []string `json:"env"`
}

// part is a process and its address.
type part struct {
	URL string `json:"url"`
	PID int    `json:"pid"`
}

func (o options) stateFile() string { return filepath.Join(o.dir, "cluster.json") }

func (o options) state() (s state, err error) {
	text, err := os.ReadFile(o.stateFile())
	if err != nil {
		return s, fmt.Errorf("no cluster runs on %s: start it with up", o.dir)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, err
	}
	if syscall.Kill(s.Keeper, 0) != nil {
		return s, fmt.Errorf("the cluster on %s has ended: see %s", o.dir, o.logFile())
	}
	return s, nil
}

func (o options) logFile() string { return filepath.Join(o.dir, "cluster.log") }

// up leaves a process that keeps the cluster, and returns when it can be searched.
func (o options) up(ctx context.Context) error {
	if _, err := o.state(); err == nil {
		return o.status()
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	_ = os.Remove(o.stateFile()) // of a cluster that has ended
	log, err := os.Create(o.logFile())
	if err != nil {
		return err
	}
	defer log.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"keep", "-dir", o.dir, "-port", fmt.Sprint(o.port)}, o.args...)
	keeper := exec.CommandContext(context.WithoutCancel(ctx), self, args...)
	keeper.Stdout, keeper.Stderr, keeper.SysProcAttr = log, log, &syscall.SysProcAttr{Setsid: true}
	if err := keeper.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- keeper.Wait() }()
	for tick := time.Tick(200 * time.Millisecond); ; {
		select {
		case <-tick:
			if _, err := o.state(); err == nil {
				return o.status()
			}
		case err := <-ended:
			text, _ := os.ReadFile(o.logFile())
			return fmt.Errorf("the cluster did not start: %w\n%s", err, text)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), keeper.Process.Signal(syscall.SIGTERM))
		}
	}
}

func (o options) status() error {
	s, err := o.state()
	if err != nil {
		return err
	}
	for i, k := range s.Kith {
		fmt.Printf("kith %d           %s  process %d\n", i+1, k.URL, k.PID)
	}
	for i, n := range s.Nodes {
		fmt.Printf("elasticsearch %d  %s  process group %d: kill -STOP -- -%d\n", i+1, n.URL, n.PID, n.PID)
	}
	fmt.Printf("token            %s\nlogs             %s\ncommands         env", s.Token, o.dir)
	for _, e := range s.Env {
		fmt.Printf(" '%s'", e)
	}
	fmt.Printf(" %s doctor\n", filepath.Join(o.dir, "kith"))
	return nil
}

// down ends the cluster and keeps its data.
func (o options) down(ctx context.Context) error {
	s, err := o.state()
	if err != nil {
		return err
	}
	if err := syscall.Kill(s.Keeper, syscall.SIGTERM); err != nil {
		return err
	}
	for tick := time.Tick(100 * time.Millisecond); syscall.Kill(s.Keeper, 0) == nil; {
		select {
		case <-tick:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
