// Package network is the people whom a user knows: relationships, how strong
// they are, who shares theirs with whom, and through whom others are reached.
// It holds the rules; where relationships are kept is behind [Store].
package network
