// Package idempotency makes a writing request that is sent twice happen once:
// the first answer is kept, sealed, for [Lifetime] and given again.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"kith"
)

const (
	// Lifetime is how long a first answer is given again.
	Lifetime = 24 * time.Hour
	// hold is how long a request may be at work before another with its key
	// may take its place: longer than any request lasts, so that only the
	// claim of a process that died lapses.
	hold = 2 * time.Minute
	// MaxKey is the longest key, in bytes.
	MaxKey = 255

	purpose = "idempotency"
)

// Request is one writing request that has a key.
type Request struct {
	// Scope is whose key it is: a hash of the credential and the route.
	Scope [sha256.Size]byte
	Key   string
	// Fingerprint is the hash of the body.
	Fingerprint [sha256.Size]byte
}

// Of returns the request of a credential, a route, a key and a body.
func Of(credential, route, key string, body []byte) Request {
	return Request{Scope: sha256.Sum256([]byte(route + "\x00" + credential)), Key: key, Fingerprint: sha256.Sum256(body)}
}

// Answer is a kept answer.
type Answer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// Entry is what a [Store] keeps of a request.
type Entry struct {
	Request
	// Sealed is the sealed answer, empty while the first request is at work.
	Sealed string
}

// Store keeps entries.
type Store interface {
	// Claim stores an entry without an answer and returns true, unless there
	// is one for its scope and key whose end is after now. An entry without an
	// answer ends at claimedUntil, with one at expires.
	Claim(ctx context.Context, r Request, now, claimedUntil, expires time.Time) (bool, error)
	// Entry returns the entry of a scope and key; ok is false where there is
	// none that is alive at now.
	Entry(ctx context.Context, r Request, now time.Time) (e Entry, ok bool, err error)
	// Answer adds the answer to an entry that has none.
	Answer(ctx context.Context, r Request, sealed string) error
	// Release deletes an entry that has no answer.
	Release(ctx context.Context, r Request) error
}

// Sealer encrypts what is kept: an answer may hold a token.
type Sealer interface {
	Seal(purpose, binding string, plain []byte) string
	Open(purpose, binding, token string) ([]byte, error)
}

// Keeper keeps the answers of one directory. It is safe for concurrent use.
type Keeper struct {
	store  Store
	sealer Sealer
	now    func() time.Time
}

// New returns a keeper; a nil now is time.Now.
func New(store Store, sealer Sealer, now func() time.Time) *Keeper {
	if now == nil {
		now = time.Now
	}
	return &Keeper{store: store, sealer: sealer, now: now}
}

// Begin claims the request. It returns nil and no error where the caller is to
// go on and to end with [Keeper.Finish] or [Keeper.Abandon]; otherwise the
// first answer, or a Conflict: the key came with another body, or the first
// request with it is still at work.
func (k *Keeper) Begin(ctx context.Context, r Request) (*Answer, error) {
	now := k.now()
	claimed, err := k.store.Claim(ctx, r, now, now.Add(hold), now.Add(Lifetime))
	if err != nil || claimed {
		return nil, err
	}
	first, err := k.Recall(ctx, r)
	if err == nil && first == nil {
		err = inProgress()
	}
	return first, err
}

// Recall returns the first answer, nil where there is none. It is also for a
// request whose credential is not valid any more, because the first one ended
// it.
func (k *Keeper) Recall(ctx context.Context, r Request) (*Answer, error) {
	e, ok, err := k.store.Entry(ctx, r, k.now())
	switch {
	case err != nil || !ok:
		return nil, err
	case e.Fingerprint != r.Fingerprint:
		return nil, kith.Errorf(kith.Conflict, "IDEMPOTENCY_CONFLICT",
			"this Idempotency-Key came with another body before; send the same body, or a new key")
	case e.Sealed == "":
		return nil, inProgress()
	}
	return k.open(e)
}

func inProgress() error {
	return &kith.Error{
		Kind: kith.Conflict, Code: "IDEMPOTENCY_IN_PROGRESS", RetryAfter: time.Second,
		Detail: "the first request with this Idempotency-Key is still at work; ask again in a second",
	}
}

func (k *Keeper) open(e Entry) (*Answer, error) {
	plain, err := k.sealer.Open(purpose, binding(e.Request), e.Sealed)
	if err != nil {
		return nil, &kith.Error{Kind: kith.Internal, Code: "INTERNAL", Detail: "a kept answer cannot be opened", Cause: err}
	}
	var a Answer
	if err := json.Unmarshal(plain, &a); err != nil {
		return nil, fmt.Errorf("a kept answer cannot be read: %w", err)
	}
	return &a, nil
}

// Finish keeps the answer of a request that was begun.
func (k *Keeper) Finish(ctx context.Context, r Request, a Answer) error {
	plain, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("keeping an answer: %w", err)
	}
	return k.store.Answer(ctx, r, k.sealer.Seal(purpose, binding(r), plain))
}

// Abandon gives back the claim of a request that did nothing.
func (k *Keeper) Abandon(ctx context.Context, r Request) error { return k.store.Release(ctx, r) }

func binding(r Request) string { return hex.EncodeToString(r.Scope[:]) + "\x00" + r.Key }
