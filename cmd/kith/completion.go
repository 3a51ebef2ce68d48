package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish"`
}

// Run prints the script, which calls kith complete for candidates.
func (c *completionCmd) Run(g *globals) error {
	script := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell]
	_, err := fmt.Fprint(g.results, script)
	return err
}

// Without candidates from kith, the shells complete file names.
const (
	bashCompletion = `_kith() {
	local IFS=$'\n'
	COMPREPLY=($(kith complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _kith kith
`
	zshCompletion = `#compdef kith
_kith() {
	local -a found
	found=(${(f)"$(kith complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if (( $#found )); then compadd -a found; else _files; fi
}
compdef _kith kith
`
	fishCompletion = `complete -c kith -a '(kith complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`
)

// completeCmd is what the shell scripts call.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints the candidates for the last word, one per line.
func (c *completeCmd) Run(g *globals, k *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range completions(k.Model.Node, words) {
		fmt.Fprintln(g.results, word)
	}
	return g.results.err
}

// completions returns the candidates for the last word: commands, flags, or values of a flag or argument.
func completions(node *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	before, word := words[:len(words)-1], words[len(words)-1]
	flags := node.Flags
	var open *kong.Flag // the flag whose value is next
	for _, w := range before {
		if open != nil {
			open = nil
			continue
		}
		if strings.HasPrefix(w, "-") {
			open = takesValue(flags, w)
		} else if child := findChild(node, w); child != nil {
			node, flags = child, append(slices.Clone(flags), child.Flags...)
		}
	}
	return slices.DeleteFunc(candidates(node, flags, open, word), func(s string) bool {
		return !strings.HasPrefix(s, word)
	})
}

func candidates(node *kong.Node, flags []*kong.Flag, open *kong.Flag, word string) (all []string) {
	if open != nil {
		return allowedValues(open.Value)
	}
	if strings.HasPrefix(word, "-") {
		for _, f := range flags {
			if f.Help != "" {
				all = append(all, "--"+f.Name)
			}
		}
		return all
	}
	for _, child := range node.Children {
		if !child.Hidden {
			all = append(all, child.Name)
		}
	}
	if len(node.Positional) > 0 {
		all = append(all, allowedValues(node.Positional[0])...)
	}
	return all
}

// allowedValues returns the allowed values; none if any is allowed.
func allowedValues(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(v.Enum, ","), func(s string) bool { return s == "" })
}

// takesValue returns the flag that a word names if its value is the next word.
func takesValue(flags []*kong.Flag, word string) *kong.Flag {
	name := strings.TrimLeft(word, "-")
	for _, f := range flags {
		named := f.Name == name && strings.HasPrefix(word, "--") || string(f.Short) == name && !strings.HasPrefix(word,
			"--")
		if named && !f.IsBool() {
			return f
		}
	}
	return nil
}

func findChild(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}
