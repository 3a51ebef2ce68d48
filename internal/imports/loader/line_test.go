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
	long := strings.Repeat("x", 501)
	for _, c := range []struct{ name, line, reason string }{
		{"not JSON", `hello`, "not a JSON object"},
		{"array", `[]`, "not a JSON object"},
		{"string", `"x"`, "not a JSON object"},
		{"null", `null`, "not a JSON object"},
		{"number", `7`, "not a JSON object"},
		{"empty object", `{}`, "full_name: is required; social_url: is required"},
		{"cut off", `{"full_name":"Jane`, "not valid JSON at byte"},
		{"no brace", `{"full_name":"Jane"`, "not valid JSON at byte"},
		{"trailing comma", `{"full_name":"Jane",}`, "not valid JSON at byte"},
		{"single quotes", `{'full_name':'Jane'}`, "not valid JSON at byte"},
		{"comment", `{"full_name":"Jane"} // hi`, "not valid JSON at byte"},
		{"two objects", person("") + person(""), "not valid JSON at byte"},
		{"trailing garbage", person("") + `x`, "not valid JSON at byte"},
		{"bare control character", "{\"full_name\":\"Jane\tDoe\"}", "not valid JSON at byte"},
		{"NaN", person(`"id":NaN`), "not valid JSON at byte"},
		{"leading zero", person(`"id":07`), "not valid JSON at byte"},
		{"invalid UTF-8", "{\"full_name\":\"J\xff\"}", "not valid JSON at byte"},
		{"lone surrogate", `{"full_name":"\ud800"}`, "not valid JSON at byte"},
		{"bad escape", `{"full_name":"\x41"}`, "not valid JSON at byte"},
		{"given twice", person(`"full_name":"Jim"`), "full_name: is given twice"},
		{"given twice inside", person(`"location":{"city":"A","city":"B"}`), "location.city: is given twice"},
		{"misspelt field", person(`"fulname":"x"`), `fulname: is not a field; did you mean "full_name"?`},
		{
			"misspelt inside", person(`"work_history":[{"titel":"x"}]`),
			`work_history[0].titel: is not a field; did you mean "title"?`,
		},
		{"misspelt company", job(`"company":{"nam":"x"}`), `work_relevant.company.nam: is not a field; did you mean "name"?`},
		{"unknown field", person(`"zodiac":"x"`), "zodiac: is not a field; there are: id, first_name"},
		{"other case", `{"Full_Name":"x"}`, `Full_Name: is not a field; did you mean "full_name"?`},
		{"name is a number", `{"full_name":7}`, "full_name: must be a string, not a number"},
		{"name is null", `{"full_name":null,"social_url":"https://s.example/in/a"}`, "full_name: is required"},
		{"name is blank", `{"full_name":"  ","social_url":"https://s.example/in/a"}`, "full_name: is required"},
		{"name is a boolean", `{"full_name":true}`, "full_name: must be a string, not a boolean"},
		{
			"name too long", `{"full_name":"` + long + `","social_url":"https://s.example/in/a"}`,
			"full_name: is longer than 500 characters",
		},
		{"first name too long", person(`"first_name":"` + long + `"`), "first_name: is longer"},
		{"last name too long", person(`"last_name":"` + long + `"`), "last_name: is longer"},
		{"no profile", `{"full_name":"Jane Doe"}`, "social_url: is required"},
		{"profile is no URL", `{"full_name":"J","social_url":"jane doe"}`, "social_url: is not a URL"},
		{"profile without host", `{"full_name":"J","social_url":"https:///in/jane"}`, "social_url: is not a URL"},
		{"profile without path", `{"full_name":"J","social_url":"https://social.example/"}`, "social_url: has no path"},
		{
			"profile too long", `{"full_name":"J","social_url":"https://s.example/in/` + long + `"}`,
			"social_url: is too long; a URL has at most 2000 bytes here, and its host and path 499",
		},
		{"profile with a space", `{"full_name":"J","social_url":"https://s.example/in/a b"}`, "social_url: is not a URL"},
		{"id zero", person(`"id":0`), "id: must be between 1 and"},
		{"id negative", person(`"id":-4`), "id: must be between 1 and"},
		{"id too large", person(`"id":9007199254740992`), "id: must be between 1 and"},
		{"id beyond integers", person(`"id":99999999999999999999`), "id: must be an integer, not the number"},
		{"id a fraction", person(`"id":1.5`), "id: must be an integer, not the number 1.5"},
		{"id a float", person(`"id":1e3`), "id: must be an integer, not the number 1e3"},
		{"id a string", person(`"id":"7"`), "id: must be an integer, not a string"},
		{"NUL", person(`"headline":"a\u0000b"`), "headline: holds the character U+0000"},
		{"NUL in a skill", person(`"skills":["a\u0000"]`), "skills[0]: holds the character U+0000"},
		{"NUL in a URL", person(`"image_url":"\u0000"`), "image_url: holds the character U+0000"},
		{"headline too long", person(`"headline":"` + strings.Repeat("é", 50_001) + `"`), "headline: is longer than 50000"},
		{"skills a string", person(`"skills":"Go"`), "skills: must be an array, not a string"},
		{"skill a number", person(`"skills":[1]`), "skills[0]: must be a string, not a number"},
		{
			"too many skills", person(`"skills":[` + strings.Repeat(`"a",`, 500) + `"a"]`),
			"skills: has 501 entries; at most 500",
		},
		{"location a string", person(`"location":"Berlin"`), "location: must be an object, not a string"},
		{"city a list", person(`"location":{"city":[]}`), "location.city: must be a string, not an array"},
		{"email without at", person(`"email":"jane"`), "email: is not an e-mail address"},
		{"email without local part", person(`"email":"@x.example"`), "email: is not an e-mail address"},
		{"email without domain", person(`"email":"jane@"`), "email: is not an e-mail address"},
		{"email with a space", person(`"email":"jane doe@x.example"`), "email: is not an e-mail address"},
		{"two addresses", person(`"email":"a@x.example@y.example"`), "email: is not an e-mail address"},
		{"email too long", person(`"email":"` + strings.Repeat("a", 250) + `@x.example"`), "email: is not an e-mail address"},
		{"work a list", person(`"work_relevant":[]`), "work_relevant: must be an object, not an array"},
		{"history an object", person(`"work_history":{}`), "work_history: must be an array, not an object"},
		{"job a string", person(`"work_history":["CTO"]`), "work_history[0]: must be an object, not a string"},
		{"date in words", job(`"start_date":"March 2020"`), "work_relevant.start_date: date"},
		{"date with slashes", job(`"start_date":"2020/01/01"`), "work_relevant.start_date: date"},
		{"date with a time", job(`"start_date":"2020-01-01T00:00:00Z"`), "work_relevant.start_date: date"},
		{"month 13", job(`"start_date":"2020-13"`), "work_relevant.start_date: date"},
		{"month 0", job(`"start_date":"2020-00"`), "work_relevant.start_date: date"},
		{"30 February", job(`"start_date":"2020-02-30"`), "there is no such day"},
		{"29 February", job(`"end_date":"2021-02-29"`), "there is no such day"},
		{"year 20", job(`"start_date":"20"`), "work_relevant.start_date: date"},
		{"date a number", job(`"start_date":2020`), "work_relevant.start_date: must be a string, not a number"},
		{
			"ends before it starts", job(`"start_date":"2020-05","end_date":"2019"`),
			"work_relevant: ends (2019) before it starts (2020-05)",
		},
		{"title too long", person(`"work_history":[{"title":"` + long + `"}]`), "work_history[0].title: is longer"},
		{"company a string", job(`"company":"Acme"`), "work_relevant.company: must be an object, not a string"},
		{"company empty", job(`"company":{}`), "work_relevant.company: needs an id or a name"},
		{"company nameless", job(`"company":{"industry":"Retail"}`), "work_relevant.company: needs an id or a name"},
		{"company id zero", job(`"company":{"id":0}`), "work_relevant.company.id: must be between"},
		{"company unknown", job(`"company":{"id":77}`), "company 77 is not known and has no name"},
		{
			"company unknown by site", job(`"company":{"domain":"nowhere.example"}`),
			"the company is not known and has no name",
		},
		{
			"company site", job(`"company":{"name":"A","domain":"not a site"}`),
			"work_relevant.company.domain: is not a domain",
		},
		{"company profile", job(`"company":{"name":"A","social_url":"x"}`), "work_relevant.company.social_url: is not a URL"},
		{
			"company size", job(`"company":{"name":"A","employee_count":"many"}`),
			"work_relevant.company.employee_count: must be an integer, not a string",
		},
		{"company size negative", job(`"company":{"name":"A","employee_count":-1}`), "employee_count: must not be negative"},
		{"education a string", person(`"education_history":"MIT"`), "education_history: must be an array"},
		{"education date", person(`"education_history":[{"start_date":"x"}]`), "education_history[0].start_date: date"},
		{
			"education backwards", person(`"education_history":[{"start_date":"2014","end_date":"2012"}]`),
			"education_history[0]: ends",
		},
		{
			"several problems", `{"id":-1,"email":"x"}`,
			"id: must be between 1 and 9007199254740991, not -1; full_name: is required; email: is not",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := recordtest.NewStore()
			stats, rejects := loadText(t, s, record.People, c.line+"\n")
			if stats.Read != 1 || stats.Rejected != 1 || len(rejects) != 1 {
				t.Fatalf("not rejected: %+v", stats)
			}
			if !strings.Contains(rejects[0].Reason, c.reason) {
				t.Fatalf("the reason is %q; it should hold %q", rejects[0].Reason, c.reason)
			}
			if rejects[0].Line != 1 || rejects[0].Text != strings.ToValidUTF8(c.line, "\uFFFD") {
				t.Fatalf("rejected as %+v", rejects[0])
			}
			if len(s.State.PersonRows)+len(s.State.CompanyRows)+len(s.State.Outbox) != 0 {
				t.Fatal("a rejected line was partly stored")
			}
		})
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
		job(`"company":{"name":"Acme","domain":"https://www.acme.example/about?x=1","funding":{"investors":[{"name":"A"}],` +
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
	for _, c := range []struct{ line, reason string }{
		{`{}`, "name: is required"},
		{`{"id":4}`, "name: is required"},
		{`{"name":" "}`, "name: is required"},
		{`{"name":"A","founded_year":99}`, "founded_year: must be between 1000 and 2200, not 99"},
		{`{"name":"A","founded_year":"1999"}`, "founded_year: must be an integer, not a string"},
		{`{"name":"A","employee_count":1.5}`, "employee_count: must be an integer"},
		{`{"name":"A","employee_count":100000000}`, "employee_count: must be between"},
		{`{"name":"A","social_url":"https://social.example"}`, "social_url: has no path"},
		{`{"name":"A","funding":[]}`, "funding: must be an object, not an array"},
		{`{"name":"A","funding":{"investors":["Big"]}}`, "funding.investors[0]: must be an object, not a string"},
		{
			`{"name":"A","funding":{"investors":[{"nam":"Big"}]}}`,
			`funding.investors[0].nam: is not a field; did you mean "name"?`,
		},
		{`{"name":"A","funding":{"last_round_date":"soon"}}`, "funding.last_round_date: date"},
		{`{"name":"A","funding":{"number_of_rounds":-1}}`, "funding.number_of_rounds: must be between"},
		{`{"name":"A","full_name":"x"}`, "full_name: is not a field"},
		{`{"name":"A","aliases":[null,7]}`, "aliases[1]: must be a string, not a number"},
		{`{"name":"A\u0000"}`, "name: holds the character U+0000"},
	} {
		s := recordtest.NewStore()
		stats, rejects := loadText(t, s, record.Companies, c.line)
		if stats.Rejected != 1 || len(rejects) != 1 || !strings.Contains(rejects[0].Reason, c.reason) {
			t.Errorf("%s: %+v %+v; want %q", c.line, stats, rejects, c.reason)
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
