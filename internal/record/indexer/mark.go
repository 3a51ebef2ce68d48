package indexer

import (
	"context"
	"errors"
	"slices"

	"kith"
	"kith/index"
)

// isCurrent returns [State.Current]. If a mark is unknown, it asks again: another process may have given the version a
// newer mark meanwhile, and the records have forgotten the old one.
func (d *Drainer) isCurrent(ctx context.Context, active index.Version) (bool, error) {
	for {
		m, err := d.marking(ctx, []index.Version{active})
		if err != nil || m == nil || len(m.versions) > 0 {
			return true, err
		}
		now, err := d.engine.active(ctx)
		if err != nil || now == active {
			return false, err
		}
		active = now
	}
}

// marking sets the marks of versions. It is nil for an engine without marks.
type marking struct {
	source Marks
	engine index.Marker
	// versions are those that follow the records. All others keep their marks, which identify them.
	versions []index.Version
}

func (d *Drainer) marking(ctx context.Context, versions []index.Version) (*marking, error) {
	engine, ok := d.engine.Writer.(index.Marker)
	if !ok {
		return nil, nil
	}
	m := &marking{source: d.source, engine: engine, versions: slices.Clone(versions)}
	known, err := d.source.KnownMarks(ctx, m.texts())
	m.versions = slices.DeleteFunc(m.versions, func(v index.Version) bool { return !slices.Contains(known, v.Mark) })
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *marking) texts() []string {
	var texts []string
	for _, v := range m.versions {
		if !slices.Contains(texts, v.Mark) {
			texts = append(texts, v.Mark)
		}
	}
	return texts
}

// next gives the versions a new mark. Call it after reading the data and before writing it: everything in a version
// was then committed before its mark, so records that know the mark also have that data. If the records no longer
// know the earlier marks, they were restored from a backup; the versions then keep those.
func (m *marking) next(ctx context.Context) error {
	if m == nil || len(m.versions) == 0 {
		return nil
	}
	mark, ok, err := m.source.NextMark(ctx, m.texts())
	if err != nil {
		return err
	}
	if !ok {
		m.versions = nil
		return nil
	}
	if err := m.engine.SetMark(ctx, m.versions, mark); err != nil {
		return err
	}
	for i := range m.versions {
		m.versions[i].Mark = mark.Text
	}
	return nil
}

// markNew gives a version its first mark.
func (d *Drainer) markNew(ctx context.Context, name string) error {
	engine, ok := d.engine.Writer.(index.Marker)
	if !ok {
		return nil
	}
	versions, err := d.engine.Versions(ctx)
	if err != nil {
		return err
	}
	versions = slices.DeleteFunc(versions, func(v index.Version) bool { return v.Name != name })
	mark, _, err := d.source.NextMark(ctx, nil)
	if err != nil {
		return err
	}
	return engine.SetMark(ctx, versions, mark)
}

// markBuilt gives a new mark to the version just built, and to the active version, which has the same data: the
// records forget earlier marks.
func (d *Drainer) markBuilt(ctx context.Context, name string) error {
	versions, err := d.engine.Versions(ctx)
	if err != nil {
		return err
	}
	m, err := d.marking(ctx, versions)
	if err != nil || m == nil {
		return err
	}
	isNew := func(v index.Version) bool { return v.Name == name }
	if err := m.next(ctx); err != nil || slices.ContainsFunc(m.versions, isNew) {
		return err
	}
	return kith.Unreachable("index", errors.New("the records were restored to an earlier state while the index was "+
		"built from them; build it again"))
}
