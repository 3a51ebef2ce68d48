package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rs/zerolog"

	"kith/index/elasticindex"
	"kith/index/load"
)

type doctorCmd struct{}

// Help is shown below the flags.
func (doctorCmd) Help() string {
	return `Each check prints ok or a problem and what to do about it. The exit code is 1 where there is a problem.`
}

// Run checks one thing after the other; what cannot be checked because of an
// earlier problem is left out.
func (doctorCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	r := &report{}
	s, err := openSystem(ctx, g, log)
	if err == nil {
		defer s.close()
		err = s.ping(ctx)
	}
	if !r.check("postgres", err, "check --database-url, or where kith says so the data directory") {
		return r.verdict()
	}
	d, err := s.directory(ctx, g.Demo)
	if !r.check("tables and index of the directory", err, "check the servers named; kith creates what is missing by itself") {
		return r.verdict()
	}
	version, err := d.db.ServerVersion(ctx)
	r.check("postgres answers: version "+version, err, "start Postgres")
	r.check("search engine "+d.engine.Engine(), d.engine.Check(ctx), "start the engine; if an index is missing, run kith reindex")
	if big, ok := d.engine.(*elasticindex.Driver); ok {
		version, err := big.Version(ctx)
		r.check("elasticsearch answers: version "+version, err, "start Elasticsearch 8")
		r.check("mappings are those of this version", big.CheckMapping(ctx), "run kith reindex")
	}
	r.check("the index was built from all records", d.lacking(ctx), "run kith reindex")
	backlog, err := d.drainer.Backlog(ctx)
	waiting := fmt.Sprintf("changes that wait for the index: %d", backlog)
	if backlog > 0 {
		waiting += "; kith serve, or any load, brings it level"
	}
	r.check(waiting, err, "start Postgres")
	refused, err := d.db.Refused(ctx)
	if err == nil && refused > 0 {
		err = fmt.Errorf("%d records were refused by the engine; the table outbox_failed says why", refused)
	}
	r.check("no record is refused by the engine", err, "correct the records and load them again")
	words, err := vocabulary(ctx, d)
	r.check(fmt.Sprintf("words of the directory that prompts are read with: %d", words), err, "run kith reindex, which counts them anew")
	return r.verdict()
}

// vocabulary is how many words a directory knows. Where there are people, there
// are words.
func vocabulary(ctx context.Context, d *directory) (int64, error) {
	words, err := d.db.VocabularySize(ctx)
	if err != nil || words > 0 {
		return words, err
	}
	filled, err := d.index.Filled(ctx)
	if err == nil && filled {
		err = errors.New("there are people, but no words of theirs")
	}
	return words, err
}

// lacking says where the index lacks records that it never had.
func (d *directory) lacking(ctx context.Context) error {
	level, err := d.drainer.Level(ctx)
	if err != nil || level {
		return err
	}
	for _, kind := range []load.Kind{load.People, load.Companies} {
		stored, err := d.db.Count(ctx, kind)
		if err != nil {
			return err
		}
		if stored > 0 {
			return fmt.Errorf("%d %s are stored, and searches do not find all of them", stored, kind)
		}
	}
	return nil
}

// report counts what was found.
type report struct{ problems int }

// check prints one line and reports whether all is well.
func (r *report) check(what string, err error, remedy string) bool {
	if err == nil {
		fmt.Println("ok       ", what)
		return true
	}
	r.problems++
	fmt.Printf("problem   %s: %v\n          what to do: %s\n", what, err, remedy)
	return false
}

func (r *report) verdict() error {
	if r.problems == 0 {
		return nil
	}
	return errors.New("there are problems")
}
