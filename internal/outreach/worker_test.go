package outreach_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/outreach"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestApprovedEmailsAreSentOnce(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	e := d.approved(t, s.ID, leads[0], 1, false)
	d.pass(t)
	d.pass(t)
	got, lead := d.state(t, s.ID, e.ID)
	expect.Len(t, "messages", d.post.taken, 1)
	expect.Values(t, "e-mail and lead",
		[]any{got.Status, got.SentAt != nil, lead.Stage, lead.LatestUpdate},
		outreach.EmailSent, true, 1, "E-mail sent")
	first := d.post.taken[0]
	expect.Values(t, "addresses of the first message", []any{first.To, first.ToName, first.From, first.FromName},
		"p1@example.com", "Person 1", "me@acme.example", "Me")
	_, domain, _ := strings.Cut(first.MessageID, "@")
	expect.Values(t, "first message",
		[]any{first.Subject, first.Text, first.HTML != "", first.Unsubscribe != "", len(first.References), domain},
		"Hi Person1", "Hello", true, true, 0, "acme.example")
	if d.post.integrations[0].Password != "p4ssw0rd" {
		t.Error("the worker used another password")
	}
	var kept string
	if err := d.db.Pool().QueryRow(t.Context(), "select password from integrations").Scan(&kept); err != nil ||
		strings.Contains(kept, "p4ss") || kept == "" {
		t.Errorf("the stored password is %q, %v", kept, err)
	}
	answer := d.approved(t, s.ID, leads[0], 1, true)
	d.pass(t)
	expect.Len(t, "messages after the follow-up", d.post.taken, 2)
	expect.Values(t, "references of the follow-up", []any{d.post.taken[1].References}, []string{first.MessageID})
	if got, _ := d.state(t, s.ID, answer.ID); got.Thread() != e.ID {
		t.Errorf("thread %d", got.Thread())
	}
	recounted(t, d.db.Pool())
}

// Few mail servers accept a domain in other letters than ASCII; all accept its DNS form.
func TestInternationalDomainsAreSentInASCII(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	pgtest.Exec(t, d.db,
		"update emails set to_address = 'jörg@bücher.example', from_address = 'me@straße.example' where id = $1",
		e.ID)
	d.pass(t)
	if len(d.post.taken) != 1 || d.post.taken[0].To != "jörg@xn--bcher-kva.example" ||
		d.post.taken[0].From != "me@xn--strae-oqa.example" {
		t.Fatalf("messages: %+v", d.post.taken)
	}
	if got, _ := d.state(t, s.ID, e.ID); got.To != "jörg@bücher.example" {
		t.Errorf("to %s", got.To)
	}
}

// The sender name of an e-mail is that of its integration.
func TestSenderNameComesFromTheIntegration(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	draft := outreach.Draft{Subject: "Hi", Body: "Yours, {sender_name}", Integration: 1}
	drafted, err := d.svc.Draft(t.Context(), d.user, s.ID, leads[0], draft)
	if err != nil || drafted.Email.Content.Body != "Yours, Me" {
		t.Fatalf("drafted content: %+v, %v", drafted.Email.Content, err)
	}
	draft.Integration = 0
	_, err = d.svc.Draft(t.Context(), d.user, s.ID, leads[0], draft)
	wantField(t, err, "body", "MISSING_VALUE")
	body := "Best, {sender_name}"
	a, err := d.svc.Decide(t.Context(), d.user, drafted.ID, outreach.ActivityChange{Body: &body})
	if err != nil || a.Email.Content.Body != "Best, Me" {
		t.Errorf("edited e-mail: %+v, %v", a.Email, err)
	}
}

func TestUnsentEmailsHaveAReason(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3, 4, 5)
	none, unknown := d.approved(t, s.ID, leads[0], 0, false), d.approved(t, s.ID, leads[1], 1, false)
	pgtest.Exec(t, d.db, "update emails set integration_id = 9 where id = $1", unknown.ID) // a deleted integration
	suppressed := d.approved(t, s.ID, leads[2], 1, false)
	suppress(t, d.db, d.user, "p3@example.com")
	refused, unclear := d.approved(t, s.ID, leads[3], 1, false), d.approved(t, s.ID, leads[4], 1, false)
	d.post.fail = func(m outreach.Message) error {
		if m.To == "p4@example.com" {
			return &outreach.Refused{Reason: "550 no such mailbox\r\n" + strings.Repeat("é", 400)}
		}
		return errors.New("connection reset")
	}
	d.pass(t)
	for _, want := range []struct {
		email  *outreach.Email
		status outreach.EmailStatus
		says   string
	}{
		{none, outreach.EmailScheduled, "E-mail waits: the e-mail has no integration"},
		{unknown, outreach.EmailScheduled, "E-mail waits: there is no integration 9"},
		{suppressed, outreach.EmailCanceled, "the address is suppressed"},
		{refused, outreach.EmailFailed, "E-mail not sent: 550 no such mailbox é"},
		{unclear, outreach.EmailFailed, "E-mail not sent: unconfirmed"},
	} {
		e, lead := d.state(t, s.ID, want.email.ID)
		if e.Status != want.status || !strings.HasPrefix(lead.LatestUpdate, want.says) &&
			!strings.Contains(lead.LatestUpdate, want.says) {
			t.Errorf("for %q the e-mail is %s: %q", want.says, e.Status, lead.LatestUpdate)
		}
	}
	if len(d.post.taken) != 0 {
		t.Errorf("%d e-mails were sent", len(d.post.taken))
	}
	recounted(t, d.db.Pool())
}

// An unusable integration delays no other user, and its own user sees the reason.
func TestUnusableIntegrationsDelayNoOther(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	sealed, nowhere := d.integrate(t, policy()), d.integrate(t, policy())
	pgtest.Exec(t, d.db, "update integrations set password = 'sealed with another key' where id = $1", sealed.ID)
	pgtest.Exec(t, d.db, "update integrations set zone = 'Mars/Olympus' where id = $1", nowhere.ID)
	emails := []*outreach.Email{
		d.approved(t, s.ID, leads[0], sealed.ID, false),
		d.approved(t, s.ID, leads[1], nowhere.ID, false), d.approved(t, s.ID, leads[2], 1, false),
	}
	d.pass(t)
	for i, want := range []string{
		"E-mail waits: the password of integration 2 can no longer be read; add the mail server again",
		`E-mail waits: the time zone "Mars/Olympus" of the integration is unknown on this server`, "E-mail sent",
	} {
		if _, lead := d.state(t, s.ID, emails[i].ID); lead.LatestUpdate != want {
			t.Errorf("%q, want %q", lead.LatestUpdate, want)
		}
	}
	if due, err := d.outbox.Due(t.Context(), d.now, nil, 100); err != nil || len(due) > 0 {
		t.Errorf("e-mails are due again at once: %+v, %v", due, err)
	}
}

// mailer is a mail server made of a function.
type mailer func(outreach.Message) error

func (f mailer) Connect(context.Context, outreach.Integration) (outreach.Connection, error) {
	return f, nil
}

func (f mailer) Send(m outreach.Message) error { return f(m) }

func (f mailer) Ready() error { return nil }

func (f mailer) Close() error { return nil }

func TestWaitingEmailsAreSentLater(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	slow := policy()
	slow.Gap = time.Hour
	integration := d.integrate(t, slow)
	first := d.approved(t, s.ID, leads[0], integration.ID, false)
	second := d.approved(t, s.ID, leads[1], integration.ID, false)
	d.post.down = errors.New("no route to host")
	d.pass(t)
	if _, lead := d.state(t, s.ID, first.ID); !strings.Contains(lead.LatestUpdate, "cannot be reached") {
		t.Errorf("update of the lead: %q", lead.LatestUpdate)
	}
	d.post.down = nil
	d.now = d.now.Add(time.Hour)
	d.pass(t)
	if a, _ := d.state(t, s.ID, first.ID); a.Status != outreach.EmailSent {
		t.Errorf("the first is %s", a.Status)
	}
	if b, _ := d.state(t, s.ID, second.ID); b.Status != outreach.EmailScheduled {
		t.Errorf("the second is %s within the hour", b.Status)
	}
	paused, active := outreach.SequencePaused, outreach.SequenceActive
	change := func(status *outreach.SequenceStatus) {
		if _, err := d.svc.Change(t.Context(), d.user, s.ID, outreach.SequenceChange{Status: status}); err != nil {
			t.Fatal(err)
		}
	}
	change(&paused)
	d.now = d.now.Add(2 * time.Hour)
	d.pass(t)
	if len(d.post.taken) != 1 {
		t.Errorf("the paused sequence sent %d e-mails", len(d.post.taken)-1)
	}
	change(&active)
	d.pass(t)
	if b, _ := d.state(t, s.ID, second.ID); b.Status != outreach.EmailSent {
		t.Errorf("the second is %s", b.Status)
	}
}

// E-mails that a server defers, as greylisting does, are retried for at most a day. They can be changed or
// canceled meanwhile.
func TestDeferredEmailsAreRetriedForADay(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	taken, never, closed := d.approved(t, s.ID, leads[0], 1, false), d.approved(t, s.ID, leads[1], 1, false),
		d.approved(t, s.ID, leads[2], 1, false)
	tries, began := map[string]int{}, d.now
	d.post.fail = func(m outreach.Message) error {
		tries[m.To]++
		if m.To == "p1@example.com" && tries[m.To] == 3 {
			return nil
		}
		return &outreach.Refused{Reason: "450 later\r\nplease", Temporary: true}
	}
	d.pass(t)
	d.pass(t)
	finished := outreach.LeadFinished
	if _, err := d.svc.ChangeLead(t.Context(), d.user, s.ID, leads[2],
		outreach.LeadChange{Status: &finished}); err != nil {
		t.Fatal(err)
	}
	if e, lead := d.state(t, s.ID, taken.ID); e.Status != outreach.EmailScheduled ||
		lead.LatestUpdate != "E-mail waits: the mail server asks to try again later: 450 later please" ||
		tries[e.To] != 1 {
		t.Errorf("the e-mail is %s after %d tries: %s", e.Status, tries[e.To], lead.LatestUpdate)
	}
	for d.now.Before(began.Add(24 * time.Hour)) {
		d.now = d.now.Add(15 * time.Minute)
		d.pass(t)
	}
	for e, want := range map[*outreach.Email]struct {
		status outreach.EmailStatus
		tries  int
	}{taken: {outreach.EmailSent, 3}, never: {outreach.EmailFailed, 7}, closed: {outreach.EmailCanceled, 1}} {
		if got, _ := d.state(t, s.ID, e.ID); got.Status != want.status || tries[got.To] != want.tries {
			t.Errorf("%s is %s after %d tries, want %s after %d", got.To, got.Status, tries[got.To], want.status,
				want.tries)
		}
	}
	recounted(t, d.db.Pool())
}

// stale is an outbox with an old list of due e-mails.
type stale struct {
	outreach.Outbox
	due []outreach.Due
}

func (s stale) Due(context.Context, time.Time, []outreach.Sender, int) ([]outreach.Due, error) {
	return s.due, nil
}

// Another process with an older list of due e-mails respects a postponement.
func TestPostponementsHoldForEveryProcess(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	due, err := d.outbox.Due(t.Context(), d.now, nil, 100)
	if err != nil || len(due) != 1 {
		t.Fatalf("due e-mails: %+v, %v", due, err)
	}
	tries := 0
	d.post.fail = func(outreach.Message) error {
		tries++
		return &outreach.Refused{Reason: "450 later", Temporary: true}
	}
	d.pass(t)
	before, _ := d.state(t, s.ID, e.ID)
	another := outreach.NewWorker(outreach.WorkerConfig{
		Outbox: stale{d.outbox, due}, Cases: d.db.Outreach(), Mailer: d.post,
		Now: func() time.Time { return d.now },
	})
	if _, err := another.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, _ := d.state(t, s.ID, e.ID); tries != 1 || got.Deferrals != 1 || !got.DueAt.Equal(*before.DueAt) {
		t.Errorf("%d tries, %d deferrals, due %v instead of %v", tries, got.Deferrals, got.DueAt, before.DueAt)
	}
}

// Claims made while a clock was wrong delay no e-mail once it is right.
func TestClaimsFromTheFutureDelayNothing(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	slow := policy()
	slow.Gap = time.Minute
	integration := d.integrate(t, slow).ID
	sent := d.approved(t, s.ID, leads[0], integration, false)
	stuck := d.approved(t, s.ID, leads[1], integration, false)
	next := d.approved(t, s.ID, leads[2], integration, false)
	pgtest.Exec(t, d.db, "update emails set status = 'sent', sent_at = $2, claimed_at = $2 where id = $1", sent.ID,
		d.now.Add(365*24*time.Hour))
	pgtest.Exec(t, d.db,
		"update emails set status = 'sending', claimed_at = $2 where id = $1", stuck.ID, d.now.Add(365*24*time.Hour))
	d.pass(t)
	for e, want := range map[*outreach.Email]outreach.EmailStatus{
		stuck: outreach.EmailFailed,
		next:  outreach.EmailSent,
	} {
		if got, lead := d.state(t, s.ID, e.ID); got.Status != want {
			t.Errorf("%s, want %s: %s, due %s", got.Status, want, lead.LatestUpdate, got.DueAt)
		}
	}
}

// A Message-ID is ASCII, whatever the sender's domain.
func TestMessageIDIsASCII(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3, 4, 5)
	yes := outreach.DecisionApproved
	for i, tt := range []struct{ from, want string }{
		{"me@müller.example", "@xn--mller-kva.example"},
		{"me@BÜCHER.Example", "@xn--bcher-kva.example"},
		{"jürgen@acme.example", "@acme.example"},
		{"me@例え.テスト", "@xn--r8jz45g.xn--zckzah"},
		{"me@exa_mple.example", "@exa_mple.example"},
	} {
		drafted, err := d.svc.Draft(t.Context(), d.user, s.ID, leads[i], hello())
		expect.NoError(t, err)
		integration := int64(1)
		_, err = d.svc.Decide(t.Context(), d.user, drafted.ID,
			outreach.ActivityChange{Decision: &yes, From: &tt.from, Integration: &integration})
		expect.NoError(t, err)
		d.now = d.now.Add(time.Hour)
		d.pass(t)
		if len(d.post.taken) != i+1 || !strings.HasSuffix(d.post.taken[i].MessageID, tt.want) {
			t.Errorf("%s: %+v", tt.from, d.post.taken)
		}
	}
}

// No e-mail is sent for a disabled user. Waiting e-mails are sent once the user is enabled.
func TestNothingIsSentForDisabledUsers(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	for _, disabled := range []bool{true, false} {
		expect.NoError(
			t,
			d.db.Auth().
				SetDisabled(t.Context(), kith.OperatorPrincipal(), d.user.AppID, d.user.ExternalID, disabled,
					time.Now()),
		)
		d.pass(t)
		want := outreach.EmailSent
		if disabled {
			want = outreach.EmailScheduled
		}
		if got, _ := d.state(t, s.ID, e.ID); got.Status != want || (len(d.post.taken) == 0) != disabled {
			t.Errorf("disabled %v: the e-mail is %s, %d sent", disabled, got.Status, len(d.post.taken))
		}
	}
}

// If a user is disabled during a turn, the rest of the turn's e-mails wait.
func TestDisablingAUserEndsTheTurn(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	d.approved(t, s.ID, leads[0], 1, false)
	next := d.approved(t, s.ID, leads[1], 1, false)
	d.post.fail = func(outreach.Message) error {
		return d.db.Auth().SetDisabled(t.Context(), kith.OperatorPrincipal(), d.user.AppID, d.user.ExternalID, true,
			time.Now())
	}
	d.pass(t)
	if e, _ := d.state(t, s.ID, next.ID); e.Status != outreach.EmailScheduled || len(d.post.taken) != 1 {
		t.Errorf("after the user was disabled the next e-mail is %s, %d sent", e.Status, len(d.post.taken))
	}
}
