package proximity

import (
	"context"
	"encoding/json"
	"slices"

	"kith/index"
	"kith/query"
)

// page tracks what a search has found and has still to find.
type page struct {
	// after is the position of the last person yielded; nil at the start.
	after *index.Cursor
	// left is how many people are still to be yielded; next are the positions of those already found, in order.
	left   int
	next   []index.Cursor
	buffer *Buffer
}

// need is how many people are still to be found.
func (p *page) need() int { return p.left - len(p.next) }

// mostWanted reports whether the page needs most of so many people, so that fetching their records with them pays: a
// record costs as much as finding several people.
func (p *page) mostWanted(people int) bool { return people <= p.need()+p.need()/4 }

// hasPassed reports whether the search has passed a whole stage.
func (p *page) hasPassed(stage int) bool { return p.after != nil && stage < p.after.Stage }

// ahead reports whether a position is still to come.
func (p *page) ahead(at index.Cursor) bool { return p.after == nil || at.Compare(*p.after) > 0 }

// position returns where a stage resumes; nil is its start.
func (p *page) position(stage int) *index.Position {
	if p.after == nil || p.after.Stage != stage {
		return nil
	}
	return &index.Position{Sort: p.after.Sort, ID: p.after.ID}
}

// take adds the people of a stage who come next, as many as needed, and keeps their records if present.
func (p *page) take(hits []index.Hit, stage int) {
	for _, h := range hits[:min(len(hits), p.need())] {
		p.next = append(p.next, index.Cursor{Stage: stage, Sort: h.Sort, ID: h.ID})
		p.buffer.keep(h)
	}
}

// takeFirst sorts positions and adds the first that are still to come.
func (p *page) takeFirst(positions []index.Cursor) {
	positions = slices.DeleteFunc(positions, func(at index.Cursor) bool { return !p.ahead(at) })
	slices.SortFunc(positions, index.Cursor.Compare)
	p.next = append(p.next, positions[:min(len(positions), p.need())]...)
}

// yield yields the people who come next with their records, leaving out those deleted meanwhile. If the caller stops
// ranging, nobody is left to yield.
func (p *page) yield(ctx context.Context, ix *index.Index, yield func(index.Found, error) bool) error {
	for len(p.next) > 0 {
		n := p.buffer.pace.Next(len(p.next))
		if err := p.buffer.fetch(ctx, ix, p.next[:n]); err != nil {
			return err
		}
		for ; n > 0 && p.buffer.records != nil; n-- {
			at := p.next[0]
			p.next, p.after = p.next[1:], &at
			record, there := p.buffer.records[at.ID]
			delete(p.buffer.records, at.ID)
			if !there {
				continue
			}
			p.left--
			if !yield(index.Found{Hit: index.Hit{ID: at.ID, Sort: at.Sort, Record: record}, Cursor: at}, nil) {
				p.left = 0
				return nil
			}
		}
	}
	return nil
}

// Buffer holds records that were fetched but not yielded yet. A caller that cannot take more for a while drops them to
// free the memory. It serves one range at a time, and only the goroutine that ranges may use it. The zero value is
// ready to use.
type Buffer struct {
	records map[int64]json.RawMessage
	pace    index.Pace
}

// Drop drops the records; call it between two people. They are fetched again, a few at a time until the caller keeps
// up.
func (b *Buffer) Drop() {
	if b.pace.Slow(len(b.records)) {
		b.records = nil
	}
}

// keep keeps the record of a hit, if it has one.
func (b *Buffer) keep(h index.Hit) {
	if h.Record == nil {
		return
	}
	if b.records == nil {
		b.records = map[int64]json.RawMessage{}
	}
	b.records[h.ID] = h.Record
}

// fetch reads the missing records of some people.
func (b *Buffer) fetch(ctx context.Context, ix *index.Index, people []index.Cursor) error {
	if b.records == nil {
		b.records = map[int64]json.RawMessage{}
	}
	var ids []int64
	for _, p := range people {
		if _, there := b.records[p.ID]; !there {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	hits, err := ix.Hits(ctx, index.FindRequest{Query: query.IDs{Values: ids}, Limit: len(ids)})
	for _, h := range hits {
		b.records[h.ID] = h.Record
	}
	return err
}
