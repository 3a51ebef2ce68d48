package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/outreach"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

const integrationsPath = "/v2/user/integrations"

func TestUsersManageIntegrations(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const account = `{"host":"smtp.example.com","from_email":"jane@example.com"`
	const body = account +
		`,"username":"jane","password":"p4ssw0rd","time_zone":"Europe/Berlin","window_start":"09:30",` +
		`"window_end":"17:00"}`
	created := f.call(http.MethodPost, integrationsPath, body, f.bearer()).wants(t, http.StatusOK, "")
	want := `"id":1,"host":"smtp.example.com","port":587,"security":"starttls","username":"jane",` +
		`"from_email":"jane@example.com","from_name":"","time_zone":"Europe/Berlin",` +
		`"window_start":"09:30","window_end":"17:00","hourly_cap":20,"daily_cap":100,"min_gap_seconds":60`
	list := f.call(http.MethodGet, integrationsPath, "", f.bearer()).wants(t, http.StatusOK, "")
	for _, got := range []string{string(created.body), string(list.body)} {
		if !strings.Contains(got, want) || strings.Contains(got, "p4ss") {
			t.Error("integration:", got)
		}
	}
	for body, field := range map[string]string{
		`{"host":"smtp example","from_email":"jane@example.com"}`:     "host",
		`{"host":"smtp.example.com","from_email":"jane"}`:             "from_email",
		account + `,"time_zone":"Europe/Nowhere"}`:                    "time_zone",
		account + `,"window_start":"25:00"}`:                          "window_start",
		account + `,"window_end":"9:00"}`:                             "window_end",
		account + `,"username":"u"}`:                                  "password",
		account + `,"username":"u","password":"p","security":"none"}`: "security",
		account + `,"from_name":"a\r\nBcc: b"}`:                       "from_name",
		account + `,"hourly_cap":0}`:                                  "hourly_cap",
	} {
		e := f.call(http.MethodPost, integrationsPath, body, f.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED").envelope(t).Error
		if len(e.Errors) != 1 || e.Errors[0].Field != field {
			t.Errorf("%s: %+v", body, e.Errors)
		}
	}
	private := f.call(http.MethodPost, integrationsPath, `{"host":"10.0.0.1","from_email":"jane"}`, f.bearer()).wants(t,
		http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	if e := private.envelope(t).Error; len(e.Errors) != 2 || e.Errors[1].Code != "PRIVATE_ADDRESS" {
		t.Errorf("the operator's rule is missing among the problems: %+v", e.Errors)
	}
	var made struct{ FeedbackPath, FeedbackSecret string }
	expect.NoError(t, json.Unmarshal([]byte(strings.NewReplacer("feedback_path", "FeedbackPath", "feedback_secret",
		"FeedbackSecret").Replace(string(created.envelope(t).Data))), &made))
	if made.FeedbackSecret == "" || strings.Contains(string(list.body), "feedback_secret") {
		t.Errorf("the feedback secret is missing, or the list shows it: %s", list.body)
	}
	events := `{"events":[{"type":"replied","message_id":"x@example.com"}]}`
	sign := func(body string) string {
		return "X-Kith-Signature: " + outreach.Sign([]byte(made.FeedbackSecret), []byte(body), time.Now())
	}
	if heard := f.call(http.MethodPost, made.FeedbackPath, events, sign(events)).wants(t, http.StatusOK,
		""); !strings.Contains(string(heard.body), `"results":["unknown"]`) {
		t.Errorf("results of feedback to an unknown e-mail: %s", heard.body)
	}
	f.call(http.MethodPost, made.FeedbackPath, events).wants(t, http.StatusUnauthorized, "SIGNATURE_INVALID")
	f.call(http.MethodPost, made.FeedbackPath, events, sign(events+" ")).wants(t, http.StatusUnauthorized,
		"SIGNATURE_INVALID")
	f.call(http.MethodPost, made.FeedbackPath+"x", events, sign(events)).wants(t, http.StatusNotFound,
		"INTEGRATION_NOT_FOUND")
	wrong := `{"events":[{"type":"seen","message_id":"x@example.com","at":"now"}]}`
	if e := f.call(http.MethodPost, made.FeedbackPath, wrong, sign(wrong)).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED").envelope(t).Error; len(e.Errors) != 2 {
		t.Errorf("problems of bad feedback: %+v", e.Errors)
	}
	other := "Authorization: Bearer " + f.issue("u2")
	f.call(http.MethodDelete, integrationsPath+"/1", "", other).wants(t, http.StatusNotFound, "INTEGRATION_NOT_FOUND")
	f.call(http.MethodDelete, integrationsPath+"/x", "", f.bearer()).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED")
	f.call(http.MethodDelete, integrationsPath+"/1", "", f.bearer()).wants(t, http.StatusOK, "")
}

func TestUnsubscribeLinksNeedConfirmation(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	var drafted struct{ Activity activityData }
	lead := "/v2/sequences/" + s.ID + "/leads/" + leads[0].ID
	f.data(http.MethodPost, lead+"/emails", `{"subject":"Hi","body":"Hello"}`, &drafted)
	var user, email int64
	expect.NoError(t, f.db.Pool().QueryRow(t.Context(), "select user_id, id from emails").Scan(&user, &email))
	link := kithhttp.EmailLinks(newSealer(t), "", user, email, "p1@example.com").Unsubscribe
	state := func() (suppressed int, status string) {
		expect.NoError(t, f.db.Pool().QueryRow(t.Context(),
			"select count(*) from suppressions where address = 'p1@example.com'").Scan(&suppressed))
		var all []leadData
		f.data(http.MethodGet, "/v2/sequences/"+s.ID+"/leads", "", &all)
		return suppressed, all[0].Status
	}
	const done = "No more e-mails will be sent"
	page := f.call(http.MethodGet, link, "")
	if text := string(page.body); page.StatusCode != http.StatusOK || !strings.Contains(text,
		"<form method=\"post\">") || strings.Contains(text, done) {
		t.Errorf("the confirmation page answered %d %s", page.StatusCode, page.body)
	}
	if n, status := state(); n != 0 || status != "pending" {
		t.Errorf("opening the link changed data: %d suppressions, status %s", n, status)
	}
	for range 2 {
		if page := f.call(http.MethodPost, link, "List-Unsubscribe=One-Click"); page.StatusCode != http.StatusOK ||
			!strings.Contains(string(page.body), done) {
			t.Errorf("the unsubscription answered %d %s", page.StatusCode, page.body)
		}
	}
	if n, status := state(); n != 1 || status != "finished" {
		t.Errorf("%d suppressions, status %s", n, status)
	}
	var e envelope
	for _, bad := range []string{link[:len(link)-2], "/v2/unsubscribe/x"} {
		res := f.call(http.MethodPost, bad, "").wants(t, http.StatusNotFound, "LINK_NOT_FOUND")
		if err := json.Unmarshal(res.body, &e); err != nil {
			t.Error(err)
		}
	}
}

// The unsubscribe link of a deleted person still works, although the leads and e-mails are gone. It stores no
// address of an erased person.
func TestUnsubscribeLinksOutliveTheirLeads(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	var links []string
	for i, lead := range leads[:2] {
		var drafted struct{ Activity activityData }
		f.data(http.MethodPost, "/v2/sequences/"+s.ID+"/leads/"+lead.ID+"/emails", `{"subject":"Hi","body":"Hello"}`,
			&drafted)
		var user, email int64
		if err := f.db.Pool().QueryRow(t.Context(), "select user_id, id from emails order by id desc limit "+
			"1").Scan(&user, &email); err != nil {
			t.Fatal(err)
		}
		links = append(links, kithhttp.EmailLinks(newSealer(t), "", user, email,
			fmt.Sprintf("P%d@example.com", i+1)).Unsubscribe)
	}
	pgtest.Exec(t, f.db, "delete from people where id = 1")
	if _, err := privacy.New(f.db.Privacy(newSealer(t))).Forget(t.Context(), []string{"p2@example.com"},
		kith.OperatorPrincipal()); err != nil {
		t.Fatal(err)
	}
	for _, link := range append(links, links...) {
		if page := f.call(http.MethodPost, link, "List-Unsubscribe=One-Click"); page.StatusCode != http.StatusOK {
			t.Errorf("the unsubscription answered: %d %s", page.StatusCode, page.body)
		}
	}
	var suppressed string
	if err := f.db.Pool().QueryRow(t.Context(),
		"select coalesce(string_agg(address, ' '), '') from suppressions").Scan(&suppressed); err != nil ||
		suppressed != "p1@example.com" {
		t.Errorf("suppressed addresses: %q, %v", suppressed, err)
	}
	nobody := kithhttp.EmailLinks(newSealer(t), "", 999, 1, "p1@example.com").Unsubscribe
	f.call(http.MethodPost, nobody, "").wants(t, http.StatusNotFound, "LINK_NOT_FOUND")
}
