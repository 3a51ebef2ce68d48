package elasticindex_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kith"
	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/test/expect"
	"kith/query/indexed"
)

// actions returns the ids of a bulk request of index actions, in order.
func actions(t *testing.T, r *http.Request) (ids []string) {
	t.Helper()
	if r.URL.Query().Get("require_alias") != "true" {
		t.Error("the bulk request may create an index")
	}
	body, err := io.ReadAll(unzipped(t, r))
	if err != nil {
		t.Error(err)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(body), []byte("\n")) {
		if i%2 == 0 {
			_, after, _ := strings.Cut(string(line), `"_id":"`)
			id, _, _ := strings.Cut(after, `"`)
			ids = append(ids, id)
		}
	}
	return ids
}

func unzipped(t *testing.T, r *http.Request) io.Reader {
	t.Helper()
	if r.Header.Get("Content-Encoding") != "gzip" {
		return r.Body
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		t.Error(err)
		return r.Body
	}
	return z
}

// outcome answers a bulk request with the given statuses.
func outcome(w io.Writer, statuses ...int) {
	items := make([]string, len(statuses))
	for i, s := range statuses {
		items[i] = fmt.Sprintf(`{"index":{"status":%d}}`, s)
		if s >= 300 {
			items[i] = fmt.Sprintf(`{"index":{"status":%d,"error":{"type":"some_exception","reason":"because"}}}`, s)
		}
	}
	_, _ = fmt.Fprintf(w, `{"errors":true,"items":[%s]}`, strings.Join(items, ","))
}

func flats(n int) (docs []indexed.Flat) {
	for i := range n {
		docs = append(docs, indexed.Flat{ID: int64(i + 1), Version: 1, Record: []byte("{}")})
	}
	return docs
}

func TestRequestsToOtherMachinesAreCompressed(t *testing.T) {
	for _, far := range []bool{false, true} {
		var encoding, sent string
		d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
			encoding, sent = r.Header.Get("Content-Encoding"), strings.Join(actions(t, r), " ")
			_, _ = io.WriteString(w, `{"errors":false}`)
		})
		if far {
			d.SetFar()
		}
		err := d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil)
		if err != nil || sent != "1 2" || (encoding == "gzip") != far {
			t.Errorf("far %t: encoding %q, sent %s, %v", far, encoding, sent, err)
		}
	}
	for urls, near := range map[string]bool{
		"http://localhost:9200": true, "http://127.0.0.1:1,https://[::1]:9200": true,
		"http://127.0.0.1:1,http://node.example:9200": false, "http://192.0.2.1:9200": false,
	} {
		if got := elasticindex.IsNear(elasticindex.SplitURLs(urls)...); got != near {
			t.Errorf("%s: near %t, want %t", urls, got, near)
		}
	}
}

func TestBusyItemsAreSentAgain(t *testing.T) {
	var sent []string
	d, _ := standIn(t, func(n int, w http.ResponseWriter, r *http.Request) {
		sent = append(sent, strings.Join(actions(t, r), " "))
		switch n {
		case 1:
			outcome(w, 201, 429, 201, 503)
		case 2:
			outcome(w, 201, 429)
		default:
			outcome(w, 200)
		}
	})
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, flats(4), nil))
	if got := strings.Join(sent, "|"); got != "1 2 3 4|2 4|4" {
		t.Errorf("sent %s", got)
	}
}

func TestPersistentlyBusyNodeIsUnavailable(t *testing.T) {
	d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		outcome(w, slicesOf(429, len(actions(t, r)))...)
	})
	if err := d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

// A server error is retried. It becomes a refusal only if it persists.
func TestFaultyItemsAreSentAgain(t *testing.T) {
	for _, c := range []struct {
		passes int // the number of the successful request
		sent   string
	}{
		{2, "1 2 3|2"},
		{100, "1 2 3|2|2|2|2|2"},
	} {
		var sent []string
		d, _ := standIn(t, func(n int, w http.ResponseWriter, r *http.Request) {
			ids := actions(t, r)
			sent = append(sent, strings.Join(ids, " "))
			statuses := slicesOf(200, len(ids))
			if n < c.passes {
				statuses[len(ids)/2] = http.StatusInternalServerError
			}
			outcome(w, statuses...)
		})
		err := d.Write(t.Context(), index.People, []string{"v1"}, flats(3), nil)
		refused, ok := errors.AsType[*elasticindex.WriteError](err)
		if ok != (c.passes == 100) || ok && (len(refused.Items) != 1 || refused.Items[0].ID != 2) || !ok && err != nil {
			t.Errorf("passes with request %d: got %v", c.passes, err)
		}
		if got := strings.Join(sent, "|"); got != c.sent {
			t.Errorf("passes with request %d: sent %s, want %s", c.passes, got, c.sent)
		}
	}
}

func TestFaultOfTheWholeRequestIsUnavailable(t *testing.T) {
	d, _ := standIn(t, func(_ int, w http.ResponseWriter,
		_ *http.Request,
	) {
		w.WriteHeader(http.StatusInternalServerError)
	})
	if err := d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

func slicesOf(status, n int) (list []int) {
	for range n {
		list = append(list, status)
	}
	return list
}

// A proxy may accept less than a whole request, and Elasticsearch less than a whole document.
// Neither affects the other documents.
func TestTooLargeRequestsAreSplit(t *testing.T) {
	var mu sync.Mutex
	var stored []string
	d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		ids := actions(t, r)
		if len(ids) > 2 || slices.Contains(ids, "5") {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		stored = append(stored, ids...)
		outcome(w, slicesOf(http.StatusCreated, len(ids))...)
	})
	err := d.Write(t.Context(), index.People, []string{"v1"}, flats(7), nil)
	refused, ok := errors.AsType[*elasticindex.WriteError](err)
	if !ok || len(refused.Items) != 1 || refused.Items[0].ID != 5 || !strings.Contains(err.Error(), "413") {
		t.Errorf("got %v, want the fifth document refused", err)
	}
	if want := []string{"1", "2", "3", "4", "6", "7"}; !slices.Equal(slices.Sorted(slices.Values(stored)), want) {
		t.Errorf("stored %v, want %v", stored, want)
	}
}

func TestRefusedItemsAreNamed(t *testing.T) {
	d, n := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		actions(t, r)
		outcome(w, 201, 400, 201)
	})
	err := d.Write(t.Context(), index.People, []string{"v3"}, flats(3), nil)
	refused, ok := errors.AsType[*elasticindex.WriteError](err)
	if !ok || len(refused.Items) != 1 || refused.Items[0].ID != 2 || refused.Items[0].Version != "v3" || n.Load() != 1 {
		t.Fatalf("got %v after %d requests", err, n.Load())
	}
	if !strings.Contains(err.Error(), "because") {
		t.Errorf("%v does not give the reason", err)
	}
}

func TestWriteToADroppedVersionCreatesNoIndex(t *testing.T) {
	d, prefix := openAt(t)
	for name, write := range map[string]func() error{
		"store":  func() error { return d.Write(t.Context(), index.People, []string{"v99"}, flats(1), nil) },
		"delete": func() error { return d.Write(t.Context(), index.People, []string{"v99"}, nil, []int64{1}) },
	} {
		if err := write(); kith.KindOf(err) != kith.NotFound {
			t.Errorf("%s: got %v, want NotFound", name, err)
		}
	}
	if status, _ := raw(t, http.MethodHead, "/"+prefix+"-people-v99", ""); status != http.StatusNotFound {
		t.Error("the write created an index")
	}
	if status, _ := raw(t, http.MethodHead, "/"+prefix+"-people-v99-write", ""); status != http.StatusNotFound {
		t.Error("the write created an index with the name of the alias")
	}
}

func TestLargeWritesAreSplit(t *testing.T) {
	d := open(t)
	docs := flats(3000)
	for i := range docs {
		docs[i].Record = []byte(`{"about_me":"` + strings.Repeat("x", 4000) + `"}`)
	}
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, docs, nil))
	ids := make([]int64, 0, 2999)
	for i := range 2999 {
		ids = append(ids, int64(i+1))
	}
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, nil, ids))
	expect.NoError(t, d.Refresh(t.Context()))
	hits := everyone(t, d)
	if len(hits) != 1 || hits[0].ID != 3000 {
		t.Errorf("%d people are left, want 1", len(hits))
	}
}

// Elasticsearch may forget a deletion during a request. Then it refuses the newest version of a document, because of
// the deletion, but stores an older one. The driver must send the newest again.
func TestNewestVersionSurvivesAForgottenDeletion(t *testing.T) {
	var sent []string
	d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/_bulk"):
			sent = append(sent, strings.Join(actions(t, r), " "))
			if len(sent) == 1 {
				outcome(w, 409, 201, 409)
				return
			}
			outcome(w, 200)
		case strings.HasSuffix(r.URL.Path, "/_mget"):
			_, _ = io.WriteString(w,
				`{"docs":[{"_id":"1","_version":2,"found":true},{"_id":"1","_version":2,"found":true}]}`)
		}
	})
	docs := flats(3)
	docs[0].Version, docs[1].Version, docs[2].Version = 3, 2, 1
	docs[1].ID, docs[2].ID = 1, 1
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, docs, nil))
	if got := strings.Join(sent, "|"); got != "1 1 1|1" {
		t.Errorf("sent %s", got)
	}
}
