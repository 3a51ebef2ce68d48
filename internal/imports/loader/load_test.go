package loader_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/analysis"
)

// These make lines of load files.
var lines, at, worksAt = recordtest.Lines, recordtest.Person, recordtest.Employee

func companyNames(s *recordtest.Store) []string {
	var names []string
	for _, c := range s.State.CompanyRows {
		names = append(names, c.Company.Name)
	}
	slices.Sort(names)
	return names
}

func TestReloadingChangesNothing(t *testing.T) {
	s := recordtest.NewStore()
	companies := lines(`{"id":7,"name":"Stripe","domain":"stripe.example"}`, `{"name":"Siemens"}`,
		`{"name":"Acme","social_url":"https://social.example/company/acme"}`)
	people := lines(worksAt("Ann", `{"id":7}`), worksAt("Bob", `{"name":"Siemens","industry":"Machines"}`),
		worksAt("Cid", `{"name":"Newcomer"}`), at("Dan", `,"id":500`), at("Eve", ""))
	loadText(t, s, record.Companies, companies)
	loadText(t, s, record.People, people)
	before, queued := s.State.Seq, len(s.State.Outbox)
	stats, _ := loadText(t, s, record.People, people)
	if stats.Unchanged != 5 || s.State.Seq != before || len(s.State.Outbox) != queued {
		t.Fatalf("loading people again changed something: %+v", stats)
	}
	if got := s.PersonNamed(t, "Dan").ID; got != 500 {
		t.Fatalf("Dan has the id %d, want 500", got)
	}
	if got := s.PersonNamed(t, "Eve").ID; got <= 500 {
		t.Fatalf("Eve has the id %d, want one above the given id 500", got)
	}
}

func TestUpdateKeepsIDAndRank(t *testing.T) {
	s := recordtest.NewStore()
	loadText(t, s, record.People, lines(at("Ann", `,"headline":"one"`)))
	id := s.PersonNamed(t, "Ann").ID
	rank := s.State.PersonRows[id].Rank
	stats, _ := loadText(t, s, record.People,
		lines(at("Ann", `,"headline":"another, longer one","email":"ann@x.example","skills":["Go"]`)))
	if stats.Changed != 1 || s.PersonNamed(t, "Ann").ID != id || s.State.PersonRows[id].Rank != rank {
		t.Fatalf("the update changed the id or rank, or got the stats %+v", stats)
	}
	// The whole record is replaced.
	loadText(t, s, record.People, lines(at("Ann", "")))
	if p := s.PersonNamed(t, "Ann"); p.Headline != "" || p.Email != "" {
		t.Fatalf("the old record was not fully replaced: %+v", p)
	}
}

// An address that was copied with invisible characters, or as a link, is stored as people type it.
func TestCopiedAddressesAreNormalised(t *testing.T) {
	for _, copied := range []string{
		`\u00a0Ann@exam\u00adple.com\u200b`, "mailto:Ann@example.com",
		"MailTo: Ann@example.com",
	} {
		s := recordtest.NewStore()
		loadText(t, s, record.People, lines(at("Ann", `,"email":"`+copied+`"`)))
		p := s.State.PersonRows[s.PersonNamed(t, "Ann").ID]
		kind, key := analysis.Identifier("ann@example.com")
		if kind != analysis.EmailIdentifier || p.Email != key || p.Person.Email != "Ann@example.com" {
			t.Errorf("%s: matched by %q, and shown as %q", copied, p.Email, p.Person.Email)
		}
	}
}

func TestLinesWithOneURLInABatchAreOnePerson(t *testing.T) {
	s := recordtest.NewStore()
	stats, _ := loadText(t, s, record.People, lines(
		at("Ann", `,"headline":"first"`), at("Bob", ""), at("ann", `,"headline":"second"`), at("Ann", `,"email":"bad"`),
		at("Ann", `,"headline":"last","id":12`)))
	if stats.Created != 2 || stats.Superseded != 2 || stats.Rejected != 1 {
		t.Fatalf("got the stats %+v, want 2 created, 2 superseded, 1 rejected", stats)
	}
	if p := s.PersonNamed(t, "Ann"); p.Headline != "last" || p.ID != 12 {
		t.Fatalf("got %+v, want the last line of Ann", p)
	}
}

func TestConflictingIDsAreRejected(t *testing.T) {
	s := recordtest.NewStore()
	loadText(t, s, record.People, lines(at("Ann", `,"id":5`)))
	for _, c := range []struct{ line, reason string }{
		{at("Bob", `,"id":5`), "5 belongs to the person at social.example/in/ann already"},
		{at("Ann", `,"id":6`), "has the id 5 already, not 6"},
	} {
		_, rejects := loadText(t, s, record.People, lines(c.line))
		if len(rejects) != 1 || !strings.Contains(rejects[0].Reason, c.reason) {
			t.Errorf("%s: %v", c.line, rejects)
		}
	}
	stats, rejects := loadText(t, s, record.People,
		lines(at("Cid", `,"id":9`), at("Dan", `,"id":9`), at("Eve", ""), at("Eve", `,"id":10`), at("Eve", `,"id":11`)))
	if stats.Rejected != 2 || rejects[0].Line != 2 || rejects[1].Line != 5 || s.PersonNamed(t, "Eve").ID != 10 {
		t.Fatalf("got the stats %+v, rejects %v, want lines 2 and 5 rejected", stats, rejects)
	}
}

func TestJobsFindTheirCompany(t *testing.T) {
	known := lines(
		`{"id":7,"name":"Stripe","domain":"stripe.example","social_url":"https://social.example/company/stripe",`+
			`"employee_count":8000}`,
		`{"id":8,"name":"Acme","industry":"Retail"}`,
		`{"id":9,"name":"Acme","domain":"acme.example"}`,
		`{"id":6,"name":"Facebook","domain":"facebook.com"}`,
		`{"id":5,"name":"Joe's Pizza","domain":"https://www.facebook.com/joes.pizza"}`,
	)
	for _, c := range []struct {
		name, company string
		id            int64 // 0: a new company
		check         func(kith.Company) bool
	}{
		{"by id", `{"id":7}`, 7, func(c kith.Company) bool { return c.Name == "Stripe" && c.EmployeeCount == 8000 }},
		{
			"by id, nothing is overwritten", `{"id":7,"name":"Stripes","employee_count":1}`, 7,
			func(c kith.Company) bool { return c.Name == "Stripe" && c.EmployeeCount == 8000 },
		},
		{
			"by id, gaps are filled", `{"id":7,"industry":"Payments","founded_year":2010}`, 7,
			func(c kith.Company) bool { return c.Industry == "Payments" && c.FoundedYear == 2010 },
		},
		{
			"by profile", `{"name":"Other","social_url":"http://www.social.example/company/Stripe/"}`, 7,
			func(c kith.Company) bool { return c.Name == "Stripe" },
		},
		{"by profile alone", `{"social_url":"https://social.example/company/stripe"}`, 7, nil},
		{"by site", `{"name":"Other","domain":"https://stripe.example/about"}`, 7, nil},
		{"site, another profile", `{"name":"Other","domain":"stripe.example",` +
			`"social_url":"https://social.example/company/other"}`, 0, nil},
		{"by site on one that many share", `{"name":"Joe","domain":"facebook.com/joes.pizza?x=1"}`, 5, nil},
		{
			"a site of its own on one that many share",
			`{"name":"Maria's Pizza","domain":"https://facebook.com/marias.pizza"}`,
			0, nil,
		},
		{"the site that many share", `{"name":"FB","domain":"www.facebook.com"}`, 6, nil},
		{"by name", `{"name":"STRIPE"}`, 7, nil},
		{"by name, the oldest", `{"name":"acme"}`, 8, nil},
		{"by name, the one whose site agrees", `{"name":"Acme","domain":"acme.example"}`, 9, nil},
		{"name, another site", `{"name":"Stripe","domain":"stripe-band.example"}`, 0, nil},
		{
			"a name fills the site of one without", `{"name":"Acme","domain":"acme.org.example"}`, 8,
			func(c kith.Company) bool { return c.Domain == "acme.org.example" && c.Industry == "Retail" },
		},
		{
			"new", `{"name":"Newcomer","domain":"new.example"}`, 0,
			func(c kith.Company) bool { return c.Domain == "new.example" },
		},
		{"new with an id", `{"id":70,"name":"Newcomer"}`, 70, nil},
		{"an id that is not known decides alone", `{"id":70,"name":"Stripe"}`, 70, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := recordtest.NewStore()
			loadText(t, s, record.Companies, known)
			stats, rejects := loadText(t, s, record.People, lines(worksAt("Ann", c.company)))
			if stats.Created != 1 {
				t.Fatalf("the line was not loaded: %+v %v", stats, rejects)
			}
			got := s.PersonNamed(t, "Ann").WorkRelevant.Company
			if c.id == 0 && got.ID <= 9 || c.id != 0 && got.ID != c.id {
				t.Fatalf("matched with company %d (%s)", got.ID, got.Name)
			}
			if c.check != nil && !c.check(got) {
				t.Fatalf("got %+v", got)
			}
		})
	}
}

func TestConflictingCompaniesAreRejected(t *testing.T) {
	s := recordtest.NewStore()
	loadText(t, s, record.Companies,
		lines(`{"id":7,"name":"Stripe","social_url":"https://social.example/company/stripe"}`,
			`{"id":8,"name":"Acme"}`))
	_, rejects := loadText(t, s, record.People, lines(
		worksAt("Ann", `{"id":8,"social_url":"https://social.example/company/stripe"}`),
		worksAt("Bob", `{"id":99,"name":"X","social_url":"https://social.example/company/stripe"}`),
		`{"full_name":"Cid","social_url":"https://social.example/in/cid",`+
			`"work_history":[{"company":{"name":"Made In Vain"}},{"company":{"id":98}}]}`,
	))
	if len(rejects) != 3 {
		t.Fatalf("got the rejects %v, want three", rejects)
	}
	if got := companyNames(s); !slices.Equal(got, []string{"Acme", "Stripe"}) {
		t.Fatalf("a rejected line stored a company: %v", got)
	}
	_, rejects = loadText(t, s, record.Companies,
		lines(`{"id":9,"name":"Thief","social_url":"https://social.example/company/stripe"}`))
	if len(rejects) != 1 || !strings.Contains(rejects[0].Reason, "belongs to company 7 already") {
		t.Fatalf("got the rejects %v, want one", rejects)
	}
}

func TestCompanyLineReplaces(t *testing.T) {
	s := recordtest.NewStore()
	loadText(t, s, record.People, lines(worksAt("Ann", `{"name":"Acme","industry":"Retail","domain":"acme.example"}`)))
	stats, _ := loadText(t, s, record.Companies,
		lines(`{"name":"Acme","domain":"acme.example","employee_count":5}`,
			`{"name":"Acme GmbH","domain":"acme.example"}`))
	if stats.Changed != 1 || stats.Superseded != 1 {
		t.Fatalf("got the stats %+v, want one changed and one superseded", stats)
	}
	if c := s.PersonNamed(t, "Ann").WorkRelevant.Company; c.Name != "Acme GmbH" || c.Industry != "" ||
		c.EmployeeCount != 0 {
		t.Fatalf("got %+v, want the company of the last line", c)
	}
}

// A change of a company changes the documents of everyone who has worked there.
func TestChangedCompanyQueuesItsPeople(t *testing.T) {
	s := recordtest.NewStore()
	loadText(t, s, record.People, lines(worksAt("Ann", `{"id":7,"name":"Acme"}`), at("Bob", "")))
	s.State.Outbox = nil
	loadText(t, s, record.Companies, lines(`{"id":7,"name":"Acme","industry":"Retail"}`))
	kinds := map[record.Kind]int{}
	for _, e := range s.State.Outbox {
		kinds[e.Kind]++
	}
	if !maps.Equal(kinds, map[record.Kind]int{record.People: 1, record.Companies: 1}) {
		t.Fatalf("queued %v, want one person and one company", kinds)
	}
}

// Every line is counted exactly once. The reject file and the stored people agree with the counts.
func TestCountsAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		companyOf := rapid.SampledFrom([]string{
			``, `{"id":1}`, `{"id":2,"name":"Two"}`, `{"name":"Three"}`,
			`{"name":"Three","domain":"three.example"}`, `{}`,
		})
		line := rapid.Custom(func(rt *rapid.T) string {
			members := ""
			if id := rapid.IntRange(-1, 8).Draw(rt, "id"); id != 0 {
				members += fmt.Sprintf(`,"id":%d`, id)
			}
			if c := companyOf.Draw(rt, "company"); c != "" {
				members += `,"work_relevant":{"title":"CTO","company":` + c + `}`
			}
			l := at(rapid.StringMatching("[a-d]").Draw(rt, "name"), members)
			return l[:len(l)-rapid.SampledFrom([]int{0, 0, 0, 0, 1}).Draw(rt, "cut")]
		})
		text := lines(rapid.SliceOfN(line, 1, 40).Draw(rt, "lines")...)
		s := recordtest.NewStore()
		opts := loader.Options{
			Kind: record.People, Rejects: filepath.Join(t.TempDir(), "r"),
			BatchLines: rapid.IntRange(1, 50).Draw(rt, "batch"),
		}
		opts.Stdin = strings.NewReader(text)
		stats, err := loader.New(s).File(t.Context(), record.ForEveryone(), "-", opts)
		if err != nil {
			rt.Fatal(err)
		}
		want := int64(strings.Count(text, "\n"))
		if stats.Read != want || stats.Read != stats.Stored+stats.Rejected ||
			stats.Stored != stats.Created+stats.Changed+stats.Unchanged+stats.Superseded {
			rt.Fatalf("%d lines: %+v", want, stats)
		}
		if int64(len(readRejects(t, opts.Rejects))) != stats.Rejected {
			rt.Fatal("the reject file does not have as many lines as counted")
		}
		if stats.Created != int64(len(s.State.PersonRows)) {
			rt.Fatalf("%d people, %d created", len(s.State.PersonRows), stats.Created)
		}
	})
}

func TestFileNameDeterminesKindAndPacking(t *testing.T) {
	text := lines(at("Ann", ""), at("Bob", ""))
	write := func(name string, pack func(io.Writer) io.WriteCloser) string {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		expect.NoError(t, err)
		w := pack(f)
		_, err = io.WriteString(w, text)
		expect.NoError(t, err)
		expect.NoError(t, w.Close())
		return path
	}
	plain := func(w io.Writer) io.WriteCloser { return w.(io.WriteCloser) }
	gz := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	zst := func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w)
		expect.NoError(t, err)
		return z
	}
	for _, path := range []string{
		write("people.ndjson", plain), write("People-2024.ndjson.gz", gz), write("people_01.ndjson.zst", zst),
	} {
		stats, err := loader.New(recordtest.NewStore()).File(t.Context(), record.ForEveryone(), path, loader.Options{})
		expect.NoError(t, err)
		if stats.Created != 2 || stats.Size == 0 || stats.Bytes != stats.Size {
			t.Errorf("%s: %+v", path, stats)
		}
		if _, err := os.Stat(path + ".rejects.ndjson"); !os.IsNotExist(err) {
			t.Errorf("%s: there is a reject file without a rejected line", path)
		}
	}
	for path, want := range map[string]string{
		write("staff.ndjson", plain):         "does not say what is in it",
		write("people.ndjson.gz", plain):     "gzip",
		filepath.Join(t.TempDir(), "people"): "no such file",
		"-":                                  "give --kind",
	} {
		_, err := loader.New(recordtest.NewStore()).File(t.Context(), record.ForEveryone(), path, loader.Options{})
		for _, err := range []error{err, loader.Check(path, 0)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	expect.NoError(t, loader.Check("-", record.People))
}

// Lines before the place where a file is cut off are stored.
func TestLinesBeforeACutAreStored(t *testing.T) {
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	for i := range 5000 {
		fmt.Fprintln(w, at(fmt.Sprintf("P%d", i), ""))
	}
	expect.NoError(t, w.Close())
	path := filepath.Join(t.TempDir(), "people.ndjson.gz")
	expect.NoError(t, os.WriteFile(path, []byte(packed.String()[:packed.Len()/2]), 0o600))
	s := recordtest.NewStore()
	stats, err := loader.New(s).File(t.Context(), record.ForEveryone(), path, loader.Options{})
	if !errors.Is(err, io.ErrUnexpectedEOF) || stats.Created < 1000 || stats.Created != int64(len(s.State.PersonRows)) {
		t.Fatalf("got %v, stats %+v", err, stats)
	}
}

func TestProgressIsReportedAfterEachBatch(t *testing.T) {
	var seen []int64
	opts := loader.Options{
		Kind: record.People, BatchLines: 2, Rejects: filepath.Join(t.TempDir(), "r"),
		Stdin:    strings.NewReader(lines(at("Ann", ""), "bad", at("Bob", ""), at("Cid", ""), at("Dan", ""))),
		Progress: func(s loader.Stats) { checkSum(t, s); seen = append(seen, s.Read) },
	}
	_, err := loader.New(recordtest.NewStore()).File(t.Context(), record.ForEveryone(), "-", opts)
	expect.NoError(t, err)
	if !slices.Equal(seen, []int64{2, 4, 5}) {
		t.Fatalf("progress after %v lines, want 2, 4 and 5", seen)
	}
}
