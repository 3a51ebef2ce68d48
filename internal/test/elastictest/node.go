package elastictest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Options configure a node. The zero value is a node on a free port with a temporary data directory.
type Options struct {
	// Port is the HTTP port on loopback; 0 chooses a free one.
	Port int
	// Peers are the transport ports on loopback of all nodes of a cluster, this node's first. Start then returns once
	// most of them have started. Empty is a cluster of one.
	Peers []int
	// Dir keeps the node's data, settings and logs; empty means a temporary directory that Stop removes.
	Dir string
	// Heap is the Java heap in the form of -Xmx; empty means 512m.
	Heap string
	// Brief is for a node that runs for minutes: it uses simpler compilation and garbage collection.
	Brief bool
	// Security enables authentication: see [Node.Username].
	Security bool
	// TLS makes the node speak HTTPS only: see [Node.CA].
	TLS bool
	// Detach leaves the node running when this process ends.
	Detach bool
	// Log receives progress; nil discards it.
	Log io.Writer
}

// Node is a running node.
type Node struct {
	// URL is the address, such as http://127.0.0.1:9200.
	URL string
	// Username and Password are those of a superuser, with Options.Security.
	Username, Password string
	// CA is the certificate authority in PEM form, with Options.TLS.
	CA []byte
	// PID is the process that Stop ends.
	PID int

	dir     string
	java    string
	ownsDir bool
	client  *http.Client
	output  *tail
	exited  chan struct{}
	stop    sync.Once
}

// startLimit is how long a node may take to start on a loaded machine.
const startLimit = 10 * time.Minute

// stopLimit is how long a node may take to stop by itself.
const stopLimit = time.Minute

// Start fetches the distribution and Java if necessary, starts a node and waits until its cluster
// is healthy. The caller must stop the node.
func Start(ctx context.Context, o Options) (*Node, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if err := checkFree(ctx, o); err != nil {
		return nil, err
	}
	dist, err := distribution(ctx, o.Log)
	if err != nil {
		return nil, err
	}
	java, err := javaHome(ctx, o.Log)
	if err != nil {
		return nil, err
	}
	n := &Node{dir: o.Dir, java: java, output: &tail{}, exited: make(chan struct{})}
	if err := n.prepare(&o, dist); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare an Elasticsearch node: %w", err), n.clean())
	}
	if err := n.launch(ctx, o, dist); err != nil {
		return nil, errors.Join(fmt.Errorf("start Elasticsearch: %w", err), n.clean())
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := n.await(ctx, o); err != nil {
		return nil, errors.Join(fmt.Errorf("await Elasticsearch: %w\n%s", err, n.output), n.Stop())
	}
	return n, n.leavePID()
}

// launch starts the process. The starting goroutine keeps its thread until the process has
// ended, because the kernel ends the process together with that thread.
func (n *Node) launch(ctx context.Context, o Options, dist string) error {
	// The node must outlive the caller's ctx.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(dist, "bin", "elasticsearch"))
	cmd.Dir = n.dir
	cmd.Env = n.environment(o)
	cmd.SysProcAttr = attributes(o.Detach)
	if o.Detach {
		out, err := os.Create(filepath.Join(n.dir, "logs", "console.log"))
		if err != nil {
			return err
		}
		defer out.Close()
		cmd.Stdout, cmd.Stderr = out, out
	} else {
		cmd.Stdout, cmd.Stderr = n.output, n.output
	}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the exit matters; the output has the reason
			close(n.exited)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	n.PID = cmd.Process.Pid
	return nil
}

// briefJava disables the second compiler and the concurrent collector, which do not pay within minutes: a start takes
// 10 s of CPU time instead of 17, the conformance suite 39 s instead of 80.
const briefJava = " -XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC -XX:-AlwaysPreTouch"

func (n *Node) environment(o Options) []string {
	heap := o.Heap
	if heap == "" {
		heap = "512m"
	}
	java := "-Xms" + heap + " -Xmx" + heap
	if o.Brief {
		java += briefJava
	}
	env := []string{
		"ES_PATH_CONF=" + filepath.Join(n.dir, "config"),
		"ES_JAVA_OPTS=" + java,
		"ES_TMPDIR=" + filepath.Join(n.dir, "tmp"),
		// The launcher is a second, short-lived Java program; limit its memory.
		"CLI_JAVA_OPTS=-Xms4m -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
		"ES_JAVA_HOME=" + n.java,
		"HOME=" + n.dir,
	}
	for _, name := range []string{"PATH", "LANG"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// await waits for the port and then for the cluster's health.
func (n *Node) await(ctx context.Context, o Options) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if n.URL == "" {
			n.URL = n.address(o)
		}
		if n.URL != "" && n.healthy(ctx) {
			return nil
		}
		select {
		case <-n.exited:
			return errors.New("the process ended")
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// address reads the port of the node from the file that the node writes.
func (n *Node) address(o Options) string {
	data, err := os.ReadFile(filepath.Join(n.dir, "logs", "http.ports"))
	if err != nil {
		return ""
	}
	scheme := "http://"
	if o.TLS {
		scheme = "https://"
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "127.0.0.1:") {
			return scheme + line
		}
	}
	return ""
}

func (n *Node) healthy(ctx context.Context) bool {
	status, _, err := n.Do(ctx, http.MethodGet, "/_cluster/health?wait_for_status=yellow&timeout=1s", nil)
	return err == nil && status == http.StatusOK
}

// Do sends one request with the node's credentials.
func (n *Node) Do(ctx context.Context, method, path string, body []byte) (status int, answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, n.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if n.Username != "" {
		req.SetBasicAuth(n.Username, n.Password)
	}
	res, err := n.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// Stop ends the node and waits for it. It kills a node that does not end within a minute,
// and removes a temporary directory. It may be called more than once.
func (n *Node) Stop() (err error) {
	n.stop.Do(func() {
		n.end()
		if n.client != nil {
			n.client.CloseIdleConnections()
		}
		err = n.clean()
	})
	return err
}

func (n *Node) end() {
	// The launcher passes the signal on to the server; both are one process group.
	_ = syscall.Kill(n.PID, syscall.SIGTERM)
	select {
	case <-n.exited:
	case <-time.After(stopLimit):
		_ = syscall.Kill(-n.PID, syscall.SIGKILL)
		<-n.exited
	}
}

func (n *Node) clean() error {
	if !n.ownsDir {
		return nil
	}
	return os.RemoveAll(n.dir)
}

// tail keeps the end of a process's output.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 8 << 10

// Write appends p.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// String returns the end of the output.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
