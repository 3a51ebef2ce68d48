package load

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kith/index"
	"kith/index/analysis"
)

// engine is the index that is written, and tells its versions apart.
type engine struct{ index.Writer }

// active is the active version; without a name where there is none.
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

// named is the version of a name, alone in a list.
func (e engine) named(ctx context.Context, name string) ([]index.Version, error) {
	versions, err := e.Versions(ctx)
	return slices.DeleteFunc(versions, func(v index.Version) bool { return v.Name != name }), err
}

// formatMark stands between a version and the way in which its documents were
// made.
const formatMark = " format "

// inFormat adds the way in which documents are made now: who made them in
// another is to make them anew.
func inFormat(name string) string { return name + formatMark + strconv.Itoa(analysis.Format) }

// identity tells apart versions that have the same name: those of two engines,
// and those of an engine that has lost one.
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

// compare reports whether what was noted as built is a version, and whether its
// documents were made as they are now. An earlier Kith noted no ID.
func (e engine) compare(v index.Version, built string) (version, format bool) {
	name, _, _ := strings.Cut(built, formatMark)
	version = v.Name != "" && (name == e.identity(v) || name == e.identity(index.Version{Name: v.Name}))
	return version, built == inFormat(name)
}

// agrees returns nil where a version that was brought level has a document of each record,
// as far as its engine counts them: one that has lost some, as a node may that was started
// anew with an older disk, must not be searched.
func (e engine) agrees(ctx context.Context, ledger Ledger, name string, queued int64, began time.Time) error {
	counter, ok := e.Writer.(index.Counter)
	if !ok {
		return nil
	}
	for _, kind := range []Kind{Companies, People} {
		documents, err := counter.Documents(ctx, kind.collection(), name)
		if err != nil {
			return err
		}
		records, open, err := ledger.Expected(ctx, kind, queued, began)
		if err != nil {
			return err
		}
		if documents < records-open || documents > records+open {
			return fmt.Errorf("the new index has %d %s and there are %d: it is not used; the index stays as it was, run kith "+
				"reindex again",
				documents, kind, records)
		}
	}
	return nil
}

// claimName is what the queue notes when this engine claims it.
func (e engine) claimName() string { return inFormat(e.name()) }
