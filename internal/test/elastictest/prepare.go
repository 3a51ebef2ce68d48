package elastictest

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/bcrypt"

	"kith/internal/test/certtest"
)

// nobody is the user of the node if this process is root, because Elasticsearch refuses to run as root.
const nobody = 65534

// prepare creates the node's directory: config, data, logs and tmp.
func (n *Node) prepare(o *Options, dist string) error {
	if err := n.makeDir(); err != nil {
		return err
	}
	for _, sub := range []string{"config", "data", "logs", "tmp"} {
		if err := os.MkdirAll(filepath.Join(n.dir, sub), 0o700); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(n.dir, "logs", "http.ports")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := n.copyConfig(dist); err != nil {
		return err
	}
	settings := n.settings(*o)
	if o.Security {
		if err := n.addUser(); err != nil {
			return err
		}
	}
	transport := &http.Transport{}
	if o.TLS {
		if err := n.certify(); err != nil {
			return err
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(n.CA)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	n.client = &http.Client{Transport: transport}
	if err := n.write("elasticsearch.yml", settings); err != nil {
		return err
	}
	return n.chownDir()
}

// certify gives the node a certificate for loopback. Nobody keeps the key of its authority.
func (n *Node) certify() error {
	authority := certtest.NewAuthority()
	own := authority.Certify(time.Now().AddDate(1, 0, 0), "localhost", "127.0.0.1")
	n.CA = authority.PEM
	return errors.Join(n.write("ca.crt", string(authority.PEM)), n.write("node.crt", string(own.PEM)),
		n.write("node.key", string(own.Key)))
}

func (n *Node) makeDir() (err error) {
	if n.dir == "" {
		n.ownsDir = true
		n.dir, err = os.MkdirTemp("", "kith-elasticsearch-*")
		return err
	}
	if n.dir, err = filepath.Abs(n.dir); err != nil {
		return err
	}
	return os.MkdirAll(n.dir, 0o700)
}

// copyConfig copies the distribution's settings, because a node reads all of them from its own directory.
func (n *Node) copyConfig(dist string) error {
	for _, name := range []string{
		"jvm.options", "log4j2.properties", "users", "users_roles", "roles.yml",
		"role_mapping.yml",
	} {
		data, err := os.ReadFile(filepath.Join(dist, "config", name))
		if err != nil {
			return err
		}
		if name == "jvm.options" {
			data = portable(data)
		}
		if err := n.write(name, string(data)); err != nil {
			return err
		}
	}
	return nil
}

// portable removes the options that write files next to the distribution, where the node has no permission, and the one
// for a module that the fetched Java lacks.
func portable(options []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(options) {
		if !bytes.Contains(line, []byte("-Xlog")) && !bytes.Contains(line, []byte("logs/")) &&
			!bytes.Contains(line, []byte("HeapDump")) && !bytes.Contains(line, []byte("jdk.incubator.vector")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

func (n *Node) settings(o Options) string {
	lines := append(membership(o.Peers),
		"node.portsfile: true",
		"network.host: 127.0.0.1",
		fmt.Sprintf("http.port: %d", o.Port),
		"path.data: "+filepath.Join(n.dir, "data"),
		"path.logs: "+filepath.Join(n.dir, "logs"),
		// A full disk must not affect the test.
		"cluster.routing.allocation.disk.threshold_enabled: false",
		fmt.Sprintf("xpack.security.enabled: %t", o.Security || o.TLS),
	)
	if o.Security || o.TLS {
		lines = append(lines, "xpack.security.transport.ssl.enabled: false",
			"xpack.security.authc.realms.file.file1.order: 0")
	}
	if o.Security || o.TLS {
		lines = append(lines, fmt.Sprintf("xpack.security.http.ssl.enabled: %t", o.TLS))
	}
	if o.TLS {
		lines = append(lines, "xpack.security.http.ssl.key: node.key", "xpack.security.http.ssl.certificate: node.crt")
	}
	return strings.Join(lines, "\n") + "\n"
}

// membership returns the settings about the other nodes.
func membership(peers []int) []string {
	if len(peers) == 0 {
		return []string{
			"cluster.name: kith-" + rand.Text()[:8], "node.name: kith", "transport.port: 0",
			"discovery.type: single-node",
		}
	}
	names, seeds := make([]string, len(peers)), make([]string, len(peers))
	for i, port := range peers {
		names[i], seeds[i] = fmt.Sprintf("kith-%d", port), fmt.Sprintf("127.0.0.1:%d", port)
	}
	own := slices.Clone(names)
	slices.Sort(names)
	return []string{
		fmt.Sprintf("cluster.name: kith-%s", names[0]), "node.name: " + own[0],
		fmt.Sprintf("transport.port: %d", peers[0]),
		"discovery.seed_hosts: [" + strings.Join(seeds, ", ") + "]",
		"cluster.initial_master_nodes: [" + strings.Join(names, ", ") + "]",
	}
}

// addUser creates a superuser in the file realm, which needs no running node.
func (n *Node) addUser() error {
	n.Username, n.Password = "kith", rand.Text()
	hash, err := bcrypt.GenerateFromPassword([]byte(n.Password), bcrypt.MinCost)
	if err != nil {
		return err
	}
	if err := n.write("users", n.Username+":"+string(hash)+"\n"); err != nil {
		return err
	}
	return n.write("users_roles", "superuser:"+n.Username+"\n")
}

func (n *Node) write(name, text string) error {
	return os.WriteFile(filepath.Join(n.dir, "config", name), []byte(text), 0o600)
}

// chownDir makes the user of the node the owner of the directory.
func (n *Node) chownDir() error {
	if os.Getuid() != 0 {
		return nil
	}
	return filepath.WalkDir(n.dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}
