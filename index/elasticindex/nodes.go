package elasticindex

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// nodes are the addresses of a cluster, and which parts of the cluster answer at the moment. Look-outs find that out:
// see [cluster.look].
type nodes struct {
	all []*node

	mu   sync.Mutex
	next int
	// answering are the data nodes that answered the last look-out, if others did not: searches prefer their shards.
	answering string
	// silent is the number of those that did not.
	silent int
}

// node is one address. It leads to a node of Elasticsearch or to a proxy before several.
type node struct {
	url  *url.URL
	auth string // the header Authorization; empty is none
	// owed is the number of look-outs that the address has to answer before it gets requests; see [nodes.pick].
	owed int
}

// recovery is the number of look-outs that an address must answer after it was silent. A node that went on after the
// cluster gave it up does not know that for a moment, and would answer from outdated shards.
const recovery = 4

func newNodes(cfg Config) (*nodes, error) {
	all := make([]*node, len(cfg.URLs))
	username, password := cfg.Username, cfg.Password
	for i, u := range cfg.URLs {
		address, err := url.Parse(strings.TrimRight(u, "/"))
		if err != nil {
			return nil, err
		}
		if i == 0 && address.User != nil { // they apply to nodes without their own
			username = address.User.Username()
			password, _ = address.User.Password()
		}
		all[i] = &node{url: address}
	}
	for _, n := range all {
		switch own := n.url.User; {
		case own != nil:
			secret, _ := own.Password()
			n.auth = basic(own.Username(), secret)
		case cfg.APIKey != "":
			n.auth = "APIKey " + cfg.APIKey
		case username != "":
			n.auth = basic(username, password)
		}
	}
	return &nodes{all: all}, nil
}

func basic(username, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(username+":"+password))
}

// pick returns an address for a request, by turns: one that answers and was not tried; else one that was not tried;
// else any. It also returns the data nodes whose shards to prefer; empty is all.
func (n *nodes) pick(tried []*node) (picked *node, prefer string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, wanted := range []func(*node) bool{
		func(a *node) bool { return a.owed == 0 && !slices.Contains(tried, a) },
		func(a *node) bool { return !slices.Contains(tried, a) },
		func(*node) bool { return true },
	} {
		for range n.all {
			a := n.all[n.next%len(n.all)]
			n.next++
			if wanted(a) {
				return a, n.answering
			}
		}
	}
	panic("a cluster without an address")
}

// saw records whether an address answered.
func (n *nodes) saw(a *node, answered bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if answered {
		a.owed = max(0, a.owed-1)
	} else {
		a.owed = recovery
	}
}

// lost records a lost connection, which says little: a node may have closed an idle one. The address gets requests
// again after the next look-out that it answers.
func (n *nodes) lost(a *node) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a.owed = max(1, a.owed)
}

// heard records the data nodes that answered and the number of those that did not.
func (n *nodes) heard(answering []string, silent int) {
	slices.Sort(answering)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answering, n.silent = "", silent
	if silent > 0 && len(answering) > 0 {
		n.answering = "_prefer_nodes:" + strings.Join(answering, ",")
	}
}

// isWell reports whether everything answers.
func (n *nodes) isWell() bool {
	addresses, data := n.unwell()
	return addresses+data == 0
}

// unwell returns the number of addresses and of data nodes that do not answer.
func (n *nodes) unwell() (addresses, data int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, a := range n.all {
		if a.owed > 0 {
			addresses++
		}
	}
	return addresses, n.silent
}

// betterElsewhere reports whether a request that waits at an address, and prefers these shards, should be sent again:
// its address does not answer, but at least half of all do; or it may wait for a shard of a node that does not answer.
// If most addresses are silent, the reason is too much work, of which sending again would make more.
func (n *nodes) betterElsewhere(a *node, r request, prefers string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	well := 0
	for _, other := range n.all {
		if other.owed == 0 {
			well++
		}
	}
	if well == 0 || 2*well < len(n.all) {
		return false
	}
	return a.owed > 0 || r.shards && n.answering != "" && n.answering != prefers
}
