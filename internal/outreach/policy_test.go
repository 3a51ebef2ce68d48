package outreach_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"kith/internal/outreach"
	"kith/internal/test/expect"
)

func policy() outreach.Policy { return outreach.Policy{PerHour: 10, PerDay: 100} }

func TestPolicyNextFollowsLimitsAndWindow(t *testing.T) {
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		expect.NoError(t, err)
		return parsed
	}
	office := policy()
	office.Zone, office.WindowStart, office.WindowEnd = "Europe/Berlin", 9*60, 17*60
	night := office
	night.WindowStart, night.WindowEnd = 22*60, 6*60
	dawn := policy()
	dawn.Zone, dawn.WindowStart, dawn.WindowEnd = "America/New_York", 90, 150
	gap, late, lost := dawn, office, dawn
	gap.WindowStart, gap.WindowEnd = 150, 17*60
	late.WindowStart = 150
	lost.WindowStart, lost.WindowEnd = 135, 165
	slow := policy()
	slow.Gap = 90 * time.Second
	for name, tt := range map[string]struct {
		policy outreach.Policy
		now    string
		usage  outreach.Usage
		want   string
	}{
		"free": {
			policy(), "2026-11-21T12:00:00Z",
			outreach.Usage{LastHour: 9, LastDay: 99},
			"2026-11-21T12:00:00Z",
		},
		"hour is full": {
			policy(), "2026-11-21T12:00:00Z",
			outreach.Usage{LastHour: 10, LastDay: 10},
			"2026-11-21T12:05:00Z",
		},
		"day is full": {policy(), "2026-11-21T12:00:00Z", outreach.Usage{LastDay: 100}, "2026-11-21T12:05:00Z"},
		"too soon": {
			slow, "2026-11-21T12:00:00Z",
			outreach.Usage{Last: at("2026-11-21T11:59:00Z")},
			"2026-11-21T12:00:30Z",
		},
		"long enough ago": {
			slow, "2026-11-21T12:00:00Z",
			outreach.Usage{Last: at("2026-11-21T11:58:30Z")},
			"2026-11-21T12:00:00Z",
		},
		"in the window":            {office, "2026-11-21T08:00:00Z", outreach.Usage{}, "2026-11-21T08:00:00Z"},
		"before the window":        {office, "2026-11-21T07:59:00Z", outreach.Usage{}, "2026-11-21T08:00:00Z"},
		"after the window":         {office, "2026-11-21T16:00:00Z", outreach.Usage{}, "2026-11-22T08:00:00Z"},
		"in summer":                {office, "2026-07-21T06:30:00Z", outreach.Usage{}, "2026-07-21T07:00:00Z"},
		"the clocks go back":       {office, "2026-10-24T20:00:00Z", outreach.Usage{}, "2026-10-25T08:00:00Z"},
		"opens in a repeated hour": {dawn, "2026-11-01T06:15:00Z", outreach.Usage{}, "2026-11-01T06:30:00Z"},
		"opens in a skipped hour":  {gap, "2026-03-08T06:00:00Z", outreach.Usage{}, "2026-03-08T07:00:00Z"},
		"skipped hour, closer":     {gap, "2026-03-08T06:30:00Z", outreach.Usage{}, "2026-03-08T07:00:00Z"},
		"skipped hour in Berlin":   {late, "2026-03-29T00:45:00Z", outreach.Usage{}, "2026-03-29T01:00:00Z"},
		"it opens twice":           {late, "2026-10-25T00:00:00Z", outreach.Usage{}, "2026-10-25T00:30:00Z"},
		"whole window is skipped":  {lost, "2026-03-08T06:00:00Z", outreach.Usage{}, "2026-03-09T06:15:00Z"},
		"over midnight, in":        {night, "2026-11-21T03:00:00Z", outreach.Usage{}, "2026-11-21T03:00:00Z"},
		"over midnight, out":       {night, "2026-11-21T12:00:00Z", outreach.Usage{}, "2026-11-21T21:00:00Z"},
		"full until the close": {
			office, "2026-11-21T15:58:00Z",
			outreach.Usage{LastHour: 10},
			"2026-11-22T08:00:00Z",
		},
	} {
		got, err := tt.policy.Next(at(tt.now), tt.usage)
		if err != nil || !got.Equal(at(tt.want)) {
			t.Errorf("%s: %s, %v, want %s", name, got.UTC().Format(time.RFC3339), err, tt.want)
		}
	}
	office.Zone = "Mars/Olympus"
	if _, err := office.Next(time.Now(), outreach.Usage{}); err == nil {
		t.Error("an unknown time zone was accepted")
	}
}

// The next time is not in the past, lies within the window, and is the same for every earlier question, even
// around clock changes.
func TestPolicyNextIsWithinTheWindow(t *testing.T) {
	// Clock changes of the zones below, in 2026.
	changes := []int64{1772953200, 1774746000, 1775314800, 1791041400, 1792890000, 1793512800}
	rapid.Check(t, func(t *rapid.T) {
		p := policy()
		p.Zone = rapid.SampledFrom([]string{
			"", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "Australia/Lord_Howe",
		}).Draw(t, "zone")
		p.WindowStart, p.WindowEnd = rapid.IntRange(0, 1439).Draw(t, "start"), rapid.IntRange(0, 1439).Draw(t, "end")
		p.Gap = time.Duration(rapid.IntRange(0, 3600).Draw(t, "gap")) * time.Second
		now := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "now"), 0)
		if rapid.Bool().Draw(t, "around a change") {
			now = time.Unix(rapid.SampledFrom(changes).Draw(t, "change")+rapid.Int64Range(-36*3600, 4*3600).Draw(t,
				"from it"), 0)
		}
		u := outreach.Usage{
			LastHour: rapid.IntRange(0, 12).Draw(t, "hour"),
			Last:     now.Add(-time.Duration(rapid.IntRange(0, 7200).Draw(t, "last")) * time.Second),
		}
		next, err := p.Next(now, u)
		if err != nil || next.Before(now) || next.Before(u.Last.Add(p.Gap)) || next.Sub(now) > 50*time.Hour {
			t.Fatalf("next time: %v, %v", next, err)
		}
		if again, err := p.Next(next, outreach.Usage{}); err != nil || !again.Equal(next) {
			t.Fatalf("%v is not within the window: %v, %v", next, again, err)
		}
		opens, err := p.Next(now, outreach.Usage{})
		later := now.Add(time.Duration(rapid.Int64Range(0, int64(opens.Sub(now))).Draw(t, "later")))
		if at, err2 := p.Next(later, outreach.Usage{}); err != nil || err2 != nil || !at.Equal(opens) {
			t.Fatalf("%v from %v on, %v from %v on: %v, %v", opens, now, at, later, err, err2)
		}
	})
}

func TestIntegrationsAreChecked(t *testing.T) {
	good := outreach.Integration{
		Host: "smtp.example.com", Port: 587, Security: outreach.SecuritySTARTTLS, Username: "u",
		Password: "p", From: "me@example.com", Policy: policy(),
	}
	if problems := good.Check(); len(problems) > 0 {
		t.Error("problems of a good integration:", problems)
	}
	for field, change := range map[string]func(*outreach.Integration){
		"host":            func(a *outreach.Integration) { a.Host = "smtp.example.com:25" },
		"port":            func(a *outreach.Integration) { a.Port = 70000 },
		"security":        func(a *outreach.Integration) { a.Security = outreach.SecurityNone },
		"password":        func(a *outreach.Integration) { a.Password = "" },
		"username":        func(a *outreach.Integration) { a.Username = "a\r\nb" },
		"from_email":      func(a *outreach.Integration) { a.From = "me" },
		"from_name":       func(a *outreach.Integration) { a.FromName = "a\nb" },
		"time_zone":       func(a *outreach.Integration) { a.Policy.Zone = "Europe/Nowhere" },
		"window_start":    func(a *outreach.Integration) { a.Policy.WindowStart = 1440 },
		"hourly_cap":      func(a *outreach.Integration) { a.Policy.PerHour = 0 },
		"daily_cap":       func(a *outreach.Integration) { a.Policy.PerDay = 0 },
		"min_gap_seconds": func(a *outreach.Integration) { a.Policy.Gap = -1 },
	} {
		a := good
		change(&a)
		wantField(t, invalid(a), field, a.Check()[0].Code)
	}
}

// Setting a value to itself is no change: it makes no history entry, and so no webhook event.
func TestUnchangedValuesMakeNoHistory(t *testing.T) {
	d := newDataset(t, 2)
	a := d.user(t, "u1")
	s, leads := d.sequence(t, a, "Q3", 1)
	status, at := outreach.LeadActive, time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	lead := outreach.LeadChange{
		Status: &status, SetNextFollowup: true, NextFollowup: &at,
		SetIntroducers: true, Introducers: []outreach.Introducer{{SocialIdentifier: "p2", Name: "Two", Rank: 1}},
	}
	sequence := outreach.SequenceChange{
		Name: &s.Name, Status: &s.Status, SetTemplates: true,
		Templates: []outreach.Template{{Name: "One", Subject: "x", Body: "y"}},
	}
	noted := func() (n int) {
		t.Helper()
		expect.NoError(t, d.db.Pool().QueryRow(t.Context(), "select count(*) from outreach_history").Scan(&n))
		return n
	}
	var counts []int
	for range 2 {
		if _, err := d.svc.ChangeLead(t.Context(), a, s.ID, leads[0], lead); err != nil {
			t.Fatal(err)
		}
		if _, err := d.svc.Change(t.Context(), a, s.ID, sequence); err != nil {
			t.Fatal(err)
		}
		counts = append(counts, noted())
	}
	if counts[0] != counts[1] {
		t.Errorf("%d history entries, and %d after the same changes again", counts[0], counts[1])
	}
	none := outreach.SequenceChange{SetTemplates: true}
	for range 2 {
		if _, err := d.svc.Change(t.Context(), a, s.ID, none); err != nil {
			t.Fatal(err)
		}
	}
	if n := noted(); n != counts[1]+1 {
		t.Errorf("%d history entries after the templates were removed, %d before", n, counts[1])
	}
}
