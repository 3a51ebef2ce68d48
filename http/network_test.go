package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	kithhttp "kith/http"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/index/semantic"
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/search"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt/prompttest"
)

// engines are the engines of these tests, by name.
func engines() map[string]func(*testing.T, *postgres.DB) indextest.Engine {
	return map[string]func(*testing.T, *postgres.DB) indextest.Engine{
		"memory":        func(*testing.T, *postgres.DB) indextest.Engine { return memindex.New() },
		"postgres":      func(t *testing.T, db *postgres.DB) indextest.Engine { return pgtest.Engine(t, db.Pool()) },
		"elasticsearch": func(t *testing.T, _ *postgres.DB) indextest.Engine { return elastictest.Engine(t) },
	}
}

// acquaintances are the contacts of u1 and their colleagues. Ann, Bob and Cid worked at Initech together;
// Cid, Dan and Eve at Hooli. Fay, Gus and Hal have no colleagues.
const (
	employers = `{"id":1,"name":"Initech","domain":"initech.example","employee_count":40}
{"id":2,"name":"Hooli","domain":"hooli.example","employee_count":12}`
	acquaintances = `{"id":1,"full_name":"Ann Ames","social_url":"https://social.example/in/ann",` +
		`"headline":"Software Engineer","work_relevant":{"title":"Software Engineer","company":{"id":1},` +
		`"start_date":"2015-01"}}
{"id":2,"full_name":"Bob Bell","social_url":"https://social.example/in/bob","headline":"Software Engineer",` +
		`"work_relevant":{"title":"Software Engineer","company":{"id":1},"start_date":"2016-01"}}
{"id":3,"full_name":"Cid Cole","social_url":"https://social.example/in/cid","headline":"Software Engineer",` +
		`"work_relevant":{"title":"Software Engineer","company":{"id":2},"start_date":"2019-01"},` +
		`"work_history":[{"title":"Software Engineer","company":{"id":1},"start_date":"2016-01","end_date":"2018-12"}]}
{"id":4,"full_name":"Dan Dorn","social_url":"https://social.example/in/dan","headline":"Software Engineer",` +
		`"work_relevant":{"title":"Software Engineer","company":{"id":2},"start_date":"2024-01"}}
{"id":5,"full_name":"Eve Eads","social_url":"https://social.example/in/eve","headline":"Designer",` +
		`"work_relevant":{"title":"Designer","company":{"id":2},"start_date":"2019-01"}}
{"id":6,"full_name":"Fay Fine","social_url":"https://social.example/in/fay","headline":"Software Engineer",` +
		`"work_relevant":{"title":"Software Engineer","company":{"name":"Fay Ltd"}}}
{"id":7,"full_name":"Gus Gray","social_url":"https://social.example/in/gus","email":"gus@example.com",` +
		`"headline":"Software Engineer","work_relevant":{"title":"Software Engineer","company":{"name":"Gus Ltd"}}}
{"id":8,"full_name":"Hal Hill","social_url":"https://social.example/in/hal","headline":"Software Engineer",` +
		`"work_relevant":{"title":"Software Engineer","company":{"name":"Hal Ltd"}}}`
	// relations are those of u1, and of the user who is Gus.
	relations = `{"app":"acme","external_user_id":"u1","identifier":"ann","score":10,` +
		`"types":["worked_together","met_in_person"]}
{"app":"acme","external_user_id":"u1","identifier":"gus","score":5}
{"app":"acme","external_user_id":"u1","identifier":"eve","score":2}
{"app":"acme","external_user_id":"gus","identifier":"hal","score":6}`
)

// networked returns a search with a network over an engine with the people of a database.
func networked(t *testing.T, db *postgres.DB, ix indextest.Engine, circles *network.Circles) *search.Service {
	t.Helper()
	ids := make([]int64, 100)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	people, err := db.PeopleByID(t.Context(), ids)
	expect.NoError(t, err)
	var docs []indexed.Document
	for _, p := range people {
		d, err := analysis.Person(p.Person, -p.Person.ID, p.Version) // by id
		expect.NoError(t, err)
		analysis.SetOwner(&d, p.Owner)
		docs = append(docs, d)
	}
	indextest.Store(t, ix, index.People, docs...)
	return search.New(search.Config{
		Index: index.New(ix), Planner: networkPlanner{prompttest.Planner()}, Records: db, Settings: db,
		Journal: db, Sight: db, Seal: newSealer(t), Network: circles, Neighbours: noNeighbours{},
	})
}

// noNeighbours knows no terms that are near others.
type noNeighbours struct{}

func (noNeighbours) Neighbours(
	context.Context, analysis.TermKind, string, int, float64,
) ([]semantic.Neighbour, error) {
	return nil, nil
}

// acquainted starts a server over the acquaintances, where Gus shares with the team.
func acquainted(t *testing.T, over func(*testing.T, *postgres.DB) indextest.Engine) *fixture {
	t.Helper()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		pgtest.Load(t, f.db, record.Companies, employers)
		pgtest.Load(t, f.db, record.People, acquaintances)
		cfg.Datasets[0].Search = networked(t, f.db, over(t, f.db), network.NewCircles(f.db.Network(), nil))
	})
	pgtest.Load(t, f.db, record.Relationships, relations)
	if _, err := f.auth.Issue(t.Context(), f.app, auth.Identity{
		ExternalID: "gus",
		Email:      "gus@example.com",
	}); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, f.db.Network().CreateTeam(t.Context(), f.app.ID, "red"))
	for _, user := range []string{"u1", "gus"} {
		expect.NoError(t, f.db.Network().AddMember(t.Context(), f.app.ID, "red", user))
	}
	gus := f.issueAs("gus", "gus@example.com")
	f.call(http.MethodPatch, "/v2/user/me", `{"sharing":"team"}`, "Authorization: Bearer "+gus).wants(t, http.StatusOK,
		"")
	return f
}

func (f *fixture) issueAs(user, email string) string {
	f.t.Helper()
	issued, err := f.auth.Issue(f.t.Context(), f.app, auth.Identity{ExternalID: user, Email: email})
	expect.NoError(f.t, err)
	return issued.Token
}

// everywhere runs a test over each engine.
func everywhere(t *testing.T, test func(*testing.T, *fixture)) {
	t.Helper()
	for name, over := range engines() {
		t.Run(name, func(t *testing.T) { test(t, acquainted(t, over)) })
	}
}

// nearEngineers are the engineers within reach of u1, in order; Fay is not.
var nearEngineers = []int{1, 7, 2, 3, 8, 4, 6}

const engineersBody = `"filters":{"position":"Software Engineer"},"scope":"network"`

func TestNetworkSearchPages(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, f *fixture) {
		var got []int
		sources := ""
		body := `{` + engineersBody + `,"limit":2,"include_counts":"all","facets":["company"]}`
		for page := 0; ; page++ {
			e := f.search(body).wants(t, http.StatusOK, "").envelope(t)
			got = append(got, ids(t, e.Data)...)
			sources += fmt.Sprintf("%v %v; ", e.Metadata["source"], e.Metadata["network_stage_complete"])
			if counts := fmt.Sprint(e.Metadata["counts"]); page == 0 &&
				counts != "map[global:map[cap:10000 is_capped:false value:7] network:map[is_estimated:false value:6]]" {
				t.Errorf("counts %s", counts)
			}
			if !e.Pagination.HasNextPage {
				break
			}
			body = fmt.Sprintf(`{"cursor":%q,"limit":%d}`, e.Pagination.Cursor, 2+page%2)
		}
		if !slices.Equal(got, nearEngineers) {
			t.Errorf("got %v", got)
		}
		if sources != "network false; network false; network,global true; " {
			t.Errorf("sources are %s", sources)
		}
	})
}

func TestNetworkSearchStreams(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, f *fixture) {
		res := f.search(`{` + engineersBody + `,"stream":true,"include_counts":"network"}`)
		events := read(t, res.body)
		var got []int
		var stages []string
		for _, e := range events {
			switch e.name {
			case "result":
				var r struct{ Person struct{ ID int } }
				expect.NoError(t, json.Unmarshal([]byte(e.data), &r))
				got = append(got, r.Person.ID)
			case "stage":
				stages = append(stages, fmt.Sprint(len(got), e.data))
			}
		}
		want := []string{
			`6{"stage":"network","complete":true,"results":6}`,
			`7{"stage":"global","complete":true,"results":1}`,
		}
		if !slices.Equal(got, nearEngineers) || !slices.Equal(stages, want) || events[0].name != "metadata" ||
			events[len(events)-1].name != "done" {
			t.Errorf("people, stages and events: %v, %v, %s", got, stages, names(events))
		}
		if !strings.Contains(events[len(events)-1].data, `"source":"network,global"`) {
			t.Errorf("done: %s", events[len(events)-1].data)
		}
	})
}

// explained says how the caller is connected to a person.
type explained struct {
	ID    int
	Match struct {
		Network struct {
			Degree      *int
			Introducers []struct {
				SocialIdentifier string `json:"social_identifier"`
				Name             string
				Rank             int
				IsDirect         bool `json:"is_direct"`
			}
		}
	}
}

func TestNetworkSearchExplainsConnections(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, f *fixture) {
		for _, scope := range []string{"network", "global"} {
			e := f.search(`{"filters":{"position":"Software Engineer"},"explain":true,"limit":50,`+
				`"scope":"`+scope+`"}`).wants(t,
				http.StatusOK, "").envelope(t)
			var people []explained
			expect.NoError(t, json.Unmarshal(e.Data, &people))
			said := map[int]string{}
			for _, p := range people {
				degree := 0
				if p.Match.Network.Degree != nil {
					degree = *p.Match.Network.Degree
				}
				said[p.ID] = fmt.Sprint(degree)
				for _, i := range p.Match.Network.Introducers {
					said[p.ID] += fmt.Sprint(" ", i.Rank, " ", i.SocialIdentifier, " ", i.IsDirect)
				}
			}
			want := map[int]string{
				1: "1", 7: "1", 2: "2 1 ann true", 3: "2 1 ann true 2 eve true", 8: "2 1 gus true",
				4: "2 1 eve true", 6: "0",
			}
			if fmt.Sprint(said) != fmt.Sprint(want) {
				t.Errorf("%s: %v", scope, said)
			}
		}
	})
}

// A company where the caller knows nobody is not unknown: others work there.
func TestNetworkSearchListsUnknownNames(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, f *fixture) {
		for company, want := range map[string]string{
			"Fay Ltd": "null", "Nonesuch": `[{"field":"company","value":"Nonesuch"}]`,
		} {
			e := f.search(`{"filters":{"position":"Nurse","company":"`+company+`"},`+
				`"network_filters":{"connection_degrees":[1]},"closest":true}`).wants(t, http.StatusOK, "").envelope(t)
			if got, _ := json.Marshal(e.Metadata["unknown"]); len(ids(t, e.Data)) > 0 || string(got) != want {
				t.Errorf("%s: unknown are %s, want %s", company, got, want)
			}
		}
	})
}

// Each filter restricts results to people within reach. An empty filter does nothing.
func TestNetworkFiltersRestrictResults(t *testing.T) {
	t.Parallel()
	everyone := nearEngineers
	cases := []struct {
		filters string
		want    []int
	}{
		{`{}`, everyone},
		{`{"connection_degrees":[],"introducer_social_ids":[],"user_to_introducer_types":[],` +
			`"introducer_to_target_types":[],"exclude_teams":false,"exclude_community":false}`, everyone},
		{`{"connection_degrees":[1]}`, []int{1, 7}},
		{`{"connection_degrees":[2]}`, []int{2, 3, 8, 4}},
		{`{"connection_degrees":[2,1]}`, []int{1, 7, 2, 3, 8, 4}},
		{`{"introducer_social_ids":["eve"]}`, []int{3, 4}},
		{`{"introducer_social_ids":["https://social.example/in/Eve/","gus"]}`, []int{8, 3, 4}},
		{`{"introducer_social_ids":["5"]}`, []int{3, 4}},
		{`{"introducer_social_ids":[5]}`, []int{3, 4}},
		{`{"introducer_social_ids":["fay"]}`, []int{}},
		{`{"introducer_social_ids":["nobody-at-all"]}`, []int{}},
		{`{"introducer_social_ids":["ann"],"connection_degrees":[1]}`, []int{}},
		{`{"user_to_introducer_types":["met_in_person"]}`, []int{1, 2, 3}},
		{`{"user_to_introducer_types":["attended_event"]}`, []int{}},
		{`{"user_to_introducer_min_score":"Good"}`, []int{1, 7, 2, 3, 8}},
		{`{"user_to_introducer_min_score":" very good "}`, []int{1, 2, 3}},
		{`{"introducer_to_target_types":["team"]}`, []int{8}},
		{`{"introducer_to_target_types":["worked_together"]}`, []int{2, 3, 4}},
		{`{"introducer_to_target_types":["community","studied_together"]}`, []int{}},
		{`{"introducer_to_target_min_score":"good"}`, []int{2, 8, 3, 4}},
		{`{"introducer_to_target_min_score":"excellent"}`, []int{}},
		{`{"exclude_teams":true}`, []int{1, 7, 2, 3, 4}},
		{`{"exclude_community":true}`, []int{1, 7, 2, 3, 8, 4}},
		{`{"exclude_teams":true,"exclude_community":true,"introducer_to_target_types":["team"]}`, []int{}},
		{`{"connection_degrees":[1,2],"introducer_social_ids":["ann","gus"],
			"user_to_introducer_types":["worked_together","social_contact"],"user_to_introducer_min_score":"okay",
			"introducer_to_target_types":["worked_together","team"],"introducer_to_target_min_score":"okay",
			"exclude_teams":true,"exclude_community":true}`, []int{2, 3}},
	}
	everywhere(t, func(t *testing.T, f *fixture) {
		for _, c := range cases {
			e := f.search(`{`+engineersBody+`,"limit":50,`+
				`"include_counts":"all","network_filters":`+c.filters+`}`).wants(t,
				http.StatusOK, "").envelope(t)
			if got := ids(t, e.Data); !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
				t.Errorf("%s: %v, want %v", c.filters, got, c.want)
			}
			near := len(c.want)
			if slices.Equal(c.want, everyone) {
				near--
			}
			counts, _ := json.Marshal(e.Metadata["counts"])
			if want := fmt.Sprintf(`"network":{"is_estimated":false,"value":%d}`,
				near); !strings.Contains(string(counts), want) {
				t.Errorf("%s: counts %s", c.filters, counts)
			}
		}
	})
}

func TestBadNetworkFiltersAreRefused(t *testing.T) {
	t.Parallel()
	f := acquainted(t, engines()["memory"])
	for filters, field := range map[string]string{
		`{"connection_degrees":[3]}`:                     "network_filters.connection_degrees[0]",
		`{"connection_degrees":[1,0]}`:                   "network_filters.connection_degrees[1]",
		`{"connection_degrees":["1"]}`:                   "network_filters.connection_degrees[0]",
		`{"connection_degrees":[1.5]}`:                   "network_filters.connection_degrees[0]",
		`{"connection_degrees":1}`:                       "network_filters.connection_degrees",
		`{"introducer_social_ids":"ann"}`:                "network_filters.introducer_social_ids",
		`{"introducer_social_ids":["ann",""]}`:           "network_filters.introducer_social_ids[1]",
		`{"introducer_social_ids":["  "]}`:               "network_filters.introducer_social_ids[0]",
		`{"introducer_social_ids":[7.5]}`:                "network_filters.introducer_social_ids[0]",
		`{"user_to_introducer_types":["friend"]}`:        "network_filters.user_to_introducer_types[0]",
		`{"user_to_introducer_types":"team"}`:            "network_filters.user_to_introducer_types",
		`{"user_to_introducer_min_score":"superb"}`:      "network_filters.user_to_introducer_min_score",
		`{"user_to_introducer_min_score":7}`:             "network_filters.user_to_introducer_min_score",
		`{"introducer_to_target_types":["team","kin"]}`:  "network_filters.introducer_to_target_types[1]",
		`{"introducer_to_target_min_score":"ok enough"}`: "network_filters.introducer_to_target_min_score",
		`{"exclude_teams":"yes"}`:                        "network_filters.exclude_teams",
		`{"exclude_community":1}`:                        "network_filters.exclude_community",
		`{"exclude_team":true}`:                          "network_filters.exclude_team",
		`["team"]`:                                       "network_filters",
	} {
		problems := f.search(`{`+engineersBody+`,"network_filters":`+filters+`}`).wants(t,
			http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error.Errors
		if len(problems) != 1 || problems[0].Field != field || problems[0].Message == "" {
			t.Errorf("%s: %+v", filters, problems)
		}
	}
	f.search(`{"prompt":"engineers","scope":"global","network_filters":{"connection_degrees":[1]}}`).wants(t,
		http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	e := f.search(`{`+engineersBody+`,"limit":2}`).wants(t, http.StatusOK, "").envelope(t)
	f.search(fmt.Sprintf(`{%s,"network_filters":{"connection_degrees":[1]},"cursor":%q}`, engineersBody,
		e.Pagination.Cursor)).wants(t, http.StatusUnprocessableEntity, "CURSOR_MISMATCH")
}

// A walk that relies on shared relationships ends when their owner stops sharing. Users who never shared do not end it.
func TestEndOfSharingEndsNetworkWalks(t *testing.T) {
	t.Parallel()
	f := acquainted(t, engines()["memory"])
	e := f.search(`{`+engineersBody+`,"limit":2}`).wants(t, http.StatusOK, "").envelope(t)
	next := fmt.Sprintf(`{"cursor":%q}`, e.Pagination.Cursor)
	f.search(next).wants(t, http.StatusOK, "")
	gus := "Authorization: Bearer " + f.issueAs("gus", "gus@example.com")
	f.call(http.MethodPatch, "/v2/user/me", `{"sharing":"none"}`, gus).wants(t, http.StatusOK, "")
	f.search(next).wants(t, http.StatusGone, "CURSOR_EXPIRED")
	got := ids(t, f.search(`{`+engineersBody+`,"limit":50,"network_filters":{"connection_degrees":[1,2]}}`).wants(t,
		http.StatusOK, "").envelope(t).Data)
	if !slices.Equal(got, []int{1, 7, 2, 3, 4}) {
		t.Errorf("after Gus stopped sharing: %v", got)
	}
	stranger := f.call(http.MethodPost, "/v2/people/search", `{`+engineersBody+`,"include_counts":"network"}`,
		"Authorization: Bearer "+f.issue("u9")).wants(t, http.StatusOK, "")
	if m := stranger.envelope(t).Metadata; m["source"] != "global" ||
		!strings.Contains(fmt.Sprint(m["counts"]), "value:0") {
		t.Errorf("a user without relationships finds %v", m)
	}
}
