package agents_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// world is a dataset with a user who knows Bob, a former colleague of Ann.
func world(t *testing.T) e2e.Kith {
	t.Helper()
	k := e2e.New(t, e2e.Postgres())
	acme := map[string]any{"id": 1, "name": "Acme", "domain": "acme.example", "employee_count": 12}
	job := func(title string) map[string]any {
		return map[string]any{"title": title, "company": acme, "start_date": "2019-01-01"}
	}
	k.Run(t, "load", "--kind", "companies", k.Write(t, "companies.ndjson", []e2e.Record{acme}))
	k.Run(t, "load", k.Write(t, "people.ndjson", []e2e.Record{
		{
			"id": 1, "full_name": "Ann Archer", "social_url": "https://social.example/in/ann",
			"email":    "ann@acme.example",
			"location": map[string]any{"city": "Berlin", "country": "Germany"}, "work_relevant": job("Head of Data"),
		},
		{
			"id": 2, "full_name": "Bob Baker", "social_url": "https://social.example/in/bob",
			"email":         "bob@acme.example",
			"location":      map[string]any{"city": "Berlin", "country": "Germany"},
			"work_relevant": job("Software Engineer"),
		},
	}))
	k.Run(t, "app", "create", "acme")
	k.Token(t, "acme", "u1")
	k.Run(t, "load", "--kind", "relationships", k.Write(t, "relationships.ndjson", []e2e.Record{
		{"app": "acme", "external_user_id": "u1", "identifier": "bob", "score": 9},
	}))
	return k
}

// agent is a client of the tools.
type agent struct {
	*mcp.ClientSession
	t *testing.T
}

func connect(t *testing.T, over mcp.Transport) agent {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := c.Connect(t.Context(), over, nil)
	expect.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return agent{session, t}
}

// call calls a tool and decodes its answer; problem is the text of a failure.
func (a agent) call(tool string, arguments any, answer any) (problem string) {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	if result.IsError {
		return result.Content[0].(*mcp.TextContent).Text
	}
	text, err := json.Marshal(result.StructuredContent)
	if err == nil && answer != nil {
		err = json.Unmarshal(text, answer)
	}
	if err != nil {
		a.t.Fatalf("%s answers %s: %v", tool, text, err)
	}
	return ""
}

// tools returns the names of the tools that only read, and of those that write.
func (a agent) tools() (reading, writing []string) {
	a.t.Helper()
	for tool, err := range a.Tools(a.t.Context(), nil) {
		expect.NoError(a.t, err)
		if tool.Annotations.ReadOnlyHint {
			reading = append(reading, tool.Name)
		} else {
			writing = append(writing, tool.Name)
		}
	}
	return reading, writing
}

const readingTools = "explain_search find_paths get_person list_drafts list_lists list_relationships list_sequences " +
	"read_list read_sequence search_people"

// An agent looks for people, paths and lists over standard input, with tools that can change nothing.
func TestAgentSearchesAndChangesNothing(t *testing.T) {
	k := world(t)
	a := connect(t, &mcp.CommandTransport{Command: k.Command(t.Context(), t, "mcp", "--user", "u1")})
	if reading, writing := a.tools(); strings.Join(reading, " ") != readingTools || len(writing) > 0 {
		t.Errorf("the tools are %v and %v", reading, writing)
	}
	var found struct {
		People     []struct{ Name, Title, Company, Place string }
		Understood struct{ Filters map[string]string }
		Total      struct{ Count int }
	}
	a.call("search_people", map[string]any{"prompt": "heads of data in Berlin", "explain": true}, &found)
	if len(found.People) != 1 || found.People[0].Name != "Ann Archer" || found.People[0].Place != "Berlin, Germany" ||
		found.Total.Count != 1 || found.Understood.Filters["city"] != "Berlin" {
		t.Errorf("search found %+v", found)
	}
	var why struct{ Mode, SQL string }
	a.call("explain_search", map[string]any{"prompt": "heads of data in Berlin"}, &why)
	if why.Mode != "simple" || !strings.Contains(why.SQL, "SELECT") {
		t.Errorf("the explanation is %+v", why)
	}
	var person struct {
		Name        string
		Degree      int
		Introducers []string
	}
	a.call("get_person", map[string]any{"person": "https://social.example/in/ann"}, &person)
	if person.Name != "Ann Archer" || person.Degree != 2 || fmt.Sprint(person.Introducers) != "[Bob Baker]" {
		t.Errorf("the person is %+v", person)
	}
}

// An agent looks for paths to a person and into a company.
func TestAgentFindsPaths(t *testing.T) {
	k := world(t)
	a := connect(t, &mcp.CommandTransport{Command: k.Command(t.Context(), t, "mcp", "--user", "u1")})
	for _, asked := range []map[string]any{
		{"person": "1"}, {"person": 1}, {"company": "acme.example"}, {"company": "ACME Inc."}, {"company": 1},
	} {
		var ways struct {
			People []struct {
				Person struct{ Name string }
				Paths  []struct {
					Type       string
					Introducer struct{ Name string }
				}
			}
		}
		a.call("find_paths", asked, &ways)
		to := map[string]string{}
		for _, w := range ways.People {
			to[w.Person.Name] = w.Paths[0].Type + " " + w.Paths[0].Introducer.Name
		}
		if to["Ann Archer"] != "intro Bob Baker" {
			t.Errorf("the paths with %v are %v", asked, to)
		}
	}
	var known struct{ Relationships []struct{ Name string } }
	a.call("list_relationships", map[string]any{}, &known)
	if len(known.Relationships) != 1 || known.Relationships[0].Name != "Bob Baker" {
		t.Errorf("the contacts of the user are %+v", known)
	}
	for tool, asked := range map[string]map[string]any{
		"find_paths": {}, "get_person": {"person": "nobody@example.com"}, "search_people": {
			"prompt": "x",
			"limit":  1000,
		},
		"read_list": {"list_id": "none"}, "explain_search": {"prompt": ""},
	} {
		if problem := a.call(tool, asked, nil); problem == "" {
			t.Errorf("%s %v succeeds", tool, asked)
		}
	}
}

// An agent saves people and drafts an introduction; a person decides about the draft.
func TestAgentDraftsForApproval(t *testing.T) {
	k := world(t)
	a := connect(t, &mcp.CommandTransport{Command: k.Command(t.Context(), t, "mcp", "--user", "u1", "--write")})
	const writingTools = "add_to_sequence draft_email draft_introduction save_to_list"
	if _, writing := a.tools(); strings.Join(writing, " ") != writingTools {
		t.Errorf("the writing tools are %v", writing)
	}
	var saved struct {
		List     string `json:"list_id"`
		Added    int
		NotFound []string `json:"not_found"`
	}
	a.call("save_to_list", map[string]any{"name": "Berlin", "people": []string{"1", "nobody@example.com"}}, &saved)
	var on struct{ People []struct{ Name string } }
	a.call("read_list", map[string]any{"list_id": saved.List}, &on)
	if saved.Added != 1 || len(saved.NotFound) != 1 || len(on.People) != 1 || on.People[0].Name != "Ann Archer" {
		t.Errorf("saved %+v, the list has %+v", saved, on)
	}
	s := k.Serve(t)
	token := k.Token(t, "acme", "u1")
	var made struct{ Data struct{ ID string } }
	answer := s.Post(t, "/v2/sequences", token, map[string]any{"name": "Introductions"})
	if err := json.Unmarshal(answer.Body, &made); err != nil || made.Data.ID == "" {
		t.Fatalf("%v: %s", err, answer.Body)
	}
	var draft struct{ To, Subject, Body, Note, Decision string }
	problem := a.call("draft_introduction", map[string]any{"sequence_id": made.Data.ID, "person": "1"}, &draft)
	if draft.To != "Bob Baker" || draft.Decision != "pending" || !strings.HasPrefix(draft.Body, "Hi Bob Baker,") ||
		!strings.Contains(draft.Body, "Ann Archer, Head of Data at Acme") {
		t.Errorf("drafted %+v: %s", draft, problem)
	}
	problem = a.call("draft_introduction", map[string]any{"sequence_id": made.Data.ID, "person": "2"}, nil)
	if !strings.Contains(problem, "you know Bob Baker yourself") {
		t.Errorf("an introduction to a contact of the user: %q", problem)
	}
	var waiting struct{ Drafts []struct{ Subject string } }
	a.call("list_drafts", map[string]any{}, &waiting)
	if len(waiting.Drafts) != 1 || waiting.Drafts[0].Subject != "Could you introduce me to Ann Archer?" {
		t.Errorf("waiting for a decision: %+v", waiting)
	}
}

// bearer sends a token.
type bearer string

// RoundTrip implements [http.RoundTripper].
func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if b != "" {
		req.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(req)
}

// Over HTTP, each agent acts as the user of its token, within the scopes of the token.
func TestAgentOverHTTPHasTheRightsOfItsToken(t *testing.T) {
	k := world(t)
	s := k.Serve(t)
	token := k.Token(t, "acme", "u1")
	key := strings.TrimSpace(k.Run(t, "app", "add-key", "acme", "--key-name", "narrow", "--scopes", "search,tokens"))
	req, err := http.NewRequest(http.MethodPost, s.URL+"/v2/auth/tokens", strings.NewReader(
		`{"external_user_id":"u1","email":"u1@example.com","scopes":["search"]}`))
	expect.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("secret-key", key)
	issued, err := e2e.Do(req)
	var narrow struct{ Data struct{ Token string } }
	if err != nil || json.Unmarshal(issued.Body, &narrow) != nil || narrow.Data.Token == "" {
		t.Fatalf("%v: %s", err, issued.Body)
	}
	over := func(token string) *mcp.StreamableClientTransport {
		return &mcp.StreamableClientTransport{
			Endpoint:   s.URL + "/mcp",
			HTTPClient: &http.Client{Transport: bearer(token)},
		}
	}
	whole, part := connect(t, over(token)), connect(t, over(narrow.Data.Token))
	if _, writing := whole.tools(); len(writing) > 0 {
		t.Errorf("a server without writing enabled offers %v", writing)
	}
	for _, a := range []agent{whole, part} {
		var found struct{ People []struct{ Name string } }
		if problem := a.call("search_people", map[string]any{"filters": map[string]string{"city": "Berlin"}},
			&found); len(
			found.People) != 2 {
			t.Errorf("found %+v: %s", found, problem)
		}
	}
	var known struct{ Relationships []struct{ Name string } }
	if problem := whole.call("list_relationships", map[string]any{}, &known); len(known.Relationships) != 1 {
		t.Errorf("the contacts of the user are %+v: %s", known, problem)
	}
	problem := part.call("list_relationships", map[string]any{}, nil)
	if !strings.Contains(problem, "scope relationships") {
		t.Errorf("the error without the scope is %q", problem)
	}
	for _, none := range []string{"", "kt_nobody"} {
		if a := s.Post(t, "/mcp", none, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}); a.Status !=
			http.StatusUnauthorized || a.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("token %q: status %d: %s", none, a.Status, a.Body)
		}
	}
	if a := s.Get(t, "/mcp", token); a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
		t.Errorf("GET: status %d: %s", a.Status, a.Body)
	}
}
