// Command elasticsearch starts and stops a real Elasticsearch node on
// this machine, for tests and for trying Kith:
//
//	go run ./scripts/elasticsearch start   # prints its address
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

	"kith/internal/test/elastictest"
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
		return errors.New("a command is needed: start or stop")
	}
	o, err := options(args[0], args[1:])
	if err != nil {
		return err
	}
	switch args[0] {
	case "start":
		n, err := elastictest.Start(ctx, o)
		if err != nil {
			return err
		}
		_, err = fmt.Println(n.URL)
		return err
	case "stop":
		return elastictest.StopDetached(ctx, o.Dir)
	default:
		return fmt.Errorf("the command must be start or stop (got %q)", args[0])
	}
}

func options(command string, args []string) (elastictest.Options, error) {
	o := elastictest.Options{Log: os.Stderr, Detach: true}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.IntVar(&o.Port, "port", 9200, "HTTP port on loopback; 0 picks a free one")
	flags.StringVar(&o.Dir, "dir", defaultDir(), "directory of the node's data, settings and logs")
	flags.StringVar(&o.Heap, "heap", "512m", "Java heap")
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
