package e2e

import (
	"errors"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/elasticindex"
	"kith/index/pgindex"
	"kith/internal/postgres"
	"kith/internal/postgres/embedded"
	"kith/internal/record"
	"kith/internal/test/expect"
)

// Inside is a look at the records and the index beside kith itself.
type Inside struct {
	DB *postgres.DB
	// Close ends the look.
	Close func()

	engine index.Writer
}

// Look opens an installation from within the test. One that runs alone keeps its Postgres until Close.
func (k Kith) Look(t *testing.T) Inside {
	t.Helper()
	url, closeServer := k.Variable(databaseVariable), func() error { return nil }
	if url == "" {
		log := zerolog.Nop()
		shared, err := embedded.Open(t.Context(), k.Data(), embedded.Options{Log: &log})
		expect.NoError(t, err)
		url, closeServer = shared.URL(), shared.Close
	}
	db, err := postgres.Open(t.Context(), url, postgres.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(errors.Join(err, closeServer()))
	}
	in := Inside{DB: db}
	in.Close = sync.OnceFunc(func() {
		db.Close()
		if err := closeServer(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(in.Close)
	in.engine = pgindex.New(db.Pool())
	if url := k.Variable("KITH_ELASTICSEARCH_URL"); url != "" {
		if in.engine, err = elasticindex.New(elasticindex.Config{
			URLs:   []string{url},
			Prefix: k.Variable("KITH_ELASTICSEARCH_PREFIX"),
		}); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

// People is how many people are stored.
func (in Inside) People(t *testing.T) int {
	t.Helper()
	n, err := in.DB.Count(t.Context(), record.People)
	expect.NoError(t, err)
	return int(n)
}

// Versions is how many versions the index has.
func (in Inside) Versions(t *testing.T) int {
	t.Helper()
	versions, err := in.engine.Versions(t.Context())
	expect.NoError(t, err)
	return len(versions)
}
