package http_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func newReach(db *postgres.DB) *network.Reach {
	return network.NewReach(network.NewCircles(db.Network(), nil), db, newCompanyNames(db))
}

// companyNames finds companies in an index in sync with the records.
type companyNames struct {
	drainer *indexer.Drainer
	found   *search.Companies
}

func newCompanyNames(db *postgres.DB) companyNames {
	ix := memindex.New()
	return companyNames{indexer.NewDrainer(db, ix, zerolog.Nop()), search.NewCompanies(index.New(ix), db)}
}

func (n companyNames) Named(ctx context.Context, v kith.Viewer, name string, most int) ([]int64, error) {
	if err := n.drainer.Drain(ctx); err != nil {
		return nil, err
	}
	return n.found.Named(ctx, v, name, most)
}

// reachable stores a company of three: Ann, a contact of the caller; Bob, her colleague; and Cid, who joined
// later. Dan has no colleagues.
func (f *fixture) reachable() {
	f.t.Helper()
	pgtest.Load(f.t, f.db, record.Companies,
		`{"id":7,"name":"Initech","domain":"initech.example","social_url":"https://social.example/company/initech",`+
			`"employee_count":8}`)
	pgtest.Load(f.t, f.db, record.People,
		`{"id":1,"full_name":"Ann Ames","social_url":"https://social.example/in/ann",`+
			`"work_history":[{"title":"CTO","company":{"id":7},"start_date":"2015-01","end_date":"2020-12"}]}
{"id":2,"full_name":"Bob Bell","social_url":"https://social.example/in/bob","work_relevant":{"title":"Engineer",`+
			`"company":{"id":7},"start_date":"2018-01"}}
{"id":3,"full_name":"Cid Cole","social_url":"https://social.example/in/cid","work_relevant":{"title":"Engineer",`+
			`"company":{"id":7},"start_date":"2022-01"}}
{"id":4,"full_name":"Dan Dorn","social_url":"https://social.example/in/dan"}`)
	f.call(http.MethodPost, relationshipsPath,
		`{"people":[{"identifier":"ann","score":10},{"identifier":"dan","score":2}]}`, f.bearer()).wants(f.t,
		http.StatusOK, "")
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
		`{"social_url":"social.example/company/initech"}`, `{"name":"Initech"}`, `{"name":"INITECH, Inc."}`,
		`{"name":"initech.example"}`, `{"name":"https://social.example/company/initech"}`, `{"id":7}`,
		`{"id":"7"}`,
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
			[]any{path.Type, path.Introducer.Profile.FullName, path.Introducer.ScoreLabel}, "intro", "Ann Ames",
			"excellent")
		expect.Values(t, "its first starter", []any{path.Starters[0].Title, path.Starters[0].Description},
			"Worked together at Initech", "2018-01 to 2020-12; 8 employees")
		if !strings.HasPrefix(got.Summary.Description, "Ann Ames can introduce you to Bob Bell") ||
			got.Summary.Score <= 0 {
			t.Errorf("summary %+v", got.Summary)
		}
	}
	stranger := f.call(http.MethodPost, "/v2/companies/paths", `{"domain":"initech.example"}`,
		"Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusOK, "")
	if !strings.Contains(string(stranger.body), `"target_people":[],"count":0,"total":0`) {
		t.Errorf("a user without relationships reaches %s", stranger.body)
	}
}

// An export of a network has the names of companies only, with and without the legal form, and no dates. Its people
// are found by name, and by the site and profile of a company that no record has.
func TestCompaniesKnownByNameAreFound(t *testing.T) {
	f := newFixture(t, nil)
	pgtest.Load(t, f.db, record.People, `{"id":1,"full_name":"Ann Ames","social_url":"https://social.example/in/ann",`+
		`"work_relevant":{"title":"CTO","company":{"name":"Hooli"}}}
{"id":2,"full_name":"Bob Bell","social_url":"https://social.example/in/bob",`+
		`"work_history":[{"title":"Engineer","company":{"name":"hooli GmbH"}}]}
{"id":3,"full_name":"Cid Cole","social_url":"https://social.example/in/cid",`+
		`"work_history":[{"title":"Engineer","company":{"name":"Hooli"},"end_date":"2020"}]}
{"id":4,"full_name":"Dan Dorn","social_url":"https://social.example/in/dan",`+
		`"work_relevant":{"title":"Nurse","company":{"name":"Hooli Hospital"}}}`)
	known := `{"people":["ann","bob","cid","dan"]}`
	f.call(http.MethodPost, relationshipsPath, known, f.bearer()).wants(t, http.StatusOK, "")
	asked := []string{
		`{"name":"Hooli"}`, `{"name":" HOOLI "}`, `{"name":"Hooli Ltd."}`, `{"domain":"hooli.com"}`,
		`{"domain":"www.hooli.co.uk"}`, `{"social_url":"https://social.example/company/hooli"}`, `{"name":"hooli.com"}`,
		`{"name":"https://www.linkedin.com/company/hooli/"}`,
	}
	wanted := func(state string) {
		t.Helper()
		for _, body := range asked {
			var got pathsData
			res := f.call(http.MethodPost, "/v2/companies/paths", body, f.bearer()).wants(t, http.StatusOK, "")
			expect.NoError(t, json.Unmarshal(res.envelope(t).Data, &got))
			var names []string
			for _, p := range got.TargetPeople {
				names = append(names, p.Target.FullName)
			}
			if strings.Join(names, ", ") != "Ann Ames, Bob Bell" || got.Total != 2 {
				t.Errorf("%s: %s reaches %v, %d in all", state, body, names, got.Total)
			}
		}
	}
	wanted("names only")
	// A company with a site takes the people of those without, if its name is unique.
	pgtest.Load(t, f.db, record.Companies, `{"id":90,"name":"Hooli AG","domain":"hooli.com"}`)
	asked = []string{`{"name":"Hooli"}`, `{"domain":"hooli.com"}`, `{"id":90}`, `{"name":"https://hooli.com/jobs"}`}
	wanted("with a site")
	f.call(http.MethodPost, "/v2/companies/paths", `{"domain":"hooli.co.uk"}`, f.bearer()).wants(t, http.StatusNotFound,
		"COMPANY_NOT_FOUND")
}

func TestSeveralCompaniesOfANameAreCandidates(t *testing.T) {
	f := newFixture(t, nil)
	pgtest.Load(t, f.db, record.Companies, `{"id":7,"name":"Apollo","domain":"apollo.example","industry":"Software",`+
		`"location":{"city":"Oslo"}}
{"id":8,"name":"Apollo Inc","domain":"apollo-care.example","industry":"Health"}
{"id":9,"name":"Apollo GmbH","social_url":"https://social.example/company/apollo-care","domain":"apollo-care.example"}
{"id":10,"name":"Zeus","domain":"zeus.example","aliases":["Apollo"]}`)
	pgtest.Load(t, f.db, record.People, `{"id":1,"full_name":"Ann Ames","social_url":"https://social.example/in/ann",`+
		`"work_relevant":{"title":"CTO","company":{"id":9}}}
{"id":2,"full_name":"Bob Bell","social_url":"https://social.example/in/bob",`+
		`"work_relevant":{"title":"CTO","company":{"id":10}}}`)
	f.call(http.MethodPost, relationshipsPath, `{"people":["ann","bob"]}`, f.bearer()).wants(t, http.StatusOK, "")
	res := f.call(http.MethodPost, "/v2/companies/paths", `{"name":"Apollo"}`, f.bearer()).wants(t,
		http.StatusUnprocessableEntity, "SEVERAL_COMPANIES")
	var failure struct {
		Error struct {
			Detail     string
			Candidates []struct {
				ID                     int64
				Name, Domain, Industry string
				Location               struct{ City string }
			}
		}
	}
	expect.NoError(t, json.Unmarshal(res.body, &failure))
	found := failure.Error.Candidates
	if len(found) != 2 || found[0].Industry != "Software" || found[0].Location.City != "Oslo" ||
		found[1].Domain != "apollo-care.example" || !strings.HasPrefix(failure.Error.Detail, "2 companies are") {
		t.Errorf("candidates: %+v, %s", found, failure.Error.Detail)
	}
	for body, name := range map[string]string{`{"id":8}`: "Ann Ames", `{"name":"Zeus"}`: "Bob Bell"} {
		var got pathsData
		res := f.call(http.MethodPost, "/v2/companies/paths", body, f.bearer()).wants(t, http.StatusOK, "")
		expect.NoError(t, json.Unmarshal(res.envelope(t).Data, &got))
		if len(got.TargetPeople) != 1 || got.TargetPeople[0].Target.FullName != name {
			t.Errorf("%s reaches %+v", body, got.TargetPeople)
		}
	}
	f.call(http.MethodPost, "/v2/companies/paths", `{"id":7}`, f.bearer()).wants(t, http.StatusOK, "")
}

func TestCompaniesAreNamedOnce(t *testing.T) {
	f := newFixture(t, nil)
	for body, field := range map[string]string{
		`{}`: "name", `{"name":"A","domain":"a.example"}`: "domain", `{"id":1,"name":"A"}`: "name",
		`{"name":"!!"}`: "name", `{"domain":"stripe"}`: "domain", `{"social_url":"stripe"}`: "social_url",
		`{"id":"x"}`: "id", `{"id":"01"}`: "id", `{"id":0}`: "id", `{"id":"9007199254740992"}`: "id",
	} {
		res := f.call(http.MethodPost, "/v2/companies/paths", body, f.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED")
		if all := res.envelope(t).Error.Errors; len(all) != 1 || all[0].Field != field {
			t.Errorf("%s: %+v", body, all)
		}
	}
	for _, body := range []string{`{"name":"Nowhere"}`, `{"domain":"nowhere.example"}`, `{"id":1}`} {
		f.call(http.MethodPost, "/v2/companies/paths", body, f.bearer()).wants(t, http.StatusNotFound,
			"COMPANY_NOT_FOUND")
	}
}

func TestCompaniesAndPeopleAreReadByID(t *testing.T) {
	f := newFixture(t, nil)
	f.reachable()
	company := f.call(http.MethodGet, "/v2/companies/7", "", f.bearer()).wants(t, http.StatusOK, "")
	if !strings.Contains(string(company.body), `"id":7,"name":"Initech"`) {
		t.Errorf("the company: %s", company.body)
	}
	for _, id := range []string{"2", "https%3A%2F%2Fsocial.example%2Fin%2Fbob"} {
		person := f.call(http.MethodGet, "/v2/people/"+id, "", f.bearer()).wants(t, http.StatusOK, "")
		if text := string(person.body); !strings.Contains(text, `"id":2,`) || !strings.Contains(text, `"Initech"`) {
			t.Errorf("the person %s: %s", id, person.body)
		}
	}
	for path, status := range map[string]int{
		"/v2/companies/8": 404, "/v2/people/99": 404, "/v2/companies/x": 422, "/v2/companies/07": 422,
		"/v2/people/x": 422,
	} {
		if res := f.call(http.MethodGet, path, "", f.bearer()); res.StatusCode != status {
			t.Errorf("%s: %d %s", path, res.StatusCode, res.body)
		}
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
		`"company":{"id":7},"start_date":"2018-01","end_date":"2019-12"},{"title":"Junior Engineer",`+
		`"company":{"id":7},"start_date":"2016","end_date":"2017"}]}`)
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
