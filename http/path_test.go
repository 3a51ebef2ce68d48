package http_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"kith/internal/expect"
	"kith/internal/network"
	"kith/internal/pgtest"
	"kith/internal/postgres"
	"kith/internal/record"
)

func newReach(db *postgres.DB) *network.Reach {
	return network.NewReach(network.NewPathfinder(network.NewCircles(db.Network(), nil)), db)
}

// reachable stores a company of three: Ann, a contact of the caller; Bob, her colleague; and Cid, who joined
// later. Dan has no colleagues.
func (f *fixture) reachable() {
	f.t.Helper()
	pgtest.Load(f.t, f.db, record.Companies,
		`{"id":7,"name":"Initech","domain":"initech.example","social_url":"https://social.example/company/initech",`+
			`"employee_count":8}`)
	pgtest.Load(f.t, f.db, record.People, `{"id":1,"full_name":"Ann Ames","social_url":"https://social.example/in/ann",`+
		`"work_history":[{"title":"CTO","company":{"id":7},"start_date":"2015-01","end_date":"2020-12"}]}
{"id":2,"full_name":"Bob Bell","social_url":"https://social.example/in/bob","work_relevant":{"title":"Engineer",`+
		`"company":{"id":7},"start_date":"2018-01"}}
{"id":3,"full_name":"Cid Cole","social_url":"https://social.example/in/cid","work_relevant":{"title":"Engineer",`+
		`"company":{"id":7},"start_date":"2022-01"}}
{"id":4,"full_name":"Dan Dorn","social_url":"https://social.example/in/dan"}`)
	f.call(http.MethodPost, relationshipsPath,
		`{"people":[{"identifier":"ann","score":10},{"identifier":"dan","score":2}]}`, f.bearer()).wants(f.t, http.StatusOK,
		"")
}

type pathsData struct {
	Company struct{ Name string }
	Summary struct {
		Score       float64
		ScoreLabel  string `json:"score_label"`
		Description string
	}
	TargetPeople []pathTarget `json:"target_people"`
	Count, Total int
}

type pathTarget struct {
	Target struct {
		FullName string `json:"full_name"`
	}
	Paths []struct {
		Type       string
		Score      float64
		ScoreLabel string `json:"score_label"`
		Introducer *struct {
			Profile struct {
				FullName string `json:"full_name"`
			}
			ScoreLabel string `json:"score_label"`
		}
		Starters []struct{ Title, Description string }
	}
	Summary struct{ Description string }
	Count   int
}

func TestCompanyPathsAreFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.reachable()
	for _, body := range []string{
		`{"domain":"initech.example"}`, `{"domain":"https://www.initech.example/"}`,
		`{"social_url":"social.example/company/initech"}`,
	} {
		var got pathsData
		res := f.call(http.MethodPost, "/v2/companies/paths", body, f.bearer()).wants(t, http.StatusOK, "")
		expect.NoError(t, json.Unmarshal(res.envelope(t).Data, &got))
		expect.Len(t, "targets of "+body, got.TargetPeople, 1)
		expect.Values(t, "paths to "+body, []any{got.Company.Name, got.Count, got.Total}, "Initech", 1, 1)
		bob := got.TargetPeople[0]
		expect.Len(t, "paths to Bob", bob.Paths, 1)
		path := bob.Paths[0]
		expect.Values(t, "paths to Bob", []any{bob.Target.FullName, bob.Count}, "Bob Bell", 1)
		expect.Len(t, "starters", path.Starters, 1)
		expect.Values(t, "first path",
			[]any{path.Type, path.Introducer.Profile.FullName, path.Introducer.ScoreLabel}, "intro", "Ann Ames", "excellent")
		expect.Values(t, "its first starter", []any{path.Starters[0].Title, path.Starters[0].Description},
			"Worked together at Initech", "2018-01 to 2020-12; 8 employees")
		if !strings.HasPrefix(got.Summary.Description, "Ann Ames can introduce you to Bob Bell") || got.Summary.Score <= 0 {
			t.Errorf("summary %+v", got.Summary)
		}
	}
	stranger := f.call(http.MethodPost, "/v2/companies/paths", `{"domain":"initech.example"}`,
		"Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusOK, "")
	if !strings.Contains(string(stranger.body), `"target_people":[],"count":0,"total":0`) {
		t.Errorf("a user without relationships reaches %s", stranger.body)
	}
}

// A promotion does not split a job: colleagues overlap for as long as both worked there.
func TestPromotionsDoNotShortenOverlaps(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	pgtest.Load(t, f.db, record.Companies, `{"id":7,"name":"Initech","employee_count":8}`)
	pgtest.Load(t, f.db, record.People, `{"id":1,"full_name":"Ann Ames","social_url":"https://social.example/in/ann",`+
		`"work_history":[{"title":"CTO","company":{"id":7},"start_date":"2015-01","end_date":"2020-12"}]}
{"id":2,"full_name":"Bob Bell","social_url":"https://social.example/in/bob","work_history":[{"title":"Engineer",`+
		`"company":{"id":7},"start_date":"2016-01","end_date":"2019-12"}]}
{"id":3,"full_name":"Cid Cole","social_url":"https://social.example/in/cid","work_history":[{"title":"Engineer",`+
		`"company":{"id":7},"start_date":"2018-01","end_date":"2019-12"},{"title":"Junior Engineer","company":{"id":7},`+
		`"start_date":"2016","end_date":"2017"}]}`)
	f.call(http.MethodPost, relationshipsPath, `{"people":[{"identifier":"ann","score":10}]}`, f.bearer()).wants(t,
		http.StatusOK, "")
	var ways [2]pathTarget
	for i, id := range []string{"2", "3"} {
		res := f.call(http.MethodPost, "/v2/people/"+id+"/paths", "", f.bearer()).wants(t, http.StatusOK, "")
		expect.NoError(t, json.Unmarshal(res.envelope(t).Data, &ways[i]))
		if starters := ways[i].Paths[0].Starters; len(starters) != 1 ||
			starters[0].Description != "2016-01 to 2019-12; 8 employees" {
			t.Errorf("%s: %+v", id, starters)
		}
	}
	if a, b := ways[0].Paths[0].Score, ways[1].Paths[0].Score; a != b {
		t.Errorf("paths to the promoted person: %v; to the other: %v", b, a)
	}
}

func TestPersonPathsAreFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.reachable()
	for id, want := range map[string]string{
		"1": "You know Ann Ames yourself (excellent).",
		"3": "You have no path to Cid Cole yet.",
		"4": "You know Dan Dorn yourself (okay).",
	} {
		var got pathTarget
		res := f.call(http.MethodPost, "/v2/people/"+id+"/paths", "", f.bearer()).wants(t, http.StatusOK, "")
		if err := json.Unmarshal(res.envelope(t).Data, &got); err != nil || got.Summary.Description != want {
			t.Errorf("%s: %q, %v", id, got.Summary.Description, err)
		}
	}
	for _, id := range []string{"0", "01", "%2B1", "-1", "1.0", "9223372036854775808", "person-1"} {
		f.call(http.MethodPost, "/v2/people/"+id+"/paths", "", f.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED")
	}
	refused := f.call(http.MethodPost, "/v2/people/2/paths", `{"limit":1}`, f.bearer()).wants(t,
		http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	if !strings.Contains(string(refused.body), "this object has none") {
		t.Errorf("refusal of options: %s", refused.body)
	}
	if res := f.call(http.MethodPost, "/v2/people/2/paths", "{}", f.bearer()); !strings.Contains(string(res.body),
		`"type":"intro"`) {
		t.Errorf("paths with an empty body: %s", res.body)
	}
}
