package search

import (
	"fmt"
	"slices"
	"strings"

	"kith/internal/network"
	"kith/query/prompt"
)

func (c *checker) network(req Request) {
	n := meaningful(req.Network)
	if n == nil {
		return
	}
	if req.Scope == ScopeGlobal || req.Scope == ScopeList {
		c.add("network_filters", "NETWORK_FILTERS_WITHOUT_SCOPE", "network_filters require scope network (got %q)",
			req.Scope)
	}
	for i, d := range n.ConnectionDegrees {
		if d != 1 && d != 2 {
			c.add(fmt.Sprintf("network_filters.connection_degrees[%d]", i), "OUT_OF_RANGE", "must be 1 or 2 (got %d)",
				d)
		}
	}
	for i, id := range n.IntroducerSocialIDs {
		if strings.TrimSpace(id) == "" {
			c.add(fmt.Sprintf("network_filters.introducer_social_ids[%d]", i), "INVALID_IDENTIFIER",
				"a social identifier must not be empty")
		}
	}
	c.relations("network_filters.user_to_introducer_types", n.UserToIntroducerTypes)
	c.relations("network_filters.introducer_to_target_types", n.IntroducerToTargetTypes)
	c.label("network_filters.user_to_introducer_min_score", n.UserToIntroducerMinScore)
	c.label("network_filters.introducer_to_target_min_score", n.IntroducerToTargetMinScore)
	c.order(n)
	c.lastContact(n.LastContact)
}

// order accepts an order only for degree 1 alone.
func (c *checker) order(n *NetworkFilters) {
	switch prompt.NetworkOrder(n.Order) {
	case "":
	case prompt.ByStrength, prompt.ByLastContact:
		if !slices.Equal(n.ConnectionDegrees, []int{1}) {
			c.add("network_filters.order", "ORDER_WITHOUT_DEGREE",
				"an order requires degree 1 alone; set connection_degrees to [1]")
		}
	default:
		c.add("network_filters.order", "UNKNOWN_VALUE", "%q must be strength or last_contact", n.Order)
	}
}

// lastContact accepts the dates that [network.ParseDate] accepts.
func (c *checker) lastContact(l *LastContactFilter) {
	if l == nil {
		return
	}
	if l.After == "" && l.Before == "" {
		c.add("network_filters.last_contact", "REQUIRED", "must have after, before or both")
	}
	for _, bound := range []struct{ name, text string }{{"after", l.After}, {"before", l.Before}} {
		if _, err := parseBound(bound.text); err != nil {
			c.add("network_filters.last_contact."+bound.name, "INVALID_DATE", "%v", err)
		}
	}
	if _, err := network.ParseContactKind(l.Channel); l.Channel != "" && err != nil {
		c.add("network_filters.last_contact.channel", "UNKNOWN_VALUE", "%q %v", l.Channel, err)
	}
}

// parseLastContact converts the parts of a last-contact filter to the type of package network.
func parseLastContact(after, before, channel string) (network.LastContact, error) {
	from, err := parseBound(after)
	if err != nil {
		return network.LastContact{}, err
	}
	to, err := parseBound(before)
	return network.LastContact{Asked: true, After: from, Before: to, Kind: network.ContactKind(channel)}, err
}

// parseBound reads a day; nil for an empty text.
func parseBound(text string) (*network.Day, error) {
	if text == "" {
		return nil, nil
	}
	day, err := network.ParseDate(text)
	return &day, err
}

func (c *checker) relations(field string, types []string) {
	for i, t := range types {
		if _, err := network.ParseKind(t); err != nil {
			c.add(fmt.Sprintf("%s[%d]", field, i), "UNKNOWN_VALUE", "%q %v", t, err)
		}
	}
}

// label accepts the labels that [network.ParseLabel] accepts.
func (c *checker) label(field, label string) {
	if label == "" {
		return
	}
	if _, err := network.ParseLabel(label); err != nil {
		c.add(field, "UNKNOWN_VALUE", "%q %v", label, err)
	}
}
