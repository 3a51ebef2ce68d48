package elasticindex_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

func everyone(t *testing.T, d *elasticindex.Driver) []index.Hit {
	t.Helper()
	hits, err := d.Find(t.Context(), index.People, index.FindRequest{Query: query.All{}, Limit: 100000})
	expect.NoError(t, err)
	return hits
}

func TestSecondSetupChangesNothing(t *testing.T) {
	d := open(t)
	expect.NoError(t, d.Setup(t.Context()))
	versions, err := d.Versions(t.Context())
	if err != nil || len(versions) != 1 {
		t.Errorf("versions %v, %v, want one", versions, err)
	}
}

func TestIndexIsUnavailableBeforeSetup(t *testing.T) {
	d := driver(t, elasticindex.Config{URLs: []string{elastictest.URL(t)}, Prefix: elastictest.Prefix(t)})
	for name, err := range map[string]error{
		"check": d.Check(t.Context()), "find": find(t.Context(), d),
		"mapping": d.CheckMapping(t.Context()),
	} {
		if kith.KindOf(err) != kith.Unavailable || !strings.Contains(err.Error(), "reindex") {
			t.Errorf("%s: got %v, want Unavailable and what to do", name, err)
		}
	}
}

func TestVersionOfTheNode(t *testing.T) {
	got, err := open(t).Version(t.Context())
	if err != nil || !strings.HasPrefix(got, "8.") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestVersionWithoutAProductHeader(t *testing.T) {
	d, _ := standIn(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"name":"n","version":{"number":"8.17.3"},"tagline":"You Know, for Search"}`))
	})
	if got, err := d.Version(t.Context()); err != nil || got != "8.17.3" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestOldMappingNeedsAReindex(t *testing.T) {
	d, prefix := openAt(t)
	expect.NoError(t, d.CheckMapping(t.Context()))
	raw(t, http.MethodPut, "/"+prefix+"-people-v1/_mapping", `{"_meta":{"kith_mapping":"old"}}`)
	if err := d.CheckMapping(t.Context()); err == nil || !strings.Contains(err.Error(), "kith reindex") {
		t.Errorf("another mapping: got %v", err)
	}
}

func TestIndexIsSortedByRank(t *testing.T) {
	_, prefix := openAt(t)
	if _, settings := raw(t, http.MethodGet, "/"+prefix+"-people-v1/_settings", ""); !strings.Contains(settings,
		`"field":["rank","id"]`) {
		t.Errorf("the index is not sorted: %s", settings)
	}
}

// One prefix may begin with another.
func TestIndexesOfOtherPrefixesAreIgnored(t *testing.T) {
	d, prefix := openAt(t)
	other := driver(t, elasticindex.Config{URLs: []string{elastictest.URL(t)}, Prefix: prefix + "-people"})
	expect.NoError(t, other.Setup(t.Context()))
	defer remove(t, other)
	for range 2 {
		name, err := d.Create(t.Context())
		expect.NoError(t, err)
		expect.NoError(t, d.Activate(t.Context(), name))
	}
	versions, err := other.Versions(t.Context())
	if err != nil || len(versions) != 1 || !versions[0].Active {
		t.Errorf("versions with the other prefix: %v, %v", versions, err)
	}
}

func TestFindReturnsMoreThanOnePageOfHits(t *testing.T) {
	d := open(t)
	const people = 10050
	docs := flats(people)
	for i := range docs {
		docs[i].Rank = int64(i % 7)
	}
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, docs, nil))
	expect.NoError(t, d.Refresh(t.Context()))
	hits := everyone(t, d)
	if len(hits) != people {
		t.Fatalf("found %d, want %d", len(hits), people)
	}
	for i := 1; i < len(hits); i++ {
		a, b := hits[i-1], hits[i]
		if a.Sort < b.Sort || a.Sort == b.Sort && a.ID >= b.ID {
			t.Fatalf("%v comes before %v", a, b)
		}
	}
}

func TestLongValuesAreStoredAndFound(t *testing.T) {
	d := open(t)
	long := strings.Repeat("é", 40000)
	doc := indexed.Flat{
		ID: 1, Version: 1, Record: []byte("{}"), Facets: map[indexed.Facet]string{indexed.FacetCity: long},
		Fields: indexed.Fields{
			Keywords: map[query.Field][]string{query.City: {long}},
			Words:    map[query.Field][][]string{query.Name: {{long, "a b", ""}, {"x"}}},
		},
	}
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, []indexed.Flat{doc}, nil))
	expect.NoError(t, d.Refresh(t.Context()))
	for _, c := range []struct {
		q    query.Query
		want int
	}{
		{query.Term{Field: query.City, Value: long}, 1},
		{query.Term{Field: query.City, Value: long + "x"}, 0},
		{query.Phrase{Field: query.Name, Words: []string{long, "a b", ""}}, 1},
		{query.Phrase{Field: query.Name, Words: []string{"", "x"}}, 0},
		{query.AllWords{Field: query.Name, Words: []string{"a b", "x"}}, 1},
		{query.Term{Field: query.Name, Value: "a"}, 0},
	} {
		if n, err := d.Count(t.Context(), index.People, c.q, 0); err != nil || n != c.want {
			t.Errorf("%.80v: got %d, %v, want %d", c.q, n, err, c.want)
		}
	}
	facets, err := d.Facets(t.Context(), query.All{}, []indexed.Facet{indexed.FacetCity}, 5, 100)
	if err != nil || len(facets[indexed.FacetCity]) != 1 || !strings.HasPrefix(long,
		facets[indexed.FacetCity][0].Value) {
		t.Errorf("facet: %v", err)
	}
}

func TestAPIKeyIsPreferredToAPassword(t *testing.T) {
	var header string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Get("Authorization")
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		_, _ = io.WriteString(w, noHits)
	}))
	defer server.Close()
	d := driver(t, elasticindex.Config{
		URLs: []string{server.URL}, Prefix: "p", APIKey: "a2V5", Username: "u", Password: "p",
	})
	if err := find(t.Context(), d); err != nil || !strings.EqualFold(header, "ApiKey a2V5") {
		t.Errorf("error %v, Authorization %q", err, header)
	}
}

// A node with security and TLS accepts only the right password. When it stops, its driver says so at once. The node
// cannot create API keys: their index needs a filter that the node lacks. See TestAPIKeyIsPreferredToAPassword.
func TestWrongCredentialsAreRefused(t *testing.T) {
	n, err := elastictest.Start(t.Context(),
		elastictest.Options{Security: true, TLS: true, Heap: "384m", Brief: true, Log: os.Stderr})
	expect.NoError(t, err)
	stopped := false
	defer func() {
		if !stopped {
			_ = n.Stop()
		}
	}()
	base := elasticindex.Config{URLs: []string{n.URL}, Prefix: "auth", CA: n.CA}
	with := func(change func(*elasticindex.Config)) *elasticindex.Driver {
		cfg := base
		change(&cfg)
		return driver(t, cfg)
	}
	basic := with(func(c *elasticindex.Config) { c.Username, c.Password = n.Username, n.Password })
	if err := basic.Setup(t.Context()); err != nil {
		t.Errorf("user and password: %v", err)
	}
	if err := answered(t, basic); err != nil {
		t.Errorf("check: %v", err)
	}
	if err := basic.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil); err != nil {
		t.Errorf("write: %v", err)
	}
	for name, d := range map[string]*elasticindex.Driver{
		"nothing":        with(func(*elasticindex.Config) {}),
		"wrong password": with(func(c *elasticindex.Config) { c.Username, c.Password = n.Username, "wrong" }),
		"wrong key":      with(func(c *elasticindex.Config) { c.APIKey = "bm86bm8=" }),
		"no CA": with(func(c *elasticindex.Config) {
			c.Username, c.Password, c.CA = n.Username, n.Password,
				nil
		}),
	} {
		if err := answered(t, d); err == nil || kith.KindOf(err) == kith.Unavailable {
			t.Errorf("%s: got %v, want an error that is not Unavailable", name, err)
		}
	}
	stopped = true
	expect.NoError(t, n.Stop())
	for name, err := range map[string]error{"check": basic.Check(t.Context()), "find": find(t.Context(), basic)} {
		if kith.KindOf(err) != kith.Unavailable {
			t.Errorf("%s of a stopped node: got %v, want Unavailable", name, err)
		}
	}
}

// answered checks a driver until the node has answered. A check waits for one second; a busy
// machine may need longer for a TLS handshake.
func answered(t *testing.T, d *elasticindex.Driver) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for {
		if err := d.Check(ctx); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
	}
}

// An emptied cluster reuses the names of its lost versions. The ID distinguishes them.
func TestRecreatedVersionHasAnotherID(t *testing.T) {
	d := open(t)
	only := func() index.Version {
		versions, err := d.Versions(t.Context())
		if err != nil || len(versions) != 1 || versions[0].ID == "" {
			t.Fatalf("versions %v, %v, want one with an ID", versions, err)
		}
		return versions[0]
	}
	first := only()
	if again := only(); again != first {
		t.Errorf("%v, then %v", first, again)
	}
	remove(t, d)
	expect.NoError(t, d.Setup(t.Context()))
	if second := only(); second.Name != first.Name || second.ID == first.ID {
		t.Errorf("got %v, and after the loss %v", first, second)
	}
}
