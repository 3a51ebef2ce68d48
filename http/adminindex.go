package http

import (
	"net/http"
	"time"

	"kith/internal/record"
	"kith/internal/record/indexer"
)

// indexAnswer is the operator's view of the search index.
type indexAnswer struct {
	Engine string `json:"engine"`
	// IsComplete is true once the index has all records, IsCurrent while it was written from these records.
	IsComplete bool            `json:"is_complete"`
	IsCurrent  bool            `json:"is_current"`
	Waiting    int64           `json:"waiting"`
	People     recordCounts    `json:"people"`
	Companies  recordCounts    `json:"companies"`
	Versions   []versionAnswer `json:"versions"`
	Rebuild    *rebuildAnswer  `json:"rebuild"`
}

type recordCounts struct {
	Stored  int64 `json:"stored"`
	Indexed int64 `json:"indexed"`
}

type versionAnswer struct {
	Name   string `json:"name"`
	Active bool   `json:"active"`
}

// rebuildAnswer is the last rebuild requested from this server.
type rebuildAnswer struct {
	Status  string     `json:"status"`
	BeganAt time.Time  `json:"began_at"`
	EndedAt *time.Time `json:"ended_at"`
	Done    int64      `json:"done"`
	Total   int64      `json:"total"`
}

func newIndexAnswer(o indexer.Overview) indexAnswer {
	counts := func(kind record.Kind) recordCounts { return recordCounts{o.Stored[kind], o.Indexed[kind]} }
	out := indexAnswer{
		Engine: o.Engine, IsComplete: o.Complete, IsCurrent: o.Current, Waiting: o.Waiting,
		People: counts(record.People), Companies: counts(record.Companies), Versions: make([]versionAnswer,
			len(o.Versions)),
	}
	for i, v := range o.Versions {
		out.Versions[i] = versionAnswer{v.Name, v.Active}
	}
	if b := o.Rebuild; !b.Began.IsZero() {
		status := "succeeded"
		switch {
		case b.Ended.IsZero():
			status = "running"
		case b.Err != nil:
			status = "failed"
		}
		out.Rebuild = &rebuildAnswer{status, b.Began, timeOrNull(b.Ended), b.Progress.Done, b.Progress.Total}
	}
	return out
}

// showIndex answers GET /v2/admin/index.
func showIndex(r *http.Request) (any, error) {
	d, _ := ownerOf(r)
	o, err := d.Maintenance.Look(r.Context())
	return newIndexAnswer(o), err
}

// rebuildIndex answers POST /v2/admin/index/rebuild. It does not wait for the rebuild to end.
func rebuildIndex(r *http.Request) (any, error) {
	d, _ := ownerOf(r)
	if err := d.Maintenance.Rebuild(r.Context()); err != nil {
		return nil, err
	}
	return showIndex(r)
}

// pruneIndex answers POST /v2/admin/index/prune.
func pruneIndex(r *http.Request) (any, error) {
	d, _ := ownerOf(r)
	n, err := d.Maintenance.Prune(r.Context())
	return map[string]int{"dropped": n}, err
}
