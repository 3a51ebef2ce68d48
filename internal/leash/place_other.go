//go:build unix && !linux

package leash

// Place returns where tests create temporary directories; empty is the default.
func Place() string { return "" }
