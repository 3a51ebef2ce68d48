package recordtest

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"time"

	"kith/index"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/query/analysis"
)

func (s *store) Take(ctx context.Context, above int64, n int) (entries []indexer.Entry, err error) {
	s.view(ctx, func(s *state) {
		for _, e := range s.Outbox {
			if e.Seq > above && len(entries) < n {
				entries = append(entries, e)
			}
		}
	})
	return entries, nil
}

func (s *store) Done(ctx context.Context, entries []indexer.Entry, refused []indexer.Refusal,
	terms []indexer.RecordTerms,
) error {
	s.view(ctx, func(st *state) {
		for _, e := range entries {
			if !slices.Contains(st.Outbox, e) {
				st.enqueue(e.Kind, e.ID)
				terms = slices.Clone(terms)
				for j := range terms {
					terms[j].Fresh = terms[j].Fresh && terms[j].ID != e.ID
				}
			}
		}
		st.Outbox = slices.DeleteFunc(st.Outbox, func(e indexer.Entry) bool { return slices.Contains(entries, e) })
		st.Refused = append(st.Refused, refused...)
		addTerms(s.Words, terms, true)
		if s.next != nil {
			addTerms(s.next, terms, false)
		}
	})
	return nil
}

// addTerms adds the terms of records to a vocabulary. If count is true, it also counts those of new people.
func addTerms(words map[analysis.Term]int, terms []indexer.RecordTerms, count bool) {
	for _, h := range terms {
		for _, t := range h.Terms {
			switch _, known := words[t]; {
			case h.Kind == record.People && (count && h.Fresh || !known):
				words[t]++
			case !known:
				words[t] = 0
			}
		}
	}
}

func (s *store) BeginVocabulary(ctx context.Context) error {
	s.view(ctx, func(*state) { s.next = map[analysis.Term]int{} })
	return nil
}

func (s *store) CountTerms(ctx context.Context, terms []indexer.RecordTerms) error {
	s.view(ctx, func(*state) { addTerms(s.next, terms, true) })
	return nil
}

func (s *store) IndexTerms(context.Context) error { return nil }

func (s *store) DropVocabulary(ctx context.Context) error {
	s.view(ctx, func(*state) { s.next = nil })
	return nil
}

func (s *store) Last(ctx context.Context) (last int64, err error) {
	s.view(ctx, func(s *state) {
		if n := len(s.Outbox); n > 0 {
			last = s.Outbox[n-1].Seq
		}
	})
	return last, nil
}

func (s *store) Backlog(ctx context.Context, upTo int64) (n int64, err error) {
	s.view(ctx, func(s *state) {
		for _, e := range s.Outbox {
			if e.Seq <= upTo {
				n++
			}
		}
	})
	return n, nil
}

func (s *store) Wait(ctx context.Context) error {
	select {
	case <-s.woken:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *store) Deleted(ctx context.Context, kind record.Kind, since time.Time, above int64,
	n int,
) (ids []int64, err error) {
	s.view(ctx, func(s *state) {
		for id, at := range s.Gone {
			if _, again := s.PersonRows[id]; !again && kind == record.People && !at.Before(since) {
				ids = append(ids, id)
			}
		}
	})
	return page(ids, above, n), nil
}

func (s *store) Now(ctx context.Context) (time.Time, error) { return time.Now(), nil }

func (s *store) Built(ctx context.Context) (string, error) { return s.BuiltName, nil }

func (s *store) Claim(_ context.Context, name string) error {
	s.claimed = name
	return nil
}

func (s *store) Claimed(context.Context) (string, error) { return s.claimed, nil }

func (s *store) Expected(ctx context.Context, kind record.Kind, above int64,
	_ time.Time,
) (records, open int64, err error) {
	s.view(ctx, func(st *state) {
		if records = int64(len(st.PersonRows)); kind == record.Companies {
			records = int64(len(st.CompanyRows))
		}
		for _, e := range st.Outbox {
			if e.Kind == kind && e.Seq > above {
				open++
			}
		}
		open += int64(len(st.Refused))
	})
	return records, open, nil
}

func (s *store) SetBuilt(ctx context.Context, name string, queued int64, _, deletedBefore time.Time) error {
	s.BuiltName = name
	s.view(ctx, func(st *state) {
		maps.DeleteFunc(st.Gone, func(_ int64, at time.Time) bool { return at.Before(deletedBefore) })
		st.Outbox = slices.DeleteFunc(st.Outbox, func(e indexer.Entry) bool { return e.Seq <= queued })
		if s.next != nil {
			s.Words, s.next = s.next, nil
		}
	})
	return nil
}

func (s *store) Unseen(ctx context.Context) (version int64, unseen bool, err error) {
	s.view(ctx, func(st *state) {
		version, unseen = st.Seq, st.Seq > s.Seen && len(st.Outbox) == 0
	})
	return version, unseen, nil
}

func (s *store) SetSeen(ctx context.Context, version int64) error {
	s.view(ctx, func(*state) { s.Seen = max(s.Seen, version) })
	return nil
}

func (s *store) KnownMarks(ctx context.Context, marks []string) (known []string, err error) {
	s.view(ctx, func(*state) {
		for _, m := range s.marks {
			if slices.Contains(marks, m.Text) {
				known = append(known, m.Text)
			}
		}
	})
	return known, nil
}

func (s *store) NextMark(ctx context.Context, had []string) (mark index.Mark, ok bool, err error) {
	s.view(ctx, func(*state) {
		oldest, last := len(s.marks), int64(0)
		for i, m := range slices.Backward(s.marks) {
			last = max(last, m.Number)
			if slices.Contains(had, m.Text) {
				oldest, had = i, slices.DeleteFunc(slices.Clone(had), func(t string) bool { return t == m.Text })
			}
		}
		if ok = len(had) == 0; !ok {
			return
		}
		if oldest < len(s.marks) {
			s.marks = slices.Delete(s.marks, 0, oldest)
		}
		mark = index.Mark{Number: last + 1, Text: rand.Text()}
		s.marks = append(s.marks, mark)
	})
	return mark, ok, nil
}

func (s *store) Lock(ctx context.Context, name string) (func(), error) {
	select {
	case s.locks[name] <- struct{}{}:
		return func() { <-s.locks[name] }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *store) TryLock(_ context.Context, name string) (func(), bool, error) {
	select {
	case s.locks[name] <- struct{}{}:
		return func() { <-s.locks[name] }, true, nil
	default:
		return nil, false, nil
	}
}

func (s *store) BumpRankEpoch(context.Context) error {
	s.Epoch++
	return nil
}
