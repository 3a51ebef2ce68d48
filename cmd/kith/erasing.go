package main

import (
	"context"

	"kith/index"
	"kith/index/elasticindex"
	"kith/index/pgindex"
	"kith/query/indexed"
)

// erasing is Elasticsearch that also deletes from the tables of the Postgres engine. Searches no longer read those
// tables, but they contain full copies of people from before the change of engine. Deleted and erased people must
// disappear from there too. The tables are not dropped, because a server that still runs on the old engine searches
// them.
type erasing struct {
	*elasticindex.Driver
	left *pgindex.Index
}

// Write implements [index.Writer].
func (e erasing) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	if err := e.Driver.Write(ctx, c, versions, docs, deletes); err != nil || len(deletes) == 0 {
		return err
	}
	left, err := e.left.Versions(ctx)
	if err != nil {
		return err
	}
	names := make([]string, len(left))
	for i, v := range left {
		names[i] = v.Name
	}
	return e.left.Write(ctx, c, names, nil, deletes)
}
