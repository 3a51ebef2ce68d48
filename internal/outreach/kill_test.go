package outreach_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/rs/zerolog"

	"kith/internal/access/keys"
	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/postgres"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// workerEnv makes the test binary a process that only sends.
const workerEnv = "KITH_TEST_WORKER"

func TestMain(m *testing.M) {
	if dsn := os.Getenv(workerEnv); dsn != "" {
		fmt.Fprintln(os.Stderr, sendFor(dsn))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// sendFor sends due e-mails until the process is killed.
func sendFor(dsn string) error {
	ctx := context.Background()
	db, err := postgres.Open(ctx, dsn, postgres.Options{Schema: pgtest.Schema, MaxConns: 4})
	if err != nil {
		return err
	}
	if err := db.UseKeys(keys.Ring{Suppression: make([]byte, 32)}); err != nil {
		return err
	}
	return outreach.NewWorker(outreach.WorkerConfig{
		Outbox: db.Delivery(nil), Cases: db.Outreach(), Mailer: mail.Sender{Guard: loopback()},
		Log:  zerolog.New(os.Stderr),
		Poll: 20 * time.Millisecond, Lease: 15 * time.Second,
	}).Run(ctx)
}

// The steps of sending, as the mail server sees them.
const (
	stepSignedIn = "a connection is there"
	stepFrom     = "an e-mail is claimed and its sender said"
	stepTo       = "its recipient is said"
	stepText     = "its text is on its way"
	stepTaken    = "it is taken, and the answer on its way"
)

// counter is an SMTP server that counts the e-mails to each address, and reports each step.
type counter struct {
	mu   sync.Mutex
	got  map[string]int
	step func(string)
}

func (c *counter) NewSession(*smtp.Conn) (smtp.Session, error) {
	c.step(stepSignedIn)
	return &counting{counter: c}, nil
}

type counting struct {
	counter *counter
	to      []string
}

func (s *counting) Reset()        { s.to = nil }
func (s *counting) Logout() error { return nil }

func (s *counting) Mail(string, *smtp.MailOptions) error {
	s.counter.step(stepFrom)
	return nil
}

func (s *counting) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	s.counter.step(stepTo)
	return nil
}

func (s *counting) Data(r io.Reader) error {
	s.counter.step(stepText)
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	s.counter.take(s.to)
	s.counter.step(stepTaken)
	return nil
}

func (c *counter) take(addresses []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, to := range addresses {
		c.got[to]++
	}
}

// killer kills processes at each step of sending. It kills some by the clock, which also catches them at work in
// the database.
type killer struct {
	mu      sync.Mutex
	running map[*os.Process]bool
	seen    map[string]int
	killed  map[string]int
}

// Each step passes a few times before a kill, so that some e-mails are sent between two kills.
const (
	killEvery   = 15
	killsAtStep = 3
)

// at kills the running process each time that a step was seen often enough.
func (k *killer) at(step string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	every := killEvery
	if step == stepSignedIn {
		every = 2 // one of these for many e-mails
	}
	k.seen[step]++
	if k.killed[step] == killsAtStep || k.seen[step]%every > 0 {
		return
	}
	k.killed[step]++
	for p := range k.running {
		_ = p.Kill() // it may have ended already
	}
}

func (k *killer) runs(p *os.Process, yes bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if yes {
		k.running[p] = true
	} else {
		delete(k.running, p)
	}
}

// Two processes send 500 e-mails and are killed again and again, at each step and at random moments. No e-mail is
// sent twice. Each ends in a true state: sent, and then it arrived; or failed, because its fate is unknown.
func TestKilledSendersNeverSendTwice(t *testing.T) {
	effort.OnlyLong(t)
	const emails, kills = 500, 8
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	k := &killer{running: map[*os.Process]bool{}, seen: map[string]int{}, killed: map[string]int{}}
	box := &counter{got: map[string]int{}, step: k.at}
	srv := smtp.NewServer(box)
	go func() { _ = srv.Serve(ln) }() // until the listener closes
	t.Cleanup(func() { _ = srv.Close() })
	d, dsn := newKillDataset(t, emails, ln.Addr().(*net.TCPAddr).Port)
	var group sync.WaitGroup
	settled, stop := context.WithCancel(t.Context())
	defer stop()
	for range 2 {
		group.Go(func() { k.keepKilling(settled, t, dsn, kills/2) })
	}
	d.waitSettled(t, emails)
	stop()
	group.Wait()
	checkArrivals(t, d, box, emails)
	for _, step := range []string{stepSignedIn, stepFrom, stepTo, stepText, stepTaken} {
		if k.killed[step] < killsAtStep {
			t.Errorf("killed %d times at step %s", k.killed[step], step)
		}
	}
	recounted(t, d.db.Pool())
}

// newKillDataset makes a dataset with one lead and one scheduled e-mail for each of the e-mails.
func newKillDataset(t *testing.T, emails, port int) (*dataset, string) {
	t.Helper()
	d, dsn := newDatasetAt(t, 2)
	a := d.user(t, "u1")
	s, _ := d.sequence(t, a, "Many")
	integration := outreach.Integration{
		Host: "127.0.0.1", Port: port, Security: outreach.SecurityNone, From: "me@acme.example",
		Policy: outreach.Policy{PerHour: outreach.MaxPerHour, PerDay: outreach.MaxPerDay},
	}
	integrations := outreach.NewIntegrations(d.db.Delivery(vault(t)), outreach.IntegrationRules{})
	_, err := integrations.Create(t.Context(), a, integration)
	expect.NoError(t, err)
	pgtest.Exec(t, d.db, `insert into people (id, social_key, social_id, email, record, hash, rank, version,
		company_ids)
		select i, 'k' || i, 'k' || i, 'k' || i || '@example.com', '{}', '', 0, 1, '{}'
		from generate_series(10, 9 + $1::int) i`, emails)
	pgtest.Exec(t, d.db, `with l as (insert into leads (user_id, sequence_id, person_id, status, created_at)
			select $1, $2, i, 'active', now() from generate_series(10, 9 + $3::int) i returning id, person_id)
		insert into emails (user_id, sequence_id, lead_id, status, subject, from_address, to_address, content,
			scheduled_at, due_at, created_at, integration_id)
		select $1, $2, id, 'scheduled', 'Hi', '', 'k' || person_id || '@example.com', '{"text_body":"Hello"}',
			now(), now(), now(), 1 from l`, a.UserID, s.ID, emails)
	return d, dsn
}

// keepKilling runs a sending process, kills it a few times after a while, and lets the last one run until ctx ends.
func (k *killer) keepKilling(ctx context.Context, t *testing.T, dsn string, kills int) {
	for i := 0; ctx.Err() == nil; i++ {
		cmd := exec.CommandContext(context.WithoutCancel(ctx), os.Args[0])
		cmd.Env = append(os.Environ(), workerEnv+"="+dsn)
		var output strings.Builder
		cmd.Stderr = &output
		if err := cmd.Start(); err != nil {
			t.Error(err)
			return
		}
		k.runs(cmd.Process, true)
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait() // it was killed
			close(ended)
		}()
		var after <-chan time.Time
		if i < kills {
			after = time.After(time.Duration(300+rand.IntN(1200)) * time.Millisecond)
		}
		select {
		case <-after:
			_ = cmd.Process.Kill()
			<-ended
		case <-ctx.Done():
			_ = cmd.Process.Kill()
			<-ended
		case <-ended:
		}
		k.runs(cmd.Process, false)
		if strings.Contains(output.String(), "panic") {
			t.Error(output.String())
		}
	}
}

func (d *dataset) waitSettled(t *testing.T, emails int) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Minute)
	for {
		var n int
		expect.NoError(t, d.db.Pool().QueryRow(t.Context(),
			"select count(*) from emails where status in ('sent', 'failed')").Scan(&n))
		if n == emails {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%d of %d e-mails are sent or failed", n, emails)
		}
	}
}

func checkArrivals(t *testing.T, d *dataset, box *counter, emails int) {
	t.Helper()
	rows, err := d.db.Pool().Query(t.Context(), "select to_address, status, failure from emails")
	expect.NoError(t, err)
	defer rows.Close()
	sent, unknown := 0, 0
	box.mu.Lock()
	defer box.mu.Unlock()
	for rows.Next() {
		var to, status, failure string
		expect.NoError(t, rows.Scan(&to, &status, &failure))
		n := box.got[to]
		switch {
		case n > 1:
			t.Errorf("%s got %d e-mails", to, n)
		case status == "sent" && n != 1:
			t.Errorf("the e-mail to %s is sent, but %d arrived", to, n)
		case status == "failed" && failure != outreach.Unconfirmed:
			t.Errorf("the e-mail to %s failed: %s", to, failure)
		}
		if status == "sent" {
			sent++
		} else {
			unknown++
		}
	}
	t.Logf("%d sent, %d unconfirmed of %d", sent, unknown, emails)
}
