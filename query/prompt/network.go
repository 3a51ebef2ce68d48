package prompt

import (
	"fmt"
	"strings"
)

// Network is what a prompt asks of the caller's own network. It takes the place
// of the network filters of a request: only people within the network match.
type Network struct {
	Source
	// Degrees are [1], [2] or [1, 2], as connection_degrees takes them: the people
	// whom the caller knows, and those whom these know. With IntroducersOf they
	// are [1].
	Degrees []int `json:"degrees"`
	// IntroducersOf is the place in Plan.Steps of the people to be introduced to;
	// nil where nobody is. The people found are those whom the caller knows and
	// who know one of them, the strongest path first. No relation need refer to
	// the step.
	IntroducersOf *int `json:"introducers_of,omitempty"`
	// Order is empty for the order of any search in the network.
	Order NetworkOrder `json:"order,omitempty"`
	// LastContact is nil where the prompt does not say when the caller and the
	// person were last in contact.
	LastContact *LastContact `json:"last_contact,omitempty"`
}

// NetworkOrder is an order of the people of a network.
type NetworkOrder string

// The orders of the people of degree 1: by the score of the caller's relationship,
// highest first, and by the last contact, the latest first.
const (
	ByStrength    NetworkOrder = "strength"
	ByLastContact NetworkOrder = "last_contact"
)

// LastContact is when the caller and a person were last in contact. The days are
// YYYY-MM-DD; one of them at least is given.
type LastContact struct {
	// After is the first day that counts.
	After string `json:"after,omitempty"`
	// Before is the first day that counts no longer. Without After, people with
	// whom there never was contact count as well.
	Before string `json:"before,omitempty"`
	// Channel is how: "email", or empty for any way.
	Channel string `json:"channel,omitempty"`
}

// String says what is asked of the network, such as "degrees 1, 2" or
// "introducers of step 1".
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

// String says when, such as "last contact before 2026-08-27 (email)".
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
