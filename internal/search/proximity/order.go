package proximity

import "kith/internal/network"

// The stage of a cursor is a class (or outside, for everyone else) times maxTiers, plus the tier.
const (
	// maxTiers is the number of tiers of exactness.
	maxTiers = 2
	// outside is the class of people beyond reach.
	outside = network.Classes
)

func stageOf(class network.Class, tier int) int { return int(class)*maxTiers + tier }

// classOf and tierOf split a stage.
func classOf(stage int) network.Class { return network.Class(stage / maxTiers) }
func tierOf(stage int) int            { return stage % maxTiers }

// WithinReach reports whether a stage is one of people within the caller's reach.
func WithinReach(stage int) bool { return stage < stageOf(outside, 0) }
