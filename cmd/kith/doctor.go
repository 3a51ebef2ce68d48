package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/operation/tasks"
	recordsql "kith/internal/postgres/record"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/query"
)

type doctorCmd struct{}

// Run performs the checks in order. It skips checks that an earlier problem makes impossible.
func (doctorCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	r := &report{stopped: ctx.Err, out: g.results}
	s, err := newSystem(g, log)
	if err != nil {
		return err
	}
	if err = s.start(ctx); err == nil {
		defer s.close()
		err = s.ping(ctx)
	}
	if !r.check("postgres", err, "check --database-url, or the data directory") {
		return r.verdict()
	}
	d, err := s.dataset(ctx, g.Demo)
	if !r.check("tables and index of the dataset", err,
		"check the servers named; kith creates what is missing by itself") {
		return r.verdict()
	}
	version, err := d.db.ServerVersion(ctx)
	r.check(serverCheck("postgres", version), err, "start Postgres")
	waiting, err := d.db.Waiting(ctx)
	r.check(waitingText(waiting), err, "start Postgres")
	if err == nil && waiting.Refused > 0 {
		err = fmt.Errorf("%d records were refused by the engine; the table outbox_failed says why", waiting.Refused)
	}
	r.check("no record refused by the engine", err, "correct the records and load them again")
	r.tasks(ctx, d, log)
	r.processes(ctx, d)
	if r.engine(ctx, d) {
		r.index(ctx, d, waiting)
	}
	r.gaps(ctx, d)
	return r.verdict()
}

// tasks checks that some process works on waiting refreshes.
func (r *report) tasks(ctx context.Context, d *dataset, log zerolog.Logger) {
	var waiting tasks.Backlog
	queue, err := d.asks(log)
	if err == nil {
		waiting, err = d.unserved(ctx, queue)
	}
	r.check(fmt.Sprintf("waiting refreshes: %d", waiting.Tasks), err, d.serveRefreshes())
}

// engine checks the search engine and reports whether it answers.
func (r *report) engine(ctx context.Context, d *dataset) (answers bool) {
	big, ok := d.engine.(*elasticindex.Driver)
	if ok {
		version, err := big.Version(ctx)
		if err == nil && !elasticindex.Tested(version) {
			version += ", which is newer than the tested versions"
		}
		if !r.check(serverCheck("elasticsearch", version), err, "start Elasticsearch 8") {
			return false
		}
	}
	r.check("search engine "+d.engine.Engine(), d.engine.Check(ctx),
		"start the engine; if an index is missing, run kith reindex")
	if ok {
		r.check("elasticsearch takes changes", big.CheckWritable(ctx),
			"free disk space on Elasticsearch, which then removes read_only_allow_delete; set other blocks to null")
		r.check("mappings match this version", big.CheckMapping(ctx), "run kith reindex")
	}
	return true
}

// index checks that the index and the vocabulary match the records.
func (r *report) index(ctx context.Context, d *dataset, waiting recordsql.Waiting) {
	state, err := d.drainer.State(ctx)
	complete := r.check("the index was built from all records", d.checkComplete(ctx, state, err), "run kith reindex")
	follows := r.check("the index was written from these records", checkSource(state, err),
		"start kith serve, which rebuilds the index, and wait for it; or run kith reindex")
	for _, kind := range []record.Kind{record.People, record.Companies} {
		counts, err := d.counts(ctx, kind, waiting, complete && follows)
		r.check(counts, err, "run kith doctor again in a moment; if it says the same, run kith reindex")
	}
	words, err := vocabulary(ctx, d)
	r.check(fmt.Sprintf("words of the vocabulary: %d", words), err, "run kith reindex, which counts them again")
}

// serverCheck names the check that a server answers; version is empty if it does not.
func serverCheck(server, version string) string {
	if version == "" {
		return server + " answers"
	}
	return server + " answers: version " + version
}

func waitingText(w recordsql.Waiting) string {
	text := fmt.Sprintf("changes waiting for the index: %d", w.Entries)
	if w.Entries > 0 {
		text += fmt.Sprintf(", the oldest for %v; kith serve, or any load, applies them", w.Age.Round(time.Second))
	}
	return text
}

// counts compares the number of records with the number in the index. They may differ by
// waiting and refused changes, and arbitrarily if the index does not match the records.
func (d *dataset) counts(ctx context.Context, kind record.Kind, waiting recordsql.Waiting,
	ofRecords bool,
) (string, error) {
	collection := index.People
	if kind == record.Companies {
		collection = index.Companies
	}
	stored, err := d.db.Stored(ctx, kind)
	if err != nil {
		return fmt.Sprintf("%s in the index", kind), err
	}
	found, err := d.engine.Count(ctx, collection, query.All{}, 0)
	text := fmt.Sprintf("%s stored: %d, in the index: %d", kind, stored, found)
	if err == nil && ofRecords && waiting.Entries == 0 && (found > stored || found < stored-int(waiting.Refused)) {
		err = errors.New("they differ, but no change waits")
	}
	return text, err
}

// vocabulary returns the number of known words. It is an error if there are people but no words.
func vocabulary(ctx context.Context, d *dataset) (int64, error) {
	words, err := d.db.VocabularySize(ctx)
	if err != nil || words > 0 {
		return words, err
	}
	filled, err := d.index.Filled(ctx)
	if err == nil && filled {
		err = errors.New("there are people, but the vocabulary is empty")
	}
	return words, err
}

// checkComplete returns an error if the index lacks records that it never had; err is the error of reading its state.
func (d *dataset) checkComplete(ctx context.Context, state indexer.State, err error) error {
	if err != nil || state.Complete {
		return err
	}
	for _, kind := range []record.Kind{record.People, record.Companies} {
		stored, err := d.db.Count(ctx, kind)
		if err != nil {
			return err
		}
		if stored > 0 {
			return fmt.Errorf("%s are stored, but searches do not find all of them", kind)
		}
	}
	return nil
}

// checkSource returns an error if the index was written from other records than these.
func checkSource(state indexer.State, err error) error {
	if err == nil && !state.Current {
		err = errors.New("the index does not match the records: " +
			"Postgres or the search engine was restored to an earlier state")
	}
	return err
}

// report prints and counts the results of checks.
type report struct {
	// stopped returns an error once the user has stopped the command.
	stopped  func() error
	out      io.Writer
	problems int
}

// check prints one line and reports whether the check passed.
func (r *report) check(what string, err error, remedy string) bool {
	if r.stopped() != nil { // the check may have failed because of this
		return false
	}
	if err == nil {
		fmt.Fprintln(r.out, "ok       ", what)
		return true
	}
	r.problems++
	fmt.Fprintf(r.out, "problem   %s: %v\n          what to do: %s\n", what, err, remedy)
	return false
}

func (r *report) verdict() error {
	if err := r.stopped(); err != nil {
		return err
	}
	if r.problems == 0 {
		return nil
	}
	return errors.New("there are problems")
}
