package proximity

import (
	"cmp"

	"kith/index"
	"kith/internal/network"
)

// The stage of a cursor is a class or, for everyone else, outside, in steps of
// tiers.
const (
	// maxTiers is how many tiers of exactness there may be.
	maxTiers = 2
	// outside stands for the class of those who are not within reach.
	outside = network.Classes
)

func stageOf(class network.Class, tier int) int { return int(class)*maxTiers + tier }

// classOf and tierOf are those of a stage.
func classOf(stage int) network.Class { return network.Class(stage / maxTiers) }
func tierOf(stage int) int            { return stage % maxTiers }

// WithinReach reports whether the stage of a cursor is one of people within reach
// of the caller.
func WithinReach(stage int) bool { return stage < stageOf(outside, 0) }

// inOrder compares the places of two people.
func inOrder(a, b index.Cursor) int {
	return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(b.Sort, a.Sort), cmp.Compare(a.ID, b.ID))
}
