// Command elasticsearch starts and stops a real Elasticsearch node on
// this machine, for tests and for trying Kith:
//
//	go run ./scripts/elasticsearch run     # in the foreground, until Ctrl-C
//	go run ./scripts/elasticsearch start   # in the background; prints its address
//	go run ./scripts/elasticsearch stop
//
// The first start fetches Elasticsearch, and Java unless one from 17 to 24 is installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"kith/internal/elastictest"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	err := run(ctx, os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "elasticsearch:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("a command is needed: run, start or stop")
	}
	o, err := options(args[0], args[1:])
	if err != nil {
		return err
	}
	switch args[0] {
	case "run":
		return foreground(ctx, o)
	case "start":
		return background(ctx, o)
	case "stop":
		return elastictest.StopDetached(ctx, o.Dir)
	default:
		return fmt.Errorf("the command must be run, start or stop (got %q)", args[0])
	}
}

func options(command string, args []string) (elastictest.Options, error) {
	o := elastictest.Options{Log: os.Stderr, Detach: command == "start"}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.IntVar(&o.Port, "port", 9200, "HTTP port on loopback; 0 picks a free one")
	flags.StringVar(&o.Dir, "dir", defaultDir(), "directory of the node's data, settings and logs")
	flags.StringVar(&o.Heap, "heap", "512m", "Java heap")
	flags.BoolVar(&o.Security, "security", false, "require credentials, and print a user and a password")
	flags.BoolVar(&o.TLS, "tls", false, "serve HTTPS, and print the path of the CA certificate")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, nil
}

// defaultDir is a directory that the node's user can access.
func defaultDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("kith-elasticsearch-%d", os.Getuid()))
}

func foreground(ctx context.Context, o elastictest.Options) error {
	n, err := elastictest.Start(ctx, o)
	if err != nil {
		return err
	}
	show(n)
	ended := n.Wait(ctx)
	return errors.Join(ended, n.Stop())
}

func background(ctx context.Context, o elastictest.Options) error {
	n, err := elastictest.Start(ctx, o)
	if err != nil {
		return err
	}
	show(n)
	return nil
}

// show prints only the address on standard output, for scripts.
func show(n *elastictest.Node) {
	fmt.Println(n.URL)
	if n.Username != "" {
		fmt.Fprintf(os.Stderr, "user %s, password %s\n", n.Username, n.Password)
	}
	if n.CAFile != "" {
		fmt.Fprintln(os.Stderr, "certificate authority:", n.CAFile)
	}
}
