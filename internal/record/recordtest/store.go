// Package recordtest has a store of records in memory, and lines to load into it, for tests.
package recordtest

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"kith"
	"kith/index"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/query/analysis"
)

// Store keeps the records and the queue in memory. It is the simplest implementation of a database's contract.
type Store struct{ store }

// store has the methods of a [Store].
type store struct {
	mu    sync.Mutex // one transaction at a time
	State state
	woken chan struct{}
	locks map[string]chan struct{}
	// Epoch counts the rankings, and BuiltName names the index last in sync.
	Epoch     int
	BuiltName string
	// claimed is the engine that the queue feeds.
	claimed string
	// marks are those that were given and not forgotten, oldest first.
	marks []index.Mark
	// Seen is the version up to which searches see the records.
	Seen int64
	// Words is the vocabulary in use, next the one under construction; nil if there is none.
	Words, next map[analysis.Term]int
}

type state struct {
	PersonRows  map[int64]personRecord
	CompanyRows map[int64]companyRecord
	Gone        map[int64]time.Time
	Outbox      []indexer.Entry
	Refused     []indexer.Refusal
	// Seq counts queue entries, versions and ids alike.
	Seq int64
}

type personRecord struct {
	record.PersonRow
	version int64
}

type companyRecord struct {
	record.CompanyRow
	version int64
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{store{
		Words: map[analysis.Term]int{}, marks: []index.Mark{{}},
		State: state{
			PersonRows: map[int64]personRecord{}, CompanyRows: map[int64]companyRecord{}, Gone: map[int64]time.Time{},
		},
		woken: make(chan struct{}, 1), locks: map[string]chan struct{}{
			"drain":   make(chan struct{}, 1),
			"reindex": make(chan struct{}, 1),
		},
	}}
}

func (s *store) Write(ctx context.Context, o record.Origin, f func(context.Context, record.Tx) error) error {
	if err := o.Check(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.State.clone()
	if err := f(context.WithValue(ctx, inTx{}, true), &s.State); err != nil {
		s.State = before
		return err
	}
	select {
	case s.woken <- struct{}{}:
	default:
	}
	return nil
}

// clone returns a copy that changes of the original do not reach.
func (s state) clone() state {
	s.PersonRows, s.CompanyRows = maps.Clone(s.PersonRows), maps.Clone(s.CompanyRows)
	s.Gone, s.Outbox = maps.Clone(s.Gone), slices.Clone(s.Outbox)
	return s
}

func (s *state) next() int64 { s.Seq++; return s.Seq }

func (s *state) enqueue(kind record.Kind, id int64) { s.enqueueAs(kind, id, false) }

func (s *state) enqueueAs(kind record.Kind, id int64, fresh bool) {
	s.Outbox = append(s.Outbox, indexer.Entry{Seq: s.next(), Kind: kind, ID: id, Fresh: fresh})
}

func (s *state) Companies(_ context.Context, keys record.CompanyKeys) ([]record.CompanyRow, error) {
	var rows []record.CompanyRow
	for _, id := range slices.Sorted(maps.Keys(s.CompanyRows)) {
		c := s.CompanyRows[id]
		if slices.Contains(keys.IDs, id) || slices.Contains(keys.Names, c.NameKey) ||
			c.SocialKey != "" && slices.Contains(keys.Social, c.SocialKey) ||
			c.DomainKey != "" && slices.Contains(keys.Domain, c.DomainKey) {
			rows = append(rows, c.CompanyRow)
		}
	}
	return rows, nil
}

func (s *state) PersonIDs(_ context.Context, keys record.PersonKeys) ([]record.PersonID, error) {
	var found []record.PersonID
	for id, p := range s.PersonRows {
		of := record.PersonID{ID: id, SocialKey: p.SocialKey, SocialURL: p.Person.SocialURL}
		if slices.Contains(keys.IDs, id) || p.SocialKey != "" && slices.Contains(keys.Social, p.SocialKey) {
			found = append(found, of)
		}
		for _, of.Email = range p.Person.Addresses() {
			if slices.Contains(keys.Emails, of.Email) {
				found = append(found, of)
			}
		}
		of.Email = ""
		for _, of.Source = range p.Person.Sources {
			if slices.Contains(keys.Sources, of.Source) {
				found = append(found, of)
			}
		}
	}
	return found, nil
}

func (s *state) StoredPerson(_ context.Context, id int64) (record.Dated, error) {
	p := s.PersonRows[id]
	return record.Dated{Person: p.Person, AsOf: p.AsOf, Trail: p.Trail}, nil
}

func (s *state) NewIDs(_ context.Context, _ record.Kind, n int) ([]int64, error) {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = 1<<46 + s.next()
	}
	return ids, nil
}

func (s *state) PutCompanies(_ context.Context, rows []record.CompanyRow) ([]record.Outcome, error) {
	outcomes := make([]record.Outcome, len(rows))
	for i, r := range rows {
		old, stored := s.CompanyRows[r.Company.ID]
		switch {
		case !stored:
			outcomes[i] = record.Created
		case !reflect.DeepEqual(old.Company, r.Company):
			outcomes[i], r.Rank = record.Changed, old.Rank
			for id, p := range s.PersonRows {
				if slices.Contains(p.CompanyIDs, r.Company.ID) {
					s.enqueue(record.People, id)
				}
			}
		default:
			continue
		}
		rows[i].Version = s.next()
		s.CompanyRows[r.Company.ID] = companyRecord{r, rows[i].Version}
		if stored || !r.Direct {
			s.enqueue(record.Companies, r.Company.ID)
		}
	}
	return outcomes, nil
}

func (s *state) PutPeople(_ context.Context, rows []record.PersonRow) ([]record.Outcome, error) {
	outcomes := make([]record.Outcome, len(rows))
	for i, r := range rows {
		old, stored := s.PersonRows[r.Person.ID]
		switch {
		case !stored:
			outcomes[i] = record.Created
		case !reflect.DeepEqual(old.Person, r.Person):
			outcomes[i], r.Rank = record.Changed, old.Rank
		default:
			continue
		}
		rows[i].Version = s.next()
		s.PersonRows[r.Person.ID] = personRecord{r, rows[i].Version}
		if stored || !r.Direct {
			s.enqueueAs(record.People, r.Person.ID, !stored)
		}
	}
	return outcomes, nil
}

func (s *state) DeletePeople(_ context.Context, ids []int64) error {
	for _, id := range ids {
		delete(s.PersonRows, id)
		s.Gone[id] = time.Now()
		s.enqueue(record.People, id)
	}
	return nil
}

func (s *state) SetRanks(_ context.Context, kind record.Kind, ranks map[int64]int64) error {
	for id, rank := range ranks {
		if kind == record.Companies {
			c := s.CompanyRows[id]
			c.Rank, c.version = rank, s.next()
			s.CompanyRows[id] = c
		} else {
			p := s.PersonRows[id]
			p.Rank, p.version = rank, s.next()
			s.PersonRows[id] = p
		}
		s.enqueue(kind, id)
	}
	return nil
}

// inTx marks the context of a transaction.
type inTx struct{}

// view runs f on the state, in or out of a transaction.
func (s *store) view(ctx context.Context, f func(s *state)) {
	if ctx.Value(inTx{}) == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	f(&s.State)
}

func (s *store) PeopleByID(ctx context.Context, ids []int64) (people []record.Person, err error) {
	s.view(ctx, func(s *state) {
		for _, id := range slices.Sorted(slices.Values(ids)) {
			p, ok := s.PersonRows[id]
			if !ok {
				continue
			}
			version := p.version
			fill := func(j kith.Job) kith.Job {
				if c, ok := s.CompanyRows[j.Company.ID]; ok {
					j.Company, version = c.Company, max(version, c.version)
				}
				return j
			}
			person := p.Person
			if person.WorkRelevant != nil {
				job := fill(*person.WorkRelevant)
				person.WorkRelevant = &job
			}
			person.WorkHistory = nil
			for _, j := range p.Person.WorkHistory {
				person.WorkHistory = append(person.WorkHistory, fill(j))
			}
			people = append(people, record.Person{Person: person, Rank: p.Rank, Version: version})
		}
	})
	return people, nil
}

func (s *store) CompaniesByID(ctx context.Context, ids []int64) (companies []record.Company, err error) {
	s.view(ctx, func(s *state) {
		for _, id := range slices.Sorted(slices.Values(ids)) {
			if c, ok := s.CompanyRows[id]; ok {
				companies = append(companies, record.Company{Company: c.Company, Rank: c.Rank, Version: c.version})
			}
		}
	})
	return companies, nil
}

func (s *store) IDs(ctx context.Context, kind record.Kind, above int64, n int) (ids []int64, err error) {
	s.view(ctx, func(s *state) {
		all := slices.Collect(maps.Keys(s.PersonRows))
		if kind == record.Companies {
			all = slices.Collect(maps.Keys(s.CompanyRows))
		}
		ids = page(all, above, n)
	})
	return ids, nil
}

func page(ids []int64, above int64, n int) []int64 {
	ids = slices.DeleteFunc(ids, func(id int64) bool { return id <= above })
	slices.Sort(ids)
	return ids[:min(n, len(ids))]
}

func (s *store) Count(ctx context.Context, kind record.Kind) (n int64, err error) {
	s.view(ctx, func(s *state) {
		if n = int64(len(s.PersonRows)); kind == record.Companies {
			n = int64(len(s.CompanyRows))
		}
	})
	return n, nil
}

func (s *store) Identify(ctx context.Context, _ kith.Viewer, identifier string) (ids []int64, err error) {
	key, _ := analysis.URLKey(identifier)
	s.view(ctx, func(s *state) {
		for id, p := range s.PersonRows {
			if p.SocialKey == key || p.SocialID == identifier || p.Email == strings.ToLower(identifier) {
				ids = append(ids, id)
			}
		}
	})
	slices.Sort(ids)
	return ids, nil
}

// Backup returns a function that restores the current records.
func (s *store) Backup() (restore func()) {
	kept, marks, built, seen := s.State.clone(), slices.Clone(s.marks), s.BuiltName, s.Seen
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.State, s.marks, s.BuiltName, s.Seen = kept.clone(), slices.Clone(marks), built, seen
	}
}
