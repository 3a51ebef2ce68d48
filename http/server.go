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
	"kith/internal/auth"
	"kith/internal/idempotency"
	"kith/internal/outreach"
	"kith/internal/publicid"
	"kith/internal/search"
	"kith/query/cursor"
)

// Auth is what the server needs of [auth.Service].
type Auth interface {
	Sessions
	OwnTokens
	Key(ctx context.Context, secret string) (auth.Key, error)
	IssueBy(ctx context.Context, key auth.Key, id auth.Identity, scopes kith.Scopes) (auth.Issued, error)
	Verify(ctx context.Context, token string) (kith.Actor, error)
	Revoke(ctx context.Context, token string, all bool) error
}

// Searcher is what the server needs of [search.Service].
type Searcher interface {
	Search(ctx context.Context, req search.Request) (*search.Results, error)
}

// Directory is one set of people with the callers that may see it. A request
// belongs to the directory that knows its credential, and touches no other.
type Directory struct {
	// Name is for logs.
	Name string
	// Demo marks the directory of generated people.
	Demo bool
	// Operator has requests run without a user, as commands of the operator do, which see all records. It is for the API
	// within the process of a command only.
	Operator bool
	// PublishedToken is the token that the search page starts with; empty where
	// there is none.
	PublishedToken string
	Auth           Auth
	Search         Searcher
	Suggest        Suggester
	Lists          Lists
	Searches       SavedSearches
	Network        Network
	Reach          Reach
	Enrich         Enricher
	Refresh        Refresher
	Duplicates     Duplicates
	Imports        Imports
	Export         Exporter
	// Administration, Jobs and Maintenance are for the operator.
	Administration Administration
	Jobs           JobQueue
	Maintenance    Maintenance
	// Privacy is nil where nobody can be forgotten.
	Privacy  Privacy
	Outreach *outreach.Service
	// Integrations, Webhooks, Unsubscribe and Feedback are nil where nothing is sent.
	Integrations Integrations
	Webhooks     Webhooks
	Unsubscribe  Unsubscriber
	Feedback     Feedback
	Audit        Audit
	// IDs seals the identifiers of sequences, leads, e-mails and activities.
	IDs     *publicid.Codec
	Answers *idempotency.Keeper
	// Seal seals the cursors of lists.
	Seal *cursor.Sealer
}

// Dependency is something that the service cannot do without.
type Dependency struct {
	Name string
	// Check returns nil when the dependency answers. It is given two seconds.
	Check func(ctx context.Context) error
}

// Config configures a [Server]. Zero values take the defaults named.
type Config struct {
	// Directories are asked in order for the one that knows a credential.
	Directories  []Directory
	Dependencies []Dependency
	// Queues are shown in the metrics.
	Queues []Queue
	// Gauges are, too.
	Gauges []Gauge
	Logger zerolog.Logger
	// Rate and Burst bound the requests of one user, and those of one app with its
	// secret keys: 100 a second, 200 at once.
	Rate  float64
	Burst int
	// Shared are the buckets that all servers on a database take from; nil has this
	// server count alone.
	Shared SharedLimits
	// ImportQuota is how many relationships a user may import in 24 hours, in buckets of
	// Quotas; 0 or nil is no limit.
	ImportQuota int
	Quotas      Quotas
	// AllowedOrigins are the origins whose pages may call the API from a
	// browser, such as https://search.example.com, or "*" for all; the default
	// is none.
	AllowedOrigins []string
	// Registry takes the metrics; the default is a new one with the metrics of
	// the process.
	Registry *prometheus.Registry
	// Grace is how long requests and streams may go on after the server was
	// told to stop: 15 s.
	Grace time.Duration
	// StreamWriteTimeout is how long the client of a stream may take to accept
	// one event before it is cut: 10 s.
	StreamWriteTimeout time.Duration
	// AgentsWrite gives agents at /mcp the tools that change something.
	AgentsWrite bool
	// Version is that of the program.
	Version string
	// Now is the clock: time.Now.
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
	rooms     rooms
	watches   watches
	handler   http.Handler
	origin    *http.CrossOriginProtection
	pages     *pages
	shapes    shapes
	// pieces are buffers that pages are put together in: each is as large as all
	// else that is made for a search.
	pieces sync.Pool
	// stopping ends when requests under way are to be broken off.
	stopping context.Context
	abort    context.CancelCauseFunc
}

// Requests with a bad credential are bounded for each address: enough for a
// misconfigured client to be told so, too few to guess. They are counted after the
// look-up, since behind a proxy all clients may have one address: a guesser must
// not keep those out whose credential is good.
const (
	strangerRate  = 10
	strangerBurst = 50
)

// New returns a server, or an error for a configuration that cannot serve.
func New(cfg Config) (*Server, error) {
	if len(cfg.Directories) == 0 {
		return nil, errors.New("http: a server needs a directory")
	}
	cfg = withDefaults(cfg)
	s := &Server{cfg: cfg, log: cfg.Logger, shapes: newShapes(), rooms: newRooms()}
	s.origin = http.NewCrossOriginProtection()
	s.pieces.New = func() any { return bufio.NewWriterSize(nil, maxPiece) }
	s.stopping, s.abort = context.WithCancelCause(context.Background())
	var err error
	if s.pages, err = newPages(cfg.Directories); err != nil {
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
	s.handler = s.routes(agents)
	return s, nil
}

func withDefaults(cfg Config) Config {
	if cfg.Rate <= 0 {
		cfg.Rate = 100
	}
	if cfg.Burst <= 0 {
		cfg.Burst = 200
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

// ServeHTTP serves the API, the reference and the search page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Metrics serves the metrics for Prometheus. It asks for no credential: give
// it a listener of its own.
func (s *Server) Metrics() http.Handler {
	return promhttp.HandlerFor(s.cfg.Registry, promhttp.HandlerOpts{Registry: s.cfg.Registry})
}

// Timeouts of a connection. There is no write timeout for all: a stream lasts
// as long as it has something to tell; other answers set their own.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 60 * time.Second
	idleTimeout   = 120 * time.Second
	answerTimeout = 60 * time.Second
	maxHeader     = 64 << 10
	// abortTime is what a stream has to say goodbye once the grace is over.
	abortTime = 2 * time.Second
)

// Serve answers on a listener until ctx ends. Then it takes no new requests,
// lets those under way go on for the grace period, breaks off what is left (a
// stream ends with an error and done), and returns nil. It is called once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          stdlog.New(s.log, "", 0), // else it goes to standard error as it is, between lines of JSON
	}
	noting, stop := context.WithCancel(context.WithoutCancel(ctx))
	noted := make(chan struct{})
	go func() { s.noteFailures(noting); close(noted) }()
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
	s.abort(errStopping())
	ctx, cancel = context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	if srv.Shutdown(ctx) == nil {
		return nil
	}
	return srv.Close()
}

// work is the context of what a request asks of the domains: it ends with that of
// the request, or when the server has waited long enough for it.
func (s *Server) work(request context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(request)
	unhook := context.AfterFunc(s.stopping, func() { cancel(context.Cause(s.stopping)) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}

func errStopping() error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: "SHUTTING_DOWN", RetryAfter: time.Second,
		Detail: "the server is stopping; ask again",
	}
}
