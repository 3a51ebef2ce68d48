package outreach

import (
	"context"
	"time"

	"kith"
)

// Config configures a [Service].
type Config struct {
	Store  Store
	People People
	// Prepare runs for each caller before any of the caller's data is read or changed; nil does nothing.
	Prepare func(ctx context.Context, a kith.Actor) error
}

// Service lets callers manage their sequences. Another user's data is NotFound. It is safe for concurrent use.
type Service struct {
	store   Store
	people  People
	prepare func(context.Context, kith.Actor) error
}

// New returns a service.
func New(cfg Config) *Service {
	s := &Service{store: cfg.Store, people: cfg.People, prepare: cfg.Prepare}
	if s.prepare == nil {
		s.prepare = func(context.Context, kith.Actor) error { return nil }
	}
	return s
}

// now returns the current time in UTC, in milliseconds, as responses show it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// LeadView is a lead with its person.
type LeadView struct {
	Lead
	Person kith.Person
}

// EmailView is an e-mail with its recipient.
type EmailView struct {
	Email
	Person kith.Person
}

// Sequence returns a sequence of the caller.
func (s *Service) Sequence(ctx context.Context, a kith.Actor, id int64) (Sequence, error) {
	if err := s.prepare(ctx, a); err != nil {
		return Sequence{}, err
	}
	return s.store.Sequence(ctx, a.UserID, id)
}

// Sequences lists the caller's sequences, oldest first; more is true if others follow.
func (s *Service) Sequences(ctx context.Context, a kith.Actor, p Page) (list []Sequence, more bool, err error) {
	if err := s.prepare(ctx, a); err != nil {
		return nil, false, err
	}
	return page(p, func(p Page) ([]Sequence, error) { return s.store.Sequences(ctx, a.UserID, p) })
}

// Create creates a sequence, a draft by default.
func (s *Service) Create(ctx context.Context, a kith.Actor, ch SequenceChange) (Sequence, error) {
	if err := s.prepare(ctx, a); err != nil {
		return Sequence{}, err
	}
	seq := Sequence{Status: SequenceDraft, CreatedAt: now()}
	if err := ch.apply(&seq); err != nil {
		return Sequence{}, err
	}
	return s.store.CreateSequence(ctx, a.UserID, seq, byUser(a.ExternalID))
}

// Change changes a sequence of the caller.
func (s *Service) Change(ctx context.Context, a kith.Actor, id int64, ch SequenceChange) (Sequence, error) {
	if err := s.prepare(ctx, a); err != nil {
		return Sequence{}, err
	}
	return s.store.ChangeSequence(ctx, a.UserID, id, byUser(a.ExternalID), ch.apply)
}

// page reads one page of a list plus one entry, which shows whether more follow.
func page[T any](p Page, read func(Page) ([]T, error)) (entries []T, more bool, err error) {
	entries, err = read(Page{After: p.After, N: p.N + 1})
	if len(entries) > p.N {
		return entries[:p.N], true, err
	}
	return entries, false, err
}

// Leads lists the leads of a sequence in the order of addition; more is true if others follow.
func (s *Service) Leads(ctx context.Context, a kith.Actor, sequence int64,
	q LeadQuery,
) (views []LeadView, more bool, err error) {
	return viewPage(ctx, s, a, q.Page,
		func(p Page) ([]Lead, error) {
			return s.store.Leads(ctx, a.UserID, sequence, LeadQuery{Page: p, Status: q.Status})
		},
		func(l Lead) int64 { return l.PersonID },
		func(l Lead, p kith.Person) LeadView { return LeadView{Lead: l, Person: p} })
}

// Emails lists the e-mails of a sequence, oldest first.
func (s *Service) Emails(ctx context.Context, a kith.Actor, sequence int64,
	q EmailQuery,
) (views []EmailView, more bool, err error) {
	return viewPage(ctx, s, a, q.Page,
		func(p Page) ([]Email, error) {
			return s.store.Emails(ctx, a.UserID, sequence, EmailQuery{Page: p, Status: q.Status})
		},
		func(e Email) int64 { return e.PersonID },
		func(e Email, p kith.Person) EmailView { return EmailView{Email: e, Person: p} })
}

// viewPage reads one page of a list, and shows its entries with their people.
func viewPage[T, V any](ctx context.Context, s *Service, a kith.Actor, p Page, read func(Page) ([]T, error),
	about func(T) int64, show func(T, kith.Person) V,
) (views []V, more bool, err error) {
	if err := s.prepare(ctx, a); err != nil {
		return nil, false, err
	}
	all, more, err := page(p, read)
	if err != nil {
		return nil, false, err
	}
	people, err := s.readPeople(ctx, a, kith.Each(all, about))
	if err != nil {
		return nil, false, err
	}
	return kith.Each(all, func(one T) V { return show(one, people[about(one)]) }), more, nil
}

// readPeople returns people by id. A person deleted in the meantime has only the id.
func (s *Service) readPeople(ctx context.Context, a kith.Actor, ids []int64) (map[int64]kith.Person, error) {
	found, err := s.people.People(ctx, a.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]kith.Person, len(ids))
	for _, id := range ids {
		out[id] = kith.Person{ID: id}
	}
	for _, p := range found {
		out[p.ID] = p
	}
	return out, nil
}

// History lists the moves of a lead, its e-mails and its activities, oldest first.
func (s *Service) History(ctx context.Context, a kith.Actor, sequence, lead int64, p Page) ([]Entry, bool, error) {
	if err := s.prepare(ctx, a); err != nil {
		return nil, false, err
	}
	return page(p, func(p Page) ([]Entry, error) {
		return s.store.History(ctx, a.UserID, sequence, lead, p.After,
			p.N)
	})
}
