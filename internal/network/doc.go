// Package network has the rules of a user's network: relationships, their strength, sharing, and introductions. A
// [Store] stores the relationships.
package network
