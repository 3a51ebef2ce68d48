package indextest

import (
	"strings"
	"sync"
	"testing"

	"kith/index"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

func startsEmpty(t *testing.T, e Engine) {
	if err := e.Check(t.Context()); err != nil {
		t.Errorf("check: %v", err)
	}
	if e.Engine() == "" {
		t.Error("the engine has no name")
	}
	versions, err := e.Versions(t.Context())
	if err != nil || len(versions) != 1 || !versions[0].Active {
		t.Errorf("versions: %v, %v; want one that is active", versions, err)
	}
	finds(t, e, query.All{})
}

func updateReplaces(t *testing.T, e Engine) {
	Store(t, e, index.People, person(1, 10, 1, "berlin", "engineer", "manager"), person(2, 5, 1, "berlin", "engineer"))
	finds(t, e, wasA("engineer"), 1, 2)
	Store(t, e, index.People, person(1, 1, 2, "paris", "director"))
	finds(t, e, query.All{}, 2, 1)
	finds(t, e, inCity("berlin"), 2)
	finds(t, e, inCity("paris"), 1)
	finds(t, e, wasA("engineer"), 2)
	finds(t, e, wasA("manager"))
	finds(t, e, wasA("director"), 1)
	facets, err := e.Facets(t.Context(), query.All{}, []indexed.Facet{indexed.FacetCity}, 10, 100)
	if err != nil || len(facets[indexed.FacetCity]) != 2 {
		t.Errorf("facets: %v, %v; want berlin and paris", facets, err)
	}
	Store(t, e, index.People, person(1, 1, 3, "paris"))
	finds(t, e, wasA("director"))
}

func staleWrite(t *testing.T, e Engine) {
	Store(t, e, index.People, person(1, 10, 5, "berlin", "engineer"))
	for _, version := range []int64{4, 5} {
		Store(t, e, index.People, person(1, 20, version, "paris", "manager"), person(2, 1, version, "rome", "manager"))
		finds(t, e, inCity("berlin"), 1)
		finds(t, e, inCity("paris"))
		finds(t, e, wasA("engineer"), 1)
		finds(t, e, wasA("manager"), 2)
	}
	Store(t, e, index.People, person(1, 20, 6, "paris", "manager"))
	finds(t, e, inCity("paris"), 1)
	finds(t, e, wasA("manager"), 1, 2)
}

func deletes(t *testing.T, e Engine) {
	Store(t, e, index.People, person(1, 10, 1, "berlin", "engineer"), person(2, 9, 1, "berlin", "engineer"))
	versions := []string{active(t, e)}
	write(t, e, index.People, versions, nil, []int64{1, 77})
	finds(t, e, query.All{}, 2)
	finds(t, e, wasA("engineer"), 2)
	write(t, e, index.People, versions, []indexed.Document{person(3, 8, 1, "berlin")}, []int64{1, 2})
	finds(t, e, query.All{}, 3)
	Store(t, e, index.People, person(1, 10, 2, "paris", "manager"))
	finds(t, e, query.All{}, 1, 3)
	finds(t, e, wasA("manager"), 1)
	write(t, e, index.Companies, versions, nil, []int64{1})
	finds(t, e, query.All{}, 1, 3)
}

func twiceInOneWrite(t *testing.T, e Engine) {
	Store(t, e, index.People, person(1, 1, 2, "berlin", "engineer"), person(1, 1, 3, "paris", "manager"),
		person(1, 1, 1, "rome"))
	finds(t, e, query.All{}, 1)
	finds(t, e, inCity("paris"), 1)
	finds(t, e, wasA("engineer"))
	finds(t, e, wasA("manager"), 1)
}

func repeatedWrite(t *testing.T, e Engine) {
	for range 3 {
		Store(t, e, index.People, person(1, 1, 1, "berlin", "engineer"), person(2, 2, 1, "paris", "engineer"))
		finds(t, e, wasA("engineer"), 2, 1)
	}
	write(t, e, index.People, nil, []indexed.Document{person(3, 3, 1, "rome")}, []int64{1})
	write(t, e, index.People, []string{active(t, e)}, nil, nil)
	finds(t, e, query.All{}, 2, 1)
}

// racingWrites has several writers store the same people in different orders and versions at once.
func racingWrites(t *testing.T, e Engine) {
	const people, writers = 40, 4
	name := active(t, e)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for version := range int64(5) {
				var docs []indexed.Flat
				for i := range int64(people) {
					id := i + 1
					if w%2 == 1 {
						id = people - i
					}
					v := version*writers + int64(w) + 1
					city := "other"
					if v == 5*writers {
						city = "newest"
					}
					docs = append(docs, indexed.Flatten(person(id, 0, v, city, city)))
				}
				if err := e.Write(t.Context(), index.People, []string{name}, docs, nil); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
	}
	wg.Wait()
	expect.NoError(t, e.Refresh(t.Context()))
	var all []int64
	for i := range int64(people) {
		all = append(all, i+1)
	}
	finds(t, e, inCity("newest"), all...)
	finds(t, e, wasA("newest"), all...)
	finds(t, e, wasA("other"))
}

func recordAsWritten(t *testing.T, e Engine) {
	d := person(1, 1, 1, "berlin")
	d.Record = []byte(`{"z":"<é> & \u0041 東京 🚀","a":[1.50,null,{"b":true}],"n":9007199254740993}`)
	Store(t, e, index.People, d)
	req := index.FindRequest{Query: query.All{}, Limit: 10}
	hits, err := e.Find(t.Context(), index.People, req)
	if err != nil || len(hits) != 1 {
		t.Fatalf("got %v, %v, want one person", hits, err)
	}
	if string(hits[0].Record) != string(d.Record) {
		t.Errorf("record\n%s, want\n%s", hits[0].Record, d.Record)
	}
	req.NoRecord = true
	if hits, err = e.Find(t.Context(), index.People, req); err != nil || len(hits) != 1 || hits[0].Record != nil {
		t.Errorf("without records: got %v, %v", hits, err)
	}
}

// longValues are longer than an index entry of Postgres may be.
func longValues(t *testing.T, e Engine) {
	long := strings.Repeat("0123456789abcdef", 300)
	one, two := person(1, 2, 1, long+"1", long+"1"), person(2, 1, 1, long+"2", long+"2")
	one.Fields.Words[query.Text] = [][]string{{"at", long + "1", "inc"}}
	one.Facets, two.Facets = nil, nil
	Store(t, e, index.People, one, two)
	finds(t, e, inCity(long+"1"), 1)
	finds(t, e, inCity(long+"2"), 2)
	finds(t, e, inCity(long))
	finds(t, e, wasA(long+"2"), 2)
	finds(t, e, query.Phrase{Field: query.Text, Words: []string{long + "1", "inc"}}, 1)
	finds(t, e, query.Phrase{Field: query.Text, Words: []string{long + "2", "inc"}})
}

func manyJobs(t *testing.T, e Engine) {
	titles := make([]string, 200)
	for i := range titles {
		titles[i] = strings.Repeat("x", i+1)
	}
	Store(t, e, index.People, person(1, 1, 1, "berlin", titles...), person(2, 2, 1, "berlin", titles[:10]...))
	finds(t, e, wasA(titles[199]), 1)
	finds(t, e, wasA(titles[9]), 2, 1)
	Store(t, e, index.People, person(1, 1, 2, "berlin", titles[:5]...))
	finds(t, e, wasA(titles[9]), 2)
}
