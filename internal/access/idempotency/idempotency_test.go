package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kith"
	"kith/internal/access/idempotency"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/cursor"
)

func newKeeper(t *testing.T, now func() time.Time) *idempotency.Keeper[*postgres.DB] {
	t.Helper()
	db := pgtest.NewDataset(t)
	sealer, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	return idempotency.New(postgres.NewAnswers(db, itself), sealer, now)
}

// itself has requests work with the database.
func itself(db *postgres.DB) *postgres.DB { return db }

func codeOf(err error) string {
	if e, ok := errors.AsType[*kith.Error](err); ok {
		return e.Code
	}
	return ""
}

// once does the work of a request unless it was already done, and reports which.
func once(t *testing.T, k *idempotency.Keeper[*postgres.DB], r idempotency.Request, body string,
) (idempotency.Answer, bool, error) {
	t.Helper()
	return k.Once(t.Context(), r, func(context.Context, *postgres.DB) (idempotency.Answer, error) {
		return idempotency.Answer{Status: 200, Body: []byte(body)}, nil
	})
}

func TestFirstAnswerIsReplayed(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	k := newKeeper(t, func() time.Time { return now })
	req := idempotency.Of("app 1", "/tokens", "key-1", []byte(`{"a":1}`))
	long := strings.Repeat("a long answer, ", 1<<18)
	if a, replayed, err := once(t, k, req, long); replayed || err != nil || string(a.Body) != long {
		t.Fatalf("a new key: %t, %v", replayed, err)
	}
	for _, at := range []time.Duration{0, 23*time.Hour + 59*time.Minute} {
		now = now.Add(at)
		first, replayed, err := once(t, k, req, "second")
		if string(first.Body) != long {
			t.Fatalf("after %v: another answer", at)
		}
		expect.Values(t, fmt.Sprintf("answer after %v", at), []any{err, replayed, first.Status}, nil, true, 200)
	}
	if _, _, err := once(t, k, idempotency.Of("app 1", "/tokens", "key-1", []byte(`{"a":2}`)),
		""); codeOf(err) != "IDEMPOTENCY_CONFLICT" {
		t.Fatalf("with another body: %v", err)
	}
	for _, other := range []idempotency.Request{
		idempotency.Of("app 2", "/tokens", "key-1", []byte(`{"a":1}`)),
		idempotency.Of("app 1", "/revoke", "key-1", []byte(`{"a":1}`)),
		idempotency.Of("app 1", "/tokens", "key-2", []byte(`{"a":1}`)),
	} {
		if _, replayed, err := once(t, k, other, ""); replayed || err != nil {
			t.Fatalf("another caller, route or key: %t, %v", replayed, err)
		}
	}
	now = now.Add(time.Minute)
	if a, replayed, err := once(t, k, req, "second"); replayed || err != nil || string(a.Body) != "second" {
		t.Fatalf("after 24 hours: %t, %v", replayed, err)
	}
}

// A key is free at once after its work failed or panicked.
func TestKeyIsFreeAfterAFailure(t *testing.T) {
	k := newKeeper(t, nil)
	req := idempotency.Of("app 1", "/tokens", "key", nil)
	broken := errors.New("broken")
	fails := func(context.Context, *postgres.DB) (idempotency.Answer, error) { return idempotency.Answer{}, broken }
	if _, _, err := k.Once(t.Context(), req, fails); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	panics := func(context.Context, *postgres.DB) (idempotency.Answer, error) { panic("a defect") }
	err := kith.Safely(func() error {
		_, _, err := k.Once(t.Context(), req, panics)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "a defect") {
		t.Errorf("got %v", err)
	}
	if _, replayed, err := once(t, k, req, ""); replayed || err != nil {
		t.Errorf("after the failures: %t, %v", replayed, err)
	}
}

func TestConcurrentRequestsDoTheWorkOnce(t *testing.T) {
	k := newKeeper(t, nil)
	req := idempotency.Of("app 1", "/tokens", "key", nil)
	var done atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, _, err := k.Once(t.Context(), req, func(context.Context, *postgres.DB) (idempotency.Answer, error) {
				done.Add(1)
				return idempotency.Answer{Status: 200}, nil
			})
			if err != nil && codeOf(err) != "IDEMPOTENCY_IN_PROGRESS" {
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
	if done.Load() != 1 {
		t.Errorf("the work was done %d times", done.Load())
	}
}

// A repeated request for a secret does the work again, but only with the same body.
func TestSecretAnswersAreNotStored(t *testing.T) {
	k := newKeeper(t, nil)
	req := idempotency.Of("app 1", "/tokens", "key", nil)
	req.Secret = true
	for _, want := range []string{"first", "second"} {
		if a, replayed, err := once(t, k, req, want); replayed || err != nil || string(a.Body) != want {
			t.Errorf("got %s, %t, %v, want %s", a.Body, replayed, err, want)
		}
	}
	if first, err := k.Recall(t.Context(), req); first != nil || err != nil {
		t.Errorf("a secret answer was recalled: %v, %v", first, err)
	}
	other := idempotency.Of("app 1", "/tokens", "key", []byte("{}"))
	other.Secret = true
	if _, _, err := once(t, k, other, ""); codeOf(err) != "IDEMPOTENCY_CONFLICT" {
		t.Errorf("with another body: %v", err)
	}
}
