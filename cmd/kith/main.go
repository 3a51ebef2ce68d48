// Command kith serves people search and warm outreach. It also loads, rebuilds and
// inspects the data. `kith --help` lists its commands.
//
// Exit codes: 0 success; 1 failure, or a search without matches, with a message; 2 invalid command line; 3 a load with
// --strict found bad lines; 130 interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // slim images have no time zones, which users choose for delivery

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"

	"kith"
)

// Exit codes other than 0.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitRejected    = 3
	exitInterrupted = 130
)

type commands struct {
	globals

	ShowVersion kong.VersionFlag `name:"version"`
	HelpAll     bool

	Serve         serveCmd         `cmd:"" creates:"dataset"`
	Load          loadCmd          `cmd:"" creates:"dataset"`
	Import        importCmd        `cmd:"" creates:"dataset"`
	Export        exportCmd        `cmd:""`
	Duplicates    duplicatesCmd    `cmd:""`
	Reindex       reindexCmd       `cmd:""`
	Search        searchCmd        `cmd:""`
	Explain       explainCmd       `cmd:""`
	Generate      generateCmd      `cmd:""`
	Delete        deleteCmd        `cmd:""`
	Rerank        rerankCmd        `cmd:""`
	Refresh       refreshCmd       `cmd:""`
	Jobs          jobsCmd          `cmd:""`
	Forget        forgetCmd        `cmd:""`
	Erasures      erasuresCmd      `cmd:""`
	ExportSubject exportSubjectCmd `cmd:""`
	Bench         benchCmd         `cmd:""`
	MCP           mcpCmd           `cmd:"" name:"mcp"`
	App           appCmd           `cmd:""`
	Token         tokenCmd         `cmd:""`
	LoginLink     loginLinkCmd     `cmd:""`
	User          userCmd          `cmd:""`
	Audit         auditCmd         `cmd:""`
	Keys          keysCmd          `cmd:""`
	Team          teamCmd          `cmd:""`
	Webhook       webhookCmd       `cmd:""`
	Backup        backupCmd        `cmd:""`
	Restore       restoreCmd       `cmd:"" creates:"dataset"`
	Doctor        doctorCmd        `cmd:""`
	Version       versionCmd       `cmd:""`
	Completion    completionCmd    `cmd:""`
	Complete      completeCmd      `cmd:"" hidden:""`
}

// exitError ends the program with its own exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usageError converts an error into a command-line error, which has its own exit code; nil stays nil.
func usageError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitUsage, err}
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	cli := commands{globals: globals{results: &output{w: os.Stdout}, masterKeySecret: os.Getenv("KITH_MASTER_KEY")}}
	parser := kong.Must(&cli, append(helpOptions(args), kong.Name("kith"), kong.Vars{"version": versionLine()})...)
	parsed, err := parse(parser, args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "kith: %v\nTry: %s --help\n", err, parsedCommand(err))
		return exitUsage
	}
	surviveBrokenPipe()
	// A second signal ends the program at once, because stop restores the default.
	ctx, stop := signal.NotifyContext(context.Background(), stops()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	log := cli.logger(os.Stderr)
	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.Bind(&cli.globals, log)
	cli.mustExist = !parsed.Selected().Tag.Has("creates")
	if err = parsed.Run(); err == nil {
		err = cli.results.err
	}
	code := exitCode(ctx, err, log)
	if code == exitUsage {
		fmt.Fprintf(os.Stderr, "Try: %s --help\n", parsed.Selected().FullPath())
	}
	return code
}

// parse reads the command line.
func parse(parser *kong.Kong, args []string) (*kong.Context, error) {
	if err := ignoreEmpty(parser.Model.Node); err != nil {
		return nil, err
	}
	return parser.Parse(normaliseHelp(args))
}

// stops are the signals that shut a command down. SIGHUP, sent when a terminal closes, is one, because the embedded
// Postgres would continue to run alone. Under nohup it is ignored.
func stops() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// parsedCommand returns the part of the command that was understood.
func parsedCommand(err error) string {
	if failed, ok := errors.AsType[*kong.ParseError](err); ok && failed.Context.Selected() != nil {
		return failed.Context.Selected().FullPath()
	}
	return "kith"
}

// surviveBrokenPipe makes writing to a reader that has exited, such as head, an error. By
// default it would end the program and leave the embedded Postgres running.
func surviveBrokenPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

func exitCode(ctx context.Context, err error, log zerolog.Logger) int {
	if err == nil || readerLeft(err) {
		return 0
	}
	// A connection that is interrupted during a statement looks like an unavailable server.
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || kith.KindOf(err) == kith.Unavailable) {
		fmt.Fprintln(os.Stderr, "kith: interrupted")
		return exitInterrupted
	}
	log.Debug().Err(err).Msg("failed")
	fmt.Fprintf(os.Stderr, "kith: %v\n", err)
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code
	}
	return exitFailed
}
