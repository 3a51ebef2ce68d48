package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kith"
	kithhttp "kith/http"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/enrich"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// storePeople stores two people, one with a work history.
func storePeople(t *testing.T, db *postgres.DB) {
	t.Helper()
	storeLines(t, db, `{"id":1,"full_name":"Jane Doe","social_url":"https://www.social.example/in/Jane-Doe/",
		"email":"jane@example.com",
		"image_url":"https://img.example/jane.png","skills":["go"],
		"work_relevant":{"title":"CTO","company":{"id":7,"name":"Initech","keywords":["secret"]},
			"start_date":"2021-03-01"},
		"work_history":[{"title":"Engineer","company":{"id":7},"start_date":"2015","end_date":"2021-02"}]}`,
		`{"id":2,"full_name":"José Núñez","social_url":"https://social.example/in/jose-núñez"}`)
}

func storeLines(t *testing.T, db *postgres.DB, lines ...string) loader.Stats {
	t.Helper()
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return pgtest.Load(t, db, record.People, lines...)
}

func (f *fixture) post(path, body string) answer {
	f.t.Helper()
	return f.call(http.MethodPost, path, body, f.bearer())
}

// Emails, ids and profile URLs are interchangeable as identifiers.
func TestEnrichTakesEmailsAndIDs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	storeLines(t, f.db,
		`{"full_name":"No Profile","email":"np@example.com","emails":["n.p@example.org"],"sources":["crm:1"]}`)
	for identifier, want := range map[string]string{
		"Jane@Example.com": `"full_name":"Jane Doe"`, "1": `"full_name":"Jane Doe"`,
		"mailto:N.P@example.org": `"social_url":null`,
	} {
		body := fmt.Sprintf(`{"social_url":%q}`, identifier)
		if a := f.post("/v2/people/enrich", body).wants(t, http.StatusOK, ""); !strings.Contains(string(a.body), want) {
			t.Errorf("%s: %s", identifier, a.body)
		}
		f.post("/v2/user/relationships", fmt.Sprintf(`{"people":[%q]}`, identifier)).wants(t, http.StatusOK, "")
	}
	f.post("/v2/people/enrich", `{"social_url":"nobody@example.com"}`).wants(t, http.StatusNotFound, "PERSON_NOT_FOUND")
	f.post("/v2/people/enrich", `{"social_url":"99"}`).wants(t, http.StatusNotFound, "PERSON_NOT_FOUND")
	known := string(f.call(http.MethodGet, "/v2/user/relationships", "", f.bearer()).wants(t, http.StatusOK, "").body)
	if !strings.Contains(known, "No Profile") || strings.Count(known, `"full_name"`)+strings.Count(known,
		`"name"`) != 2 {
		t.Error("relationships:", known)
	}
}

func TestEnrichTakesEveryFormOfAURL(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	for _, form := range []string{
		"https://social.example/in/jane-doe", "HTTP://WWW.Social.example/in/jane-DOE/?utm=1#top",
		"social.example/in/jane-doe",
		"https://social.example:443//in/jane-doe//", " https://social.example/in/jane%2Ddoe ",
		"\ufeff\u200ehttps://social.example/in/jane-doe",
	} {
		body, _ := json.Marshal(map[string]string{"social_url": form})
		var got struct {
			FullName     string     `json:"full_name"`
			SocialURL    string     `json:"social_url"`
			WorkRelevant *kith.Job  `json:"work_relevant"`
			WorkHistory  []kith.Job `json:"work_history"`
			Avatar       string
		}
		data := f.post("/v2/people/enrich", string(body)).wants(t, 200, "").envelope(t).Data
		expect.NoError(t, json.Unmarshal(data, &got))
		if got.FullName != "Jane Doe" || got.Avatar != "https://img.example/jane.png" || len(got.WorkHistory) != 1 ||
			got.WorkRelevant.Company.Name != "Initech" || got.WorkRelevant.EndDate != nil ||
			*got.WorkHistory[0].EndDate != "2021-02-01" {
			t.Errorf("%s: %s", form, data)
		}
		for _, secret := range []string{"secret", "jane@example.com", "skills"} {
			if strings.Contains(string(data), secret) {
				t.Errorf("%s shows %q: %s", form, secret, data)
			}
		}
	}
}

func TestEnrichShowsTheCurrentJobFromTheHistory(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storeLines(t, f.db, `{"id":40,"full_name":"Dup Job","social_url":"https://social.example/in/p40",
		"work_history":[{"title":"Engineer","company":{"id":1,"name":"Acme"},"start_date":"2020-01"}]}`)
	var got struct {
		WorkRelevant *kith.Job `json:"work_relevant"`
	}
	data := f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/p40"}`).wants(t, 200,
		"").envelope(t).Data
	expect.NoError(t, json.Unmarshal(data, &got))
	if got.WorkRelevant == nil || got.WorkRelevant.Title != "Engineer" || got.WorkRelevant.Company.Name != "Acme" {
		t.Errorf("got %s", data)
	}
}

func TestEnrichRefusesBadBodies(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	for _, c := range []struct {
		path, body string
		status     int
		code       string
		field      string
	}{
		{"enrich", `{"social_url":"https://social.example/in/nobody"}`, 404, "PERSON_NOT_FOUND", ""},
		{"enrich", `{"social_url":"jane-doe"}`, 422, "VALIDATION_FAILED", "social_url"},
		{"enrich", `{"social_url":"https://social.example"}`, 422, "VALIDATION_FAILED", "social_url"},
		{"enrich", `{"social_url":"file:///etc/passwd"}`, 422, "VALIDATION_FAILED", "social_url"},
		{"enrich", `{"social_url":"gopher://social.example/in/jane-doe"}`, 422, "VALIDATION_FAILED", "social_url"},
		{"enrich", `{"social_url":""}`, 422, "VALIDATION_FAILED", "social_url"},
		{"enrich", `{"social_ur":"x"}`, 422, "VALIDATION_FAILED", "social_ur"},
		{"enrich", `{}`, 422, "VALIDATION_FAILED", "social_url"},
		{"enrich/bulk", `{"identifiers":[]}`, 422, "VALIDATION_FAILED", "identifiers"},
		{"enrich/bulk", `{"identifiers":[{}]}`, 422, "VALIDATION_FAILED", "identifiers[0].social_url"},
		{
			"enrich/bulk", `{"identifiers":["https://social.example/in/jane-doe"]}`, 422, "VALIDATION_FAILED",
			"identifiers[0]",
		},
		{
			"enrich/bulk", `{"identifiers":[{"url":"a.example/b","social_url":"a.example/b"}]}`, 422,
			"VALIDATION_FAILED",
			"identifiers[0].url",
		},
		{
			"enrich/bulk", `{"identifiers":[` + strings.Repeat(`{"url":"a.example/b"},`, 10) +
				`{"url":"a.example/b"}]}`, 422,
			"VALIDATION_FAILED", "identifiers",
		},
	} {
		e := f.post("/v2/people/"+c.path, c.body).wants(t, c.status, c.code).envelope(t).Error
		if c.field != "" && (len(e.Errors) == 0 || e.Errors[0].Field != c.field) {
			t.Errorf("%s: problems %v, want one of %s", c.body, e.Errors, c.field)
		}
	}
}

func TestBulkEnrichKeepsOrderAndReportsFailures(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	a := f.post("/v2/people/enrich/bulk", `{"identifiers":[{"url":"social.example/in/JOSE-N%C3%BA%C3%B1ez"},
		{"social_url":"https://social.example/in/nobody"},
		{"social_url":"https://social.example/in/jane-doe"},{"url":"not a url"},
		{"url":"social.example/in/jane-doe"}]}`).wants(t, 200, "")
	var got struct {
		Data []struct {
			FullName string `json:"full_name"`
		}
		Metadata struct {
			Summary  struct{ Requested, Succeeded, Failed int }
			Failures []struct {
				Index      int
				Identifier string
				Error      struct{ Code, Message string }
			}
		}
	}
	expect.NoError(t, json.Unmarshal(a.body, &got))
	var names []string
	for _, p := range got.Data {
		names = append(names, p.FullName)
	}
	if s := strings.Join(names, ", "); s != "José Núñez, Jane Doe, Jane Doe" {
		t.Errorf("found %s", s)
	}
	failed := map[int]string{}
	for _, x := range got.Metadata.Failures {
		failed[x.Index] = x.Error.Code
	}
	want := map[int]string{1: "PERSON_NOT_FOUND", 3: "INVALID_URL"}
	if fmt.Sprint(failed) != fmt.Sprint(want) ||
		got.Metadata.Summary != (struct{ Requested, Succeeded, Failed int }{5, 3, 2}) {
		t.Errorf("metadata %+v", got.Metadata)
	}
}

// finder is a source that knows one profile.
type finder struct {
	t    *testing.T
	db   *postgres.DB
	down bool
}

func (f *finder) Find(_ context.Context, profileURL string) error {
	switch {
	case f.down:
		return fmt.Errorf("dial tcp 10.0.0.1:443: connection refused")
	case !strings.HasSuffix(strings.ToLower(strings.TrimSuffix(profileURL, "/")), "/new-one"):
		return kith.Errorf(kith.NotFound, "NOT_AT_SOURCE", "unknown there")
	}
	storeLines(f.t, f.db, `{"full_name":"New One","social_url":"`+profileURL+`"}`)
	return nil
}

func TestEnrichAsksTheSourceForUnknownPeople(t *testing.T) {
	t.Parallel()
	var source *finder
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		source = &finder{t: t, db: f.db}
		cfg.Datasets[0].Enrich = enrich.New(f.db, source)
	})
	storePeople(t, f.db)
	a := f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/new-one"}`).wants(t, 200, "")
	if !strings.Contains(string(a.body), "New One") {
		t.Errorf("enrich of an unknown person: %s", a.body)
	}
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/nobody"}`).wants(t, 404, "PERSON_NOT_FOUND")
	source.down = true
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`).wants(t, 200, "")
	a = f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/nobody"}`).wants(t, 503,
		"SOURCE_UNAVAILABLE")
	if strings.Contains(string(a.body), "10.0.0.1") {
		t.Errorf("the answer reveals internal addresses: %s", a.body)
	}
}

// Imports look unknown people up at the source.
func TestImportAsksTheSourceForUnknownPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	actor, err := f.auth.Verify(t.Context(), f.token)
	expect.NoError(t, err)
	source := &finder{t: t, db: f.db}
	elements := []network.Element{
		{Identifier: "https://social.example/in/new-one"},
		{Identifier: "https://social.example/in/unknown"},
		{Identifier: "jane@example.com"},
		{Identifier: "social.example/in/New-One/"},
		{Identifier: "stranger@example.com"},
	}
	check := func(svc *network.Service, want ...network.Status) {
		t.Helper()
		expect.NoError(t, svc.Find(t.Context(), kith.Actor{UserID: 1}, elements))
		results, err := svc.Import(t.Context(), actor, elements, 5)
		expect.NoError(t, err)
		for i, w := range want {
			if results[i].Status != w {
				t.Errorf("%+v, want %s", results[i], w)
			}
		}
	}
	source.down = true
	check(network.New(f.db.Network()).LookUp(source), network.Failed, network.Failed, network.Created, network.Failed,
		network.Failed)
	source.down = false
	check(network.New(f.db.Network()).LookUp(source), network.Created, network.Failed, network.Unchanged,
		network.Created, network.Failed)
}
