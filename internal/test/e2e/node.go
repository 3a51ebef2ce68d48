package e2e

import (
	"context"
	"os"
	"syscall"
	"testing"

	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
)

// Node is an Elasticsearch node of one test, which may stop and start it.
type Node struct {
	options elastictest.Options
	running *elastictest.Node
}

// NewNode prepares a node with the transport ports of all nodes of its cluster, its own first; none is a cluster of
// one. It keeps its data and its address. It is gone when the test ends.
func NewNode(t *testing.T, peers ...int) *Node {
	t.Helper()
	// t.TempDir would be readable only by the user of the test.
	dir, err := os.MkdirTemp("", "kith-elasticsearch-fault") //nolint:usetesting // see above
	expect.NoError(t, err)
	n := &Node{options: elastictest.Options{Dir: dir, Port: FreePort(t), Peers: peers, Brief: true}}
	t.Cleanup(func() {
		if n.running != nil {
			n.Signal(syscall.SIGCONT) // a hung one does not stop
			if err := n.running.Stop(); err != nil {
				t.Error(err)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return n
}

// Start starts the node, and returns once most nodes of its cluster run.
func (n *Node) Start() (err error) {
	n.running, err = elastictest.Start(context.Background(), n.options)
	return err
}

// URL is the address of a node that was started.
func (n *Node) URL() string { return n.running.URL }

// Signal sends a signal to the processes of the node.
func (n *Node) Signal(signal syscall.Signal) { _ = syscall.Kill(-n.running.PID, signal) }

// Kill ends the node at once, as a crash does.
func (n *Node) Kill(t *testing.T) {
	t.Helper()
	n.Signal(syscall.SIGKILL) // Stop below reports a process that stays
	expect.NoError(t, n.running.Stop())
}
