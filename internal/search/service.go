package search

import (
	"context"
	"strconv"
	"time"

	"kith"
	"kith/index"
	"kith/internal/network"
	"kith/internal/search/proximity"
	"kith/query/cursor"
	"kith/query/prompt"
)

// Records gives the records that explanations look at.
type Records interface {
	// People returns the records of these people, in any order, without those
	// who are gone.
	People(ctx context.Context, ids []int64) ([]kith.Person, error)
}

// Addresses knows who has e-mail addresses.
type Addresses interface {
	// PeopleByAddress returns the people who have each address, of those whom the caller
	// of ctx may see. Addresses are in small letters; those that nobody has are left out.
	PeopleByAddress(ctx context.Context, addresses []string) (map[string][]int64, error)
}

// Settings gives what cursors depend on.
type Settings interface {
	// RankEpoch changes whenever people may have changed their place in the
	// order. It is asked for each cursor that comes back, and for first pages at
	// most once a second.
	RankEpoch(ctx context.Context) (int64, error)
}

// Network knows who is within reach of callers; [network.Circles] does.
type Network interface {
	proximity.Network
	Now(ctx context.Context, a kith.Actor, f network.Filter) (*network.Circle, error)
	At(ctx context.Context, a kith.Actor, id string) (*network.Circle, error)
	Keep(ctx context.Context, circle *network.Circle) error
	Introducers(ctx context.Context, a kith.Actor, f network.Filter, targets []int64) (map[int64][]network.Introduction,
		error)
	// HasContacts reports whether anything is known of a caller's contacts.
	HasContacts(ctx context.Context, a kith.Actor) (bool, error)
	Introduces(ctx context.Context, a kith.Actor, f network.Filter) (map[int64][]network.Acquaintance, error)
}

// Config is what a [Service] is made of.
type Config struct {
	Index    *index.Index
	Planner  prompt.Planner
	Records  Records
	Settings Settings
	// Neighbours is nil where no near terms are known: then no one comes after the matches.
	Neighbours Neighbours
	// Addresses is nil where nobody is found by e-mail address in a list.
	Addresses Addresses
	// Sight is nil where every caller may see everything.
	Sight Sight
	// Network is nil where no one is within reach of anyone.
	Network Network
	// Journal is that of [proximity.Config].
	Journal proximity.Journal
	Seal    *cursor.Sealer
	// CountCap is how far counts.global counts exactly; 10,000 where 0.
	CountCap int
	// Budget is how long the engine may work on one search; 10 s where 0.
	Budget time.Duration
	// Now is the clock; time.Now where nil.
	Now func() time.Time
}

const (
	defaultCountCap = 10000
	defaultBudget   = 10 * time.Second
)

// Service answers searches. It is safe for concurrent use.
type Service struct {
	cfg     Config
	ranking ranking
	near    *proximity.Searcher
}

// New returns the service.
func New(cfg Config) *Service {
	if cfg.CountCap == 0 {
		cfg.CountCap = defaultCountCap
	}
	if cfg.Budget == 0 {
		cfg.Budget = defaultBudget
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Index = cfg.Index.Checking(careers(cfg.Records))
	near := proximity.New(proximity.Config{Index: cfg.Index, Network: cfg.Network, Journal: cfg.Journal})
	return &Service{cfg: cfg, near: near}
}

// Search checks and plans a request on behalf of the actor of ctx, and returns
// the results, for which the engine has not worked yet. Everything that refuses
// a request does so here: kith.Invalid with every problem at once,
// kith.Malformed for a cursor that cannot be read, kith.Gone for one that people
// were ranked anew since. Cancelling ctx stops the work behind the results.
func (s *Service) Search(ctx context.Context, req Request) (*Results, error) {
	j := &job{svc: s, ctx: ctx, binding: binding(ctx), requestID: req.RequestID}
	if err := j.begin(req); err != nil {
		return nil, err
	}
	if req.Refused {
		return nil, j.filtersFit()
	}
	if err := j.understand(ctx, req); err != nil {
		return nil, err
	}
	return &Results{job: j}, nil
}

// records reads people by id; who is gone is left out.
func (s *Service) records(ctx context.Context, ids []int64) (map[int64]kith.Person, error) {
	people, err := s.cfg.Records.People(ctx, ids)
	byID := make(map[int64]kith.Person, len(people))
	for _, p := range people {
		byID[p.ID] = p
	}
	return byID, err
}

// binding names the caller that tokens are sealed for.
func binding(ctx context.Context) string {
	actor, ok := kith.ActorFrom(ctx)
	if !ok {
		return "nobody"
	}
	realm := "live"
	if actor.Demo {
		realm = "demo"
	}
	return realm + ":" + strconv.FormatInt(actor.AppID, 10) + ":" + strconv.FormatInt(actor.UserID, 10)
}
