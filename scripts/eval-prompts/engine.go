package main

import (
	"context"
	"fmt"
	"os"

	"kith/index"
	"kith/index/elasticindex"
	"kith/index/memindex"
	"kith/index/pgindex"
	"kith/internal/postgres"
	"kith/query/indexed"
)

// engineAddress selects an engine; its zero value is an index in memory.
type engineAddress struct{ postgres, elasticsearch string }

// engine is a search engine that can be filled.
type engine interface {
	index.Searcher
	index.Writer
}

// open returns an empty engine, and what removes it.
func (a engineAddress) open(ctx context.Context) (engine, func(), error) {
	switch {
	case a.postgres != "":
		db, err := postgres.Open(ctx, a.postgres, postgres.Options{})
		if err != nil {
			return nil, nil, err
		}
		if err := db.Migrate(ctx); err != nil {
			return nil, nil, err
		}
		ix := pgindex.New(db.Pool())
		return ix, db.Close, ix.Setup(ctx)
	case a.elasticsearch != "":
		ix, err := elasticindex.New(elasticindex.Config{
			URLs: []string{a.elasticsearch}, Prefix: fmt.Sprintf("eval-prompts-%d", os.Getpid()),
		})
		if err != nil {
			return nil, nil, err
		}
		return ix, func() { _ = ix.Remove(context.WithoutCancel(ctx)); ix.Close() }, ix.Setup(ctx)
	}
	return memindex.New(), func() {}, nil
}

// fill writes documents into the active version.
func fill(ctx context.Context, to engine, docs []indexed.Flat) error {
	versions, err := to.Versions(ctx)
	if err != nil {
		return err
	}
	if err := to.Write(ctx, index.People, []string{versions[0].Name}, docs, nil); err != nil {
		return err
	}
	return to.Refresh(ctx)
}
