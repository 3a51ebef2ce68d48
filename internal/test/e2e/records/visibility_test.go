package records_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// secrets is an export of a user: people and a company that nobody else has, and a person of the shared records.
const secrets = `First Name,Last Name,URL,Email Address,Company,Position,Connected On
Zebedee,Zanzibar,https://social.example/in/zebedee,zebedee@private.example,Zyzzyva Works,Xylophonist,12 Mar 2024
Zelda,Zanzibar,https://social.example/in/zelda,,Open Works,Engineer,12 Mar 2024
Olga,Open,https://social.example/in/olga,olga@private.example,Zyzzyva Works,Xylophonist,12 Mar 2024
`

// visibility sends the same requests for each user.
type visibility struct {
	t *testing.T
	s *e2e.Server
}

// requests returns all requests that can show a person.
func requests() [][2]string {
	search := func(body string) [2]string { return [2]string{"/v2/people/search", body} }
	return [][2]string{
		search(`{"filters":{"name":"Zanzibar"},"include_counts":"all","facets":["company","function"],"explain":true}`),
		search(`{"filters":{"keywords":"engineer"},"scope":"global","include_counts":"all","facets":["company"]}`),
		search(`{"filters":{"keywords":"engineer"},"scope":"network","include_counts":"all","explain":true}`),
		search(`{"filters":{"company":"Zyzzyva Works"}}`),
		search(`{"filters":{"keywords":"xylophonist"},"stream":true}`),
		search(`{"filters":{"position":"-president"},"scope":"global","include_counts":"all",` +
			`"facets":["company","seniority"],"limit":100}`),
		search(`{"prompt":"Zebedee Zanzibar","include_counts":"all"}`),
		search(`{"prompt":"engineers at Open Works"}`),
		search(`{"prompt":"people at Zyzzyva Works","scope":"global"}`),
		search(`{"prompt":"people who worked with Zebedee Zanzibar"}`),
		search(`{"prompt":"who can introduce me to Zebedee Zanzibar"}`),
		search(`{"scope":"specific_list","specific_list_data":["zebedee","https://social.example/in/zelda","olga"]}`),
		{"/v2/companies/paths", `{"domain":"open.example"}`},
		{"/v2/people/enrich", `{"social_url":"https://social.example/in/zebedee"}`},
		{"/v2/people/enrich", `{"social_url":"https://social.example/in/olga"}`},
		{"/v2/user/relationships", `{"people":["https://social.example/in/zebedee","zebedee@private.example",` +
			`"zelda","olga@private.example"]}`},
		{"/v2/suggest?field=company&q=zyzz", ""},
		{"/v2/suggest?field=person&q=zebe", ""},
		{"/v2/suggest?field=person&q=zanzi", ""},
		{"/v2/suggest?field=position&q=xylo", ""},
		{"/v2/suggest?field=prompt&q=people+at+zyz", ""},
		{"/v2/user/relationships", ""},
		{"/v2/user/me", ""},
	}
}

var varies = regexp.MustCompile(`req_[0-9A-Z]{26}|"20\\d\\d-\\d\\d-\\d\\dT[^"]*"|[A-Za-z0-9_-]{60,}`)

// hears sends all requests with a token and drops the values that vary.
func (v visibility) hears(token string) map[string]string {
	v.t.Helper()
	out := map[string]string{}
	for _, r := range requests() {
		var a e2e.Answer
		if r[1] == "" {
			a = v.s.Get(v.t, r[0], token)
		} else {
			a = v.s.Post(v.t, r[0], token, json.RawMessage(r[1]))
		}
		out[r[0]+" "+r[1]] = varies.ReplaceAllString(fmt.Sprint(a.Status, " ", string(a.Body)), "…")
	}
	return out
}

func (v visibility) same(when string, got, want map[string]string) {
	v.t.Helper()
	for asked, answer := range want {
		if got[asked] != answer {
			v.t.Errorf("%s: %s\ngot  %s\nwant %s", when, asked, got[asked], answer)
		}
	}
}

// Users see the people of another user's files only while that user shares them.
func TestRecordsAreVisibleOnlyWhileShared(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		path := k.File(t, "Connections.csv", secrets)
		open := map[string]any{"name": "Open Works", "domain": "open.example"}
		k.Run(t, "load", k.Write(t, "people.ndjson", []e2e.Record{
			{
				"full_name": "Olga Open", "social_url": "https://social.example/in/olga",
				"work_relevant": map[string]any{"title": "Engineer", "company": open},
			},
			{
				"full_name": "Ann Other", "social_url": "https://social.example/in/ann",
				"work_relevant": map[string]any{"title": "Engineer", "company": open},
			},
		}))
		tokens := map[string]string{}
		for _, app := range []string{"acme", "globex"} {
			k.Run(t, "app", "create", app)
		}
		for _, user := range [][2]string{{"acme", "ann"}, {"acme", "bob"}, {"globex", "eve"}} {
			tokens[user[1]] = k.Token(t, user[0], user[1])
		}
		v := visibility{t, k.Serve(t, e2e.Unlimited()...)}
		v.hears(tokens["bob"]) // this imports a relationship
		v.hears(tokens["eve"])
		before := map[string]map[string]string{"bob": v.hears(tokens["bob"]), "eve": v.hears(tokens["eve"])}

		k.Run(t, "import", "--yes", "--app", "acme", "--user", "ann", path)
		v.same("after an import of another user", v.hears(tokens["bob"]), before["bob"])
		v.same("after an import of a user of another app", v.hears(tokens["eve"]), before["eve"])
		own := strings.Join(values(v.hears(tokens["ann"])), "\n")
		for _, want := range []string{"Zebedee", "Zelda", "Zyzzyva"} {
			if !strings.Contains(own, want) {
				t.Errorf("the owner does not see %s: %s", want, own)
			}
		}
		k.Run(t, "reindex")
		v.same("after the index was built anew", v.hears(tokens["bob"]), before["bob"])

		v.share(tokens["ann"], "community")
		if shared := strings.Join(values(v.hears(tokens["bob"])), "\n"); !strings.Contains(shared,
			`"full_name":"Zebedee Zanzibar"`) {
			t.Errorf("the shared records are %s", shared)
		}
		v.same("after a user of another app shares", v.hears(tokens["eve"]), before["eve"])
		v.share(tokens["ann"], "none")
		v.same("after it is shared no more", v.hears(tokens["bob"]), before["bob"])
	})
}

func (v visibility) share(token, with string) {
	v.t.Helper()
	req, err := v.s.Request(v.t.Context(), "/v2/user/me", token, map[string]any{"sharing": with})
	expect.NoError(v.t, err)
	req.Method = http.MethodPatch
	if a, err := e2e.Do(req); err != nil || a.Status != http.StatusOK {
		v.t.Fatalf("status %d: %s, %v", a.Status, a.Body, err)
	}
}

func values(m map[string]string) []string {
	var out []string
	for _, v := range m {
		out = append(out, v)
	}
	return out
}
