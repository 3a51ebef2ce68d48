package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/index/memindex"
	"kith/internal/access/auth"
	"kith/internal/operation/tasks"
	"kith/internal/postgres"
	"kith/internal/record/indexer"
	"kith/internal/record/refresh"
	"kith/internal/test/expect"
)

// withOperator adds operation to a dataset. Maintenance runs on an index of its own.
func withOperator(t *testing.T, db *postgres.DB, d *kithhttp.Dataset) {
	t.Helper()
	queue, err := tasks.New(db.Pool(), tasks.Config{Schema: db.Schema()})
	expect.NoError(t, err)
	d.Tasks = queue
	d.Maintenance = indexer.NewMaintenance(indexer.NewDrainer(db, memindex.New(), zerolog.Nop()))
}

// operatorSession signs an operator in.
func (f *fixture) operatorSession() string {
	f.t.Helper()
	link, err := f.auth.OperatorLink(
		f.t.Context(), kith.OperatorPrincipal(), f.app, auth.Identity{ExternalID: "boss", Email: "boss@example.com"},
	)
	expect.NoError(f.t, err)
	c := f.useLink(link.Secret).wants(f.t, http.StatusOK, "").cookie(f.t)
	return "Cookie: " + c.Name + "=" + c.Value
}

// operatorKey returns the header with a key that can operate, and grant an app what it needs.
func (f *fixture) operatorKey() string {
	f.t.Helper()
	return f.keyWith("operator", kith.ScopeOperator|kith.DefaultScopes)
}

// keyWith returns the header with a key.
func (f *fixture) keyWith(name string, scopes kith.Scopes) string {
	f.t.Helper()
	_, secret, err := f.auth.AddKey(
		f.t.Context(), kith.OperatorPrincipal(), f.app, auth.KeySpec{Name: name, Scopes: scopes},
	)
	expect.NoError(f.t, err)
	return "secret-key: " + secret
}

// as decodes the data of a successful answer.
func as[T any](t *testing.T, a answer) (out T) {
	t.Helper()
	expect.NoError(t, json.Unmarshal(a.wants(t, http.StatusOK, "").envelope(t).Data, &out))
	return out
}

// Only operators can see the page, or learn that it exists.
func TestOperatorPageIsHidden(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const browser = "Accept: text/html"
	nowhere := f.call(http.MethodGet, "/nowhere", "", browser)
	for name, headers := range map[string][]string{
		"stranger":       {browser},
		"user":           {browser, f.browser("u1")},
		"token":          {browser, f.bearer()},
		"key":            {browser, f.operatorKey()},
		"forged session": {browser, "Cookie: kith_session=ks_" + strings.Repeat("A", 43)},
	} {
		page := f.call(http.MethodGet, "/admin", "", headers...)
		if page.StatusCode != http.StatusNotFound || string(page.body) != string(nowhere.body) {
			t.Errorf("%s: %d %.200s", name, page.StatusCode, page.body)
		}
	}
	session := f.operatorSession()
	page := f.call(http.MethodGet, "/admin", "", browser, session)
	if page.StatusCode != http.StatusOK || !strings.Contains(string(page.body), `<div id="app">`) {
		t.Errorf("the operator's page answered: %d %.200s", page.StatusCode, page.body)
	}
	type me struct{ Token struct{ Scopes []string } }
	if got := as[me](t, f.call(http.MethodGet, "/v2/user/me", "",
		session)).Token.Scopes; got[len(got)-1] != "operator" {
		t.Errorf("the session has the scopes %v", got)
	}
	f.call(http.MethodGet, "/v2/admin/apps", "", f.browser("u1")).wants(t, http.StatusForbidden, "INSUFFICIENT_SCOPE")
	f.call(http.MethodPost, "/v2/admin/apps", `{"name":"x"}`, session, "Sec-Fetch-Site: cross-site").
		wants(t, http.StatusForbidden, "CROSS_ORIGIN_REQUEST")
	f.call(http.MethodPost, ownTokensPath, `{"scopes":["operator"]}`, fromPage(session)...).
		wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

// A key cannot make credentials with scopes that it lacks, also not by default or by a link. A session of the operator
// can.
func TestOperatorKeysGrantOnlyTheirScopes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	app := "/v2/admin/apps/" + strconv.FormatInt(f.app.ID, 10)
	narrow := f.keyWith("narrow", kith.ScopeOperator|kith.ScopeSearch)
	operator := f.operatorKey()
	const forbidden = "INSUFFICIENT_SCOPE"
	for _, c := range []struct {
		credential, path, body, code string
	}{
		{narrow, app + "/keys", `{"name":"a","scopes":["search"]}`, ""},
		{narrow, app + "/keys", `{"name":"b","scopes":["search","audit"]}`, forbidden},
		{narrow, app + "/keys", `{"name":"c","scopes":["privacy"]}`, forbidden},
		{narrow, app + "/keys", `{"name":"d"}`, forbidden},
		{narrow, "/v2/admin/apps", `{"name":"e"}`, forbidden},
		{narrow, "/v2/admin/apps", `{"name":"f","scopes":["operator"]}`, ""},
		{narrow, app + "/login-links", `{"external_user_id":"g","email":"g@example.com"}`, forbidden},
		{operator, app + "/login-links", `{"external_user_id":"g","email":"g@example.com"}`, ""},
		{operator, app + "/login-links", `{"external_user_id":"g","operator":true}`, forbidden},
		{f.operatorSession(), app + "/keys", `{"name":"h","scopes":["audit"]}`, ""},
	} {
		status := http.StatusOK
		if c.code != "" {
			status = http.StatusForbidden
		}
		f.call(http.MethodPost, c.path, c.body, fromPage(c.credential)...).wants(t, status, c.code)
	}
	for _, k := range as[[]struct{ Name string }](t, f.call(http.MethodGet, app+"/keys", "", narrow)) {
		if strings.Contains("bcd", k.Name) {
			t.Errorf("the key %s was made", k.Name)
		}
	}
}

type shownApp struct {
	ID          int64
	Name        string
	SecretKey   string `json:"secret_key"`
	Keys, Users int
}

// Operators manage apps, keys and users, in a session or with a key.
func TestOperatorManagesApps(t *testing.T) {
	t.Parallel()
	for name, credential := range map[string]func(*fixture) []string{
		"session": func(f *fixture) []string { return fromPage(f.operatorSession()) },
		"key":     func(f *fixture) []string { return []string{f.operatorKey()} },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, nil)
			operator := credential(f)
			call := func(method, path, body string) answer { return f.call(method, path, body, operator...) }
			made := as[shownApp](t, call(http.MethodPost, "/v2/admin/apps", `{"name":"globex"}`))
			call(http.MethodPost, "/v2/admin/apps", `{"name":"globex"}`).wants(t, http.StatusConflict, "APP_EXISTS")
			app := "/v2/admin/apps/" + strconv.FormatInt(made.ID, 10)
			f.call(http.MethodPost, "/v2/auth/tokens", issueBody, "secret-key: "+made.SecretKey).wants(t, http.StatusOK,
				"")
			apps := as[[]shownApp](t, call(http.MethodGet, "/v2/admin/apps", ""))
			if last := apps[len(apps)-1]; len(apps) != 2 || last.Name != "globex" || last.Keys != 1 || last.Users != 1 {
				t.Errorf("apps: %+v", apps)
			}
			f.keysOfApp(call, app)
			f.usersOfApp(call, app)
			call(http.MethodDelete, app, "").wants(t, http.StatusOK, "")
			call(http.MethodDelete, app, "").wants(t, http.StatusNotFound, "APP_NOT_FOUND")
			f.call(http.MethodPost, "/v2/auth/tokens", issueBody, "secret-key: "+made.SecretKey).
				wants(t, http.StatusUnauthorized, "SECRET_KEY_INVALID")
		})
	}
}

func (f *fixture) keysOfApp(call func(method, path, body string) answer, app string) {
	f.t.Helper()
	type shownKey struct {
		ID        int64
		Name      string
		Scopes    []string
		SecretKey string     `json:"secret_key"`
		ExpiresAt *time.Time `json:"expires_at"`
	}
	made := as[shownKey](f.t,
		call(http.MethodPost, app+"/keys", `{"name":"ci","scopes":["tokens","search"],"expires_in_days":1}`))
	call(http.MethodPost, app+"/keys", `{"name":"ci"}`).wants(f.t, http.StatusConflict, "KEY_EXISTS")
	keys := as[[]shownKey](f.t, call(http.MethodGet, app+"/keys", ""))
	if len(keys) != 2 || keys[1].ID != made.ID || keys[1].SecretKey != "" || keys[1].ExpiresAt == nil ||
		strings.Join(keys[1].Scopes, " ") != "search tokens" {
		f.t.Errorf("keys: %+v", keys)
	}
	key := app + "/keys/" + strconv.FormatInt(made.ID, 10)
	call(http.MethodDelete, key, "").wants(f.t, http.StatusOK, "")
	call(http.MethodDelete, key, "").wants(f.t, http.StatusNotFound, "KEY_NOT_FOUND")
	call(http.MethodDelete, app+"/keys/x", "").wants(f.t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

func (f *fixture) usersOfApp(call func(method, path, body string) answer, app string) {
	f.t.Helper()
	type link struct{ Path string }
	made := as[link](f.t,
		call(http.MethodPost, app+"/login-links", `{"external_user_id":"new","email":"new@example.com"}`))
	secret, ok := strings.CutPrefix(made.Path, "/sign-in#")
	if !ok {
		f.t.Fatalf("the sign-in link points to %q", made.Path)
	}
	c := f.useLink(secret).wants(f.t, http.StatusOK, "").cookie(f.t)
	session := "Cookie: " + c.Name + "=" + c.Value
	f.call(http.MethodGet, "/v2/admin/apps", "", session).wants(f.t, http.StatusForbidden, "INSUFFICIENT_SCOPE")
	call(http.MethodPost, app+"/login-links", `{"external_user_id":"nobody"}`).wants(f.t, http.StatusNotFound,
		"USER_NOT_FOUND")
	call(http.MethodPatch, app+"/users", `{"external_user_id":"new","disabled":true}`).wants(f.t, http.StatusOK, "")
	call(http.MethodPatch, app+"/users", `{"external_user_id":"nobody","disabled":true}`).
		wants(f.t, http.StatusNotFound, "USER_NOT_FOUND")
	type user struct {
		ID       string     `json:"external_user_id"`
		Disabled *time.Time `json:"disabled_at"`
	}
	page := call(http.MethodGet, app+"/users?limit=1", "").wants(f.t, http.StatusOK, "").envelope(f.t)
	rest := as[[]user](f.t, call(http.MethodGet, app+"/users?limit=1&cursor="+page.Pagination.Cursor, ""))
	if !page.Pagination.HasNextPage || len(rest) != 1 || rest[0].ID != "new" || rest[0].Disabled == nil {
		f.t.Errorf("pages of users: %+v, %+v", page.Pagination, rest)
	}
	call(http.MethodPost, app+"/login-links", `{"external_user_id":"new"}`).wants(f.t, http.StatusForbidden,
		"USER_DISABLED")
}

// Operators list jobs, cancel waiting ones and retry ended ones.
func TestOperatorCancelsAndRetriesJobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	queue, err := tasks.New(f.db.Pool(), tasks.Config{Schema: f.db.Schema()})
	expect.NoError(t, err)
	err = pgx.BeginFunc(t.Context(), f.db.Pool(), func(tx pgx.Tx) error {
		_, err := queue.Insert(t.Context(), tx,
			[]river.InsertManyParams{{Args: refresh.Args{Key: "b"}}, {Args: refresh.Args{Key: "a"}}})
		return err
	})
	expect.NoError(t, err)
	operator := f.operatorKey()
	call := func(method, path string) answer { return f.call(method, path, "", operator) }
	type job struct {
		ID    int64
		About string
		State string
	}
	page := call(http.MethodGet, "/v2/admin/jobs?limit=1").wants(t, http.StatusOK, "").envelope(t)
	rest := as[[]job](t, call(http.MethodGet, "/v2/admin/jobs?limit=1&cursor="+page.Pagination.Cursor))
	if len(rest) != 1 || rest[0].About != "a" || rest[0].State != "queued" {
		t.Fatalf("second page of jobs: %+v", rest)
	}
	one := "/v2/admin/jobs/" + strconv.FormatInt(rest[0].ID, 10)
	call(http.MethodPost, one+"/retry").wants(t, http.StatusConflict, "JOB_NOT_FAILED")
	if got := as[job](t, call(http.MethodDelete, one)); got.State != "canceled" {
		t.Errorf("canceled job: %+v", got)
	}
	call(http.MethodDelete, one).wants(t, http.StatusConflict, "JOB_ENDED")
	canceled := as[[]job](t, call(http.MethodGet, "/v2/admin/jobs?state=canceled"))
	expect.Values(t, "canceled jobs", []any{canceled}, []job{{rest[0].ID, "a", "canceled"}})
	if got := as[job](t, call(http.MethodPost, one+"/retry")); got.State != "queued" {
		t.Errorf("retried job: %+v", got)
	}
	if list := as[[]job](t, call(http.MethodGet, "/v2/admin/jobs?state=canceled")); len(list) != 0 {
		t.Errorf("canceled jobs after the retry: %+v", list)
	}
	call(http.MethodDelete, "/v2/admin/jobs/987654").wants(t, http.StatusNotFound, "JOB_NOT_FOUND")
	call(http.MethodGet, "/v2/admin/jobs?state=lost").wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

// Operators start one rebuild of the index at a time, and drop leftover indexes.
func TestOperatorRebuildsTheIndex(t *testing.T) {
	t.Parallel()
	var maintenance *indexer.Maintenance
	ix := memindex.New()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		maintenance = indexer.NewMaintenance(indexer.NewDrainer(f.db, ix, zerolog.Nop()))
		cfg.Datasets[0].Maintenance = maintenance
	})
	operator := f.operatorKey()
	call := func(method, path string) answer { return f.call(method, path, "", operator) }
	type shown struct {
		Engine   string
		Versions []struct{ Active bool }
		Rebuild  *struct{ Status string }
	}
	if got := as[shown](t, call(http.MethodGet, "/v2/admin/index")); got.Engine != "memory" || got.Rebuild != nil {
		t.Errorf("index before the rebuild: %+v", got)
	}
	if got := as[shown](t, call(http.MethodPost, "/v2/admin/index/rebuild")); got.Rebuild == nil ||
		got.Rebuild.Status != "running" {
		t.Errorf("index during the rebuild: %+v", got)
	}
	call(http.MethodPost, "/v2/admin/index/rebuild").wants(t, http.StatusConflict, "INDEX_REBUILDS")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- maintenance.Run(ctx) }()
	var got shown
	for got = as[shown](t, call(http.MethodGet, "/v2/admin/index")); got.Rebuild.Status == "running"; {
		got = as[shown](t, call(http.MethodGet, "/v2/admin/index"))
	}
	if got.Rebuild.Status != "succeeded" || len(got.Versions) != 1 || !got.Versions[0].Active {
		t.Errorf("index after the rebuild: %+v", got)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := ix.Create(t.Context()); err != nil {
		t.Fatal(err)
	}
	type pruned struct{ Dropped int }
	if got := as[pruned](t, call(http.MethodPost, "/v2/admin/index/prune")); got.Dropped != 1 {
		t.Errorf("dropped %d indexes", got.Dropped)
	}
}
