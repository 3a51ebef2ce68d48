// Package idempotency makes a writing request that is sent twice happen once:
// the first answer is kept, sealed, for [Lifetime] and given again. Where it is
// not known, because the process ended before it was kept, a repeat is refused
// rather than made a second time.
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
	// Hold is how long a request may be at work. Its key is not free after that,
	// but nothing more is expected of it.
	Hold = 2 * time.Minute
	// MaxKey is the longest key, in bytes.
	MaxKey = 255

	purpose = "idempotency"
)

// Request is one writing request that has a key.
type Request struct {
	// ID is the hash of whose key it is, what is asked, and the key.
	ID [sha256.Size]byte
	// Fingerprint is the hash of the body.
	Fingerprint [sha256.Size]byte
	// AboutNobody is true where no answer to such a request names a person of the
	// directory. Other answers are dropped when somebody is forgotten.
	AboutNobody bool
}

// Of returns the request of an owner of keys, a method with its path, a key and a
// body. Equal keys of two owners, or for two paths, are two keys.
func Of(owner, route, key string, body []byte) Request {
	return Request{ID: sha256.Sum256([]byte(owner + "\x00" + route + "\x00" + key)), Fingerprint: sha256.Sum256(body)}
}

// Answer is a kept answer.
type Answer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// Entry is what a [Store] keeps of a request.
type Entry struct {
	Request
	// Sealed is the sealed answer; empty while the first request is at work, and
	// where its answer is not known.
	Sealed string
	// Claimed is true until the claim of the first request ends.
	Claimed bool
}

// Store keeps entries.
type Store interface {
	// Claim stores an entry without an answer and returns true, unless there is
	// one of its id that expires after now.
	Claim(ctx context.Context, r Request, now, claimedUntil, expires time.Time) (bool, error)
	// Entry returns the entry of an id; ok is false where there is none that
	// expires after now.
	Entry(ctx context.Context, r Request, now time.Time) (e Entry, ok bool, err error)
	// Answer adds the answer to an entry that has none, unless it may name
	// somebody who was forgotten since the claim.
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
// first answer, or a Conflict: the key came with another body, the first request
// with it is still at work, or its answer is not known.
func (k *Keeper) Begin(ctx context.Context, r Request) (*Answer, error) {
	now := k.now()
	claimed, err := k.store.Claim(ctx, r, now, now.Add(Hold), now.Add(Lifetime))
	if err != nil || claimed {
		return nil, err
	}
	first, err := k.Recall(ctx, r)
	if err == nil && first == nil {
		err = inProgress() // it was given back in between
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
	case e.Sealed == "" && !e.Claimed:
		return nil, kith.Errorf(kith.Conflict, "IDEMPOTENCY_ANSWER_LOST",
			"the answer to the first request with this Idempotency-Key is not known any more; its change was made, or may have been: "+
				"look whether it is there, and only if it is not, ask for it with a new key")
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

// Abandon gives back the claim of a request that changed nothing.
func (k *Keeper) Abandon(ctx context.Context, r Request) error { return k.store.Release(ctx, r) }

func binding(r Request) string { return hex.EncodeToString(r.ID[:]) }
