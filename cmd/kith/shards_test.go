package main

import (
	"strings"
	"testing"
)

func TestShardsAndReplicasAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		flags    globals
		replicas int // -1 for auto
		problem  string
	}{
		"one of each":        {globals{Shards: 1, Replicas: "1"}, 1, ""},
		"a replica per node": {globals{Shards: 3, Replicas: "auto"}, -1, ""},
		"no shard":           {globals{Shards: 0, Replicas: "auto"}, 0, "--shards must be between 1 and 64 (got 0)"},
		"too many": {
			globals{Shards: 1, Replicas: "11"},
			0,
			`--replicas must be auto or between 0 and 10 (got "11")`,
		},
		"a word": {
			globals{Shards: 1, Replicas: "some"},
			0,
			`--replicas must be auto or between 0 and 10 (got "some")`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			shards, replicas, err := c.flags.shardsAndReplicas()
			if c.problem != "" {
				if err == nil || !strings.Contains(err.Error(), c.problem) {
					t.Errorf("%v, want %s", err, c.problem)
				}
				return
			}
			if err != nil || shards != c.flags.Shards || (replicas == nil) != (c.replicas < 0) ||
				replicas != nil && *replicas != c.replicas {
				t.Errorf("%d shards, %v replicas, %v", shards, replicas, err)
			}
		})
	}
}
