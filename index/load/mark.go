package load

import (
	"context"
	"errors"
	"slices"

	"kith"
	"kith/index"
)

// follows tells [State.Follows]. It asks again where a mark is not known: meanwhile
// another process may have given the version a newer one, and the records have
// forgotten this.
func (d *Drainer) follows(ctx context.Context, active index.Version) (bool, error) {
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

// marking gives versions marks. It is nil for an engine that needs none.
type marking struct {
	source Marks
	engine index.Marker
	// versions are those that follow the records. Others keep the marks that
	// they have, by which they are known.
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

// next gives the versions a new mark. It is called when what is to be written
// has been read and before it is written: whatever a version has was then
// committed before its mark was, so records that know the mark know that, too.
// Records that do not know the marks of before were put back since; then the
// versions keep those.
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
	versions, err := d.engine.named(ctx, name)
	if err != nil {
		return err
	}
	mark, _, err := d.source.NextMark(ctx, nil)
	if err != nil {
		return err
	}
	return engine.SetMark(ctx, versions, mark)
}

// markBuilt gives a version the mark of all that was copied to it, and the one that
// serves until then, which has all of that, too: the records forget the marks of before.
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
	return kith.Away("index", errors.New("the records were put back to an earlier day while the index was built from "+
		"them; it has to be built again"))
}
