package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/operation/tasks"
	"kith/internal/record/refresh"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestRefreshNeedsASource(t *testing.T) {
	t.Parallel()
	f := newFixture(t, refreshes(t, nil, time.Minute))
	for _, realtime := range []string{"true", "false"} {
		got := f.refresh(f.token,
			`{"social_urls":["https://social.example/in/jane","not a url"],"realtime":`+realtime+`}`)
		if len(got.JobIDs) != 0 || len(got.People) != 0 || got.TimeoutOccurred || len(got.Failures) != 2 ||
			got.Failures[0].Error != "SOURCE_NOT_CONFIGURED" || got.Failures[1].Error != "INVALID_URL" {
			t.Errorf("refresh: %+v", got)
		}
	}
}

func TestRealtimeRefreshAnswersWithFreshPeople(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	storePeople(t, f.db)
	got := f.refresh(f.token, `{"social_urls":"http://www.social.example/in/Jane-Doe/?x","realtime":true}`)
	if len(got.People) != 1 || got.People[0].ID != 1 || got.People[0].FullName != "Fresh jane-doe" ||
		len(got.JobIDs) != 0 || got.TimeoutOccurred {
		t.Fatalf("refresh: %+v", got)
	}
	// A refresh keeps values that the source lacks, and ends the former job.
	a := f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`).wants(t, 200, "")
	for _, kept := range []string{"https://img.example/jane.png", `"Engineer"`, "2021-02", "Newco"} {
		if !strings.Contains(string(a.body), kept) {
			t.Errorf("the refresh lost %s: %s", kept, a.body)
		}
	}
	var outbox int
	err := f.db.Pool().QueryRow(t.Context(), "select count(*) from outbox where kind = 1 and id = 1").Scan(&outbox)
	if err != nil || outbox != 2 {
		t.Errorf("%d outbox rows of the person, %v; want one for the load and one for the refresh", outbox, err)
	}
	// Results keep the order of the request, and each person is refreshed once.
	got = f.refresh(f.token, `{"social_urls":["social.example/in/b","social.example/in/a",
		"https://social.example/in/B/","social.example/in/c"],"realtime":true}`)
	var names []string
	for _, person := range got.People {
		names = append(names, person.FullName)
	}
	if strings.Join(names, ",") != "Fresh b,Fresh a,Fresh c" {
		t.Errorf("order of the people: %v", names)
	}
}

// A user deleted while a refresh waits needs another token, as with any other request.
func TestDeletedUsersGetNoRefreshAnswer(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	gone := make(chan error, 1)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for p.asked.Load() == 0 {
			<-tick.C
		}
		_, err := f.db.Pool().Exec(t.Context(), "delete from users")
		close(p.open)
		gone <- err
	}()
	f.post("/v2/people/refresh", `{"social_urls":"https://social.example/in/hanging","realtime":true}`).wants(t,
		http.StatusUnauthorized, "TOKEN_INVALID")
	if err := <-gone; err != nil {
		t.Error(err)
	}
}

// Every behaviour of a provider leads to a documented outcome.
func TestRefreshOutcomesAreThoseDocumented(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	want := map[string]string{
		"unknown": "PERSON_NOT_FOUND", "failing": "SOURCE_UNAVAILABLE", "malformed": "SOURCE_MALFORMED",
		"nameless": "RECORD_REFUSED",
		"other":    "RECORD_REFUSED", "huge": "SOURCE_TOO_LARGE", "inside": "SOURCE_REDIRECT_REFUSED",
	}
	var urls []string
	for name := range want {
		urls = append(urls, "https://social.example/in/"+name)
	}
	urls = append(urls, "https://social.example/in/fine")
	body, _ := json.Marshal(map[string]any{"social_urls": urls, "realtime": true})
	got := f.refresh(f.token, string(body))
	failed := map[string]string{}
	for _, x := range got.Failures {
		failed[path.Base(x.SocialURL)] = x.Error
	}
	if fmt.Sprint(failed) != fmt.Sprint(want) || len(got.People) != 1 || got.TimeoutOccurred {
		t.Errorf("refresh: %+v", got)
	}
	if strings.Contains(f.logs.String(), "social.example/in") {
		t.Error("the log contains names of profiles")
	}
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/eve"}`).wants(t, 404, "PERSON_NOT_FOUND")
}

// Kith waits for slow sources, and asks rate-limited ones again at the time they name. Neither is a failure.
func TestSlowSourcesAreNotFailures(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	got := f.refresh(f.token, `{"social_urls":["https://social.example/in/slow",
		"https://social.example/in/limited","https://social.example/in/fine"],"realtime":true}`)
	if len(got.People) != 3 || len(got.Failures) != 0 || got.TimeoutOccurred {
		t.Errorf("refresh: %+v", got)
	}
	var attempts int
	err := f.db.Pool().QueryRow(t.Context(),
		"select max(attempt) from river_job where kind = 'refresh'").Scan(&attempts)
	if err != nil || attempts != 1 {
		t.Errorf("a 429 answer counts as an attempt: %d, %v", attempts, err)
	}
}

// A source that hangs, at once or midway, does not block its worker forever.
func TestHangingRefreshesFreeTheirWorkers(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, impatient{p.source(t), p.within(t, 100*time.Millisecond)}, 4*time.Minute))
	var urls []string
	for i := range 20 { // more than the workers
		urls = append(urls, fmt.Sprintf("https://social.example/in/%s%d", []string{"hanging", "endless"}[i%2], i))
	}
	body, _ := json.Marshal(map[string]any{"social_urls": urls, "realtime": true})
	got := f.refresh(f.token, string(body))
	for _, x := range got.Failures {
		if x.Error != "SOURCE_TIMEOUT" {
			t.Errorf("failure of a hanging refresh: %+v", x)
		}
	}
	if len(got.Failures) != len(urls) || got.TimeoutOccurred {
		t.Errorf("refresh of hanging profiles: %+v", got)
	}
	got = f.refresh(f.token, `{"social_urls":"https://social.example/in/fine","realtime":true}`)
	if len(got.People) != 1 {
		t.Errorf("refresh after the hanging ones: %+v", got)
	}
}

// A refresh that outlasts the request continues as a job. The test first measures how long a quick refresh takes.
func TestLongRefreshesContinueAsJobs(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	var f *fixture
	var got refreshData
	for wait := 2 * time.Second; wait < 20*time.Second && len(got.People) == 0; wait *= 3 {
		f = newFixture(t, refreshes(t, p.source(t), wait))
		got = f.refresh(f.token, `{"social_urls":["https://social.example/in/quick",
			"https://social.example/in/hanging1","https://social.example/in/hanging2"],"realtime":true}`)
	}
	if len(got.People) != 1 || len(got.JobIDs) != 2 || !got.TimeoutOccurred || len(got.Failures) != 0 {
		t.Fatalf("refresh: %+v", got)
	}
	if j := f.job(f.token, got.JobIDs[0]).job(t); j.Status != "running" || j.Progress != 50 || j.Result != nil ||
		j.Error != nil {
		t.Errorf("job of a hanging profile: %+v", j)
	}
	close(p.open)
	for i, id := range got.JobIDs {
		if j := f.ended(f.token, id); j.Status != "succeeded" || j.Progress != 100 ||
			j.Result.Person.FullName != fmt.Sprintf("Fresh hanging%d", i+1) {
			t.Errorf("job after the source has answered: %+v", j)
		}
	}
}

func TestRefreshesOfOneProfileShareARequest(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	other := f.issue("u2")
	const body = `{"social_urls":"https://social.example/in/hanging","realtime":false}`
	first, again, theirs := f.refresh(f.token, body), f.refresh(f.token, body), f.refresh(other, body)
	if len(first.JobIDs) != 1 || !slices.Equal(first.JobIDs, again.JobIDs) || slices.Equal(first.JobIDs,
		theirs.JobIDs) {
		t.Fatalf("jobs of two equal refreshes and of another user: %+v, %+v, %+v", first, again, theirs)
	}
	// Only the user who started a job can see it.
	f.job(other, first.JobIDs[0]).wants(t, 404, "JOB_NOT_FOUND")
	f.call(http.MethodDelete, "/v2/jobs/"+first.JobIDs[0], "", "Authorization: Bearer "+other).wants(t, 404,
		"JOB_NOT_FOUND")
	for _, method := range []string{http.MethodGet, http.MethodDelete} { // Postgres refuses such text
		f.call(method, "/v2/jobs/a%00b", "", f.bearer()).wants(t, 404, "JOB_NOT_FOUND")
	}
	f.job(f.token, "job_nothing").wants(t, 404, "JOB_NOT_FOUND")
	// Cancelling by one user leaves the refresh of the other running.
	for range 2 {
		if j := f.call(http.MethodDelete, "/v2/jobs/"+first.JobIDs[0], "", f.bearer()).job(t); j.Status != "canceled" ||
			j.FinishedAt == nil {
			t.Errorf("canceled job: %+v", j)
		}
	}
	close(p.open)
	if j := f.ended(other, theirs.JobIDs[0]); j.Status != "succeeded" {
		t.Errorf("job of the other user: %+v", j)
	}
	f.call(http.MethodDelete, "/v2/jobs/"+theirs.JobIDs[0], "", "Authorization: Bearer "+other).wants(t, 409,
		"JOB_FINISHED")
	if n := p.asked.Load(); n != 1 {
		t.Errorf("the provider got %d requests", n)
	}
}

// A refresh succeeds although another request for the same profile is being canceled.
func TestRefreshRequestedDuringACancelSucceeds(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	other := f.issue("u2")
	var joined []string
	for i := range 5 {
		body := fmt.Sprintf(`{"social_urls":"https://social.example/in/hanging%d","realtime":false}`, i)
		first := f.refresh(f.token, body).JobIDs[0]
		theirs := make(chan []string, 1)
		go func() { theirs <- f.refresh(other, body).JobIDs }()
		if j := f.call(http.MethodDelete, "/v2/jobs/"+first, "", f.bearer()).job(t); j.Status != "canceled" {
			t.Errorf("canceled job: %+v", j)
		}
		joined = append(joined, <-theirs...)
		joined = append(joined, f.refresh(f.token, body).JobIDs...)
	}
	close(p.open)
	for i, id := range joined {
		token := []string{other, f.token}[i%2]
		if j := f.ended(token, id); j.Status != "succeeded" {
			t.Errorf("job requested during the cancellation: %+v", j)
		}
	}
}

func TestCancelStopsTheRequestToTheSource(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	id := f.refresh(f.token, `{"social_urls":"https://social.example/in/hanging","realtime":false}`).JobIDs[0]
	for p.asked.Load() == 0 {
		runtime.Gosched()
	}
	f.call(http.MethodDelete, "/v2/jobs/"+id, "", f.bearer()).wants(t, 200, "")
	<-p.left
	// A new request after that gets a new refresh.
	close(p.open)
	got := f.refresh(f.token, `{"social_urls":"https://social.example/in/quick","realtime":true}`)
	if len(got.People) != 1 {
		t.Errorf("refresh after the cancellation: %+v", got)
	}
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/hanging"}`).wants(t, 404, "PERSON_NOT_FOUND")
}

func TestExpiredJobsNameNobody(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	id := f.refresh(f.token, `{"social_urls":"https://social.example/in/quick","realtime":false}`).JobIDs[0]
	f.ended(f.token, id)
	queue, err := tasks.New(f.db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	tickets := f.db.Tickets(queue)
	expect.NoError(t, tickets.Tidy(t.Context(), time.Now().Add(-refresh.Lifetime)))
	f.job(f.token, id).wants(t, 200, "")
	expect.NoError(t, tickets.Tidy(t.Context(), time.Now().Add(time.Minute)))
	f.job(f.token, id).wants(t, 410, "JOB_EXPIRED")
	var left int
	err = f.db.Pool().QueryRow(t.Context(),
		"select count(*) from jobs where social_url is not null or social_key is not null").Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d expired jobs still name their person, %v", left, err)
	}
}

func TestRefreshRefusesBadBodies(t *testing.T) {
	t.Parallel()
	f := newFixture(t, refreshes(t, nil, time.Minute))
	for body, field := range map[string]string{
		`{"realtime":true}`:                                       "social_urls",
		`{"social_urls":"https://a.example/b"}`:                   "realtime",
		`{"social_urls":[],"realtime":true}`:                      "social_urls",
		`{"social_urls":[7],"realtime":true}`:                     "social_urls[0]",
		`{"social_urls":"","realtime":true}`:                      "social_urls",
		`{"social_urls":"https://a.example/b","realtime":"true"}`: "realtime",
		`{"social_urls":[` + strings.Repeat(`"a.example/b",`, 100) + `"a.example/b"],"realtime":true}`: "social_urls",
	} {
		e := f.post("/v2/people/refresh", body).wants(t, 422, "VALIDATION_FAILED").envelope(t).Error
		if len(e.Errors) == 0 || e.Errors[0].Field != field {
			t.Errorf("%.80s: %+v", body, e.Errors)
		}
	}
}

func TestStalePeopleAreQueuedOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, refreshes(t, newProvider(t).source(t), time.Minute))
	storePeople(t, f.db)
	queue, err := tasks.New(f.db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	tickets := f.db.Tickets(queue)
	for i, want := range []int{0, 1, 1, 0} {
		before := time.Now().Add(-time.Hour)
		if i > 0 {
			before = time.Now().Add(time.Hour)
		}
		if i == 3 {
			before = time.Now().Add(-time.Minute)
		}
		if n, err := tickets.QueueStale(t.Context(), before, 1); err != nil || n != want {
			t.Errorf("round %d: %d jobs queued, %v; want %d", i, n, err, want)
		}
	}
}

// The schedule queues stale people, with a priority below all requests.
func TestScheduleQueuesStalePeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	queue, err := tasks.New(f.db.Pool(), tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	expect.NoError(t, err)
	cfg := refresh.Config{
		Source: newProvider(t).source(t), Records: freshRecords{f.db, loader.NewMerger(f.db)},
		Tickets: f.db.Tickets(queue),
		Logger:  zerolog.Nop(),
		Now:     func() time.Time { return time.Now().Add(91 * 24 * time.Hour) },
	}
	scheduled := func(stale time.Duration) bool {
		cfg.Stale = stale
		svc := refresh.New(cfg)
		rc := &river.Config{Workers: river.NewWorkers(), Queues: map[string]river.QueueConfig{}}
		svc.AddWork(rc)
		if _, there := rc.Queues["refresh_stale"]; !there {
			return false
		}
		if err := svc.QueueStale(t.Context()); err != nil {
			t.Error(err)
		}
		return true
	}
	if scheduled(0) {
		t.Error("an empty age still makes a schedule")
	}
	for _, c := range []struct {
		days int
		want int
	}{{92, 0}, {90, 2}, {90, 2}} {
		if !scheduled(time.Duration(c.days) * 24 * time.Hour) {
			t.Error("the age makes no schedule")
		}
		list, err := queue.List(t.Context(), tasks.Filter{Kind: refresh.Kind, Limit: 10})
		if err != nil || len(list) != c.want {
			t.Errorf("after %d days: %+v, %v", c.days, list, err)
		}
		for _, job := range list {
			if job.Priority != tasks.Scheduled || job.State != tasks.Waiting {
				t.Errorf("scheduled job: %+v", job)
			}
		}
	}
}

// Disabling a user cancels the user's jobs at once. Enabling the user does not restart them.
func TestDisablingAUserEndsTheirJobs(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	id := f.refresh(f.token, `{"social_urls":"https://social.example/in/hanging","realtime":false}`).JobIDs[0]
	for _, disabled := range []bool{true, false} {
		expect.NoError(t, f.auth.SetDisabled(t.Context(), kith.OperatorPrincipal(), f.app, "u1", disabled))
	}
	if j := f.job(f.issue("u1"), id).job(t); j.Status != "canceled" || j.FinishedAt == nil {
		t.Errorf("job of the disabled user: %+v", j)
	}
	close(p.open)
}
