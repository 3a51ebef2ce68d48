package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	kithhttp "kith/http"
	"kith/internal/imports/loader"
	"kith/internal/operation/tasks"
	"kith/internal/postgres"
	"kith/internal/record/refresh"
	"kith/internal/record/source"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// provider is an HTTP source. The name of a profile says how it behaves.
type provider struct {
	*httptest.Server
	asked atomic.Int64
	// open releases the hanging requests when closed.
	open chan struct{}
	// left receives the hanging requests that the client gave up.
	left chan string
	// limited holds the profiles that got one 429.
	limited sync.Map
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{open: make(chan struct{}), left: make(chan string, 100)}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	p.asked.Add(1)
	profile := r.URL.Query().Get("social_url")
	name := path.Base(profile)
	kind := strings.TrimRight(name, "0123456789")
	if body, fixed := map[string]string{
		"malformed": `{"full_name":`,
		"nameless":  `{"headline":"x"}`,
		"other":     `{"full_name":"Eve","social_url":"https://social.example/in/eve"}`,
		"garbled":   `{"full_name":"Zoe Zed","email":"zoe.zed at home"}`,
	}[kind]; fixed {
		fmt.Fprint(w, body)
		return
	}
	statuses := map[string]int{"unknown": http.StatusNotFound, "failing": http.StatusInternalServerError}
	if status := statuses[kind]; status > 0 {
		w.WriteHeader(status)
		return
	}
	switch kind {
	case "huge":
		_, _ = w.Write(make([]byte, 2<<20)) // the client stops in the middle
	case "inside":
		http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
	case "slow":
		<-time.After(300 * time.Millisecond)
		p.person(w, profile)
	case "limited":
		if _, again := p.limited.LoadOrStore(profile, true); again {
			p.person(w, profile)
			return
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	case "endless":
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, `{"x":`); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			<-time.After(10 * time.Millisecond)
		}
	case "hanging":
		select {
		case <-p.open:
			p.person(w, profile)
		case <-r.Context().Done():
			p.left <- name
		}
	default:
		p.person(w, profile)
	}
}

func (*provider) person(w http.ResponseWriter, profile string) {
	fmt.Fprintf(w, `{"id":77,"full_name":"Fresh %s","social_url":%q,"work_relevant":{"title":"CTO","company":{"id":3,
		"name":"Newco"}},
		"education_history":[{"institute":"TU"}]}`, path.Base(profile), profile)
}

type freshRecords struct {
	*postgres.DB
	*loader.Merger
}

// refreshes configures a server to refresh from a source; nil means none.
func refreshes(t *testing.T, src source.Source, wait time.Duration) func(*fixture, *kithhttp.Config) {
	return func(f *fixture, cfg *kithhttp.Config) {
		pool := f.db.Pool()
		qc := tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()}
		asks, err := tasks.New(pool, qc)
		expect.NoError(t, err)
		svc := refresh.New(refresh.Config{
			Source: src, Records: freshRecords{f.db, loader.NewMerger(f.db)}, Tickets: f.db.Tickets(asks), Wait: wait,
			Logger: zerolog.New(f.logs),
		})
		cfg.Datasets[0].Refresh = svc
		qc.Work = []func(*river.Config){svc.AddWork, pgtest.RetryAtOnce}
		works, err := tasks.New(pool, qc)
		expect.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- works.Run(ctx) }()
		t.Cleanup(func() {
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the queue ended with %v", err)
			}
		})
	}
}

func (p *provider) source(t *testing.T) source.Source {
	t.Helper()
	return p.within(t, time.Minute)
}

// within returns the provider as a source with a timeout for each profile.
func (p *provider) within(t *testing.T, timeout time.Duration) source.Source {
	t.Helper()
	s, err := source.NewProvider(source.ProviderConfig{URL: p.URL, Rate: 1000, Trip: 1000, Timeout: timeout})
	expect.NoError(t, err)
	return s
}

// impatient is a source with a shorter timeout for hanging profiles.
type impatient struct {
	source.Source
	hasty source.Source
}

func (s impatient) Fetch(ctx context.Context, profileURL string) (source.Record, error) {
	if strings.HasPrefix(path.Base(profileURL), "fine") {
		return s.Source.Fetch(ctx, profileURL)
	}
	return s.hasty.Fetch(ctx, profileURL)
}

type refreshData struct {
	JobIDs []string `json:"job_ids"`
	People []struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	}
	TimeoutOccurred bool `json:"timeout_occurred"`
	Failures        []struct {
		SocialURL string `json:"social_url"`
		Error     string
	}
}

func (f *fixture) refresh(token, body string) refreshData {
	f.t.Helper()
	a := f.call(http.MethodPost, "/v2/people/refresh", body, "Authorization: Bearer "+token).wants(f.t, 200, "")
	var out refreshData
	expect.NoError(f.t, json.Unmarshal(a.envelope(f.t).Data, &out))
	return out
}

type jobData struct {
	ID, Status string
	Progress   int
	FinishedAt *time.Time `json:"finished_at"`
	Result     *struct {
		Person struct {
			FullName string `json:"full_name"`
		}
	}
	Error *struct{ Code, Message string }
}

func (a answer) job(t *testing.T) jobData {
	t.Helper()
	var j jobData
	expect.NoError(t, json.Unmarshal(a.wants(t, 200, "").envelope(t).Data, &j))
	return j
}

func (f *fixture) job(token, id string) answer {
	f.t.Helper()
	return f.call(http.MethodGet, "/v2/jobs/"+id, "", "Authorization: Bearer "+token)
}

// ended waits until a job has ended.
func (f *fixture) ended(token, id string) jobData {
	f.t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if j := f.job(token, id).job(f.t); j.FinishedAt != nil {
			return j
		}
		select {
		case <-tick.C:
		case <-deadline:
			f.t.Fatalf("job %s did not end", id)
		}
	}
}
