package elasticindex

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"kith/index"
)

// Config describes a cluster and how to use it.
type Config struct {
	// URLs are the addresses of the cluster's nodes. If one does not answer, requests go to the others.
	URLs []string
	// APIKey is the encoded key; it takes precedence over Username and Password.
	APIKey             string
	Username, Password string
	// CA is the certificate authority of the nodes in PEM; empty means the authorities that the machine trusts.
	CA []byte
	// Prefix starts the names of all indices and aliases. Drivers with different prefixes share nothing.
	Prefix string
	// Shards is the number of shards of a new index of people; 0 is one.
	Shards int
	// Replicas is the number of copies of each shard once a version is complete; nil is one as soon as there is a
	// second node.
	Replicas *int
}

// Driver is the driver. It is safe for concurrent use.
type Driver struct {
	cluster
	names
	fields fieldTable
	// shards and replicas are from the configuration.
	shards   int
	replicas *int
	// near means that all nodes are on this machine: compressing requests would only cost time.
	near bool
	// inFlight limits the bytes of unanswered bulk requests.
	inFlight *semaphore.Weighted
	// compactFrom and compactWait have the values of the constants, except in tests.
	compactFrom int64
	compactWait time.Duration
	// chunks is reusable memory for bulk requests, zippers has reusable compressors.
	chunks, zippers sync.Pool
}

// Driver is both halves of a driver.
var (
	_ index.Searcher = (*Driver)(nil)
	_ index.Writer   = (*Driver)(nil)
	_ index.Counter  = (*Driver)(nil)
	_ index.Marker   = (*Driver)(nil)
	_ index.Checker  = (*Driver)(nil)
)

const (
	requestTimeout = 30 * time.Second
	// dialTimeout is short so that searches quickly notice an unreachable node.
	dialTimeout = time.Second
	// idleConnections is the number of idle connections kept to one node: one for each concurrent search.
	idleConnections = 256
)

// New returns a driver. It does not connect: see [Driver.Check].
func New(cfg Config) (*Driver, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	transport, err := newTransport(cfg.CA)
	if err != nil {
		return nil, err
	}
	nodes, err := newNodes(cfg)
	if err != nil {
		return nil, err
	}
	return &Driver{
		cluster: cluster{
			transport: transport, nodes: nodes, out: newLookout(), timeout: requestTimeout,
		},
		names: names{prefix: cfg.Prefix}, fields: newFieldTable(),
		shards: max(1, cfg.Shards), replicas: cfg.Replicas, near: cfg.isLocal(),
		compactFrom: compactFrom, compactWait: compactWait, inFlight: semaphore.NewWeighted(maxInFlight),
	}, nil
}

// Close closes idle connections.
func (d *Driver) Close() {
	d.out.close()
	d.transport.CloseIdleConnections()
}

// Engine returns "elasticsearch".
func (d *Driver) Engine() string { return "elasticsearch" }

func (cfg Config) check() error {
	if len(cfg.URLs) == 0 {
		return errors.New("no Elasticsearch address: give one such as http://localhost:9200")
	}
	for i, u := range cfg.URLs {
		p, err := url.Parse(u)
		if err != nil || p.Host == "" || p.Scheme != "http" && p.Scheme != "https" {
			// Do not repeat the address: it may contain a password.
			return fmt.Errorf("address %d of --elasticsearch-url is not a URL such as http://localhost:9200", i+1)
		}
	}
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,99}$`).MatchString(cfg.Prefix) {
		return fmt.Errorf("index prefix %q: it must be 1 to 100 of a-z, 0-9, _ and -, and begin with a letter or digit",
			cfg.Prefix)
	}
	return nil
}

// isLocal reports whether the addresses of all nodes are on loopback.
func (cfg Config) isLocal() bool {
	return !slices.ContainsFunc(cfg.URLs, func(address string) bool {
		u, err := url.Parse(address)
		return err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback()
	})
}

// SplitURLs splits a comma-separated list of addresses, as in ELASTICSEARCH_URL.
func SplitURLs(list string) []string {
	var urls []string
	for u := range strings.SplitSeq(list, ",") {
		if u = strings.TrimRight(strings.TrimSpace(u), "/"); u != "" {
			urls = append(urls, u)
		}
	}
	return urls
}

func newTransport(ca []byte) (*http.Transport, error) {
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second,
		MaxIdleConnsPerHost: idleConnections,
		IdleConnTimeout:     90 * time.Second,
		// Answers are small and usually from nearby: decompression costs more than it saves.
		DisableCompression: true,
		ReadBufferSize:     64 << 10,
		WriteBufferSize:    64 << 10,
	}
	if len(ca) == 0 {
		return t, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("the certificate authority for Elasticsearch holds no certificate in PEM")
	}
	t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return t, nil
}
