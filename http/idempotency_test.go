package http_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
)

const (
	sequencesPath = "/v2/sequences"
	sequenceBody  = `{"name":"Q3"}`
	keyOne        = "Idempotency-Key: one"
)

// Idempotency keys belong to the user: a new token gets the first answer again, another user's equal key does not.
func TestIdempotencyKeysBelongToUsers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	create := func(token string) answer {
		return f.call(http.MethodPost, sequencesPath, sequenceBody, "Authorization: Bearer "+token, keyOne).wants(t,
			http.StatusOK, "")
	}
	first := create(f.token)
	f.call(http.MethodPost, "/v2/auth/tokens/revoke", `{"all":true}`, f.bearer()).wants(t, http.StatusOK, "")
	again := create(f.issue("u1"))
	if string(again.body) != string(first.body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("with a new token: %s\nfirst: %s", again.body, first.body)
	}
	globex, _, err := f.auth.CreateApp(t.Context(), "globex")
	expect.NoError(t, err)
	namesake, err := f.auth.Issue(t.Context(), globex, auth.Identity{ExternalID: "u1", Email: "u1@example.com"})
	expect.NoError(t, err)
	for _, token := range []string{f.issue("u2"), namesake.Token} {
		if other := create(token); string(other.body) == string(first.body) ||
			other.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("another user got %s", other.body)
		}
	}
}

// A revocation ends the token of its request, so an answer about another token is wrong.
func TestRevocationsOfTwoTokensShareNoAnswer(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for range 2 {
		bearer := "Authorization: Bearer " + f.issue("u9")
		res := f.call(http.MethodPost, "/v2/auth/tokens/revoke", "", bearer, keyOne).wants(t, http.StatusOK, "")
		if res.Header.Get("Idempotency-Replayed") != "" {
			t.Error("the second revocation repeated the answer about the first token")
		}
		f.call(http.MethodGet, "/v2/user/me", "", bearer).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	}
}

// sequences calls a function after each creation of a sequence.
type sequences struct {
	outreach.Store

	then func(context.Context) error
}

func (s *sequences) CreateSequence(ctx context.Context, user int64, seq outreach.Sequence,
	by string,
) (outreach.Sequence, error) {
	seq, err := s.Store.CreateSequence(ctx, user, seq, by)
	if err == nil && s.then != nil {
		err = s.then(ctx)
	}
	return seq, err
}

func (s *sequences) done(ctx context.Context) error {
	if s.then == nil {
		return nil
	}
	return s.then(ctx)
}

// interrupted returns a fixture that interrupts each creation of a sequence.
func interrupted(t *testing.T, change func(*fixture, *kithhttp.Config)) (*fixture, *sequences) {
	t.Helper()
	s := &sequences{}
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		f.sequences = func(db *postgres.DB) outreach.Store { return &sequences{Store: db.Outreach(), then: s.done} }
		cfg.Datasets[0].Outreach = newOutreach(f.db, f.sequences(f.db))
		if change != nil {
			change(f, cfg)
		}
	})
	return f, s
}

func (f *fixture) createQ3() answer {
	f.t.Helper()
	return f.call(http.MethodPost, sequencesPath, sequenceBody, f.bearer(), keyOne)
}

// An interrupted change leaves its key free, and a repeat makes the change once. A second sequence would show that
// it ran twice.
func TestInterruptedChangesCanBeRepeated(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		then   func(context.Context) error
		status int
	}{
		"nobody knows of a commit": {func(context.Context) error {
			return kith.MaybeDone(kith.Unreachable("postgres",
				errors.New("broken")))
		}, 503},
		"a defect":  {func(context.Context) error { panic("a defect") }, 500},
		"a refusal": {func(context.Context) error { return kith.Errorf(kith.Conflict, "REFUSED", "no") }, 409},
	} {
		t.Run(name, func(t *testing.T) {
			f, s := interrupted(t, nil)
			s.then = tt.then
			if res := f.createQ3(); res.StatusCode != tt.status {
				t.Fatalf("the interrupted creation answered: %d %s", res.StatusCode, res.body)
			}
			s.then = nil
			f.madeOnce(f.createQ3())
		})
	}
}

// To Postgres a killed process and its closed connections look the same. The test waits until they have closed.
func TestKilledProcessesFreeTheirKeys(t *testing.T) {
	t.Parallel()
	f, s := interrupted(t, nil)
	s.then = func(ctx context.Context) error {
		_, err := f.db.Pool().Exec(ctx, `select pg_terminate_backend(pid, 60000) from pg_stat_activity
			where state = 'idle in transaction' and datname = current_database() and pid <> pg_backend_pid()`)
		return err
	}
	if res := f.createQ3(); res.StatusCode == http.StatusOK {
		t.Fatalf("the interrupted creation answered: %d %s", res.StatusCode, res.body)
	}
	s.then = nil
	f.madeOnce(f.createQ3())
}

// madeOnce checks that the repeat made the only sequence, and that a further repeat gets the same answer.
func (f *fixture) madeOnce(repeat answer) {
	f.t.Helper()
	repeat.wants(f.t, http.StatusOK, "")
	if repeat.Header.Get("Idempotency-Replayed") != "" {
		f.t.Errorf("the server kept an answer of a change that it did not make: %s", repeat.body)
	}
	if again := f.createQ3().wants(f.t, http.StatusOK, ""); string(again.body) != string(repeat.body) {
		f.t.Errorf("%s\nrepeated: %s", repeat.body, again.body)
	}
	var list []sequenceData
	if f.data(http.MethodGet, sequencesPath, "", &list); len(list) != 1 {
		f.t.Errorf("%d sequences", len(list))
	}
}

// A client that disconnects and repeats its request gets the answer of the first one.
func TestRepeatAfterDisconnectGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	f, s := interrupted(t, nil)
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
		t.Errorf("the repeat is not marked as replayed: %s", again.body)
	}
}

// An erasure deletes kept answers that name the person, but a repeat still changes nothing. Answers about tokens
// name nobody and stay.
func TestErasureDeletesKeptAnswers(t *testing.T) {
	t.Parallel()
	f, s := interrupted(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Privacy = privacy.New(f.db.Privacy(newSealer(t)))
	})
	storePeople(t, f.db)
	token := f.issue("u9")
	revoke := func() answer {
		return f.call(http.MethodPost, "/v2/auth/tokens/revoke", "", "Authorization: Bearer "+token, keyOne).wants(t,
			http.StatusOK, "")
	}
	revoked := revoke()
	f.createQ3().wants(t, http.StatusOK, "")
	// This creation runs during the erasure and may have read the person.
	s.then = func(context.Context) error {
		f.forget("https://social.example/in/jane-doe")
		return nil
	}
	const during = `{"name":"Q4"}`
	f.call(http.MethodPost, sequencesPath, during, f.bearer(), "Idempotency-Key: two").wants(t, http.StatusOK, "")
	s.then = nil
	f.createQ3().wants(t, http.StatusConflict, "IDEMPOTENCY_ANSWER_LOST")
	f.call(http.MethodPost, sequencesPath, during, f.bearer(), "Idempotency-Key: two").wants(t, http.StatusConflict,
		"IDEMPOTENCY_ANSWER_LOST")
	if again := revoke(); string(again.body) != string(revoked.body) {
		t.Error("the answer about a token was dropped")
	}
	var kept int
	if err := f.db.Pool().QueryRow(t.Context(),
		"select count(*) from idempotency_keys where answer is not null").Scan(&kept); err != nil || kept != 1 {
		t.Errorf("%d answers are kept, %v", kept, err)
	}
	f.call(http.MethodPost, sequencesPath, `{"name":"Q5"}`, f.bearer(), "Idempotency-Key: three").wants(t,
		http.StatusOK, "")
	f.call(http.MethodPost, sequencesPath, `{"name":"Q5"}`, f.bearer(), "Idempotency-Key: three").wants(t,
		http.StatusOK, "")
}

// Each user may have so many kept answers; those of another user do not count.
func TestIdempotencyKeysHaveAQuota(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	create := func(token, key string) answer {
		return f.call(http.MethodPost, sequencesPath, `{"name":"Q3"}`, "Authorization: Bearer "+token,
			"Idempotency-Key: "+key)
	}
	create(f.token, "first").wants(t, http.StatusOK, "")
	_, err := f.db.Pool().Exec(t.Context(), `
		insert into idempotency_keys (id, fingerprint, about_nobody, expires_at, owner, size)
		select sha256(int4send(i)), '', true, expires_at, owner, 0 from idempotency_keys, generate_series(1, 9999) i`)
	expect.NoError(t, err)
	res := create(f.token, "second").wants(t, http.StatusTooManyRequests, "IDEMPOTENCY_QUOTA")
	if res.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	create(f.token, "first").wants(t, http.StatusOK, "")
	create(f.issue("u2"), "second").wants(t, http.StatusOK, "")
	_, err = f.db.Pool().Exec(t.Context(),
		"delete from idempotency_keys where fingerprint = ''; update idempotency_keys set size = 1 << 28")
	expect.NoError(t, err)
	create(f.token, "second").wants(t, http.StatusTooManyRequests, "IDEMPOTENCY_QUOTA")
}
