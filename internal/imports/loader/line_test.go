package loader_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
)

// loadText loads text into a store and returns the stats and the rejected lines.
func loadText(t testing.TB, s *recordtest.Store, kind record.Kind, text string) (loader.Stats, []rejected) {
	t.Helper()
	stats, rejects := recordtest.Load(t, s, kind, text)
	checkSum(t, stats)
	return stats, readRejects(t, rejects)
}

type rejected struct {
	Line   int64
	Reason string
	Text   string
}

func readRejects(t testing.TB, path string) []rejected {
	t.Helper()
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	expect.NoError(t, err)
	var all []rejected
	for dec := json.NewDecoder(bytes.NewReader(text)); dec.More(); {
		var r rejected
		expect.NoError(t, dec.Decode(&r))
		all = append(all, r)
	}
	return all
}

func checkSum(t testing.TB, s loader.Stats) {
	t.Helper()
	if s.Read != s.Stored+s.Rejected || s.Stored != s.Created+s.Changed+s.Unchanged+s.Superseded {
		t.Fatalf("the counts do not add up: %+v", s)
	}
}

// person is a valid line with additional or replaced members.
func person(members string) string {
	line := `{"full_name":"Jane Doe","social_url":"https://social.example/in/jane-doe"`
	if members != "" {
		line += "," + members
	}
	return line + "}"
}

func job(members string) string {
	return person(`"work_relevant":{"title":"CTO",` + members + `}`)
}

func TestInvalidPeopleAreRejected(t *testing.T) {
	for line, reason := range expect.Examples(t, "testdata/invalidpeople.txt") {
		if members, ok := strings.CutPrefix(line, "+ "); ok {
			line = person(members)
		}
		checkRejected(t, line, reason)
	}
	long := strings.Repeat("x", 501)
	for line, reason := range map[string]string{
		person("") + person(""): "not valid JSON at byte",
		person("") + `x`:        "not valid JSON at byte",
		`{"full_name":"` + long + `","social_url":"https://s.example/a"}`: "full_name: is longer than 500 characters",
		person(`"first_name":"` + long + `"`):                             "first_name: is longer",
		person(`"last_name":"` + long + `"`):                              "last_name: is longer",
		`{"full_name":"J","social_url":"https://s.example/in/` + long + `"}`: "social_url: is too long; a URL has at " +
			"most 2000 bytes here, and its host and path 499",
		person(`"headline":"` + strings.Repeat("é", 50_001) + `"`):     "headline: is longer than 50000",
		person(`"skills":[` + strings.Repeat(`"a",`, 500) + `"a"]`):    "skills: has 501 entries; at most 500",
		person(`"email":"` + strings.Repeat("a", 250) + `@x.example"`): "email: is not an e-mail address",
		person(`"work_history":[{"title":"` + long + `"}]`):            "work_history[0].title: is longer",
	} {
		checkRejected(t, line, reason)
	}
}

// checkRejected loads a line that is no person.
func checkRejected(t *testing.T, line, reason string) {
	t.Helper()
	s := recordtest.NewStore()
	stats, rejects := loadText(t, s, record.People, line+"\n")
	if stats.Read != 1 || stats.Rejected != 1 || len(rejects) != 1 {
		t.Errorf("%.200s: not rejected: %+v", line, stats)
		return
	}
	if !strings.Contains(rejects[0].Reason, reason) {
		t.Errorf("%.200s: the reason is %q; it should hold %q", line, rejects[0].Reason, reason)
	}
	if rejects[0].Line != 1 || rejects[0].Text != strings.ToValidUTF8(line, "\uFFFD") {
		t.Errorf("%.200s: rejected as %+v", line, rejects[0])
	}
	if len(s.State.PersonRows)+len(s.State.CompanyRows)+len(s.State.Outbox) != 0 {
		t.Errorf("%.200s: partly stored", line)
	}
}

func TestValidPeopleAreLoaded(t *testing.T) {
	for _, line := range []string{
		person(""),
		person(`"id":9007199254740991`),
		person(`"id":null`),
		person(`"headline":null,"location":null,"work_relevant":null,"work_history":null,"skills":null,"email":null`),
		person(`"location":{"city":"Berlin","state":null,"country":"Germany"}`),
		person(`"email":"j•••@example.com"`),
		person(`"about_me":"two\nlines\u2028 and 日本語 \ud83d\ude00"`),
		person(`"headline":"` + strings.Repeat("é", 50_000) + `"`),
		job(`"company":null`),
		job(`"start_date":null,"end_date":null`),
		job(`"start_date":"2020","end_date":"2020-01-01"`),
		job(`"start_date":"2020-02-29","end_date":"2020-02"`),
		job(`"start_date":"","end_date":""`),
		job(`"company":{"name":"Acme","domain":"https://www.acme.example/about?x=1",` +
			`"funding":{"investors":[{"name":"A"}],` +
			`"last_round_date":"2020-01"}}`),
		person(`"work_history":[{"company":{"id":9,"name":"Siemens"}},{"company":{"id":9}}]`),
		person(`"work_history":[{"company":{"id":9}},{"company":{"id":9,"name":"Siemens"}}]`),
		"  " + person("") + "  \r",
		"\ufeff" + person(""),
	} {
		stats, rejects := loadText(t, recordtest.NewStore(), record.People, line+"\n")
		if stats.Created != 1 {
			t.Errorf("%s: %+v %v", line, stats, rejects)
		}
	}
}

func TestInvalidCompaniesAreRejected(t *testing.T) {
	for line, reason := range expect.Examples(t, "testdata/invalidcompanies.txt") {
		s := recordtest.NewStore()
		stats, rejects := loadText(t, s, record.Companies, line)
		if stats.Rejected != 1 || len(rejects) != 1 || !strings.Contains(rejects[0].Reason, reason) {
			t.Errorf("%s: %+v %+v; want %q", line, stats, rejects, reason)
		}
	}
}

func TestRejectsCarryTheirLineNumbers(t *testing.T) {
	long := strings.Repeat("x", loader.MaxLine+1)
	text := "\n" + person("") + "\r\n   \nbad\n" + long + "\n{}\n\n" + person(`"id":3`)
	stats, rejects := loadText(t, recordtest.NewStore(), record.People, text)
	var lines []string
	for _, r := range rejects {
		lines = append(lines, fmt.Sprint(r.Line))
	}
	if got := strings.Join(lines, " "); got != "4 5 6" || stats.Read != 5 {
		t.Fatalf("rejected lines %s of %d, want 4 5 6 of 5", got, stats.Read)
	}
	if !strings.Contains(rejects[1].Reason, "longer than 1048576 bytes") {
		t.Fatalf("got %q", rejects[1].Reason)
	}
}

func TestLineOfMaximumLengthIsLoaded(t *testing.T) {
	line := person(`"skills":["a"]`)
	line += strings.Repeat(" ", loader.MaxLine-len(line))
	if stats, _ := loadText(t, recordtest.NewStore(), record.People, line+"\n"); stats.Created != 1 {
		t.Fatalf("the longest line was not loaded: %+v", stats)
	}
}

func TestPeopleWithoutProfileMatchByAddressAndSource(t *testing.T) {
	s := recordtest.NewStore()
	load1 := func(text string, created, changed, rejected int64) {
		t.Helper()
		stats, rejects := loadText(t, s, record.People, text)
		if stats.Created != created || stats.Changed != changed || stats.Rejected != rejected {
			t.Fatalf("got the stats %+v, rejects %v", stats, rejects)
		}
	}
	load1(`{"full_name":"Jane Doe","email":"Jane@Example.com","emails":["jd@example.com"]}`+"\n"+
		`{"full_name":"John Roe","sources":["crm:7"]}`+"\n"+`{"full_name":"Ann Poe",`+
		`"social_url":"https://social.example/in/ann","email":"ann@example.com"}`, 3, 0, 0)
	load1(`{"full_name":"Jane Doe","email":"JD@example.com","headline":"CTO"}`+"\n"+`{"full_name":"John Roe",`+
		`"headline":"CEO","sources":["crm:7"]}`, 0, 2, 0)
	load1(`{"full_name":"Ann Poe","email":"ann@example.com","headline":"Kept her profile"}`, 0, 1, 0)
	load1(`{"full_name":"Ann Poe","social_url":"https://social.example/in/ann","email":"ann@example.com",`+
		`"headline":"Kept her profile"}`, 0, 0, 0)
	load1(`{"full_name":"Jim Poe","social_url":"https://social.example/in/jim","email":"ann@example.com"}`, 1, 0, 0)
	load1(`{"full_name":"Who","email":"ann@example.com"}`+"\n"+`{"full_name":"Who","sources":["crm"]}`, 0, 0, 2)
}
