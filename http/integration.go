package http

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/http/strict"
	"kith/internal/outreach"
)

// Defaults of an integration. They are low, because mail servers take a new address that sends much for a spammer's.
const (
	defaultPort      = 587
	defaultHourlyCap = 20
	defaultDailyCap  = 100
	defaultGap       = 60
)

// integrationAnswer is an integration, without its password.
type integrationAnswer struct {
	ID          int64             `json:"id"`
	Host        string            `json:"host"`
	Port        int               `json:"port"`
	Security    outreach.Security `json:"security"`
	Username    string            `json:"username"`
	From        string            `json:"from_email"`
	FromName    string            `json:"from_name"`
	Zone        string            `json:"time_zone"`
	WindowStart string            `json:"window_start"`
	WindowEnd   string            `json:"window_end"`
	PerHour     int               `json:"hourly_cap"`
	PerDay      int               `json:"daily_cap"`
	Gap         int               `json:"min_gap_seconds"`
	TrackOpens  bool              `json:"track_opens"`
	TrackClicks bool              `json:"track_clicks"`
	CreatedAt   time.Time         `json:"created_at"`
	// FeedbackPath receives delivery events, signed with the secret. The secret is shown only when
	// the integration is created.
	FeedbackPath   string `json:"feedback_path"`
	FeedbackSecret string `json:"feedback_secret,omitempty"`
}

func newIntegrationAnswer(d *Dataset, in outreach.Integration) integrationAnswer {
	p := in.Policy
	return integrationAnswer{
		ID: in.ID, Host: in.Host, Port: in.Port, Security: in.Security, Username: in.Username, From: in.From,
		FromName: in.FromName,
		Zone:     p.Zone, WindowStart: clock(p.WindowStart), WindowEnd: clock(p.WindowEnd),
		PerHour: p.PerHour, PerDay: p.PerDay, Gap: int(p.Gap / time.Second), CreatedAt: in.CreatedAt,
		TrackOpens: in.TrackOpens, TrackClicks: in.TrackClicks,
		FeedbackPath: feedbackPath(d.Seal, in.User, in.ID), FeedbackSecret: in.FeedbackSecret,
	}
}

func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// parseTimeOfDay parses a time of day as minutes since midnight: 0 for an empty text, -1 for an invalid one.
func parseTimeOfDay(text string) int {
	if text == "" {
		return 0
	}
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return -1
	}
	return at.Hour()*60 + at.Minute()
}

// integrations returns those of the caller's dataset; the demo has none.
func (c caller) integrations() (*outreach.Integrations, error) {
	if c.dataset.Integrations == nil {
		return nil, kith.Errorf(kith.Forbidden, "NOTHING_IS_SENT", "outbound e-mail is disabled on this server")
	}
	return c.dataset.Integrations, nil
}

// createIntegration answers POST /v2/user/integrations.
func createIntegration(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	all, err := c.integrations()
	if err != nil {
		return write{}, err
	}
	change, integration, err := readWrite(w, r, smallBody,
		func(v strict.Value) (outreach.Integration, []kith.FieldError) {
			in := readIntegration(v)
			return in, all.Check(in)
		})
	change.do = func(ctx context.Context, in *Services) (any, error) {
		created, err := in.Integrations.Create(ctx, c.actor, integration)
		return newIntegrationAnswer(c.dataset, created), err
	}
	return change, err
}

// readIntegration reads an integration.
func readIntegration(v strict.Value) outreach.Integration {
	number := func(name string, other int) int {
		if _, ok := v.Get(name); ok {
			return v.Int(name)
		}
		return other
	}
	in := outreach.Integration{
		Host: v.String("host"), Port: number("port", defaultPort), Security: outreach.Security(v.String("security")),
		Username: v.String("username"), Password: v.String("password"), From: v.String("from_email"),
		FromName: v.String("from_name"),
		Policy: outreach.Policy{
			Zone: v.String("time_zone"), WindowStart: parseTimeOfDay(v.String("window_start")),
			WindowEnd: parseTimeOfDay(v.String("window_end")),
			PerHour:   number("hourly_cap", defaultHourlyCap), PerDay: number("daily_cap", defaultDailyCap),
			Gap: time.Duration(number("min_gap_seconds", defaultGap)) * time.Second,
		},
		TrackOpens: v.Bool("track_opens"), TrackClicks: v.Bool("track_clicks"),
	}
	if in.Security == "" {
		in.Security = outreach.SecuritySTARTTLS
	}
	if in.Policy.Zone == "" {
		in.Policy.Zone = "UTC"
	}
	return in
}

// listIntegrations answers GET /v2/user/integrations.
func listIntegrations(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	all, err := c.integrations()
	if err != nil {
		return nil, err
	}
	list, err := all.List(r.Context(), c.actor)
	if err != nil {
		return nil, err
	}
	out := kith.Each(list, func(in outreach.Integration) integrationAnswer {
		return newIntegrationAnswer(c.dataset, in)
	})
	return map[string][]integrationAnswer{"integrations": out}, nil
}

// deleteIntegration answers DELETE /v2/user/integrations/{id}.
func deleteIntegration(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	id, err := pathNumber(r, "id", "an integration, as GET /v2/user/integrations gives it")
	if err != nil {
		return nil, err
	}
	all, err := c.integrations()
	if err != nil {
		return nil, err
	}
	return deletedAnswer{ID: strconv.FormatInt(id, 10), Deleted: true}, all.Delete(r.Context(), c.actor, id)
}
