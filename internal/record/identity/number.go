package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"kith"
	"kith/internal/record"
)

// number turns rows into records: a row with the same content as a stored record is that record; other rows get ids.
func (u *unification) number(ctx context.Context) error {
	counts, byContent := u.sketches(), map[string]*Record{}
	for _, r := range u.all {
		if counts[newSketch(r)] > 1 {
			byContent[encodeContent(r.Dated.Person)] = r
		}
	}
	u.ranks, u.rowOf = map[*Record]int64{}, u.given
	for i, r := range u.given {
		var same *Record
		if counts[newSketch(r)] > 1 {
			text := encodeContent(r.Dated.Person)
			if same = byContent[text]; same == nil {
				byContent[text] = r
			}
		}
		switch {
		case same == nil:
			u.fresh, u.ranks[r] = append(u.fresh, r), u.rows[i].Rank
			continue
		case r.AsOf.After(same.AsOf):
			same.AsOf = r.AsOf
			u.newer[same.Person] = true
		}
		u.rowOf[i] = same
	}
	if len(u.fresh) == 0 {
		return nil
	}
	ids, err := u.tx.NewIDs(ctx, record.People, len(u.fresh))
	if err != nil {
		return fmt.Errorf("new ids for people: %w", err)
	}
	for i, r := range u.fresh {
		r.ID, r.place = ids[i], i+1
	}
	u.all = append(u.all, u.fresh...)
	return nil
}

// sketch is part of the content of a record.
type sketch struct {
	name, email, profile, title string
	company                     int64
}

func newSketch(r *Record) sketch {
	p := &r.Dated.Person
	s := sketch{name: p.FullName, email: p.Email, profile: p.SocialURL}
	if p.WorkRelevant != nil {
		s.title, s.company = p.WorkRelevant.Title, p.WorkRelevant.Company.ID
	}
	return s
}

// sketches counts records by sketch. Records with the same content have the same sketch.
func (u *unification) sketches() map[sketch]int {
	counts := make(map[sketch]int, len(u.all)+len(u.given))
	for _, records := range [][]*Record{u.all, u.given} {
		for _, r := range records {
			counts[newSketch(r)]++
		}
	}
	return counts
}

// day truncates a time to the precision of file dates: two files of one day are equally new.
func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// encodeContent returns the content of a record, without the person's id.
func encodeContent(p kith.Person) string {
	p.ID = 0
	text, err := json.Marshal(p)
	if err != nil {
		return "" // every person can be encoded
	}
	return string(text)
}
