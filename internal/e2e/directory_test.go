package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/elasticindex"
	"kith/index/load"
	"kith/index/pgindex"
	"kith/internal/elastictest"
	"kith/internal/postgres"
	"kith/internal/postgres/embedded"
)

// generatedPeople is the size of the directory that the tests share: more than
// the 10,000 that a walk must see.
const generatedPeople = 12_000

// record is one line of a load file.
type record map[string]any

func (r record) id() int64 { return int64(r["id"].(float64)) }

// generated is a directory as `kith generate` writes it.
type generated struct {
	companies string
	people    []record
}

// directory generates the directory once for all tests. They must not change
// its records.
var directory = sync.OnceValues(func() (generated, error) {
	dir := filepath.Join(filepath.Dir(binary), "generated")
	out, err := exec.Command(binary, "generate", "--people", fmt.Sprint(generatedPeople), "--companies", "600", "--seed", "7", dir).CombinedOutput()
	if err != nil {
		return generated{}, fmt.Errorf("kith generate: %w\n%s", err, out)
	}
	g := generated{companies: filepath.Join(dir, "companies.ndjson")}
	g.people, err = readRecords(filepath.Join(dir, "people.ndjson"))
	return g, err
})

func generate(t *testing.T) generated {
	t.Helper()
	g, err := directory()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func readRecords(path string) ([]record, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var records []record
	for line := range bytes.Lines(text) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// write writes a load file into the installation and returns its path.
func (k kith) write(t *testing.T, name string, people []record) string {
	t.Helper()
	var text bytes.Buffer
	for _, p := range people {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	path := filepath.Join(k.dir, name)
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// changed are copies of people with some members of their own.
func changed(people []record, members record) []record {
	out := make([]record, len(people))
	for i, p := range people {
		out[i] = record{}
		for _, r := range []record{p, members} {
			maps.Copy(out[i], r)
		}
	}
	return out
}

// everyone is a filter that excludes no one who was generated.
func everyone() map[string]string { return map[string]string{"position": "-zzz"} }

// found is how many people a server finds of all.
func (s *server) found(t *testing.T, token string) int {
	t.Helper()
	p := s.search(t, token, map[string]any{"filters": everyone(), "scope": "global", "limit": 1, "include_counts": "global"})
	return p.Metadata.Counts.Global.Value
}

// has is how many of some people a server finds, asked for one by one.
func (s *server) has(t *testing.T, token string, people []record) int {
	t.Helper()
	return len(s.search(t, token, listOf(people)).Data)
}

// listOf is a search for particular people.
func listOf(people []record) map[string]any {
	list := make([]string, len(people))
	for i, p := range people {
		list[i] = fmt.Sprint(p.id())
	}
	return map[string]any{"scope": "specific_list", "specific_list_data": list}
}

// inside is a look at the records and the index beside kith itself.
type inside struct {
	db     *postgres.DB
	engine index.Writer
	close  func()
}

// look opens an installation from within the test, which then holds a share in
// its Postgres until close.
func (k kith) look(t *testing.T) inside {
	t.Helper()
	log := zerolog.Nop()
	shared, err := embedded.Open(t.Context(), k.data(), embedded.Options{Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(t.Context(), shared.URL(), postgres.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(errors.Join(err, shared.Close()))
	}
	in := inside{db: db}
	in.close = sync.OnceFunc(func() {
		db.Close()
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(in.close)
	in.engine = pgindex.New(db.Pool())
	if url := k.variable("KITH_ELASTICSEARCH_URL"); url != "" {
		if in.engine, err = elasticindex.New(elasticindex.Config{URLs: []string{url}, Prefix: k.variable("KITH_ELASTICSEARCH_PREFIX")}); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

func (in inside) people(t *testing.T) int {
	t.Helper()
	n, err := in.db.Count(t.Context(), load.People)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

func (in inside) versions(t *testing.T) int {
	t.Helper()
	versions, err := in.engine.Versions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(versions)
}

// data is the data directory.
func (k kith) data() string { return filepath.Join(k.dir, "data") }

// variable is a setting of the installation.
func (k kith) variable(name string) string {
	for _, v := range k.env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// clear ends the Postgres that a killed kith left running, as the next command
// would.
func (k kith) clear(t *testing.T) {
	if _, err := os.Stat(filepath.Join(k.data(), "postgres", "postmaster.pid")); err != nil {
		return
	}
	shared, err := embedded.Open(context.Background(), k.data(), embedded.Options{})
	if err == nil {
		err = shared.Close()
	}
	if err != nil {
		t.Errorf("ending the Postgres of the test: %v", err)
	}
}

// ownIndices is an Elasticsearch prefix whose indices are dropped at the end of
// the test.
func ownIndices(t *testing.T, url string) string {
	prefix := elastictest.Prefix(t)
	t.Cleanup(func() {
		names, err := ask(http.MethodGet, url+"/_cat/indices/"+prefix+"*?h=index")
		if err != nil {
			t.Errorf("listing the indices of the test: %v", err)
		}
		for name := range strings.FieldsSeq(names) {
			if _, err := ask(http.MethodDelete, url+"/"+name); err != nil {
				t.Errorf("dropping an index of the test: %v", err)
			}
		}
	})
	return prefix
}

func ask(method, url string) (string, error) {
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: status %d: %s", method, url, resp.StatusCode, body)
	}
	return string(body), err
}
