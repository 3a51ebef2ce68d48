package agents_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kith/client"
	"kith/http/agents"
	"kith/internal/test/expect"
)

// api answers each request, such as "POST /v2/people/search", with the next of its answers; an answer that is a number
// is a status.
type api struct {
	mu      sync.Mutex
	answers map[string][]string
	// asked are the requests, with their bodies.
	asked []string
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	name := r.Method + " " + r.URL.Path
	a.asked = append(a.asked, strings.TrimSpace(name+" "+string(body)))
	if len(a.answers[name]) == 0 {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	answer := a.answers[name][0]
	a.answers[name] = a.answers[name][1:]
	status := http.StatusOK
	if _, err := fmt.Sscan(answer, &status); err == nil {
		answer = fmt.Sprintf(`{"error":{"status":%d,"code":"X","detail":"status %[1]d"}}`, status)
	}
	w.WriteHeader(status)
	fmt.Fprint(w, answer)
}

// connect returns a session with the tools over an API.
func connect(t *testing.T, write bool, handler http.Handler) *mcp.ClientSession {
	t.Helper()
	c, err := client.New(client.Config{URL: client.LocalURL, Transport: client.Local(handler)})
	expect.NoError(t, err)
	s := agents.New(agents.Config{Write: write, Client: func(http.Header) *client.Client { return c }})
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	expect.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool with arguments in JSON and returns the answer in JSON, or the text of a failure.
func call(t *testing.T, s *mcp.ClientSession, tool, arguments string) (answer any, problem string) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return nil, err.Error()
	}
	if result.IsError {
		return nil, result.Content[0].(*mcp.TextContent).Text
	}
	return result.StructuredContent, ""
}

func parsed(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func TestBadArgumentsSendNoRequest(t *testing.T) {
	a := &api{}
	s := connect(t, true, a)
	for _, c := range []struct{ tool, arguments, says string }{
		{"search_people", `{"limit":51}`, "limit must be between 1 and 50"},
		{"search_people", `{"limit":-1}`, "limit must be between 1 and 50"},
		{"search_people", `{"promt":"engineers"}`, "promt"},
		{"search_people", `{"filters":["city"]}`, "filters"},
		{"explain_search", `{}`, "prompt"},
		{"get_person", `{"person":" "}`, "name a person by id, profile URL or e-mail address"},
		{"find_paths", `{}`, "give either person or company"},
		{"find_paths", `{"person":1,"company":"acme.example"}`, "give either person or company"},
		{"find_paths", `{"company":"Acme","limit":51}`, "limit must be between 1 and 50 (got 51)"},
		{"find_paths", `{"person":1.5}`, "person"},
		{"list_relationships", `{"limit":201}`, "limit must be between 1 and 200 (got 201)"},
		{"save_to_list", `{"people":["1"]}`, "give either list_id or the name of a new list"},
		{"save_to_list", `{"people":["1"],"name":"A","list_id":"7"}`, "give either list_id or the name of a new list"},
		{"draft_introduction", `{"sequence_id":"7","person":""}`, "name a person by id"},
	} {
		if answer, problem := call(t, s, c.tool, c.arguments); !strings.Contains(problem, c.says) {
			t.Errorf("%s %s: %v %q, want %q", c.tool, c.arguments, answer, problem, c.says)
		}
	}
	if len(a.asked) > 0 {
		t.Errorf("the API was asked %q", a.asked)
	}
}

// Each call of a tool sends these requests.
func TestToolsAskTheAPI(t *testing.T) {
	search := func(body string) string { return "POST /v2/people/search " + body }
	for _, c := range []struct {
		tool, arguments string
		want            []string
	}{
		{"search_people", `{"prompt":"x","reading":2}`, []string{search(`{"prompt":"x","reading":2,"limit":10,` +
			`"include_counts":"global"}`)}},
		{"search_people", `{"prompt":"x"}`, []string{search(`{"prompt":"x","limit":10,"include_counts":"global"}`)}},
		{
			"search_people", `{"filters":{"city":"Berlin"},"list_id":"7","limit":50,"explain":true,"scope":"global"}`,
			[]string{search(`{"filters":{"city":"Berlin"},"limit":50,"scope":"specific_list",` +
				`"include_counts":"global",` +
				`"specific_list_data":{"list":"7"},"explain":true}`)},
		},
		{
			"find_paths", `{"person":"jane"}`,
			[]string{
				search(`{"scope":"specific_list","specific_list_data":["jane"],"explain":true}`),
				"POST /v2/people/5/paths",
			},
		},
		{
			"find_paths", `{"company":"Acme"}`,
			[]string{`POST /v2/companies/paths {"name":"Acme","limit":10}`},
		},
		{"find_paths", `{"company":7}`, []string{`POST /v2/companies/paths {"id":7,"limit":10}`}},
		{"find_paths", `{"company":"7"}`, []string{`POST /v2/companies/paths {"id":7,"limit":10}`}},
		{
			"find_paths", `{"person":5}`,
			[]string{
				search(`{"scope":"specific_list","specific_list_data":["5"],"explain":true}`),
				"POST /v2/people/5/paths",
			},
		},
		{
			"save_to_list", `{"name":"A","people":["1"]}`,
			[]string{`POST /v2/lists {"name":"A"}`, `POST /v2/lists/7/people {"people":["1"]}`},
		},
		{"save_to_list", `{"list_id":"8","people":[1]}`, []string{`POST /v2/lists/8/people {"people":["1"]}`}},
	} {
		a := &api{answers: map[string][]string{
			"POST /v2/people/search": {`{"data":[{"id":5}]}`}, "POST /v2/people/5/paths": {"{}"},
			"POST /v2/companies/paths": {"{}"}, "POST /v2/lists": {`{"data":{"id":"7"}}`},
			"POST /v2/lists/7/people": {"{}"}, "POST /v2/lists/8/people": {"{}"},
		}}
		if _, problem := call(t, connect(t, true, a), c.tool, c.arguments); problem != "" || !slices.Equal(a.asked,
			c.want) {
			t.Errorf("%s %s: %s asked\n%q, want\n%q", c.tool, c.arguments, problem, a.asked, c.want)
		}
	}
}

// A new list that gets nobody does not stay, and an existing one does.
func TestFailedListsAreDeleted(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"name":"A","people":[]}`: `POST /v2/lists {"name":"A"}, POST /v2/lists/7/people {"people":[]}, ` +
			`DELETE /v2/lists/7`,
		`{"list_id":"7","people":[]}`: `POST /v2/lists/7/people {"people":[]}`,
	} {
		a := &api{answers: map[string][]string{
			"POST /v2/lists": {`{"data":{"id":"7"}}`}, "POST /v2/lists/7/people": {"422"}, "DELETE /v2/lists/7": {"{}"},
		}}
		_, problem := call(t, connect(t, true, a), "save_to_list", arguments)
		if asked := strings.Join(a.asked, ", "); asked != want || !strings.Contains(problem, "status 422") {
			t.Errorf("%s: %s asked %s, want %s", arguments, problem, asked, want)
		}
	}
}

// The short form of a search keeps what a model needs to judge the people, and to ask again.
func TestSearchAnswersAreShort(t *testing.T) {
	a := &api{answers: map[string][]string{"POST /v2/people/search": {`{
		"data": [
			{"id": 5, "full_name": "Jane Doe", "location": {"city": "Berlin", "country": "Germany"}, "image_url": "x",
				"social_url": "https://social.example/in/jane", "headline": "Builder",
				"work_relevant": {"title": "CTO", "company": {"name": "Acme", "keywords": ["k"]}},
				"match": {"criteria": [{"criterion": "title", "satisfied": "yes", "evidence": "CTO"},
						{"criterion": "city", "satisfied": "unclear", "evidence": ""}],
					"network": {"degree": 2, "introducers": [{"name": "Bob"}, {"name": "Eve"}],
						"introduces": [{"person": {"full_name": "Ann"}}]}}},
			{"id": 6, "full_name": "John Roe", "match": {"closest": {"missing": [{"field": "city", "value": "Berlin"}]},
				"network": {"degree": null}}}],
		"metadata": {
			"interpretation": {
				"filters": [{"field": "city", "value": "Berlin"}, {"field": "position", "value": "CTO"},
					{"field": "city", "value": "-Bonn"}],
				"preferences": [{"field": "skills", "value": "Go"}],
				"conditions": [{"says": "left Acme"}, {"says": "at Initech", "excluded": true}],
				"criteria": [{"name": "rising", "formula": "levels a year"}], "steps": [{"says": "companies of Bob"}],
				"network": {"degrees": [1, 2]}, "corrections": [{"from": "Berlln", "to": "Berlin"}],
				"confidence": "low", "question": {"text": "Do you mean city: Berlin, or people named Berlin?"},
				"alternatives": [{"reading": 2, "says": "people named Berlin"}],
				"ignored": ["please"], "notes": ["a note"]},
			"closest": {"begins_at": 0, "count": 2}, "counts": {"global": {"value": 10000, "is_capped": true}},
			"without": [{"fields": ["city"], "count": 3}]},
		"pagination": {"cursor": "next", "has_next_page": true}}`}}}
	got, problem := call(t, connect(t, false, a), "search_people", `{"prompt":"x"}`)
	want := parsed(t, `{
		"people": [
			{"id": "5", "name": "Jane Doe", "headline": "Builder", "title": "CTO", "company": "Acme",
				"place": "Berlin, Germany", "profile": "https://social.example/in/jane", "degree": 2,
				"introducers": ["Bob", "Eve"], "can_introduce": ["Ann"], "why": ["title: yes, CTO", "city: unclear"]},
			{"id": "6", "name": "John Roe", "lacks": ["city Berlin"]}],
		"understood": {
			"filters": {"city": "Berlin, -Bonn", "position": "CTO"}, "preferences": {"skills": "Go"},
			"conditions": ["left Acme", "not: at Initech"], "judgements": ["rising: levels a year"],
			"steps": ["companies of Bob"], "network_degrees": [1, 2], "corrections": {"Berlln": "Berlin"},
			"confidence": "low", "question": "Do you mean city: Berlin, or people named Berlin?",
			"other_readings": {"2": "people named Berlin"}, "ignored": ["please"], "notes": ["a note"]},
		"total": {"count": 10000, "at_least": true}, "closest_begins_at": 0,
		"without": [{"fields": ["city"], "count": 3, "is_capped": false}], "next_cursor": "next"}`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s the answer is\n%v, want\n%v", problem, got, want)
	}
}

// Jobs come from the record, which needs a scope of its own. Without it, or without a record, the person comes
// without jobs; any other failure is one of the tool.
func TestPersonComesWithoutJobsWhereTheyAreOutOfReach(t *testing.T) {
	const (
		search, enrich = "POST /v2/people/search", "POST /v2/people/enrich"
		profile        = `{"data":[{"id":5,"full_name":"Jane Doe","social_url":"https://social.example/in/jane"}]}`
		jobs           = `{"data":{"work_history":[{"title":"CTO","company":{"name":"Acme"},` +
			`"start_date":"2020-01-01"}]}}`
	)
	for _, c := range []struct{ person, record, jobs, says string }{
		{profile, jobs, `[{"title":"CTO","company":"Acme","from":"2020-01-01"}]`, ""},
		{profile, "403", "null", ""},
		{profile, "404", "null", ""},
		{profile, "503", "", "status 503"},
		{`{"data":[{"id":5,"full_name":"Jane Doe"}]}`, "503", "null", ""},
		{`{"data":[]}`, jobs, "", "there is no person jane: search for them and use their id"},
	} {
		a := &api{answers: map[string][]string{search: {c.person}, enrich: {c.record}}}
		answer, problem := call(t, connect(t, false, a), "get_person", `{"person":"jane"}`)
		if c.says != "" {
			if !strings.Contains(problem, c.says) {
				t.Errorf("%s and %s: %v %q, want %q", c.person, c.record, answer, problem, c.says)
			}
			continue
		}
		got, ok := answer.(map[string]any)
		if !ok || got["name"] != "Jane Doe" || !reflect.DeepEqual(got["jobs"], parsed(t, c.jobs)) {
			t.Errorf("%s and %s: %v %s", c.person, c.record, answer, problem)
		}
	}
}

// The introducer becomes a lead, to whom the draft goes; the texts of the caller replace those of the API. Nothing is
// drafted to an introducer who cannot be e-mailed.
func TestIntroductionsGoToTheIntroducer(t *testing.T) {
	const leads, emails = "POST /v2/sequences/7/leads", "POST /v2/sequences/7/leads/9/emails"
	requests := func(lead string) *api {
		return &api{answers: map[string][]string{
			"POST /v2/people/search": {
				`{"data":[{"id":5,"full_name":"Jane Doe"}]}`,
				`{"data":[{"id":6,"full_name":"Bob"}]}`,
			},
			"POST /v2/people/5/introduction": {
				`{"data":{"introducer":{"id":6,"full_name":"Bob"},"subject":"Could you?","text":"Hi Bob"}}`,
			},
			leads:  {`{"data":{"results":[` + lead + `]}}`},
			emails: {`{"data":{"activity":{"id":"1","decision":"pending"}}}`},
		}}
	}
	a := requests(`{"status":"created","lead_id":"9"}`)
	_, problem := call(t, connect(t, true, a), "draft_introduction",
		`{"sequence_id":"7","person":"jane","introducer":"bob","body":"Dear Bob"}`)
	if want := []string{
		`POST /v2/people/5/introduction {"introducer":6}`, leads + ` {"people":["6"]}`,
		emails + ` {"subject":"Could you?","body":"Dear Bob","note":"Asks for an introduction to Jane Doe"}`,
	}; problem != "" || len(a.asked) != 5 || !slices.Equal(a.asked[2:], want) {
		t.Errorf("%s asked\n%q, want two searches and\n%q", problem, a.asked, want)
	}
	a = requests(`{"status":"refused","error":{"code":"SUPPRESSED","message":"the address is suppressed"}}`)
	_, problem = call(t, connect(t, true, a), "draft_introduction", `{"sequence_id":"7","person":"jane"}`)
	if problem != "Bob cannot be e-mailed: the address is suppressed" ||
		slices.ContainsFunc(a.asked, func(r string) bool { return strings.HasPrefix(r, emails) }) {
		t.Errorf("%q, asked %q", problem, a.asked)
	}
}

// Scores have one decimal.
func TestScoresAreRounded(t *testing.T) {
	a := &api{answers: map[string][]string{"POST /v2/companies/paths": {`{"data":{"company":{"name":"Acme"},"total":1,
		"target_people":[{"target":{"id":5,"full_name":"Jane"},"summary":{"description":"x"},
			"paths":[{"type":"direct","score":7.4999999,"score_label":"good"}]}]}}`}}}
	got, problem := call(t, connect(t, false, a), "find_paths", `{"company":"Acme"}`)
	want := parsed(t, `{"company":"Acme","total":1,"people":[{"person":{"id":"5","name":"Jane"},"summary":"x",
		"paths":[{"type":"direct","score":7.5,"label":"good"}]}]}`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s the answer is\n%v, want\n%v", problem, got, want)
	}
}
