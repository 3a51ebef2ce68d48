package indexer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kith/index"
	"kith/internal/record"
	"kith/query/analysis"
)

// engine is the written index; it can identify its versions.
type engine struct{ index.Writer }

// active returns the active version; its name is empty if there is none.
func (e engine) active(ctx context.Context) (index.Version, error) {
	versions, err := e.Versions(ctx)
	if err != nil {
		return index.Version{}, err
	}
	for _, v := range versions {
		if v.Active {
			return v, nil
		}
	}
	return index.Version{}, nil
}

// collectionOf returns the collection with the documents of a kind.
func collectionOf(kind record.Kind) index.Collection {
	if kind == record.Companies {
		return index.Companies
	}
	return index.People
}

// formatMark separates a version from the format of its documents.
const formatMark = " format "

// inFormat appends the current document format. A different format means that the documents must be rebuilt.
func inFormat(name string) string { return name + formatMark + strconv.Itoa(analysis.Format) }

// identity distinguishes versions with the same name: of two engines, or of an engine that has lost one.
func (e engine) identity(v index.Version) string {
	name := e.name() + "/" + v.Name
	if v.ID != "" {
		name += " " + v.ID
	}
	return name
}

func (e engine) name() string {
	if named, ok := e.Writer.(interface{ Engine() string }); ok {
		return named.Engine()
	}
	return ""
}

// compare reports whether built, the noted identity, is version v, and whether its documents have the current format.
func (e engine) compare(v index.Version, built string) (version, format bool) {
	name, _, _ := strings.Cut(built, formatMark)
	return v.Name != "" && name == e.identity(v), built == inFormat(name)
}

// checkCounts returns nil if a version has a document for each record, as far as its engine can count. The numbers may
// differ by the records that have changed meanwhile. A version that has lost some, for example because a node restarted
// with an older disk, must not become active.
func (e engine) checkCounts(ctx context.Context, ledger Ledger, name string, queued int64, began time.Time) error {
	counter, ok := e.Writer.(index.Counter)
	if !ok {
		return nil
	}
	for _, kind := range []record.Kind{record.Companies, record.People} {
		documents, err := counter.Documents(ctx, collectionOf(kind), name)
		if err != nil {
			return err
		}
		records, changing, err := ledger.Expected(ctx, kind, queued, began)
		if err != nil {
			return err
		}
		if documents < records-changing || documents > records+changing {
			return fmt.Errorf("the new index has %d %s and there are %d: it is not used; the index stays as it was, "+
				"run kith "+"reindex again",
				documents, kind, records)
		}
	}
	return nil
}

// claimName is the name with which this engine claims the queue.
func (e engine) claimName() string { return inFormat(e.name()) }
