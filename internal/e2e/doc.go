// Package e2e tests Kith from outside: it builds the binary, starts it as an
// operator would, and speaks HTTP to it. Every promise that spans rooms is
// tested here, on both engines: walks while the directory changes, processes
// that are killed, servers that are away, clients that do not read.
package e2e
