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
	"strings"
	"sync"
	"time"

	"github.com/elastic/elastic-transport-go/v8/elastictransport"
	"golang.org/x/sync/semaphore"

	"kith/index"
)

// Config says which cluster to use, and how.
type Config struct {
	// URLs are the addresses of the cluster's nodes. A request that finds one
	// node away goes to the next.
	URLs []string
	// APIKey is the encoded key; it goes before Username and Password.
	APIKey             string
	Username, Password string
	// CA is the certificate authority of the nodes in PEM; empty means those
	// that the machine trusts.
	CA []byte
	// Prefix begins the names of all indices and aliases. Two drivers with
	// different prefixes share nothing.
	Prefix string
	// Shards is how many shards a new index of people has; 0 is one.
	Shards int
	// Replicas is how many copies of each shard a version has once it is built; nil is one
	// as soon as there is a second node to hold it.
	Replicas *int
}

// Driver is the driver. It is safe for concurrent use.
type Driver struct {
	cluster
	names
	fields fieldTable
	// shards and replicas are those of the configuration.
	shards   int
	replicas *int
	// inFlight bounds the bytes of bulk requests that were sent and not answered.
	inFlight *semaphore.Weighted
	// chunks are the memory of bulk requests that were sent, and zippers what packs
	// them.
	chunks, zippers sync.Pool
}

// Driver is both halves of a driver.
var (
	_ index.Searcher = (*Driver)(nil)
	_ index.Writer   = (*Driver)(nil)
	_ index.Counter  = (*Driver)(nil)
)

const (
	requestTimeout = 30 * time.Second
	// dialTimeout is short so that a search finds out quickly that a node is
	// away.
	dialTimeout = 2 * time.Second
	// idleConnections is how many connections to one node are kept open
	// between requests: one for each search that runs at the same time.
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
	client, err := newClient(cfg, transport)
	if err != nil {
		return nil, fmt.Errorf("set up the Elasticsearch client: %w", err)
	}
	return &Driver{
		cluster: cluster{client: client, idle: transport.CloseIdleConnections, nodes: len(cfg.URLs), timeout: requestTimeout},
		names:   names{prefix: cfg.Prefix}, fields: newFieldTable(),
		shards: max(1, cfg.Shards), replicas: cfg.Replicas, inFlight: semaphore.NewWeighted(maxInFlight),
	}, nil
}

// newClient is the transport of Elasticsearch's own client, which keeps the nodes and
// the credentials. The client itself brings 860 packages of typed requests, which take
// longer to compile than everything else together; the driver writes its own.
func newClient(cfg Config, transport http.RoundTripper) (*elastictransport.Client, error) {
	addresses := make([]*url.URL, len(cfg.URLs))
	for i, u := range cfg.URLs {
		address, err := url.Parse(strings.TrimRight(u, "/"))
		if err != nil {
			return nil, err
		}
		addresses[i] = address
	}
	options := []elastictransport.Option{
		elastictransport.WithUserAgent("kith"), elastictransport.WithURLs(addresses...),
		elastictransport.WithTransport(transport),
		// Retries are the driver's own: they stop with the context, and a
		// status and a lost connection want different patience.
		elastictransport.WithDisableRetry(),
	}
	if user := addresses[0].User; user != nil { // they hold for nodes without any of their own
		cfg.Username = user.Username()
		cfg.Password, _ = user.Password()
	}
	if cfg.APIKey != "" {
		options = append(options, elastictransport.WithAPIKey(cfg.APIKey))
	} else if cfg.Username != "" {
		options = append(options, elastictransport.WithBasicAuth(cfg.Username, cfg.Password))
	}
	return elastictransport.NewClient(options...)
}

// Close lets go of idle connections.
func (d *Driver) Close() { d.idle() }

// Engine returns "elasticsearch".
func (d *Driver) Engine() string { return "elasticsearch" }

func (cfg Config) check() error {
	if len(cfg.URLs) == 0 {
		return errors.New("no Elasticsearch address: give one such as http://localhost:9200")
	}
	for i, u := range cfg.URLs {
		p, err := url.Parse(u)
		if err != nil || p.Host == "" || p.Scheme != "http" && p.Scheme != "https" {
			// The address is not repeated: it may hold a password.
			return fmt.Errorf("address %d of --elasticsearch-url cannot be used: it would be like http://localhost:9200", i+1)
		}
	}
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,99}$`).MatchString(cfg.Prefix) {
		return fmt.Errorf("index prefix %q: it must be 1 to 100 of a-z, 0-9, _ and -, and begin with a letter or digit",
			cfg.Prefix)
	}
	return nil
}

// SplitURLs splits a comma-separated list of addresses, as ELASTICSEARCH_URL
// holds it.
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
		// Answers are small and mostly near: unpacking costs more than it saves.
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
