package search

import (
	"fmt"
	"strings"

	"kith/internal/network"
)

func (c *checker) network(req Request) {
	n := meaningful(req.Network)
	if n == nil {
		return
	}
	if req.Scope == ScopeGlobal || req.Scope == ScopeList {
		c.add("network_filters", "NETWORK_FILTERS_WITHOUT_SCOPE", "network_filters narrow scope network only; scope is %q", req.Scope)
	}
	for i, d := range n.ConnectionDegrees {
		if d != 1 && d != 2 {
			c.add(fmt.Sprintf("network_filters.connection_degrees[%d]", i), "OUT_OF_RANGE", "a degree is 1 or 2, not %d", d)
		}
	}
	for i, id := range n.IntroducerSocialIDs {
		if strings.TrimSpace(id) == "" {
			c.add(fmt.Sprintf("network_filters.introducer_social_ids[%d]", i), "INVALID_IDENTIFIER", "a social identifier must not be empty")
		}
	}
	c.relations("network_filters.user_to_introducer_types", n.UserToIntroducerTypes)
	c.relations("network_filters.introducer_to_target_types", n.IntroducerToTargetTypes)
	c.label("network_filters.user_to_introducer_min_score", n.UserToIntroducerMinScore)
	c.label("network_filters.introducer_to_target_min_score", n.IntroducerToTargetMinScore)
}

func (c *checker) relations(field string, types []string) {
	for i, t := range types {
		if _, err := network.ParseKind(t); err != nil {
			c.add(fmt.Sprintf("%s[%d]", field, i), "UNKNOWN_VALUE", "%q %v", t, err)
		}
	}
}

// label takes a label as [network.ParseLabel] does.
func (c *checker) label(field, label string) {
	if label == "" {
		return
	}
	if _, err := network.ParseLabel(label); err != nil {
		c.add(field, "UNKNOWN_VALUE", "%q %v", label, err)
	}
}
