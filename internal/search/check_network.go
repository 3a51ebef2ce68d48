package search

import (
	"fmt"
	"slices"
	"strings"
)

// relationTypes are how two people may know each other.
func relationTypes() []string {
	return []string{
		"social_contact", "worked_together", "studied_together", "met_in_person",
		"attended_event", "introduced_by_someone", "team", "community",
	}
}

// scoreLabels name the strengths of a relationship, weakest first.
func scoreLabels() []string { return []string{"maybe", "okay", "good", "very_good", "excellent"} }

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
		if !slices.Contains(relationTypes(), t) {
			c.add(fmt.Sprintf("%s[%d]", field, i), "UNKNOWN_VALUE", "%q must be one of %s", t, list(relationTypes()))
		}
	}
}

// label takes a label in any case, with spaces, hyphens or underscores.
func (c *checker) label(field, label string) {
	if label == "" {
		return
	}
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return r == ' ' || r == '_' || r == '-' })
	if !slices.Contains(scoreLabels(), strings.Join(words, "_")) {
		c.add(field, "UNKNOWN_VALUE", "%q must be one of %s", label, list(scoreLabels()))
	}
}
