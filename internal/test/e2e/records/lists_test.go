package records_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// notice is an event as a webhook gets it.
type notice struct {
	Type string
	Data struct {
		ID       string
		PersonID int64 `json:"person_id"`
		Detail   json.RawMessage
	}
}

// hook starts a receiver of events.
func hook(t *testing.T) (url string, notices chan notice) {
	t.Helper()
	notices = make(chan notice, 100)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		var n notice
		if err := json.Unmarshal(text, &n); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		notices <- n
	}))
	t.Cleanup(srv.Close)
	return srv.URL, notices
}

// keep sends a request that must succeed, and returns the new id.
func keep(t *testing.T, s *e2e.Server, path, token, body string) string {
	t.Helper()
	a := s.Post(t, path, token, json.RawMessage(body))
	var made struct{ Data struct{ ID string } }
	if err := json.Unmarshal(a.Body, &made); err != nil || a.Status != http.StatusOK {
		t.Fatalf("%s: %d %s\n%s", path, a.Status, a.Body, s.Output())
	}
	return made.Data.ID
}

// Records change under a list and a saved search. The webhook reports the new job of a person on the list, and the
// search reports new people.
func TestListsAndSavedSearchesReportChanges(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		const (
			ann = `{"full_name":"Ann Abel","social_url":"https://social.example/in/ann",` +
				`"work_relevant":{"title":"%s","company":{"name":"Acme"},"start_date":"2020"}}` + "\n"
			bob = `{"full_name":"Bob Bell","social_url":"https://social.example/in/bob",` +
				`"work_relevant":{"title":"Engineer","company":{"name":"Acme"},"start_date":"2020"}}` + "\n"
		)
		load := func(lines string) {
			t.Helper()
			k.Run(t, "load", k.File(t, "people.ndjson", lines))
		}
		load(strings.ReplaceAll(ann, "%s", "Engineer"))
		k.Run(t, "app", "create", "acme")
		token := k.Token(t, "acme", "u1")
		url, notices := hook(t)
		k.Run(t, "webhook", "add", "--app", "acme", "--allow-network", "127.0.0.0/8", url)
		s := k.Serve(t, append(e2e.Unlimited(), "--allow-network", "127.0.0.0/8")...)

		list := keep(t, s, "/v2/lists", token, `{"name":"Engineers"}`)
		keep(t, s, "/v2/lists/"+list+"/people", token,
			`{"people":["https://social.example/in/ann","https://social.example/in/bob"]}`)
		kept := keep(t, s, "/v2/searches", token,
			`{"name":"Engineers","search":{"filters":{"position":"engineer"},"scope":"global"}}`)
		isNew := func(name string) bool {
			a := s.Get(t, "/v2/searches/"+kept+"/new", token)
			return a.Status == http.StatusOK && strings.Count(string(a.Body),
				`"full_name"`) == strings.Count(string(a.Body), name) && strings.Contains(string(a.Body), name)
		}
		load(bob) // unchanged for the list
		e2e.Eventually(t, "the saved search reports Bob as new", func() bool { return isNew("Bob Bell") })
		s.Post(t, "/v2/searches/"+kept+"/seen", token, json.RawMessage(`{}`))
		load(strings.ReplaceAll(ann, "%s", "Chief Engineer") + bob)
		n := <-notices
		want := `{"to": {"title": "Chief Engineer", "company": "Acme"}, ` +
			`"from": {"title": "Engineer", "company": "Acme"}}`
		if n.Type != "list.job_changed" || n.Data.ID != list || n.Data.PersonID == 0 || !sameJSON(t, n.Data.Detail,
			want) {
			t.Errorf("event of the new job: %+v, %s", n, n.Data.Detail)
		}
		page := s.Search(t, token, map[string]any{
			"filters": map[string]string{"position": "engineer"},
			"scope":   "specific_list", "specific_list_data": map[string]string{"list": list},
		})
		if len(page.Data) != 1 {
			t.Errorf("a search within the list finds %d people, want 1", len(page.Data))
		}
		if len(notices) > 0 {
			t.Errorf("the webhook got another event: %+v", <-notices)
		}
	})
}

func sameJSON(t *testing.T, got json.RawMessage, want string) bool {
	t.Helper()
	var a, b any
	expect.NoError(t, json.Unmarshal(got, &a))
	expect.NoError(t, json.Unmarshal([]byte(want), &b))
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// Lists and saved searches cannot reach people from another user's files.
func TestListsHideOtherUsersRecords(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "app", "create", "acme")
	tokens := map[string]string{}
	for _, user := range []string{"ann", "ben"} {
		tokens[user] = k.Token(t, "acme", user)
	}
	s := k.Serve(t, e2e.Unlimited()...)
	saved := map[string]string{}
	for user, token := range tokens {
		saved[user] = keep(t, s, "/v2/searches", token,
			`{"name":"Z","search":{"filters":{"company":"Zyzzyva Works"},"scope":"global"}}`)
	}
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "ann", k.File(t, "Connections.csv", secrets))
	news := func(user string) string {
		return string(s.Get(t, "/v2/searches/"+saved[user]+"/new", tokens[user]).Body)
	}
	e2e.Eventually(t, "Ann's search finds Zebedee", func() bool { return strings.Contains(news("ann"), "Zebedee") })
	if got := news("ben"); strings.Contains(got, "Zebedee") || !strings.Contains(got, `"count":0`) {
		t.Errorf("Ben's saved search reports %s", got)
	}
	for user, want := range map[string]string{"ann": "added", "ben": "not_found"} {
		list := keep(t, s, "/v2/lists", tokens[user], `{"name":"L"}`)
		a := s.Post(t, "/v2/lists/"+list+"/people", tokens[user],
			json.RawMessage(`{"people":["zebedee@private.example"]}`))
		if !strings.Contains(string(a.Body), `"status":"`+want+`"`) {
			t.Errorf("%s: %s", user, a.Body)
		}
		if b := s.Get(t, "/v2/lists/"+list+"/people", tokens[user]); strings.Contains(string(b.Body),
			"Zebedee") != (want == "added") {
			t.Errorf("%s: %s", user, b.Body)
		}
	}
}
