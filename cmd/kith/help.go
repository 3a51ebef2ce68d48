package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"gopkg.in/yaml.v3"
)

//go:embed help.yaml
var helpFile []byte

const (
	shortDescription = `Kith is a self-hosted people-search and warm-outreach service.

Examples:
  kith serve --demo                          generated people and pages to try
  kith import export.zip                     exports, address books, tables, mail
  kith search "head of data in Berlin"       search from the shell
  kith serve                                 serve your data`

	longDescription = `Kith is a self-hosted people-search and warm-outreach service.

By default everything runs in one process and one data directory (--data), on a Postgres that Kith finds or
fetches. --database-url and --elasticsearch-url name servers of your own. Names in brackets are environment
variables for flags, mostly KITH_ and the flag's name (KITH_DATA, KITH_LOG_LEVEL). The subject of a call has
none: --app, --user, --email, --filter, --cursor, --limit of searches, and --demo except of serve.

Exit codes: 0 done; 1 failed, or a search without matches; 2 bad command line; 3 lines rejected in a load with
--strict; 130 interrupted.

Examples:
  kith serve --demo                          generated people and pages to try
  kith load companies.ndjson people.ndjson   load your own people
  kith serve                                 serve it
  kith app create acme                       a secret key for a client
  kith search "head of data in Berlin"       search from the shell`
)

const helpAll = "--help-all"

// helpOptions configures the help text. The short help omits the flags of every command,
// and does not expand subcommands.
func helpOptions(args []string) []kong.Option {
	long := slices.Contains(args, helpAll)
	description := shortDescription
	if long {
		description = longDescription
	}
	return []kong.Option{
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100, NoExpandSubcommands: !long}),
		kong.PostBuild(func(k *kong.Kong) error {
			texts := map[string]string{}
			if err := yaml.Unmarshal(helpFile, &texts); err != nil {
				return fmt.Errorf("help.yaml: %w", err)
			}
			setHelp(k.Model.Node, "", texts)
			for _, f := range k.Model.Flags {
				f.Hidden = f.Hidden || !long && f.Name != "help" && f.Name != "help-all" && f.Name != "version"
			}
			return nil
		}),
	}
}

// setHelp sets the help of the command with this name, and of its subcommands, flags and arguments. What follows an
// empty line in the text of a command is shown below its flags.
func setHelp(n *kong.Node, name string, texts map[string]string) {
	for _, f := range n.Flags {
		f.Help = cmp.Or(texts[name+" --"+f.Name], texts["--"+f.Name], f.Help)
	}
	for _, arg := range n.Positional {
		arg.Help = cmp.Or(texts[name+" <"+arg.Name+">"], texts["<"+arg.Name+">"])
	}
	for _, child := range n.Children {
		full := strings.TrimSpace(name + " " + child.Name)
		child.Help, child.Detail, _ = strings.Cut(texts[full], "\n\n")
		setHelp(child, full, texts)
	}
}

// normaliseHelp normalises every way to ask for help: `kith help search` becomes `kith search
// --help`.
func normaliseHelp(args []string) []string {
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if i := slices.Index(args, helpAll); i >= 0 {
		args = slices.Clone(args)
		args[i] = "--help"
	}
	return args
}
