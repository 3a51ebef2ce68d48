package main

import (
	"fmt"
	"strconv"
)

// The maximum shards and replicas of a new index.
const (
	maxShards   = 64
	maxReplicas = 10
)

// shardsAndReplicas returns the settings for new Elasticsearch indices. nil replicas means
// automatic: one as soon as a second node can hold it.
func (g *globals) shardsAndReplicas() (shards int, replicas *int, err error) {
	if g.Shards < 1 || g.Shards > maxShards {
		return 0, nil, usageError(fmt.Errorf("--shards must be between 1 and %d (got %d)", maxShards, g.Shards))
	}
	if g.Replicas == "auto" {
		return g.Shards, nil, nil
	}
	n, err := strconv.Atoi(g.Replicas)
	if err != nil || n < 0 || n > maxReplicas {
		return 0, nil, usageError(fmt.Errorf("--replicas must be auto or between 0 and %d (got %q)", maxReplicas,
			g.Replicas))
	}
	return g.Shards, &n, nil
}
