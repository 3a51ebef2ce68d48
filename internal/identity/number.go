package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"kith"
	"kith/index/load"
)

// number makes records of the rows: those that say what a stored one says are that one,
// and the others get ids.
func (u *reunion) number(ctx context.Context) error {
	named, bySaying := u.namesakes(), map[string]*Record{}
	for _, r := range u.all {
		if p := r.Dated.Person; named[p.FullName] > 1 {
			bySaying[saying(p)] = r
		}
	}
	u.ranks = map[*Record]int64{}
	u.newer, u.rowOf = map[int64]bool{}, make([]*Record, len(u.rows))
	for i := range u.rows {
		row := &u.rows[i]
		var r *Record
		text := ""
		if named[row.Person.FullName] > 1 {
			text = saying(row.Person)
			r = bySaying[text]
		}
		switch {
		case r == nil:
			r = &Record{Dated: load.Dated{Person: row.Person, AsOf: day(row.AsOf)}}
			if text != "" {
				bySaying[text] = r
			}
			u.fresh, u.ranks[r] = append(u.fresh, r), row.Rank
		case day(row.AsOf).After(r.AsOf):
			r.AsOf = day(row.AsOf)
			u.newer[r.Person] = true
		}
		u.rowOf[i] = r
	}
	if len(u.fresh) == 0 {
		return nil
	}
	ids, err := u.tx.NewIDs(ctx, load.People, len(u.fresh), 0)
	if err != nil {
		return fmt.Errorf("new ids for people: %w", err)
	}
	for i, r := range u.fresh {
		r.ID = ids[i]
	}
	u.all = append(u.all, u.fresh...)
	return nil
}

// namesakes counts records by name: those that say the same have one name.
func (u *reunion) namesakes() map[string]int {
	named := make(map[string]int, len(u.all)+len(u.rows))
	for _, r := range u.all {
		named[r.Dated.Person.FullName]++
	}
	for i := range u.rows {
		named[u.rows[i].Person.FullName]++
	}
	return named
}

// day is as exact as the data of files is: two files of one day are equally new.
func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// saying is what a record says, without who says it of whom.
func saying(p kith.Person) string {
	p.ID = 0
	text, err := json.Marshal(p)
	if err != nil {
		return "" // no value of a person is refused
	}
	return string(text)
}
