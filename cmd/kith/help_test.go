package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"gopkg.in/yaml.v3"

	"kith/internal/test/expect"
)

// help.yaml has a text for every visible command, flag and argument, and no other.
func TestHelpDescribesWhatExists(t *testing.T) {
	unused := map[string]string{}
	expect.NoError(t, yaml.Unmarshal(helpFile, &unused))
	root := kong.Must(&commands{}, helpOptions([]string{helpAll})...).Model.Node
	expect.NoError(t, kong.Visit(root, func(v kong.Visitable, next kong.Next) error {
		switch v := v.(type) {
		case *kong.Flag:
			delete(unused, "--"+v.Name)
			if v.Help == "" && !v.Hidden {
				t.Errorf("--%s has no help", v.Name)
			}
		case *kong.Command:
			name := strings.TrimPrefix(v.FullPath(), root.Name+" ")
			delete(unused, name)
			for _, f := range v.Flags {
				delete(unused, name+" --"+f.Name)
			}
			for _, arg := range v.Positional {
				delete(unused, "<"+arg.Name+">")
				delete(unused, name+" <"+arg.Name+">")
				if arg.Help == "" {
					t.Errorf("%s: <%s> has no help", name, arg.Name)
				}
			}
			if v.Help == "" {
				t.Errorf("%s has no help", name)
			}
		}
		return next(nil)
	}))
	for name := range unused {
		t.Errorf("help.yaml describes %s, which does not exist", name)
	}
}
