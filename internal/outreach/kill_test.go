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

	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// workerEnv makes the test binary a process that does nothing but send.
const workerEnv = "KITH_TEST_WORKER"

func TestMain(m *testing.M) {
	if dsn := os.Getenv(workerEnv); dsn != "" {
		fmt.Fprintln(os.Stderr, sendFor(dsn))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// sendFor sends what is due until the process is killed.
func sendFor(dsn string) error {
	ctx := context.Background()
	db, err := postgres.Open(ctx, dsn, postgres.Options{Schema: pgtest.Schema, MaxConns: 4})
	if err != nil {
		return err
	}
	return outreach.NewWorker(outreach.WorkerConfig{
		Outbox: db.Outbox(nil), Cases: db.Outreach(), Mailer: mail.Sender{Guard: loopback()}, Log: zerolog.New(os.Stderr),
		Poll: 20 * time.Millisecond, Lease: 15 * time.Second,
	}).Run(ctx)
}

// counter is an SMTP server that counts what each address gets.
type counter struct {
	mu  sync.Mutex
	got map[string]int
}

func (c *counter) NewSession(*smtp.Conn) (smtp.Session, error) { return &counting{counter: c}, nil }

type counting struct {
	counter *counter
	to      []string
}

func (s *counting) Reset()                               { s.to = nil }
func (s *counting) Logout() error                        { return nil }
func (s *counting) Mail(string, *smtp.MailOptions) error { return nil }

func (s *counting) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *counting) Data(r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	s.counter.mu.Lock()
	defer s.counter.mu.Unlock()
	for _, to := range s.to {
		s.counter.got[to]++
	}
	return nil
}

// Two processes send 500 e-mails and are killed again and again, wherever they
// are. Nobody gets one twice, and each e-mail ends in a state that says what
// happened: sent, and then it arrived; or failed because nothing is known of it.
func TestKilledSendersNeverSendTwice(t *testing.T) {
	const emails, kills = 500, 16
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	box := &counter{got: map[string]int{}}
	srv := smtp.NewServer(box)
	go srv.Serve(ln) //nolint:errcheck // it ends with the listener
	t.Cleanup(func() { _ = srv.Close() })
	d, dsn := killDirectory(t, emails, ln.Addr().(*net.TCPAddr).Port)
	var group sync.WaitGroup
	settled, stop := context.WithCancel(t.Context())
	defer stop()
	for range 2 {
		group.Go(func() { keepKilling(settled, t, dsn, kills/2) })
	}
	d.waitSettled(t, emails)
	stop()
	group.Wait()
	checkArrivals(t, d, box, emails)
	recounted(t, d.db.Pool())
}

// killDirectory has as many leads as e-mails, one scheduled for each.
func killDirectory(t *testing.T, emails, port int) (*directory, string) {
	t.Helper()
	d, dsn := newDirectoryAt(t, 2)
	a := d.user(t, "u1")
	s, _ := d.sequence(t, a, "Many")
	account := outreach.Account{
		Host: "127.0.0.1", Port: port, Security: outreach.SecurityNone, From: "me@acme.example",
		Policy: outreach.Policy{PerHour: outreach.MaxPerHour, PerDay: outreach.MaxPerDay},
	}
	if _, err := outreach.NewIntegrations(d.db.Outbox(vault(t)), outreach.IntegrationRules{}).Create(t.Context(), a, account); err != nil {
		t.Fatal(err)
	}
	d.exec(t, `insert into people (id, social_key, social_id, email, record, hash, rank, version, company_ids)
		select i, 'k' || i, 'k' || i, 'k' || i || '@example.com', '{}', '', 0, 1, '{}' from generate_series(10, 9 + $1::int) i`, emails)
	d.exec(t, `with l as (insert into leads (user_id, sequence_id, person_id, status, created_at)
			select $1, $2, i, 'active', now() from generate_series(10, 9 + $3::int) i returning id, person_id)
		insert into emails (user_id, sequence_id, lead_id, status, subject, from_address, to_address, content, scheduled_at, due_at, created_at, integration_id)
		select $1, $2, id, 'scheduled', 'Hi', '', 'k' || person_id || '@example.com', '{"text_body":"Hello"}', now(), now(), now(), 1 from l`, a.UserID, s.ID, emails)
	return d, dsn
}

// keepKilling runs a sending process and kills it some times after a while, and
// lets the last one go on until ctx ends.
func keepKilling(ctx context.Context, t *testing.T, dsn string, kills int) {
	for i := 0; ctx.Err() == nil; i++ {
		cmd := exec.CommandContext(context.WithoutCancel(ctx), os.Args[0]) //nolint:gosec // it is this binary
		cmd.Env = append(os.Environ(), workerEnv+"="+dsn)
		var said strings.Builder
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Error(err)
			return
		}
		var after <-chan time.Time
		if i < kills {
			after = time.After(time.Duration(300+rand.IntN(1200)) * time.Millisecond)
		}
		select {
		case <-after:
		case <-ctx.Done():
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if strings.Contains(said.String(), "panic") {
			t.Error(said.String())
		}
	}
}

func (d *directory) waitSettled(t *testing.T, emails int) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(4 * time.Minute)
	for {
		var n int
		if err := d.db.Pool().QueryRow(t.Context(), "select count(*) from emails where status in ('sent', 'failed')").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == emails {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%d of %d e-mails are settled", n, emails)
		}
	}
}

func checkArrivals(t *testing.T, d *directory, box *counter, emails int) {
	t.Helper()
	rows, err := d.db.Pool().Query(t.Context(), "select to_address, status, failure from emails")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sent, unknown := 0, 0
	box.mu.Lock()
	defer box.mu.Unlock()
	for rows.Next() {
		var to, status, failure string
		if err := rows.Scan(&to, &status, &failure); err != nil {
			t.Fatal(err)
		}
		n := box.got[to]
		switch {
		case n > 1:
			t.Errorf("%s got %d", to, n)
		case status == "sent" && n != 1:
			t.Errorf("%s is sent and got %d", to, n)
		case status == "failed" && failure != outreach.Unconfirmed:
			t.Errorf("%s failed: %s", to, failure)
		}
		if status == "sent" {
			sent++
		} else {
			unknown++
		}
	}
	t.Logf("%d sent, %d unconfirmed of %d", sent, unknown, emails)
}
