package outreach

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"kith"
)

// Security says how a connection to a mail server is encrypted.
type Security string

// The values of [Security]. SecurityNone is for servers on the same machine and for tests:
// an integration that uses it has no username or password.
const (
	SecuritySTARTTLS Security = "starttls"
	SecurityTLS      Security = "tls"
	SecurityNone     Security = "none"
)

// Securities returns every value of [Security].
func Securities() []Security { return []Security{SecuritySTARTTLS, SecurityTLS, SecurityNone} }

// Integration is a user's integration: a mail server that sends e-mail for the user.
type Integration struct {
	// ID identifies the integration among those of its user.
	ID       int64
	User     int64
	Host     string
	Port     int
	Security Security
	Username string
	Password string // set only in requests and while a message is sent
	From     string
	FromName string
	Policy   Policy
	// TrackOpens and TrackClicks add open and click tracking to the HTML form of its e-mails.
	TrackOpens, TrackClicks bool
	CreatedAt               time.Time
	// FeedbackSecret signs feedback about its e-mails. Only CreateIntegration returns it.
	FeedbackSecret string
}

// Policy limits when and how much an integration may send.
type Policy struct {
	// Zone is the IANA time zone of the window; "" is UTC.
	Zone string
	// WindowStart and WindowEnd bound the time of day, in minutes after midnight. Equal values
	// mean the whole day. A window may span midnight.
	WindowStart, WindowEnd int
	// PerHour and PerDay limit the e-mails in any hour and in any 24 hours.
	PerHour, PerDay int
	// Gap is the shortest time between two e-mails.
	Gap time.Duration
}

// Usage is what an integration has sent recently.
type Usage struct {
	LastHour, LastDay int
	// Last is the time of its last e-mail; zero if it has sent none.
	Last time.Time
}

// recheck is when to look again at an integration that has reached a limit.
const recheck = 5 * time.Minute

const dayMinutes = 24 * 60

// Next returns the earliest time at which the integration may send: now, or a later time at
// which to check again. It fails for an unknown time zone.
func (p Policy) Next(now time.Time, u Usage) (time.Time, error) {
	zone, err := time.LoadLocation(p.Zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("time zone: %w", err)
	}
	next := now
	if u.LastHour >= p.PerHour || u.LastDay >= p.PerDay {
		next = now.Add(recheck)
	}
	if after := u.Last.Add(p.Gap); !u.Last.IsZero() && after.After(next) {
		next = after
	}
	return p.opens(next.In(zone)), nil
}

// opens returns the first time at or after at that is within the window, in at's time zone. It moves from one clock
// change (daylight saving) to the next, since a change can skip the start of the window, or enter or leave the window.
func (p Policy) opens(at time.Time) time.Time {
	for {
		minute := at.Hour()*60 + at.Minute()
		if p.isOpen(minute) {
			return at
		}
		wait := time.Duration((p.WindowStart-minute+dayMinutes)%dayMinutes) * time.Minute
		opens := at.Truncate(time.Minute).Add(wait)
		_, change := at.ZoneBounds()
		if change.IsZero() || opens.Before(change) {
			return opens
		}
		at = change
	}
}

// isOpen reports whether a minute of the day is within the window.
func (p Policy) isOpen(minute int) bool {
	if p.WindowStart == p.WindowEnd {
		return true
	}
	if p.WindowStart < p.WindowEnd {
		return minute >= p.WindowStart && minute < p.WindowEnd
	}
	return minute >= p.WindowStart || minute < p.WindowEnd
}

// Limits of a policy.
const (
	MaxPerHour = 10_000
	MaxPerDay  = 100_000
	MaxGap     = 24 * time.Hour
)

// Check returns every problem of an integration; fields have their names in the request.
func (in Integration) Check() []kith.FieldError {
	var c checker
	c.host(in.Host)
	c.checkRange("port", in.Port, 1, 65535)
	if !slices.Contains(Securities(), in.Security) {
		c.fail("security", "INVALID_VALUE", "must be starttls, tls or none")
	}
	if in.Security == SecurityNone && in.Username != "" {
		c.fail("security", "INVALID_VALUE",
			"must be starttls or tls where there is a username: a password is not sent in the clear")
	}
	if (in.Username == "") != (in.Password == "") {
		c.fail("password", "REQUIRED", "username and password must be given together")
	}
	c.text("username", in.Username, maxKind, false)
	c.text("password", in.Password, MaxNote, false)
	c.text("from_name", in.FromName, maxKind, false)
	c.address("from_email", in.From)
	in.Policy.check(&c)
	return c.problems
}

func (c *checker) host(host string) {
	_, err := mail.ParseAddress("x@" + host)
	if host == "" || err != nil || strings.ContainsAny(host, " ()<>[]\"@,;:/") {
		c.fail("host", "INVALID_HOST", "must be the name or the IPv4 address of a mail server, such as "+
			"smtp.example.com")
	}
}

func (p Policy) check(c *checker) {
	if _, err := time.LoadLocation(p.Zone); err != nil || p.Zone == "Local" {
		c.fail("time_zone", "UNKNOWN_TIME_ZONE", "must be the IANA name of a time zone, such as Europe/Berlin")
	}
	for _, w := range []struct {
		field  string
		minute int
	}{{"window_start", p.WindowStart}, {"window_end", p.WindowEnd}} {
		if w.minute < 0 || w.minute >= dayMinutes {
			c.fail(w.field, "INVALID_TIME", "must be a time of day, such as 09:00")
		}
	}
	c.checkRange("hourly_cap", p.PerHour, 1, MaxPerHour)
	c.checkRange("daily_cap", p.PerDay, 1, MaxPerDay)
	if p.Gap < 0 || p.Gap > MaxGap {
		c.fail("min_gap_seconds", "OUT_OF_RANGE",
			fmt.Sprintf("must be between 0 and %v (got %v)", MaxGap.Seconds(), p.Gap.Seconds()))
	}
}

// MaxIntegrations limits the integrations of a user, because lists return all of them.
const MaxIntegrations = 100

// IntegrationStore stores the integrations of users. It encrypts passwords.
type IntegrationStore interface {
	// CreateIntegration stores an integration and returns it with its id. It is a Conflict if the user already has
	// [MaxIntegrations].
	CreateIntegration(ctx context.Context, in Integration) (Integration, error)
	// Integrations lists the integrations of a user, without passwords.
	Integrations(ctx context.Context, user int64) ([]Integration, error)
	// DeleteIntegration deletes an integration; NotFound if there is none.
	DeleteIntegration(ctx context.Context, user, id int64) error
}

// IntegrationRules are the operator's limits on integrations.
type IntegrationRules struct {
	// Track is true if the server has a public address for tracking opens and clicks.
	Track bool
	// Reachable reports whether Kith may connect to a host, judging by its name alone; nil allows any.
	Reachable func(host string) bool
}

// check returns every violation of the operator's rules.
func (r IntegrationRules) check(in Integration) []kith.FieldError {
	var c checker
	if r.Reachable != nil && !r.Reachable(in.Host) {
		c.fail("host", "PRIVATE_ADDRESS", "must be the public address of a server; the operator of Kith can allow "+
			"others "+"with --allow-network")
	}
	for _, t := range []struct {
		field string
		on    bool
	}{{"track_opens", in.TrackOpens}, {"track_clicks", in.TrackClicks}} {
		if t.on && !r.Track {
			c.fail(t.field, "NOT_AVAILABLE", "must be false: tracking needs a public address, which the operator sets "+
				"with "+"--public-url")
		}
	}
	return c.problems
}

// Integrations lets users manage their integrations.
type Integrations struct {
	store IntegrationStore
	rules IntegrationRules
}

// NewIntegrations returns the service for a store.
func NewIntegrations(store IntegrationStore, rules IntegrationRules) *Integrations {
	return &Integrations{store: store, rules: rules}
}

// Check returns every problem of an integration, including violations of the operator's rules.
func (s *Integrations) Check(in Integration) []kith.FieldError {
	return append(in.Check(), s.rules.check(in)...)
}

// Create stores an integration for the caller.
func (s *Integrations) Create(ctx context.Context, actor kith.Actor, in Integration) (Integration, error) {
	if err := kith.InvalidFields(s.Check(in)); err != nil {
		return Integration{}, err
	}
	in.User = actor.UserID
	return s.store.CreateIntegration(ctx, in)
}

// List returns the caller's integrations.
func (s *Integrations) List(ctx context.Context, actor kith.Actor) ([]Integration, error) {
	return s.store.Integrations(ctx, actor.UserID)
}

// Delete deletes an integration. E-mails scheduled through it wait.
func (s *Integrations) Delete(ctx context.Context, actor kith.Actor, id int64) error {
	return s.store.DeleteIntegration(ctx, actor.UserID, id)
}
