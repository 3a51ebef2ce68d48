package elasticindex_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/test/expect"
)

// The single segment of a large version has all of its people.
func TestCompleteMergesLargeVersionsIntoOneSegment(t *testing.T) {
	d, prefix := openAt(t)
	name, err := d.Create(t.Context())
	expect.NoError(t, err)
	docs := flats(60)
	for len(docs) > 0 {
		expect.NoError(t, d.Write(t.Context(), index.People, []string{name}, docs[:20], nil))
		expect.NoError(t, d.Refresh(t.Context()))
		docs = docs[20:]
	}
	for _, c := range []struct {
		from, segments int64
	}{{61, 3}, {60, 1}, {60, 1}} {
		d.CompactFrom(c.from, 0)
		expect.NoError(t, d.Complete(t.Context(), name))
		path := "/" + prefix + "-people-" + name + "/_stats/segments?filter_path=_all.primaries.segments.count"
		if _, got := raw(t, http.MethodGet, path, ""); !strings.Contains(got, fmt.Sprintf(`"count":%d}`, c.segments)) {
			t.Errorf("compacting from %d people: %s, want %d segments", c.from, got, c.segments)
		}
	}
	expect.NoError(t, d.Activate(t.Context(), name))
	if hits := everyone(t, d); len(hits) != 60 || string(hits[0].Record) != "{}" {
		t.Errorf("found %d people, the first %v", len(hits), hits[0])
	}
}

// compacting is a stand-in for a node with a version of 300,000 people, whose retention lease
// advances with each request for it. merge is the status of its answer to a merge.
func compacting(t *testing.T, merge int) (d *elasticindex.Driver, asked func() string) {
	t.Helper()
	var log []string
	lease := 0
	d, _ = standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/p-people-v1")
		log = append(log, strings.TrimPrefix(path+"?"+r.URL.Query().Get("max_num_segments"), ",p-companies-v1"))
		switch path {
		case "-write/_count":
			_, _ = io.WriteString(w, `{"count":300000}`)
		case "/_stats":
			_, _ = fmt.Fprintf(w, `{"indices":{"p-people-v1":{"shards":{"0":[{"routing":{"primary":true},
				"seq_no":{"max_seq_no":9},
"retention_leases":{"leases":[{"retaining_seq_no":%d}]}}]}}}}`, lease)
			lease += 5
		case "/_forcemerge":
			w.WriteHeader(merge)
			_, _ = io.WriteString(w, `{"error":{"type":"some_exception","reason":"because"}}`)
		default:
			_, _ = io.WriteString(w, `{"p-people-v1":{"aliases":{}},"p-companies-v1":{"aliases":{}}}`)
		}
	})
	return d, func() string { return strings.Join(log[1:], " ") }
}

// A merge drops only sources that no retention lease keeps. It goes on in the background if a proxy times out.
func TestCompactingWaitsForTheRetentionLease(t *testing.T) {
	const before, after = "/_refresh? -write/_count? /_flush? ", "/_forcemerge?2 "
	const settings = "/_settings? /_refresh? /_cluster/health/p-people-v1,p-companies-v1?"
	for _, c := range []struct {
		merge int
		wait  time.Duration
		want  string
		fails bool
	}{
		{200, time.Hour, before + "/_stats? /_stats? /_stats? " + after + settings, false},
		{200, 0, before + "/_stats? " + after + settings, false},
		{504, 0, before + "/_stats? " + after + settings, false},
		{403, 0, before + "/_stats? " + strings.TrimSpace(after), true},
	} {
		d, asked := compacting(t, c.merge)
		d.CompactFrom(300_000, c.wait)
		err := d.Complete(t.Context(), "v1")
		if got := asked(); got != c.want || (err != nil) != c.fails {
			t.Errorf("status %d, wait %v: asked %s, %v, want %s", c.merge, c.wait, got, err, c.want)
		}
	}
}

// A version is complete when its replicas are, so that a node can fail right after. Those that no node can hold are not
// awaited.
func TestCompleteAwaitsReplicas(t *testing.T) {
	for _, c := range []struct {
		name   string
		health []string
	}{
		{"made in two looks", []string{`{"initializing_shards":2}`, `{"initializing_shards":1}`, ""}},
		{"no node for them", []string{`{"initializing_shards":0}`}},
	} {
		looks := 0
		d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/_cluster/health") {
				_, _ = io.WriteString(w, `{"p-people-v1":{"aliases":{}},"p-companies-v1":{"aliases":{}}}`)
				return
			}
			if text := c.health[looks]; text != "" {
				w.WriteHeader(http.StatusRequestTimeout)
				_, _ = io.WriteString(w, text)
			}
			looks++
		})
		expect.NoError(t, d.Complete(t.Context(), "v1"))
		if looks != len(c.health) {
			t.Errorf("%s: looked %d times at the health, want %d", c.name, looks, len(c.health))
		}
	}
}
