package load_test

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
	"kith/index/analysis"
	"kith/index/load"
)

// store keeps the records and the queue in memory. It is the simplest implementation of a
// database's contract.
type store struct {
	mu    sync.Mutex // one transaction at a time
	state state
	woken chan struct{}
	locks map[string]chan struct{}
	epoch int
	built string
	// claimed is the engine that the queue feeds.
	claimed string
	// marks are those that were given and not forgotten, oldest first.
	marks []index.Mark
	// seen is the version up to which searches see the records.
	seen int64
	// words is the vocabulary in use, next the one under construction; nil if there is none.
	words, next map[analysis.Term]int
}

type state struct {
	people    map[int64]personRecord
	companies map[int64]companyRecord
	gone      map[int64]time.Time
	outbox    []load.Entry
	refused   []load.Refusal
	// seq counts queue entries, versions and ids alike.
	seq int64
}

type personRecord struct {
	load.PersonRow
	version int64
}

type companyRecord struct {
	load.CompanyRow
	version int64
}

func newStore() *store {
	return &store{
		words: map[analysis.Term]int{}, marks: []index.Mark{{}},
		state: state{people: map[int64]personRecord{}, companies: map[int64]companyRecord{}, gone: map[int64]time.Time{}},
		woken: make(chan struct{}, 1), locks: map[string]chan struct{}{
			"drain":   make(chan struct{}, 1),
			"reindex": make(chan struct{}, 1),
		},
	}
}

func (s *store) Write(ctx context.Context, f func(context.Context, load.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.state
	before.people, before.companies = maps.Clone(s.state.people), maps.Clone(s.state.companies)
	before.gone, before.outbox = maps.Clone(s.state.gone), slices.Clone(s.state.outbox)
	if err := f(context.WithValue(ctx, inTx{}, true), &s.state); err != nil {
		s.state = before
		return err
	}
	select {
	case s.woken <- struct{}{}:
	default:
	}
	return nil
}

func (s *state) next() int64 { s.seq++; return s.seq }

func (s *state) enqueue(kind load.Kind, id int64) { s.enqueueAs(kind, id, false) }

func (s *state) enqueueAs(kind load.Kind, id int64, fresh bool) {
	s.outbox = append(s.outbox, load.Entry{Seq: s.next(), Kind: kind, ID: id, Fresh: fresh})
}

func (s *state) Companies(_ context.Context, keys load.CompanyKeys) ([]load.CompanyRow, error) {
	var rows []load.CompanyRow
	for _, id := range slices.Sorted(maps.Keys(s.companies)) {
		c := s.companies[id]
		if slices.Contains(keys.IDs, id) || slices.Contains(keys.Names, c.NameKey) ||
			c.SocialKey != "" && slices.Contains(keys.Social, c.SocialKey) ||
			c.DomainKey != "" && slices.Contains(keys.Domain, c.DomainKey) {
			rows = append(rows, c.CompanyRow)
		}
	}
	return rows, nil
}

func (s *state) PersonIDs(_ context.Context, keys load.PersonKeys) ([]load.PersonID, error) {
	var found []load.PersonID
	for id, p := range s.people {
		of := load.PersonID{ID: id, SocialKey: p.SocialKey, SocialURL: p.Person.SocialURL}
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

func (s *state) StoredPerson(_ context.Context, id int64) (load.Dated, error) {
	p := s.people[id]
	return load.Dated{Person: p.Person, AsOf: p.AsOf, Trail: p.Trail}, nil
}

func (s *state) NewIDs(_ context.Context, _ load.Kind, n int, above int64) ([]int64, error) {
	s.seq = max(s.seq, above)
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = s.next()
	}
	return ids, nil
}

func (s *state) PutCompanies(_ context.Context, rows []load.CompanyRow) ([]load.Outcome, error) {
	outcomes := make([]load.Outcome, len(rows))
	for i, r := range rows {
		old, stored := s.companies[r.Company.ID]
		switch {
		case !stored:
			outcomes[i] = load.Created
		case !reflect.DeepEqual(old.Company, r.Company):
			outcomes[i], r.Rank = load.Changed, old.Rank
			for id, p := range s.people {
				if slices.Contains(p.CompanyIDs, r.Company.ID) {
					s.enqueue(load.People, id)
				}
			}
		default:
			continue
		}
		rows[i].Version = s.next()
		s.companies[r.Company.ID] = companyRecord{r, rows[i].Version}
		if stored || !r.Direct {
			s.enqueue(load.Companies, r.Company.ID)
		}
	}
	return outcomes, nil
}

func (s *state) PutPeople(_ context.Context, rows []load.PersonRow) ([]load.Outcome, error) {
	outcomes := make([]load.Outcome, len(rows))
	for i, r := range rows {
		old, stored := s.people[r.Person.ID]
		switch {
		case !stored:
			outcomes[i] = load.Created
		case !reflect.DeepEqual(old.Person, r.Person):
			outcomes[i], r.Rank = load.Changed, old.Rank
		default:
			continue
		}
		rows[i].Version = s.next()
		s.people[r.Person.ID] = personRecord{r, rows[i].Version}
		if stored || !r.Direct {
			s.enqueueAs(load.People, r.Person.ID, !stored)
		}
	}
	return outcomes, nil
}

func (s *state) DeletePeople(_ context.Context, ids []int64) error {
	for _, id := range ids {
		delete(s.people, id)
		s.gone[id] = time.Now()
		s.enqueue(load.People, id)
	}
	return nil
}

func (s *state) SetRanks(_ context.Context, kind load.Kind, ranks map[int64]int64) error {
	for id, rank := range ranks {
		if kind == load.Companies {
			c := s.companies[id]
			c.Rank, c.version = rank, s.next()
			s.companies[id] = c
		} else {
			p := s.people[id]
			p.Rank, p.version = rank, s.next()
			s.people[id] = p
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
	f(&s.state)
}

func (s *store) PeopleByID(ctx context.Context, ids []int64) (people []load.Person, err error) {
	s.view(ctx, func(s *state) {
		for _, id := range slices.Sorted(slices.Values(ids)) {
			p, ok := s.people[id]
			if !ok {
				continue
			}
			version := p.version
			fill := func(j kith.Job) kith.Job {
				if c, ok := s.companies[j.Company.ID]; ok {
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
			people = append(people, load.Person{Person: person, Rank: p.Rank, Version: version})
		}
	})
	return people, nil
}

func (s *store) CompaniesByID(ctx context.Context, ids []int64) (companies []load.Company, err error) {
	s.view(ctx, func(s *state) {
		for _, id := range slices.Sorted(slices.Values(ids)) {
			if c, ok := s.companies[id]; ok {
				companies = append(companies, load.Company{Company: c.Company, Rank: c.Rank, Version: c.version})
			}
		}
	})
	return companies, nil
}

func (s *store) IDs(ctx context.Context, kind load.Kind, above int64, n int) (ids []int64, err error) {
	s.view(ctx, func(s *state) {
		all := slices.Collect(maps.Keys(s.people))
		if kind == load.Companies {
			all = slices.Collect(maps.Keys(s.companies))
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

func (s *store) Count(ctx context.Context, kind load.Kind) (n int64, err error) {
	s.view(ctx, func(s *state) {
		if n = int64(len(s.people)); kind == load.Companies {
			n = int64(len(s.companies))
		}
	})
	return n, nil
}

func (s *store) Identify(ctx context.Context, identifier string) (ids []int64, err error) {
	key, _ := analysis.URLKey(identifier)
	s.view(ctx, func(s *state) {
		for id, p := range s.people {
			if p.SocialKey == key || p.SocialID == identifier || p.Email == strings.ToLower(identifier) {
				ids = append(ids, id)
			}
		}
	})
	slices.Sort(ids)
	return ids, nil
}
