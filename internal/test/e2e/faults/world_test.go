package faults_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
	"testing"
)

// world is what Kith reaches besides its servers: a source of fresh people, a webhook and a mail server. It has no
// faults and counts what arrives.
type world struct {
	source, hook string
	mailPort     int

	mu      sync.Mutex
	arrived map[string]int  // e-mails by address, events by the id that they are about
	events  map[string]bool // an event that is repeated counts once
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{arrived: map[string]int{}, events: map[string]bool{}}
	for url, handler := range map[*string]http.HandlerFunc{&w.source: serveFresh, &w.hook: w.notice} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		*url = server.URL
	}
	w.serveMail(t)
	return w
}

func serveFresh(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, `{"full_name":"Fresh %s","headline":"fresh","work_relevant":{"title":"Alchemist",`+
		`"company":{"name":"Newco"},"start_date":"2025-01"}}`, path.Base(r.URL.Query().Get("social_url")))
}

func (w *world) notice(_ http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body) // part of an event is no JSON
	var e struct {
		ID   string
		Data struct{ ID string }
	}
	if json.Unmarshal(text, &e) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.events[e.ID] {
		w.events[e.ID] = true
		w.arrived[e.Data.ID]++
	}
}

func (w *world) count(of string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.arrived[of]
}
