package http_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/auth"
	"kith/internal/idempotency"
	"kith/internal/outreach"
	"kith/internal/privacy"
)

const (
	sequencesPath = "/v2/sequences"
	sequenceBody  = `{"name":"Q3"}`
	keyOne        = "Idempotency-Key: one"
)

// Keys are the user's: with a new token the first answer is given again, and
// nobody else's key is the same one.
func TestKeysAreTheUsers(t *testing.T) {
	f := newFixture(t, nil)
	create := func(token string) answer {
		return f.call(http.MethodPost, sequencesPath, sequenceBody, "Authorization: Bearer "+token, keyOne).wants(t, http.StatusOK, "")
	}
	first := create(f.token)
	f.call(http.MethodPost, "/v2/auth/tokens/revoke", `{"all":true}`, f.bearer()).wants(t, http.StatusOK, "")
	again := create(f.issue("u1"))
	if string(again.body) != string(first.body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("with a new token: %s\nfirst: %s", again.body, first.body)
	}
	globex, _, err := f.auth.CreateApp(t.Context(), "globex")
	if err != nil {
		t.Fatal(err)
	}
	namesake, err := f.auth.Issue(t.Context(), globex, auth.Identity{ExternalID: "u1", Email: "u1@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{f.issue("u2"), namesake.Token} {
		if other := create(token); string(other.body) == string(first.body) || other.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("another user got %s", other.body)
		}
	}
}

// A revocation ends the token that it is made with: what was said of another is
// no answer.
func TestRevocationsAreOfOneToken(t *testing.T) {
	f := newFixture(t, nil)
	for range 2 {
		bearer := "Authorization: Bearer " + f.issue("u9")
		res := f.call(http.MethodPost, "/v2/auth/tokens/revoke", "", bearer, keyOne).wants(t, http.StatusOK, "")
		if res.Header.Get("Idempotency-Replayed") != "" {
			t.Error("the answer about another token was given")
		}
		f.call(http.MethodGet, "/v2/user/me", "", bearer).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	}
}

// sequences does something after a sequence was created.
type sequences struct {
	outreach.Store

	then func(context.Context) error
}

func (s *sequences) CreateSequence(ctx context.Context, user int64, seq outreach.Sequence, by string) (outreach.Sequence, error) {
	seq, err := s.Store.CreateSequence(ctx, user, seq, by)
	if err == nil && s.then != nil {
		err = s.then(ctx)
	}
	return seq, err
}

// interrupted is a fixture whose creations of sequences are interrupted, with a
// clock for its keys.
func interrupted(t *testing.T, change func(*fixture, *kithhttp.Config)) (f *fixture, s *sequences, now *time.Time) {
	t.Helper()
	now, s = new(time.Time), &sequences{}
	*now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f = newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		d := &cfg.Directories[0]
		s.Store = f.db.Outreach()
		d.Outreach = newOutreach(f.db, s)
		d.Answers = idempotency.New(f.db.Answers(), newSealer(t), func() time.Time { return *now })
		if change != nil {
			change(f, cfg)
		}
	})
	return f, s, now
}

func (f *fixture) createQ3() answer {
	f.t.Helper()
	return f.call(http.MethodPost, sequencesPath, sequenceBody, f.bearer(), keyOne)
}

// What happened after the change decides what a repeat is told. The change is
// never made twice, which another sequence of the name would show.
func TestInterruptedChanges(t *testing.T) {
	for name, tt := range map[string]struct {
		then   func(context.Context) error
		status int
		repeat string
	}{
		"nobody knows of the commit": {func(context.Context) error { return kith.PerhapsDone(kith.Away("postgres", errors.New("broken"))) }, 503, "IDEMPOTENCY_ANSWER_LOST"},
		"a defect":                   {func(context.Context) error { panic("a defect") }, 500, "IDEMPOTENCY_ANSWER_LOST"},
		// Where nothing was changed a repeat is an attempt like the first. Here
		// something was, which the name that is taken shows.
		"a refusal": {func(context.Context) error { return kith.Errorf(kith.Conflict, "REFUSED", "no") }, 409, "SEQUENCE_EXISTS"},
	} {
		t.Run(name, func(t *testing.T) {
			f, s, now := interrupted(t, nil)
			s.then = tt.then
			if res := f.createQ3(); res.StatusCode != tt.status {
				t.Fatalf("%d %s", res.StatusCode, res.body)
			}
			s.then = nil
			*now = now.Add(idempotency.Hold)
			f.createQ3().wants(t, http.StatusConflict, tt.repeat)
			var list []sequenceData
			if f.data(http.MethodGet, sequencesPath, "", &list); len(list) != 1 {
				t.Errorf("%d sequences", len(list))
			}
		})
	}
}

// A client that goes away and asks again gets the answer to what it began.
func TestClientGoesDuringAChange(t *testing.T) {
	f, s, _ := interrupted(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	s.then = func(ctx context.Context) error {
		leave()
		return ctx.Err()
	}
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, sequencesPath, strings.NewReader(sequenceBody))
	req.Header.Set("Authorization", "Bearer "+f.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", "one")
	f.server.ServeHTTP(httptest.NewRecorder(), req)
	if again := f.createQ3().wants(t, http.StatusOK, ""); again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%s", again.body)
	}
}

// Whoever is forgotten is in no kept answer; what was asked is still not done
// twice. Answers about tokens name nobody.
func TestForgettingDropsAnswers(t *testing.T) {
	f, s, _ := interrupted(t, func(f *fixture, cfg *kithhttp.Config) { cfg.Directories[0].Privacy = privacy.New(f.db) })
	storePeople(t, f.db)
	token := f.issueOver(issueBody, keyOne).wants(t, http.StatusOK, "")
	f.createQ3().wants(t, http.StatusOK, "")
	// This one is at work meanwhile, and may have read who is being forgotten.
	s.then = func(context.Context) error {
		f.forget("https://social.example/in/jane-doe")
		return nil
	}
	const during = `{"name":"Q4"}`
	f.call(http.MethodPost, sequencesPath, during, f.bearer(), "Idempotency-Key: two").wants(t, http.StatusOK, "")
	s.then = nil
	f.createQ3().wants(t, http.StatusConflict, "IDEMPOTENCY_ANSWER_LOST")
	f.call(http.MethodPost, sequencesPath, during, f.bearer(), "Idempotency-Key: two").wants(t, http.StatusConflict, "IDEMPOTENCY_ANSWER_LOST")
	if again := f.issueOver(issueBody, keyOne).wants(t, http.StatusOK, ""); string(again.body) != string(token.body) {
		t.Error("the answer about a token was dropped")
	}
	var kept int
	if err := f.db.Pool().QueryRow(t.Context(), "select count(*) from idempotency_keys where answer is not null").Scan(&kept); err != nil || kept != 1 {
		t.Errorf("%d answers are kept, %v", kept, err)
	}
	f.call(http.MethodPost, sequencesPath, `{"name":"Q5"}`, f.bearer(), "Idempotency-Key: three").wants(t, http.StatusOK, "")
	f.call(http.MethodPost, sequencesPath, `{"name":"Q5"}`, f.bearer(), "Idempotency-Key: three").wants(t, http.StatusOK, "")
}
