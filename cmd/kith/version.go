package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is the version of the next release; a build adds its commit.
const release = "0.1.0"

type versionCmd struct{}

// Run prints the version, the commit and the toolchain on one line.
func (versionCmd) Run(g *globals) error {
	_, err := fmt.Fprintln(g.results, versionLine())
	return err
}

func versionLine() string {
	return fmt.Sprintf("kith %s (%s, %s %s/%s)", release, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commit returns the commit of the build, if the toolchain recorded one.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown commit"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return "unknown commit"
}
