package search

import (
	"cmp"
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

// Records reads the records for explanations.
type Records interface {
	// People returns the records of these people in any order, leaving out those that a viewer may not see.
	People(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Person, error)
}

// Identifiers finds people by identifiers that the index does not have.
type Identifiers interface {
	// PeopleByKey returns the people with each e-mail address ("e:"), each id of a merged record ("p:" and "i:") and
	// each profile beside the present one ("u:"), limited to those a viewer may see. It leaves other keys out.
	PeopleByKey(ctx context.Context, v kith.Viewer, keys []string) (map[string][]int64, error)
}

// Settings provides what cursors depend on.
type Settings interface {
	// RankEpoch changes whenever the order of people may have changed. Each returning cursor asks for it; first pages
	// ask at most once a second.
	RankEpoch(ctx context.Context) (int64, error)
}

// Network finds the people within a caller's reach; [network.Circles] implements it.
type Network interface {
	proximity.Network
	Now(ctx context.Context, a kith.Actor, f network.Filter) (*network.Circle, error)
	At(ctx context.Context, a kith.Actor, id string) (*network.Circle, error)
	Keep(ctx context.Context, circle *network.Circle) error
	Introducers(ctx context.Context, a kith.Actor, f network.Filter, targets []int64) (map[int64][]network.Introduction,
		error)
	// HasContacts reports whether any contacts of the caller are stored.
	HasContacts(ctx context.Context, a kith.Actor) (bool, error)
	Introduces(ctx context.Context, a kith.Actor, f network.Filter) (map[int64][]network.Acquaintance, error)
}

// Config configures a [Service].
type Config struct {
	Index    *index.Index
	Planner  prompt.Planner
	Records  Records
	Settings Settings
	// Neighbours is nil if there are no near terms; searches then return no near misses.
	Neighbours Neighbours
	// Identifiers is nil if lists support only identifiers of the index.
	Identifiers Identifiers
	// Sight decides what a viewer may see; nil is nothing. See [Everything].
	Sight Sight
	// Network is nil if callers have no networks.
	Network Network
	// Journal is that of [proximity.Config].
	Journal proximity.Journal
	Seal    *cursor.Sealer
	// CountCap is the cap of counts.global; 10,000 if 0.
	CountCap int
	// Budget is the engine time allowed for one search; 10 s if 0.
	Budget time.Duration
	// Now is the clock; time.Now if nil.
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
	cfg.CountCap = cmp.Or(cfg.CountCap, defaultCountCap)
	cfg.Budget = cmp.Or(cfg.Budget, defaultBudget)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Index = cfg.Index.Checking(careers(cfg.Records))
	near := proximity.New(proximity.Config{Index: cfg.Index, Network: cfg.Network, Journal: cfg.Journal})
	return &Service{cfg: cfg, near: near}
}

// Search checks and plans a request on behalf of a viewer and returns its results, before the engine has
// worked. All refusals happen here: kith.Invalid with every problem at once, kith.Malformed for an unreadable cursor,
// kith.Gone for a cursor from before a new ranking.
func (s *Service) Search(ctx context.Context, v kith.Viewer, req Request) (*Results, error) {
	st, err := s.checkRequest(ctx, v, req)
	if err != nil {
		return nil, err
	}
	if req.Refused {
		return nil, st.filtersFit()
	}
	planned, err := st.plan(ctx, req)
	if err != nil {
		return nil, err
	}
	return &Results{search: planned}, nil
}

// records reads people by id and leaves out those that a viewer may not see.
func (s *Service) records(ctx context.Context, v kith.Viewer, ids []int64) (map[int64]kith.Person, error) {
	people, err := s.cfg.Records.People(ctx, v, ids)
	byID := make(map[int64]kith.Person, len(people))
	for _, p := range people {
		byID[p.ID] = p
	}
	return byID, err
}

// binding identifies the viewer that tokens are sealed for.
func binding(v kith.Viewer) string {
	actor, ok := v.User()
	if !ok {
		return "nobody"
	}
	realm := "live"
	if actor.Demo {
		realm = "demo"
	}
	return realm + ":" + strconv.FormatInt(actor.AppID, 10) + ":" + strconv.FormatInt(actor.UserID, 10)
}
