package http_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/network"
	"kith/internal/record/enrich"
	"kith/internal/search"
	"kith/internal/test/expect"

	"github.com/jackc/pgx/v5"
)

// bearers accepts every token: it is the number of its user.
type bearers struct{ kithhttp.Auth }

func (bearers) Verify(_ context.Context, token string) (actor kith.Actor, err error) {
	_, err = fmt.Sscan(token, &actor.UserID)
	actor.Scopes = kith.UserScopes
	return actor, err
}

// epochs never change.
type epochs struct{}

func (epochs) RankEpoch(context.Context) (int64, error) { return 1, nil }

// loadedServer sends searches of many users to one server.
type loadedServer struct {
	t      *testing.T
	server *kithhttp.Server
}

// newLoadedServer starts a server. It calls before ahead of each engine call.
func newLoadedServer(t *testing.T, before func(context.Context) error) loadedServer {
	t.Helper()
	cfg := searchConfig(t, epochs{}, before)
	cfg.Budget = time.Hour
	server, err := kithhttp.New(kithhttp.Config{Datasets: []kithhttp.Dataset{{
		Name: "live", Services: kithhttp.Services{Auth: bearers{}}, Search: search.New(cfg), Seal: newSealer(t),
	}}})
	expect.NoError(t, err)
	return loadedServer{t, server}
}

// search sends a body; size -1 means without a Content-Length. The answer arrives on the channel.
func (c loadedServer) search(user int64, body io.Reader, size int64) <-chan *httptest.ResponseRecorder {
	c.t.Helper()
	rec := httptest.NewRecorder()
	return c.send(user, body, size, rec, rec)
}

// send is search for a client that writes into rec.
func (c loadedServer) send(
	user int64, body io.Reader, size int64, w http.ResponseWriter, rec *httptest.ResponseRecorder,
) <-chan *httptest.ResponseRecorder {
	c.t.Helper()
	req := httptest.NewRequestWithContext(c.t.Context(), http.MethodPost, "/v2/people/search", body)
	req.ContentLength = size
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", fmt.Sprintf("Bearer %d", user))
	answer := make(chan *httptest.ResponseRecorder, 1)
	go func() {
		c.server.ServeHTTP(w, req)
		answer <- rec
	}()
	synctest.Wait()
	return answer
}

// listOf is a search of a list of people, padded to a size in bytes.
func listOf(entries, size int) *strings.Reader {
	text := `{"scope":"specific_list","specific_list_data":[1` + strings.Repeat(",1", entries-1) + `]`
	return strings.NewReader(text + strings.Repeat(" ", max(0, size-len(text)-1)) + "}")
}

func wantStatus(t *testing.T, what string, answer <-chan *httptest.ResponseRecorder, status int, code string) {
	t.Helper()
	w := <-answer
	retry := w.Header().Get("Retry-After") != ""
	if w.Code != status || !strings.Contains(w.Body.String(), code) || retry != (status != http.StatusOK) {
		t.Errorf("%s: %d %.200s", what, w.Code, w.Body)
	}
}

// A user whose searches take half of the server gets a refusal for the next one; others are served. Once all of the
// server is taken, others are refused, too.
func TestFullServerRefuses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		var working atomic.Int32
		c := newLoadedServer(t, func(context.Context) error { working.Add(1); <-hold; return nil })
		search := func(user int64, more string) <-chan *httptest.ResponseRecorder {
			body := strings.NewReader(`{"filters":{"country":"Norway"},"scope":"global"` + more + `}`)
			return c.search(user, body, body.Size())
		}
		var served []<-chan *httptest.ResponseRecorder
		for range 4 {
			served = append(served, search(1, ""), search(1, ""), search(2, `,"limit":100,"explain":true`))
		}
		wantStatus(t, "one search too many", search(1, ""), http.StatusTooManyRequests, "TOO_MUCH_AT_ONCE")
		wantStatus(t, "a stream too many", search(1, `,"stream":true`), http.StatusTooManyRequests, "TOO_MUCH_AT_ONCE")
		wantStatus(t, "one costly search too many", search(2, ""), http.StatusTooManyRequests, "TOO_MUCH_AT_ONCE")
		wantStatus(t, "a third user", search(3, ""), http.StatusServiceUnavailable, "SERVER_BUSY")
		if n := working.Load(); n != 12 {
			t.Errorf("%d searches work", n)
		}
		close(hold)
		for _, answer := range append(served, search(1, ""), search(3, "")) {
			wantStatus(t, "a search", answer, http.StatusOK, "")
		}
	})
}

// stalled is a client that reads nothing until it is released.
type stalled struct {
	*httptest.ResponseRecorder
	read <-chan struct{}
}

func (s stalled) Write(b []byte) (int, error) {
	<-s.read
	return s.ResponseRecorder.Write(b)
}

// Clients that do not read their streams take nothing of the server, and get all once they do.
func TestStalledStreamsTakeNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newLoadedServer(t, nil)
		read := make(chan struct{})
		body := `{"filters":{"country":"Norway"},"scope":"global","stream":true}`
		var streams []<-chan *httptest.ResponseRecorder
		for range 20 {
			rec := httptest.NewRecorder()
			streams = append(streams, c.send(1, strings.NewReader(body), int64(len(body)), stalled{rec, read}, rec))
		}
		wantStatus(t, "a search beside them", c.search(1, listOf(1, 0), -1), http.StatusOK, "")
		close(read)
		for _, answer := range streams {
			wantStatus(t, "a stream", answer, http.StatusOK, "event: done")
		}
	})
}

// However many changes of one user wait for a lock, sign-in and requests of other users get a connection. A body that
// nobody asked for changes nothing.
func TestOneUserCannotTakeAllConnections(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		method, path, body string
		status             int
	}{
		{http.MethodPost, relationshipsPath, `{"people":["nobody@example.com"]}`, http.StatusOK},
		{http.MethodDelete, relationshipsPath + "/1", "unread", http.StatusNotFound},
	} {
		t.Run(tt.method, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, nil)
			f.fill()
			f.fillConnections(t, tt.status, func() answer { return f.call(tt.method, tt.path, tt.body, f.bearer()) })
		})
	}
}

// lockUser lets changes of the user u1 wait until unlock. await returns once this many wait.
func (f *fixture) lockUser(t *testing.T) (unlock func(), await func(n int)) {
	t.Helper()
	connect := func() *pgx.Conn {
		c, err := pgx.Connect(t.Context(), f.db.Pool().Config().ConnString())
		expect.NoError(t, err)
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		return c
	}
	look := connect()
	tx, err := connect().Begin(t.Context())
	expect.NoError(t, err)
	_, err = tx.Exec(t.Context(), "select from kith.users where external_id = 'u1' for update")
	expect.NoError(t, err)
	unlock = func() {
		t.Helper()
		expect.NoError(t, tx.Rollback(context.Background()))
	}
	return unlock, func(n int) {
		t.Helper()
		for waiting := -1; waiting != n; {
			err := look.QueryRow(t.Context(), "select count(*) from pg_stat_activity "+
				"where wait_event_type = 'Lock' and datname = current_database()").Scan(&waiting)
			expect.NoError(t, err)
		}
	}
}

// fillConnections makes more changes of the user at once than there are connections, while they wait for a lock.
func (f *fixture) fillConnections(t *testing.T, status int, change func() answer) {
	t.Helper()
	other := f.issue("other")
	unlock, await := f.lockUser(t)
	const changes = 30
	statuses := make(chan int, changes)
	for range changes {
		go func() { statuses <- change().StatusCode }()
	}
	const most = 8 // a quarter of the capacity, at two for a change
	for range changes - most {
		if got := <-statuses; got != http.StatusTooManyRequests {
			t.Errorf("a change too many: %d", got)
		}
	}
	await(most)
	f.call(http.MethodGet, relationshipsPath, "", "Authorization: Bearer "+other).wants(t, http.StatusOK, "")
	f.issue("new")
	await(most)
	unlock()
	for range most {
		if got := <-statuses; got != status {
			t.Errorf("a change: %d", got)
		}
	}
}

// A request ends when its client leaves, even if nothing reads its body.
func TestRequestsEndWithTheirClients(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.fill()
	unlock, await := f.lockUser(t)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, f.url+relationshipsPath+"/1",
		strings.NewReader("unread"))
	expect.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+f.token)
	left := make(chan error, 1)
	go func() {
		res, err := f.client.Do(req)
		if err == nil {
			_ = res.Body.Close()
		}
		left <- err
	}()
	await(1)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	await(0)
	unlock()
}

// A request that waits for the data source lets others work, also those of its user.
func TestWaitsForTheSourceTakeNoTurn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, body string }{
		{"/v2/people/enrich", `{"social_url":"https://social.example/in/hanging"}`},
		{"/v2/people/enrich/bulk", `{"identifiers":[{"url":"https://social.example/in/hanging"}]}`},
		{"/v2/people/refresh", `{"social_urls":"https://social.example/in/hanging","realtime":true}`},
		{relationshipsPath, `{"people":["https://social.example/in/hanging"]}`},
	} {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t)
			f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
				refreshes(t, p.source(t), time.Hour)(f, cfg)
				cfg.Capacity = 4 // of which a user has one change
				d := &cfg.Datasets[0]
				d.Enrich, d.Network = enrich.New(f.db, d.Refresh), network.New(f.db.Network()).LookUp(d.Refresh)
			})
			answered := make(chan int, 1)
			go func() { answered <- f.post(tt.path, tt.body).StatusCode }()
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for p.asked.Load() == 0 {
				<-tick.C
			}
			status := 0
			for tries := 0; tries < 20 && status != http.StatusOK; tries++ { // each waits half a second
				status = f.meAs(f.token).StatusCode
			}
			if status != http.StatusOK {
				t.Errorf("a request beside the one that waits: %d", status)
			}
			close(p.open)
			if status := <-answered; status != http.StatusOK {
				t.Errorf("the request that waited: %d", status)
			}
		})
	}
}

// Bodies in transit of one user take up to half of the memory, with or without a Content-Length. Bodies of other
// users, and small ones, pass at once.
func TestLargeBodiesWaitForMemory(t *testing.T) {
	t.Parallel()
	const largest, large = 32 << 20, 100 << 10
	synctest.Test(t, func(t *testing.T) {
		c := newLoadedServer(t, nil)
		told, sendTold := io.Pipe()
		untold, sendUntold := io.Pipe()
		first := c.search(1, told, largest)
		second := c.search(1, untold, -1)
		if _, err := sendUntold.Write([]byte(strings.Repeat(" ", 64<<10+1))); err != nil { // no longer small
			t.Fatal(err)
		}
		third := c.search(1, listOf(1, large), large)
		small := c.search(1, listOf(1, 0), -1)
		wantStatus(t, "a small body", small, http.StatusOK, "")
		wantStatus(t, "a large body of somebody else", c.search(2, listOf(1, large), large), http.StatusOK, "")
		wantStatus(t, "one large body too many", third, http.StatusTooManyRequests, "TOO_MUCH_AT_ONCE")
		_ = sendTold.CloseWithError(io.ErrUnexpectedEOF)
		_ = sendUntold.CloseWithError(io.ErrUnexpectedEOF)
		<-first
		<-second
		wantStatus(t, "a large body once there is memory", c.search(1, listOf(1, large), large), http.StatusOK, "")
	})
}

// The same limit holds for long lists, whose people need memory. All users together stay below the total.
func TestLongListsWaitForMemory(t *testing.T) {
	t.Parallel()
	const longest = 50_000
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		c := newLoadedServer(t, func(context.Context) error { <-hold; return nil })
		list := func(user int64, entries int) <-chan *httptest.ResponseRecorder {
			body := listOf(entries, 0)
			return c.search(user, body, body.Size())
		}
		var working []<-chan *httptest.ResponseRecorder
		for _, user := range []int64{1, 1, 2} {
			working = append(working, list(user, longest))
		}
		wantStatus(t, "a third list of one user", list(1, 101), http.StatusTooManyRequests, "TOO_MUCH_AT_ONCE")
		working = append(working, list(3, longest))
		wantStatus(t, "a fifth list", list(4, 101), http.StatusServiceUnavailable, "SERVER_BUSY")
		working = append(working, list(1, 100))
		close(hold)
		for _, answer := range working {
			wantStatus(t, "a list that fits", answer, http.StatusOK, "")
		}
	})
}
