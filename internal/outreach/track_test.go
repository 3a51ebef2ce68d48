package outreach_test

import (
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"kith/internal/outreach"
	"kith/internal/test/expect"
)

// track makes an integration that tracks opens and clicks.
func (d *delivery) track(t *testing.T, opens, clicks bool) outreach.Integration {
	t.Helper()
	a, err := outreach.NewIntegrations(d.outbox, outreach.IntegrationRules{Track: true}).Create(t.Context(), d.user,
		outreach.Integration{
			Host: "smtp.example.com", Port: 587, Security: outreach.SecuritySTARTTLS, From: "me@acme.example",
			Policy:     policy(),
			TrackOpens: opens, TrackClicks: clicks,
		})
	expect.NoError(t, err)
	return a
}

// sent sends a body through an integration and returns the message that reached the mailer.
func (d *delivery) sent(t *testing.T, sequence, lead, integration int64, body string) (outreach.Message, int64) {
	t.Helper()
	draft := hello()
	draft.Body, draft.Integration = body, integration
	email := d.send(t, sequence, lead, draft)
	return d.post.taken[len(d.post.taken)-1], email
}

func TestEmailsAreTrackedOnRequest(t *testing.T) {
	const body = "See https://acme.example/a?b=1&c=2. Or https://kith.example/v2/unsubscribe/x"
	const linked = `<a href="https://kith.example/v2/clicked/https%3A%2F%2Facme.example%2Fa%3Fb%3D1%26c%3D2">` +
		"https://acme.example/a?b=1&amp;c=2</a>"
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	for _, tt := range []struct{ opens, clicks bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		m, _ := d.sent(t, s.ID, leads[0], d.track(t, tt.opens, tt.clicks).ID, body)
		if strings.Contains(m.HTML, "<img") != tt.opens || strings.Contains(m.HTML, linked) != tt.clicks {
			t.Errorf("%+v: %s", tt, m.HTML)
		}
		if m.Text != body || m.Unsubscribe != "https://kith.example/v2/unsubscribe/x" ||
			!strings.Contains(m.HTML, `href="https://kith.example/v2/unsubscribe/x"`) {
			t.Errorf("%+v: %q %q %s", tt, m.Text, m.Unsubscribe, m.HTML)
		}
	}
	list, _, err := d.svc.Emails(t.Context(), d.user, s.ID, outreach.EmailQuery{Page: outreach.Page{N: 10}})
	for _, e := range list {
		if err != nil || strings.Contains(e.Content.HTMLBody, "kith.example/v2/clicked") {
			t.Errorf("tracking changed the stored content: %s, %v", e.Content.HTMLBody, err)
		}
	}
	svc := outreach.NewIntegrations(d.outbox, outreach.IntegrationRules{})
	_, err = svc.Create(t.Context(), d.user, outreach.Integration{
		Host: "smtp.example.com", Port: 587, Security: outreach.SecuritySTARTTLS, From: "me@acme.example",
		Policy:     policy(),
		TrackOpens: true,
	})
	wantField(t, err, "track_opens", "NOT_AVAILABLE")
}

// A recorded open or click changes the e-mail and the lead as feedback does, once.
func TestOpensAndClicksCountOnce(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	_, email := d.sent(t, s.ID, leads[0], d.track(t, true, true).ID, "https://acme.example")
	listener := outreach.NewListener(d.outbox, nil)
	for _, what := range []outreach.FeedbackType{outreach.FeedbackOpened, outreach.FeedbackClicked} {
		for range 2 {
			expect.NoError(t, listener.RecordFeedback(t.Context(), d.user.UserID, email, what))
		}
	}
	e, lead := d.state(t, s.ID, email)
	expect.Values(t, "e-mail and lead after the click", []any{e.OpenedAt != nil, e.ClickedAt != nil, lead.LatestUpdate},
		true, true, "Link in the e-mail opened")
	got, err := d.svc.Sequence(t.Context(), d.user, s.ID)
	expect.Values(t, "counts", []any{err, got.Counts.Opened, got.Counts.Clicked}, nil, 1, 1)
	entries, _, err := d.svc.History(t.Context(), d.user, s.ID, leads[0], outreach.Page{N: 100})
	reported := 0
	for _, entry := range entries {
		if entry.By == outreach.ByFeedback {
			reported++
		}
	}
	if err != nil || reported != 2 {
		t.Errorf("%d history entries, %v", reported, err)
	}
	// Unsent e-mails, e-mails of other users and missing e-mails do not count.
	waiting := d.approved(t, s.ID, leads[1], 0, false)
	other := d.dataset.user(t, "u2")
	for _, ref := range [][2]int64{{d.user.UserID, waiting.ID}, {other.UserID, email}, {d.user.UserID, 0}} {
		if err := listener.RecordFeedback(t.Context(), ref[0], ref[1], outreach.FeedbackOpened); err != nil {
			t.Error(err)
		}
	}
	if e, _ := d.state(t, s.ID, waiting.ID); e.OpenedAt != nil {
		t.Error("an unsent e-mail was recorded as opened")
	}
	recounted(t, d.db.Pool())
}

// hrefs returns the addresses that an HTML text links to, and its text.
func hrefs(t interface{ Fatal(...any) }, text string) (links []string, rest string) {
	z := html.NewTokenizer(strings.NewReader(text))
	var b strings.Builder
	for {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Fatal(z.Err())
			}
			return links, b.String()
		case html.TextToken:
			b.WriteString(z.Token().Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range z.Token().Attr {
				if a.Key == "href" {
					links = append(links, a.Val)
				}
			}
		}
	}
}

// Tracked links lead to the original address, and the rest of the text is unchanged.
func TestTrackedLinksLeadToTheOriginal(t *testing.T) {
	pieces := []string{
		`<a href="https://a.example/x?y=1&amp;z=2">`, `<a class=b href='http://b.example'>`,
		`<A HREF=https://c.example/>`,
		`<a href="mailto:x@example.com">`,
		`<a href="#top">`, `<a href="javascript:alert(1)">`, `<a href="https://kith.example/v2/unsubscribe/x">`,
		`<a name="x">`, `<area href="https://d.example">`,
		`</a>`, "text & more ", "<p>", "</p>", `<img src="https://e.example/i.png">`,
		"<!-- <a href='https://f.example'> -->", "</body></html>", "<a href=", "İ",
		`<a href="//g.example">`, `<a href=" https://h.example ">`,
		`<a href="https://i.example/` + strings.Repeat("x", 2000) + `">`,
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "text"), "")
		l := links(1, 2, "")
		before, rest := hrefs(t, text)
		if got := l.Tracked(text, outreach.Integration{TrackClicks: true}); got != text &&
			!slices.ContainsFunc(before, outreach.Followable) && !strings.Contains(text, "h.example") {
			t.Fatalf("%q became %q without any link to track", text, got)
		}
		after, restAfter := hrefs(t, l.Tracked(text, outreach.Integration{TrackClicks: true}))
		if rest != restAfter || len(before) != len(after) {
			t.Fatalf("%q became %q", rest, restAfter)
		}
		for i := range before {
			target, tracked := strings.CutPrefix(after[i], "https://kith.example/v2/clicked/")
			if !tracked {
				target = after[i]
			} else if target, _ = url.QueryUnescape(target); !outreach.Followable(target) || target == l.Unsubscribe {
				t.Fatalf("%q is tracked", target)
			}
			if strings.TrimSpace(before[i]) != strings.TrimSpace(target) {
				t.Fatalf("%q became %q", before[i], target)
			}
		}
		if got := l.Tracked(text, outreach.Integration{}); got != text {
			t.Fatalf("%q became %q without tracking", text, got)
		}
	})
}

func TestOnlyWebLinksAreTracked(t *testing.T) {
	for target, want := range map[string]bool{
		"https://acme.example": true, "http://acme.example/a?b#c": true, "javascript:alert(1)": false,
		"data:text/html,x": false, "//acme.example": false,
		"/v2/people": false, "https://": false, "https://acme.example/\r\nSet-Cookie: a": false,
		`https:\\acme.example`: false, "https://a\\@b.example": false, "": false,
	} {
		if outreach.Followable(target) != want {
			t.Errorf("%q: %t", target, !want)
		}
	}
}
