package http

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/access/idempotency"
	"kith/internal/access/publicid"
	"kith/internal/imports"
	"kith/internal/operation/tasks"
	"kith/internal/outreach"
	"kith/internal/record/enrich"
	"kith/internal/record/identity"
	"kith/internal/record/indexer"
	"kith/internal/record/privacy"
	"kith/internal/record/refresh"
	"kith/internal/search"
	"kith/internal/search/saved"
	"kith/internal/search/suggest"
	"kith/query/cursor"
)

// Auth is the part of [auth.Service] that the server needs.
type Auth interface {
	Sessions
	OwnTokens
	Key(ctx context.Context, secret string) (auth.Key, error)
	IssueBy(ctx context.Context, key auth.Key, id auth.Identity, scopes kith.Scopes) (auth.Issued, error)
	Verify(ctx context.Context, token string) (kith.Actor, error)
	Revoke(ctx context.Context, token string, all bool) error
}

// Dataset is a dataset: one set of people with the callers that may see it. A request belongs to
// the dataset that knows its credential, and touches no other.
type Dataset struct {
	Services

	// Name identifies the dataset in logs, cursors, rate limits and quotas. It is unique and never changes.
	Name string
	// Demo marks the dataset of generated people.
	Demo bool
	// Operator runs requests without a user, like the operator's commands, which see all records.
	// It is only for the API within the process of a command.
	Operator bool
	// WaitsForModel says that planning a search may wait for a language model.
	WaitsForModel bool
	// PublishedToken is the token of browsers that look at the demo; empty for none.
	PublishedToken string
	Search         *search.Service
	Suggest        *suggest.Service
	Reach          Reach
	Enrich         *enrich.Service
	Refresh        *refresh.Service
	Export         Exporter
	// Tasks and Maintenance are for the operator.
	Tasks       *tasks.Queue
	Maintenance *indexer.Maintenance
	// Privacy is nil if the dataset does not support erasure.
	Privacy *privacy.Service
	// Unsubscribe and Feedback are nil if the dataset sends nothing.
	Unsubscribe Unsubscriber
	Feedback    *outreach.Listener
	// IDs seals public identifiers, such as those of sequences, leads, lists, tokens and sessions.
	IDs *publicid.Codec
	// Answers keeps the first answers of requests. It gives requests with a key services in their transaction.
	Answers *idempotency.Keeper[*Services]
	// Seal seals the cursors of lists, and the links in e-mails and for feedback.
	Seal *cursor.Sealer
}

// Services are what changes a dataset. A request with an idempotency key gets services whose stores work in its
// transaction, any other those of the dataset.
type Services struct {
	Auth Auth
	// Administration is for the operator.
	Administration *auth.Service
	Network        Network
	Lists          *saved.Lists
	Searches       *saved.Searches
	Duplicates     *identity.Service
	Imports        *imports.Service
	Outreach       *outreach.Service
	// Audit records reads of personal data.
	Audit Audit
	// Integrations and Webhooks are nil if the dataset sends nothing.
	Integrations *outreach.Integrations
	Webhooks     *outreach.Webhooks
}

// Dependency is something that the service requires.
type Dependency struct {
	Name string
	// Check returns nil if the dependency answers. It has two seconds.
	Check func(ctx context.Context) error
	// Slow describes parts of it that do not answer although Check returned nil; empty is none. It may be nil.
	Slow func() string
}

// Config configures a [Server]. Zero values mean the given defaults.
type Config struct {
	// Datasets are the datasets, in the order in which they are asked for a credential.
	Datasets     []Dataset
	Dependencies []Dependency
	// Queues are the index queues for the metrics.
	Queues []Queue
	// Gauges are further values for the metrics.
	Gauges []Gauge
	Logger zerolog.Logger
	// Rate and Burst limit the requests of one user, and of one app with its secret keys: by
	// default 100 a second and 200 at once.
	Rate  float64
	Burst int
	// Capacity is how much work goes on at once for all users, in quarters of what keeps one processor busy: 32 by
	// default. Other requests wait up to half a second, and are then refused.
	Capacity int
	// Shared are the buckets that all servers on a database share; with nil this server counts alone.
	Shared SharedLimits
	// ImportQuota is the number of relationships that a user may import in 24 hours, counted in
	// Quotas. 0, or nil Quotas, is no limit.
	ImportQuota int
	Quotas      Quotas
	// AllowedOrigins are the origins whose pages may call the API from a browser, such as
	// https://search.example.com, or "*" for all. The default is none.
	AllowedOrigins []string
	// Registry receives the metrics. The default is a new registry with the process metrics.
	Registry *prometheus.Registry
	// Grace is the time that requests and streams may continue after the server is told to stop: 15 s by default.
	Grace time.Duration
	// StreamWriteTimeout is the time that the client of a stream has to accept one event before it
	// is cut: 10 s by default.
	StreamWriteTimeout time.Duration
	// AgentsWrite enables the tools at /mcp that change something.
	AgentsWrite bool
	// Version is the version of the program.
	Version string
	// Now is the clock: time.Now by default.
	Now func() time.Time
}

// Server serves the API. It is safe for concurrent use.
type Server struct {
	cfg       Config
	log       zerolog.Logger
	metrics   *metrics
	byUser    *limiter
	byApp     *limiter
	byAddress *limiter
	failures  failedSignIns
	pools     pools
	watches   watches
	handler   http.Handler
	origin    *http.CrossOriginProtection
	pages     *pages
	// pieces are buffers for writing pages. Each is as large as everything else allocated for a search.
	pieces sync.Pool

	progress
}

// Limits for requests with a bad credential, for each address: enough to inform a misconfigured
// client, too few to guess. They are counted after the look-up. Behind a proxy all clients may
// share one address, and a guesser must not lock out clients with good credentials.
const (
	strangerRate  = 10
	strangerBurst = 50
)

// New returns a server, or an error for an unusable configuration.
func New(cfg Config) (*Server, error) {
	if len(cfg.Datasets) == 0 {
		return nil, errors.New("http: a server needs a dataset")
	}
	cfg = withDefaults(cfg)
	s := &Server{cfg: cfg, log: cfg.Logger, pools: newPools(cfg.Capacity)}
	s.failures.audit, s.failures.log = auditOf(cfg.Datasets), cfg.Logger
	s.origin = http.NewCrossOriginProtection()
	s.pieces.New = func() any { return bufio.NewWriterSize(nil, maxPiece) }
	var err error
	if _, err = readDescribed(); err == nil {
		s.pages, err = newPages(cfg.Datasets)
	}
	if err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	s.metrics = newMetrics(cfg.Registry)
	for _, g := range cfg.Gauges {
		if err := cfg.Registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.Name, Help: g.Help},
			g.Value)); err != nil {
			return nil, fmt.Errorf("http: %w", err)
		}
	}
	if err := cfg.Registry.Register(newQueues(cfg.Queues)); err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	s.byUser = newLimiter(cfg.Rate, cfg.Burst, cfg.Now, cfg.Shared)
	s.byApp = newLimiter(cfg.Rate, cfg.Burst, cfg.Now, cfg.Shared)
	s.byUser.alone, s.byApp.alone = s.metrics.unshared.Inc, s.metrics.unshared.Inc
	s.byAddress = newLimiter(strangerRate, strangerBurst, cfg.Now, nil)
	agents, err := s.agentsHandler()
	if err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	s.handler = routes{s}.router(agents)
	return s, nil
}

func withDefaults(cfg Config) Config {
	if cfg.Rate <= 0 {
		cfg.Rate = 100
	}
	if cfg.Burst <= 0 {
		cfg.Burst = 200
	}
	if cfg.Capacity <= 0 {
		cfg.Capacity = capacity
	}
	if cfg.Grace <= 0 {
		cfg.Grace = 15 * time.Second
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Registry == nil {
		cfg.Registry = newRegistry()
	}
	return cfg
}

// ServeHTTP serves the API, its reference, the pages and the tools for agents.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Metrics serves the metrics for Prometheus. It requires no credential: give it its own listener.
func (s *Server) Metrics() http.Handler {
	return promhttp.HandlerFor(s.cfg.Registry, promhttp.HandlerOpts{Registry: s.cfg.Registry})
}

// Timeouts of a connection. There is no global write timeout, because streams last as long as they
// have events; other answers set their own deadline.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 60 * time.Second
	idleTimeout   = 120 * time.Second
	answerTimeout = 60 * time.Second
	maxHeader     = 64 << 10
	// abortTime is the time for a stream to end after the grace period.
	abortTime = 2 * time.Second
)

// Serve answers on a listener until ctx ends. Then it accepts no new requests, lets those in progress continue
// for the grace period, aborts the rest (streams end with an error and done), and returns nil. Call it once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		// otherwise plain text goes to standard error, between lines of JSON
		ErrorLog: stdlog.New(s.log, "", 0),
	}
	noting, stop := context.WithCancel(context.WithoutCancel(ctx))
	noted := make(chan struct{})
	go func() { s.failures.follow(noting); close(noted) }()
	defer func() { stop(); <-noted }()
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("http: %w", err)
	case <-ctx.Done():
		return s.drain(srv)
	}
}

func (s *Server) drain(srv *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Grace)
	defer cancel()
	if srv.Shutdown(ctx) == nil {
		return nil
	}
	s.abort()
	ctx, cancel = context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	if srv.Shutdown(ctx) == nil {
		return nil
	}
	return srv.Close()
}
