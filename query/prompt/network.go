package prompt

import (
	"fmt"
	"strings"
)

// Network is the part of a prompt about the caller's own network. It replaces the network filters
// of a request: only people within the network match.
type Network struct {
	Source
	// Degrees are [1], [2] or [1, 2], as in connection_degrees: the people the caller knows, and
	// the people they know. With IntroducersOf they are [1].
	Degrees []int `json:"degrees"`
	// IntroducersOf is the index in Plan.Steps of the people to be introduced to; nil for none. Matches
	// are people the caller knows who know one of them, strongest path first. The step needs no relation.
	IntroducersOf *int `json:"introducers_of,omitempty"`
	// Order is empty for the default order of a search in the network.
	Order NetworkOrder `json:"order,omitempty"`
	// LastContact is nil if the prompt does not restrict the last contact between the caller and the person.
	LastContact *LastContact `json:"last_contact,omitempty"`
}

// NetworkOrder is an order of people in a network.
type NetworkOrder string

// The orders of people of degree 1: by the score of the caller's relationship, highest first, and
// by last contact, latest first.
const (
	ByStrength    NetworkOrder = "strength"
	ByLastContact NetworkOrder = "last_contact"
)

// LastContact restricts the last contact between the caller and a person. Days are YYYY-MM-DD; at
// least one of them is set.
type LastContact struct {
	// After is the first day of the range.
	After string `json:"after,omitempty"`
	// Before is the first day after the range. Without After, people without any contact match too.
	Before string `json:"before,omitempty"`
	// Channel is "email", or empty for any channel.
	Channel string `json:"channel,omitempty"`
}

// String describes the network part, such as "degrees 1, 2" or "introducers of step 1".
func (n Network) String() string {
	degrees := strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Degrees), " ", ", "), "[]")
	parts := []string{"degree " + degrees}
	if len(n.Degrees) > 1 {
		parts[0] = "degrees " + degrees
	}
	if n.IntroducersOf != nil {
		parts[0] = fmt.Sprintf("introducers of step %d", *n.IntroducersOf+1)
	}
	if n.Order != "" {
		parts = append(parts, "by "+string(n.Order))
	}
	if n.LastContact != nil {
		parts = append(parts, n.LastContact.String())
	}
	return strings.Join(parts, "; ")
}

// String describes the range, such as "last contact before 2026-08-27 (email)".
func (l LastContact) String() string {
	text := "last contact"
	if l.After != "" {
		text += " from " + l.After
	}
	if l.Before != "" {
		text += " before " + l.Before
	}
	if l.Channel != "" {
		text += " (" + l.Channel + ")"
	}
	return text
}
