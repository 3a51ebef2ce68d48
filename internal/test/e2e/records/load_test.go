package records_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// Files are loaded into the dataset of a running server, which then finds their people.
func TestServersFindLoadedPeople(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		l := &loading{k: k, s: k.Serve(t, "--rate", "100000", "--burst", "100000")}
		l.token = k.LiveToken(t)
		k.Run(t, "load", g.Companies)
		t.Run("twice", func(t *testing.T) { l.twice(t, g.People[:300]) })
		t.Run("not waiting for the index", func(t *testing.T) { l.noIndex(t, g.People[300:400]) })
		t.Run("packed", func(t *testing.T) { l.packed(t, g.People[400:700]) })
		t.Run("bad lines", func(t *testing.T) { l.badLines(t, g.People[700:800]) })
		t.Run("dates", func(t *testing.T) { l.dates(t) })
		t.Run("no such file", func(t *testing.T) { l.noFile(t) })
		t.Run("rerank", func(t *testing.T) {
			if out := l.k.Run(t, "rerank"); !strings.Contains(out, "ranked again") {
				t.Errorf("kith rerank prints %q", out)
			}
		})
	})
}

type loading struct {
	k     e2e.Kith
	s     *e2e.Server
	token string
}

// load loads a file and checks the summary.
func (l *loading) load(t *testing.T, want e2e.Tally, args ...string) {
	t.Helper()
	if got := e2e.Summarised(t, l.k.Run(t, append([]string{"load"}, args...)...)); got != want {
		t.Errorf("kith load %s: %+v, not %+v", strings.Join(args, " "), got, want)
	}
}

func (l *loading) twice(t *testing.T, people []e2e.Record) {
	path := l.k.Write(t, "people-twice.ndjson", people)
	n := len(people)
	l.load(t, e2e.Tally{Read: n, Stored: n, Created: n}, path)
	if got := l.s.Has(t, l.token, people); got != n {
		t.Errorf("after a load that waited for the index the server finds %d of %d people", got, n)
	}
	before := l.s.Post(t, "/v2/people/search", l.token, e2e.ListOf(people)).Body
	l.load(t, e2e.Tally{Read: n, Stored: n, Unchanged: n}, path)
	if after := l.s.Post(t, "/v2/people/search", l.token, e2e.ListOf(people)).Body; !bytes.Equal(dataOf(t, before),
		dataOf(t, after)) {
		t.Error("a second load of the file changes the results")
	}
	moved := e2e.Changed(people[:20], e2e.Record{"location": e2e.Record{"city": "Reykjavik", "country": "Iceland"}})
	path = l.k.Write(t, "people-moved.ndjson", append(moved, people[20:]...))
	l.load(t, e2e.Tally{Read: n, Stored: n, Changed: 20, Unchanged: n - 20}, path)
	search := e2e.ListOf(people)
	search["filters"] = map[string]string{"city": "Reykjavik"}
	if p := l.s.Search(t, l.token, search); len(p.Data) < 20 {
		t.Errorf("searches find %d of 20 changed people", len(p.Data))
	}
}

func dataOf(t *testing.T, body []byte) []byte {
	t.Helper()
	var page struct{ Data json.RawMessage }
	if err := json.Unmarshal(body, &page); err != nil || len(page.Data) == 0 {
		t.Fatalf("not a page: %v: %s", err, body)
	}
	return page.Data
}

// dates loads partial dates: pages and streams show full dates with their precision.
func (l *loading) dates(t *testing.T) {
	l.load(t, e2e.Tally{Read: 1, Stored: 1, Created: 1}, l.k.Write(t, "people-dates.ndjson", []e2e.Record{{
		"full_name": "Dora Dates", "social_url": "https://social.example/in/dora-dates",
		"work_relevant": e2e.Record{
			"title": "Calendar Maker", "company": e2e.Record{"name": "Initech"}, "start_date": "2021-03",
		},
	}}))
	for _, stream := range []bool{false, true} {
		answer := l.s.Post(t, "/v2/people/search", l.token,
			map[string]any{"filters": map[string]string{"position": "calendar maker"}, "stream": stream})
		for _, want := range []string{`"start_date":"2021-03-01"`, `"start_date_precision":"month"`} {
			if !bytes.Contains(answer.Body, []byte(want)) {
				t.Errorf("stream %v: no %s in %s", stream, want, answer.Body)
			}
		}
		if bytes.Contains(answer.Body, []byte(`"founded_year"`)) {
			t.Errorf("stream %v: an unknown year is present: %s", stream, answer.Body)
		}
	}
}

// noIndex loads without waiting: the server updates the index by itself.
func (l *loading) noIndex(t *testing.T, people []e2e.Record) {
	l.load(t, e2e.Tally{Read: len(people), Stored: len(people), Created: len(people)}, "--no-index",
		l.k.Write(t, "people-later.ndjson", people))
	e2e.Eventually(t, "the server finds everyone", func() bool { return l.s.Has(t, l.token, people) == len(people) })
}

func (l *loading) packed(t *testing.T, people []e2e.Record) {
	plain, err := os.ReadFile(l.k.Write(t, "people-plain.ndjson", people))
	expect.NoError(t, err)
	var gz, zst bytes.Buffer
	zip := gzip.NewWriter(&gz)
	std, err := zstd.NewWriter(&zst)
	expect.NoError(t, err)
	lines := bytes.SplitAfter(plain, []byte("\n"))
	writeAll(t, zip.Write, bytes.Join(lines[:100], nil))
	writeAll(t, std.Write, bytes.Join(lines[100:200], nil))
	expect.NoError(t, zip.Close())
	expect.NoError(t, std.Close())
	hundred := e2e.Tally{Read: 100, Stored: 100, Created: 100}
	l.load(t, hundred, l.k.File(t, "people.ndjson.gz", gz.String()))
	l.load(t, hundred, l.k.File(t, "people.ndjson.zst", zst.String()))
	out, stderr, err := l.piped(t, bytes.Join(lines[200:], nil), "load", "--kind", "people", "-")
	if err != nil || e2e.Summarised(t, out) != hundred {
		t.Errorf("a load of the standard input: %v\n%s%s", err, out, stderr)
	}
	if got := l.s.Has(t, l.token, people); got != len(people) {
		t.Errorf("searches find %d of %d people", got, len(people))
	}
	if _, stderr, err := l.piped(t, nil, "load", "-"); e2e.ExitCode(err) != 2 || !strings.Contains(stderr, "--kind") {
		t.Errorf("standard input of unknown kind: code %d\n%s", e2e.ExitCode(err), stderr)
	}
	out, stderr, err = l.k.Try(t, "load", l.k.File(t, "people-cut.ndjson.gz", gz.String()[:gz.Len()/2]))
	if e2e.ExitCode(err) != 1 || strings.Count(stderr, "people-cut") != 1 || !strings.Contains(stderr, "cut short") ||
		!strings.Contains(out, "the rest was not loaded") {
		t.Errorf("a truncated file: code %d\n%s%s", e2e.ExitCode(err), out, stderr)
	}
}

func writeAll(t *testing.T, write func([]byte) (int, error), text []byte) {
	t.Helper()
	if _, err := write(text); err != nil {
		t.Fatal(err)
	}
}

func (l *loading) piped(t *testing.T, stdin []byte, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := l.k.Command(t.Context(), t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// badLines mixes good lines with bad ones, each with a part of its reason.
func (l *loading) badLines(t *testing.T, people []e2e.Record) {
	bad := []struct{ text, reason string }{
		{`{"full_name": "Cut Off", "social`, "JSON"},
		{`["not", "an", "object"]`, "object"},
		{`{"social_url":"https://social.example/in/no-name"}`, "full_name"},
		{`{"full_name":"No Profile"}`, "social_url"},
		{`{"full_name":"Mis Spelt","social_url":"https://social.example/in/mis-spelt","hedline":"x"}`, "hedline"},
		{`{"full_name":"Bad Date","social_url":"https://social.example/in/bad-date","work_relevant":{"title":"x",` +
			`"start_date":"May"}}`, "date"},
		{`{"full_name":7,"social_url":"https://social.example/in/seven"}`, "full_name"},
		{"{\"full_name\":\"\xff\xfe\",\"social_url\":\"https://social.example/in/latin\"}", "UTF-8"},
		{`{"id":-4,"full_name":"Minus Four","social_url":"https://social.example/in/minus"}`, "id"},
		{
			fmt.Sprintf(`{"id":%d,"full_name":"Same Id","social_url":"https://social.example/in/same-id"}`,
				people[0].ID()),
			"belongs to",
		},
	}
	var text bytes.Buffer
	reasons := map[int]string{}
	for i, p := range people {
		line, err := json.Marshal(p)
		expect.NoError(t, err)
		fmt.Fprintf(&text, "%s\n", line)
		if i%10 == 9 {
			fmt.Fprintf(&text, "\n%s\n", bad[i/10].text) // a blank line counts only as a line of the file
			reasons[i+1+2*(i/10+1)] = bad[i/10].reason
		}
	}
	path := l.k.File(t, "people-bad.ndjson", text.String())
	want := e2e.Tally{Read: 110, Stored: 100, Created: 100, Rejected: 10}
	l.load(t, want, path)
	checkRejects(t, path+".rejects.ndjson", reasons)
	if got := l.s.Has(t, l.token, people); got != len(people) {
		t.Errorf("searches find %d of %d good lines", got, len(people))
	}
	named := filepath.Join(l.k.Dir, "named.ndjson")
	out, stderr, err := l.k.Try(t, "load", "--strict", "--rejects", named, path)
	want.Created, want.Unchanged = 0, 100
	if e2e.ExitCode(err) != 3 || e2e.Summarised(t, out) != want || !strings.Contains(stderr, "10 lines were rejected") {
		t.Errorf("--strict: code %d\n%s%s", e2e.ExitCode(err), out, stderr)
	}
	checkRejects(t, named, reasons)
	one := l.k.File(t, "people-one-bad.ndjson", "{}\n")
	if _, stderr, err := l.k.Try(t, "load", "--strict", one); e2e.ExitCode(err) != 3 ||
		!strings.Contains(stderr, "1 line was rejected") {
		t.Errorf("--strict, one line: code %d\n%s", e2e.ExitCode(err), stderr)
	}
}

func checkRejects(t *testing.T, path string, reasons map[int]string) {
	t.Helper()
	rejects, err := e2e.ReadRecords(path)
	expect.NoError(t, err)
	if len(rejects) != len(reasons) {
		t.Errorf("%s has %d lines, not %d", path, len(rejects), len(reasons))
	}
	for _, r := range rejects {
		line, _ := r["line"].(float64)
		reason, _ := r["reason"].(string)
		text, _ := r["text"].(string)
		if want := reasons[int(line)]; want == "" || !strings.Contains(reason, want) || text == "" {
			t.Errorf("line %v is rejected for %q, not for %q: %s", line, reason, want, text)
		}
	}
}

func (l *loading) noFile(t *testing.T) {
	first := l.k.File(t, "people-first.ndjson",
		`{"full_name":"First File","social_url":"https://social.example/in/first-file"}`)
	if out, _, err := l.k.Try(t, "load", first, filepath.Join(l.k.Dir,
		"people-missing.ndjson")); e2e.ExitCode(err) != 1 || out != "" {
		t.Errorf("a load of an existing and a missing file: code %d\n%s", e2e.ExitCode(err), out)
	}
	for name, code := range map[string]int{"people-missing.ndjson": 1, "folk.ndjson": 2} {
		if _, stderr, err := l.k.Try(t, "load", filepath.Join(l.k.Dir, name)); e2e.ExitCode(err) != code ||
			!strings.Contains(stderr, name) {
			t.Errorf("%s: code %d\n%s", name, e2e.ExitCode(err), stderr)
		}
	}
}
