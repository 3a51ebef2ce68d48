// Command kith serves people search and warm outreach. It also loads, rebuilds and
// inspects the data. `kith --help` lists its commands.
//
// Exit codes: 0 success; 1 failure, with a message; 2 invalid command line; 3 a load with
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

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
	HelpAll     bool             `help:"Show help including the flags of every command."`

	Serve         serveCmd         `cmd:"" creates:"dataset" help:"Serve the API and the pages, and with --demo a generated dataset."`
	Load          loadCmd          `cmd:"" creates:"dataset" help:"Load companies, people, relationships, sequences and exports from NDJSON files."`
	Import        importCmd        `cmd:"" creates:"dataset" help:"Import exports of other programs and of Kith, address books, tables, mail and calendars."`
	Export        exportCmd        `cmd:"" help:"Write all data of a user to a file for kith import."`
	Duplicates    duplicatesCmd    `cmd:"" help:"List possible duplicates, merge them or keep them apart."`
	Reindex       reindexCmd       `cmd:"" help:"Rebuild the search index from the records while searches and writes go on."`
	Search        searchCmd        `cmd:"" help:"Search people and print them as they are found."`
	Explain       explainCmd       `cmd:"" help:"Show how a prompt is understood, and the requests to the engine."`
	Generate      generateCmd      `cmd:"" help:"Write load files with generated people and companies."`
	Delete        deleteCmd        `cmd:"" help:"Delete people by id, social identifier, profile URL or e-mail."`
	Rerank        rerankCmd        `cmd:"" help:"Recompute the static rank of every person; older page cursors expire."`
	Refresh       refreshCmd       `cmd:"" help:"Refresh people from the source of fresh data, the longest untouched first."`
	Jobs          jobsCmd          `cmd:"" help:"List background jobs."`
	Forget        forgetCmd        `cmd:"" help:"Erase people on request."`
	Erasures      erasuresCmd      `cmd:"" help:"List and cancel erasures that are not final."`
	ExportSubject exportSubjectCmd `cmd:"" help:"Print everything held on one person, as JSON."`
	Bench         benchCmd         `cmd:"" creates:"dataset" group:"Working on Kith itself:" help:"Measure Kith against the bare engine on the same searches."`
	MCP           mcpCmd           `cmd:"" name:"mcp" help:"Serve the tools for agents to one user, over standard input and output."`
	App           appCmd           `cmd:"" help:"Manage apps and their secret keys."`
	Token         tokenCmd         `cmd:"" help:"Issue, list and revoke access tokens."`
	LoginLink     loginLinkCmd     `cmd:"" help:"Print a link that signs a user in to the pages once."`
	User          userCmd          `cmd:"" help:"List, disable and enable the users of an app."`
	Audit         auditCmd         `cmd:"" help:"Show who did what to credentials, users and people's data, and verify the log."`
	Keys          keysCmd          `cmd:"" help:"Show and rotate the sealing keys, and seal them with a master key."`
	Team          teamCmd          `cmd:"" help:"Manage teams, whose members may share their networks."`
	Webhook       webhookCmd       `cmd:"" help:"Manage webhooks, which tell apps about outreach."`
	Backup        backupCmd        `cmd:"" help:"Write a backup, also while servers run; once or at an interval."`
	Restore       restoreCmd       `cmd:"" creates:"dataset" help:"Restore a backup into an empty database, and build the search index."`
	Doctor        doctorCmd        `cmd:"" help:"Check engine, Postgres, mappings and versions, and say what to do."`
	Version       versionCmd       `cmd:"" help:"Print the version."`
	Completion    completionCmd    `cmd:"" help:"Print the completion script of a shell: bash, zsh or fish."`
	Complete      completeCmd      `cmd:"" hidden:"" help:"Print completions of a command line."`
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
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || isKind(err, kith.Unavailable)) {
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
