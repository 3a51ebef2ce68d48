// Package network has the rules of a user's network: relationships, their strength, sharing,
// and introductions. Relationships are stored behind [Store].
package network
