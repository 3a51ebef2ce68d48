package idempotency_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"kith"
	"kith/internal/idempotency"
	"kith/internal/pgtest"
	"kith/internal/postgres"
	"kith/query/cursor"
)

func newKeeper(t *testing.T, now func() time.Time) *idempotency.Keeper {
	t.Helper()
	db := pgtest.Directory(t, pgtest.URL(t), postgres.Options{})
	sealer, err := cursor.New(make([]byte, cursor.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	return idempotency.New(db.Answers(), sealer, now)
}

func codeOf(err error) string {
	if e, ok := errors.AsType[*kith.Error](err); ok {
		return e.Code
	}
	return ""
}

func TestFirstAnswerIsGivenAgain(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	k := newKeeper(t, func() time.Time { return now })
	req := idempotency.Of("app 1", "/tokens", "key-1", []byte(`{"a":1}`))
	begin := func(r idempotency.Request) (*idempotency.Answer, error) {
		t.Helper()
		return k.Begin(t.Context(), r)
	}
	if first, err := begin(req); first != nil || err != nil {
		t.Fatalf("a new key: %v, %v", first, err)
	}
	if _, err := begin(req); codeOf(err) != "IDEMPOTENCY_IN_PROGRESS" {
		t.Fatalf("while the first is at work: %v", err)
	}
	answer := idempotency.Answer{Status: 200, Body: []byte("secret")}
	if err := k.Finish(t.Context(), req, answer); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Duration{0, 23*time.Hour + 59*time.Minute} {
		now = now.Add(at)
		first, err := begin(req)
		if err != nil || first == nil || !bytes.Equal(first.Body, answer.Body) || first.Status != 200 {
			t.Fatalf("after %v: %v, %v", at, first, err)
		}
	}
	if _, err := begin(idempotency.Of("app 1", "/tokens", "key-1", []byte(`{"a":2}`))); codeOf(err) != "IDEMPOTENCY_CONFLICT" {
		t.Fatalf("with another body: %v", err)
	}
	for _, other := range []idempotency.Request{
		idempotency.Of("app 2", "/tokens", "key-1", []byte(`{"a":1}`)),
		idempotency.Of("app 1", "/revoke", "key-1", []byte(`{"a":1}`)),
		idempotency.Of("app 1", "/tokens", "key-2", []byte(`{"a":1}`)),
	} {
		if first, err := begin(other); first != nil || err != nil {
			t.Fatalf("another caller, route or key: %v, %v", first, err)
		}
	}
	now = now.Add(time.Minute)
	if first, err := begin(req); first != nil || err != nil {
		t.Fatalf("after 24 hours: %v, %v", first, err)
	}
}

func TestClaimStays(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	k := newKeeper(t, func() time.Time { return now })
	req := idempotency.Of("app 1", "/tokens", "key", nil)
	if _, err := k.Begin(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if err := k.Abandon(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if first, err := k.Begin(t.Context(), req); first != nil || err != nil {
		t.Fatalf("after it was abandoned: %v, %v", first, err)
	}
	// From here on whoever claimed it is dead, which nobody can know.
	other := idempotency.Of("app 1", "/tokens", "key", []byte("{}"))
	for _, step := range []struct {
		after time.Duration
		req   idempotency.Request
		code  string
	}{
		{0, req, "IDEMPOTENCY_IN_PROGRESS"},
		{0, other, "IDEMPOTENCY_CONFLICT"},
		{idempotency.Hold - time.Second, req, "IDEMPOTENCY_IN_PROGRESS"},
		{time.Second, req, "IDEMPOTENCY_ANSWER_LOST"},
		{0, other, "IDEMPOTENCY_ANSWER_LOST"},
		{idempotency.Lifetime - idempotency.Hold - time.Second, req, "IDEMPOTENCY_ANSWER_LOST"},
	} {
		now = now.Add(step.after)
		if first, err := k.Begin(t.Context(), step.req); first != nil || codeOf(err) != step.code {
			t.Errorf("at %v: %v, %v, want %s", now, first, err, step.code)
		}
	}
	// It was slow, not dead: its answer is given from now on.
	if err := k.Finish(t.Context(), req, idempotency.Answer{Status: 200}); err != nil {
		t.Fatal(err)
	}
	if first, err := k.Recall(t.Context(), req); first == nil || err != nil {
		t.Errorf("after it ended: %v, %v", first, err)
	}
	now = now.Add(time.Second)
	if first, err := k.Begin(t.Context(), req); first != nil || err != nil {
		t.Errorf("after 24 hours: %v, %v", first, err)
	}
}

func TestOneOfManyGoesOn(t *testing.T) {
	k := newKeeper(t, nil)
	req := idempotency.Of("app 1", "/tokens", "key", nil)
	var mu sync.Mutex
	won := 0
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			first, err := k.Begin(t.Context(), req)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case first == nil && err == nil:
				won++
			case codeOf(err) != "IDEMPOTENCY_IN_PROGRESS":
				t.Errorf("a loser got %v, %v", first, err)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d of 20 went on", won)
	}
}
