package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/index"
	"kith/index/elasticindex"
	"kith/index/pgfault"
	"kith/index/pgindex"
	"kith/index/semantic"
	"kith/internal/access/auth"
	"kith/internal/access/idempotency"
	"kith/internal/access/keys"
	"kith/internal/access/publicid"
	"kith/internal/imports"
	"kith/internal/network"
	"kith/internal/operation/tasks"
	"kith/internal/postgres"
	"kith/internal/postgres/embedded"
	"kith/internal/record/indexer"
	"kith/internal/record/privacy"
	"kith/internal/search"
	"kith/query/cursor"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/llm"
	"kith/query/prompt/reader"
)

// system is the environment of a command: a Postgres and, if configured, an Elasticsearch cluster.
type system struct {
	flags    *globals
	log      zerolog.Logger
	dsn      string
	embedded *embedded.Server // nil with a Postgres server of the operator
	opened   []*dataset
	master   *keys.Master            // nil if the keys in the database are not sealed
	model    *llm.Model              // nil if none is configured
	words    func() *lexicon.Lexicon // read once, on first use
	table    func() (*semantic.Table, error)
}

// newSystem rejects invalid flags. It starts nothing and opens no connection.
func newSystem(g *globals, log zerolog.Logger) (*system, error) {
	s := &system{
		flags: g, log: log, dsn: g.DatabaseURL, words: sync.OnceValue(lexicon.New),
		table: sync.OnceValues(semantic.New),
	}
	return s, usageError(cmp.Or(s.askModel(), s.checkServers()))
}

// checkServers validates the addresses of the servers.
func (s *system) checkServers() error {
	if s.dsn != "" {
		if err := postgres.CheckAddress(s.dsn); err != nil {
			return err
		}
	}
	if s.flags.ElasticsearchURL == "" {
		return nil
	}
	engine, err := s.elasticsearch(s.flags.ElasticsearchPrefix)
	if err == nil {
		engine.Close()
	}
	return err
}

// start fetches the master key and, if no Postgres server is configured, joins or starts the embedded one.
func (s *system) start(ctx context.Context) error {
	var err error
	if s.master, err = s.flags.masterKey().Master(ctx); err != nil {
		return usageError(err)
	}
	if s.dsn != "" {
		return nil
	}
	if s.flags.mustExist && !embedded.Exists(string(s.flags.Data)) {
		return s.flags.noDirectory()
	}
	server, err := embedded.Open(ctx, string(s.flags.Data), embedded.Options{Log: &s.log})
	if err != nil {
		return err
	}
	s.embedded, s.dsn = server, server.URL()
	return nil
}

// noDirectory explains how to create a data directory.
func (g *globals) noDirectory() error {
	makes := "kith import, kith load and kith serve make one"
	if g.Demo {
		makes = "kith serve --demo makes one"
	}
	return fmt.Errorf("there is no data directory at %s: %s, or name another one with --data", g.Data, makes)
}

// ping returns nil if Postgres answers.
func (s *system) ping(ctx context.Context) error {
	db, err := postgres.Open(ctx, s.dsn, postgres.Options{})
	if err == nil {
		db.Close()
	}
	return err
}

// close closes everything that was opened.
func (s *system) close() {
	for _, d := range s.opened {
		d.close()
	}
	if s.embedded == nil {
		return
	}
	if err := s.embedded.Close(); err != nil {
		s.log.Warn().Err(err).Msg("postgres did not stop in order")
	}
}

// driver is a search engine that can be set up.
type driver interface {
	index.Searcher
	index.Writer
	Setup(ctx context.Context) error
}

// dataset is a dataset of people and companies: live or demo.
type dataset struct {
	name    string
	demo    bool
	db      *postgres.DB
	engine  driver
	index   *index.Index
	drainer *indexer.Drainer
	// maintenance rebuilds the index for the operator.
	maintenance *indexer.Maintenance
	work        *tasks.Queue    // nil if no tasks are worked on
	imports     *imports.Worker // only in a server
	keys        *keys.Keeper
	sealer      *cursor.Sealer
	ids         *publicid.Codec
	circles     *network.Circles
	words       func() *lexicon.Lexicon
	reader      func() *reader.Planner // created when the first prompt is planned
	// table returns the word vectors, read once, on first use.
	table func() (*semantic.Table, error)
	model *llm.Model
	close func()
}

// The schemas of the datasets.
const (
	liveSchema = "kith"
	demoSchema = "kith_demo"
)

// dataset opens the live or the demo dataset, and creates its tables and index if needed.
func (s *system) dataset(ctx context.Context, demo bool) (*dataset, error) {
	name, schema := "live", liveSchema
	if demo {
		name, schema = "demo", demoSchema
	}
	db, err := postgres.Open(ctx, s.dsn, postgres.Options{Schema: schema})
	if err != nil {
		return nil, err
	}
	d := &dataset{name: name, demo: demo, db: db, words: s.words, table: s.table, model: s.model, close: db.Close}
	d.reader = sync.OnceValue(func() *reader.Planner { return reader.New(d.words(), db) })
	if err := s.setUp(ctx, d); err != nil {
		d.close()
		return nil, fmt.Errorf("open the %s dataset: %w", d.name, err)
	}
	s.opened = append(s.opened, d)
	return d, nil
}

func (s *system) setUp(ctx context.Context, d *dataset) error {
	if err := d.db.Migrate(ctx); err != nil {
		return err
	}
	master := s.master
	if d.demo { // generated data has no secrets
		master = nil
	}
	var err error
	if d.keys, err = keys.Open(ctx, d.db.Keys(), master); err != nil {
		return err
	}
	d.sealer = d.keys.Sealer
	if err := d.db.UseKeys(d.keys.Ring()); err != nil {
		return err
	}
	if d.ids, err = publicid.New(d.keys.Ring().IDs); err != nil {
		return err
	}
	d.circles = network.NewCircles(d.db.Network(), nil)
	if d.engine, err = s.driver(ctx, d); err != nil {
		return err
	}
	var writer index.Writer = d.engine
	if big, ok := d.engine.(*elasticindex.Driver); ok {
		writer = erasing{big, pgindex.New(d.db.Pool())}
	}
	d.index = index.New(d.engine)
	d.drainer = indexer.NewDrainer(d.db, writer, s.log.With().Str("directory", d.name).Logger())
	d.maintenance = indexer.NewMaintenance(d.drainer)
	return nil
}

// driver sets up the engine. It creates the tables of the Postgres engine in either case,
// because generated_sql refers to the views of them.
func (s *system) driver(ctx context.Context, d *dataset) (driver, error) {
	small := pgindex.New(d.db.Pool())
	if err := small.Setup(ctx); err != nil {
		return nil, err
	}
	if s.flags.ElasticsearchURL == "" {
		return small, nil
	}
	prefix := s.flags.ElasticsearchPrefix
	if d.demo {
		prefix += "-demo"
	}
	big, err := s.elasticsearch(prefix)
	if err != nil {
		return nil, err
	}
	closeDB := d.close
	d.close = func() { big.Close(); closeDB() }
	err = big.Setup(ctx)
	if kith.KindOf(err) == kith.Unavailable {
		// Records can be stored anyway. A server's drainer sets up the index when the cluster is available again.
		s.log.Warn().Err(err).Str("directory",
			d.name).Msg("elasticsearch is unavailable; the index will be updated when it returns")
		err = nil
	}
	return big, err
}

func (s *system) elasticsearch(prefix string) (*elasticindex.Driver, error) {
	cfg := elasticindex.Config{
		URLs: elasticindex.SplitURLs(s.flags.ElasticsearchURL), APIKey: s.flags.ElasticsearchAPIKey,
		Username: s.flags.ElasticsearchUsername, Password: s.flags.ElasticsearchPassword, Prefix: prefix,
	}
	var err error
	if cfg.Shards, cfg.Replicas, err = s.flags.shardsAndReplicas(); err != nil {
		return nil, err
	}
	if s.flags.ElasticsearchCA != "" {
		if cfg.CA, err = os.ReadFile(s.flags.ElasticsearchCA); err != nil {
			return nil, fmt.Errorf("certificate authority of Elasticsearch: %w", err)
		}
	}
	return elasticindex.New(cfg)
}

// lockServer excludes other servers from the embedded Postgres until unlock is called. An
// external Postgres allows many.
func (g *globals) lockServer(describe string) (unlock func(), err error) {
	if g.DatabaseURL != "" {
		return func() {}, nil
	}
	return embedded.LockServer(string(g.Data), describe)
}

func (d *dataset) keeper() *indexer.Keeper { return indexer.NewKeeper(d.db) }

func (d *dataset) auth(cfg auth.Config) *auth.Service { return auth.New(d.db.Auth(), cfg) }

// answers keeps the first answers of requests. services returns the services for requests over a transaction.
func (d *dataset) answers(services func(tx *postgres.DB) *kithhttp.Services) *idempotency.Keeper[*kithhttp.Services] {
	return idempotency.New(postgres.NewAnswers(d.db, services), d.sealer, nil)
}

func (d *dataset) privacy() *privacy.Service { return privacy.New(d.db.Privacy(d.sealer)) }

// search returns the search service of the dataset.
func (d *dataset) search(countCap int) (*search.Service, error) {
	table, err := d.table()
	if err != nil {
		return nil, err
	}
	return search.New(search.Config{
		Index: d.index, Planner: d.planner(), Records: d.db, Settings: d.db, Journal: d.db, Sight: d.db,
		Identifiers: d.db,
		Network:     d.circles, Neighbours: semantic.NewCache(table, d.db, nil),
		Seal: d.sealer, CountCap: countCap,
	}), nil
}

// inDataset opens the dataset that the flags select, runs f on it, and closes everything.
func inDataset(ctx context.Context, g *globals, log zerolog.Logger, f func(*dataset) error) error {
	s, err := newSystem(g, log)
	if err == nil {
		err = s.start(ctx)
	}
	if err != nil {
		return err
	}
	defer s.close()
	d, err := s.dataset(ctx, g.Demo)
	if err != nil {
		return err
	}
	return s.explainOutage(f(d))
}

// explainOutage adds the reason why the embedded Postgres is unavailable to an error that does not have it.
func (s *system) explainOutage(err error) error {
	if s.embedded == nil || kith.KindOf(err) != kith.Unavailable || pgfault.Code(err) != "" {
		return err
	}
	if why := s.embedded.Breakdown(); why != "" {
		return fmt.Errorf("%w; the embedded postgres said: %s", err, why)
	}
	return err
}
