package refresh

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/operation/tasks"
	"kith/internal/record"
	"kith/internal/record/enrich"
	"kith/internal/record/source"
	"kith/query/analysis"
)

// MaxProfiles is the most profiles of one request, and MaxOpen the most open refresh jobs of one user.
const (
	MaxProfiles = 100
	MaxOpen     = 10_000
)

// Kind is the kind of the tasks that refresh one person.
const Kind = "refresh"

// Records are the stored people.
type Records interface {
	enrich.Records
	// Merge merges a fresh person into the records with rules; see internal/imports/loader.Merger.
	Merge(ctx context.Context, f record.Fresh, rules record.Rules) (record.Merged, error)
}

// Config configures a [Service].
type Config struct {
	// Source is nil if no source is configured.
	Source  source.Source
	Records Records
	Tickets Tickets
	Logger  zerolog.Logger
	// Wait is how long a realtime request waits for its tasks; 25 s if 0.
	Wait time.Duration
	// Stale is the age at which records are refreshed automatically; 0 for never.
	Stale time.Duration
	// Workers is how many people this process refreshes at once; 8 if 0, at most [tasks.MaxWorkers].
	Workers int
	// Now is the clock; time.Now if nil.
	Now func() time.Time
}

// Service refreshes people. It is safe for concurrent use.
type Service struct{ Config }

// New returns a service.
func New(cfg Config) *Service {
	if cfg.Wait <= 0 {
		cfg.Wait = 25 * time.Second
	}
	if cfg.Workers <= 0 {
		cfg.Workers = 8
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Service{cfg}
}

// Codes of profiles that are not refreshed.
const (
	CodeNoSource   = "SOURCE_NOT_CONFIGURED"
	CodeSuppressed = "PERSON_SUPPRESSED"
	CodeRefused    = "RECORD_REFUSED"
	CodeCanceled   = "JOB_CANCELED"
	CodeNoProfile  = "PROFILE_UNKNOWN"
)

// Failure is the reason why a profile was not refreshed.
type Failure struct{ ProfileURL, Code string }

// Answer is the result of a refresh request.
type Answer struct {
	// TicketIDs are the refresh jobs still open.
	TicketIDs []string
	// People are the refreshed people, in the order of the request.
	People   []kith.Person
	Failures []Failure
	// TimedOut is true if the time was up before all tasks had ended.
	TimedOut bool
}

// Refresh refreshes people in background tasks. It refreshes a profile named twice once, and joins a refresh already
// under way. With realtime it waits for the tasks and returns the finished people; the others continue.
func (s *Service) Refresh(ctx context.Context, v kith.Viewer, profileURLs []string, realtime bool) (Answer, error) {
	a, _ := v.User()
	profiles, failures, err := s.partition(ctx, v, profileURLs)
	answer := Answer{Failures: failures}
	if err != nil || len(profiles) == 0 {
		return answer, err
	}
	priority := tasks.Soon
	if realtime {
		priority = tasks.Now
	}
	ids, err := s.Tickets.Open(ctx, a.UserID, profiles, priority)
	if kith.KindOf(err) == kith.Suppressed { // somebody was erased since the partition
		return s.Refresh(ctx, v, profileURLs, realtime)
	}
	if err != nil {
		return Answer{}, err
	}
	if !realtime {
		answer.TicketIDs = ids
		return answer, nil
	}
	var tickets []Ticket
	err = kith.Wait(ctx, func() (err error) {
		tickets, err = s.await(ctx, ids)
		return err
	})
	if err != nil {
		return Answer{}, err
	}
	err = s.report(ctx, v, &answer, profiles, tickets)
	return answer, err
}

// partition separates profiles that can be refreshed, each once, from those that cannot. An address or id stands for
// the profile of its person.
func (s *Service) partition(ctx context.Context, v kith.Viewer,
	identifiers []string,
) (profiles []Profile, failures []Failure, err error) {
	urls, err := s.findProfiles(ctx, v, identifiers)
	if err != nil {
		return nil, nil, err
	}
	keys, seen := make([]string, len(urls)), map[string]bool{}
	for i, u := range urls {
		key, bad := enrich.ProfileKey(u)
		switch {
		case u == "":
			failures = append(failures, Failure{identifiers[i], CodeNoProfile})
		case bad != nil:
			failures = append(failures, Failure{u, bad.Code})
		case s.Source == nil:
			failures = append(failures, Failure{u, CodeNoSource})
		default:
			keys[i] = key
		}
	}
	suppressed, err := s.Records.Suppressed(ctx, keys)
	for i, key := range keys {
		switch {
		case key == "" || seen[key]:
			continue
		case suppressed[key]:
			failures = append(failures, Failure{urls[i], CodeSuppressed})
		default:
			profiles = append(profiles, Profile{Key: key, URL: urls[i]})
		}
		seen[key] = true
	}
	return profiles, failures, err
}

// findProfiles returns the profile URLs of identifiers; "" for an address or id without one.
func (s *Service) findProfiles(ctx context.Context, v kith.Viewer, identifiers []string) ([]string, error) {
	urls := slices.Clone(identifiers)
	others := slices.DeleteFunc(slices.Clone(identifiers), func(id string) bool { return !enrich.IsAddressOrID(id) })
	if len(others) == 0 {
		return urls, nil
	}
	people, err := s.Records.ByIdentifier(ctx, v, others)
	for i, id := range identifiers {
		if enrich.IsAddressOrID(id) {
			urls[i] = people[id].SocialURL
		}
	}
	return urls, err
}

// Intervals at which a request checks whether its tasks have ended.
const (
	firstLook = 20 * time.Millisecond
	lastLook  = 250 * time.Millisecond
)

// await waits until all tickets have ended or the time is up.
func (s *Service) await(ctx context.Context, ids []string) ([]Ticket, error) {
	over := time.After(s.Wait)
	for pause := firstLook; ; pause = min(pause*2, lastLook) {
		tickets, err := s.Tickets.Look(ctx, ids)
		open := slices.ContainsFunc(tickets, func(t Ticket) bool { return t.Finished.IsZero() })
		if err != nil || !open {
			return tickets, err
		}
		select {
		case <-time.After(pause):
		case <-over:
			return s.Tickets.Look(ctx, ids)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// report adds the outcome of the tickets to an answer.
func (s *Service) report(
	ctx context.Context, v kith.Viewer, answer *Answer, profiles []Profile, tickets []Ticket,
) error {
	keys := kith.Each(profiles, func(p Profile) string { return p.Key })
	people, err := s.Records.ByProfile(ctx, v, keys)
	for i, t := range tickets {
		person, known := people[profiles[i].Key]
		switch {
		case t.Finished.IsZero():
			answer.TicketIDs, answer.TimedOut = append(answer.TicketIDs, t.ID), true
		case t.State == tasks.Succeeded && known:
			answer.People = append(answer.People, person)
		default:
			answer.Failures = append(answer.Failures, Failure{profiles[i].URL, t.code()})
		}
	}
	return err
}

// Find fetches and stores the person of a profile at once. It implements [enrich.Finder].
func (s *Service) Find(ctx context.Context, profileURL string) error {
	if s.Source == nil {
		return kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "nobody in the dataset has this profile URL")
	}
	return s.fetch(ctx, profileURL)
}

// fetch fetches a person from the source and merges the data.
func (s *Service) fetch(ctx context.Context, profileURL string) error {
	err := s.fetchAndMerge(ctx, profileURL)
	if err == nil {
		return nil
	}
	s.logFailure(err)
	key, _ := analysis.URLKey(profileURL)
	if forgotten, failed := s.Records.Suppressed(ctx, []string{key}); failed == nil && forgotten[key] {
		// A task's failure is stored and may quote the source's data.
		return kith.Errorf(kith.Suppressed, CodeSuppressed, "this person asked to be forgotten")
	}
	return err
}

func (s *Service) fetchAndMerge(ctx context.Context, profileURL string) error {
	rec, err := s.Source.Fetch(ctx, profileURL)
	if err != nil {
		return err
	}
	now := s.Now().UTC().Truncate(time.Microsecond)
	asOf := rec.AsOf
	if asOf.IsZero() || asOf.After(now) {
		asOf = now
	}
	_, err = s.Records.Merge(ctx, record.Fresh{
		Line: rec.Line, ProfileURL: profileURL, AsOf: asOf, Refreshed: now,
	}, Merge)
	return err
}

// logFailure logs the error of the source or database, without personal data.
func (s *Service) logFailure(err error) {
	e, ok := errors.AsType[*kith.Error](err)
	if !ok || e.Kind == kith.NotFound || e.Kind == kith.Suppressed || e.Kind == kith.Invalid && e.Code == CodeRefused {
		return
	}
	s.Logger.Warn().Str("code", e.Code).Str("detail", e.Detail).Msg("a refresh failed")
}
