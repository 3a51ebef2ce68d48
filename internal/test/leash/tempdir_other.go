//go:build unix && !linux

package leash

// TempRoot returns where tests create temporary directories; empty is the default.
func TempRoot() string { return "" }
