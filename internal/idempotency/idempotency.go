// Package idempotency makes a repeated write happen once: the first answer is kept, sealed, for
// [Lifetime] and returned again. Key, change and answer are committed together, so a key is
// free exactly if its change was not made.
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
	// Hold is how long a request may be at work.
	Hold = 2 * time.Minute
	// MaxKey is the longest key, in bytes.
	MaxKey = 255
	// MaxKeys is how many keys are kept for one owner at a time.
	MaxKeys = 10_000
	// MaxBytes is how many bytes of answers are.
	MaxBytes = 256 << 20

	purpose = "idempotency"
)

// Request is one writing request that has a key.
type Request struct {
	// ID is the hash of whose key it is, what is asked, and the key.
	ID [sha256.Size]byte
	// Owner is the hash of whose key it is.
	Owner [sha256.Size]byte
	// Fingerprint is the hash of the body.
	Fingerprint [sha256.Size]byte
	// AboutNobody is true where no answer to such a request names a person of the
	// directory. Other answers are dropped when somebody is forgotten.
	AboutNobody bool
	// Secret is true where the answer holds a secret. It is not kept, and a repeat
	// does the work again.
	Secret bool
}

// Of returns the request of an owner of keys, a method with its path, a key and a
// body. Equal keys of two owners, or for two paths, are two keys.
func Of(owner, route, key string, body []byte) Request {
	return Request{
		ID:    sha256.Sum256([]byte(owner + "\x00" + route + "\x00" + key)),
		Owner: sha256.Sum256([]byte(owner)), Fingerprint: sha256.Sum256(body),
	}
}

// Answer is a kept answer.
type Answer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// Entry is what a [Store] keeps of a request.
type Entry struct {
	// Fingerprint is that of the first request.
	Fingerprint [sha256.Size]byte
	// Sealed is the sealed answer; nil where it is not kept.
	Sealed []byte
}

// Store keeps entries.
type Store interface {
	// Entry returns the entry of a request; ok is false where there is none that
	// expires after now.
	Entry(ctx context.Context, r Request, now time.Time) (e Entry, ok bool, err error)
	// Once calls work within a transaction that also stores the entry of what work
	// returns, unless that may name somebody who was forgotten meanwhile: then the
	// entry has no answer. Whatever the stores of the same database do with the
	// context of work belongs to the transaction.
	//
	// Where there is an entry already, Once returns what keep says of it, without
	// calling work, unless keep returns true: then the entry is replaced. It returns
	// [InProgress] while a transaction of the same request is under way, and [QuotaExceeded]
	// where more is kept for the owner than [MaxKeys] and [MaxBytes] allow.
	Once(ctx context.Context, r Request, now, expires time.Time, keep func(Entry) (again bool, err error),
		work func(context.Context) ([]byte, error)) error
}

// Sealer encrypts what is kept.
type Sealer interface {
	SealBytes(purpose, binding string, plain []byte) []byte
	OpenBytes(purpose, binding string, sealed []byte) ([]byte, error)
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

// Once does the work of a request and returns its answer, or the first answer where
// the work was done before; replayed says which. The work and the answer are
// committed together: after an error nothing was changed, unless the error is a
// [kith.ErrPerhapsDone], after which a repeat finds out. It is a Conflict where
// the key came with another body, where the first request is still at work, and where
// the first answer is no longer kept.
func (k *Keeper) Once(ctx context.Context, r Request,
	work func(context.Context) (Answer, error),
) (a Answer, replayed bool, err error) {
	keep := func(e Entry) (bool, error) {
		first, err := k.answer(r, e)
		if err != nil || first == nil {
			return err == nil, err
		}
		a, replayed = *first, true
		return false, nil
	}
	now := k.now()
	err = k.store.Once(ctx, r, now, now.Add(Lifetime), keep, func(ctx context.Context) ([]byte, error) {
		if a, err = work(ctx); err != nil || r.Secret {
			return nil, err
		}
		plain, err := json.Marshal(a)
		if err != nil {
			return nil, fmt.Errorf("keeping an answer: %w", err)
		}
		return k.sealer.SealBytes(purpose, binding(r), plain), nil
	})
	return a, replayed, err
}

// Recall returns the first answer, nil where there is none or it is to be given
// anew. It is also for a request whose credential is not valid any more, because the
// first one ended it.
func (k *Keeper) Recall(ctx context.Context, r Request) (*Answer, error) {
	e, ok, err := k.store.Entry(ctx, r, k.now())
	if err != nil || !ok {
		return nil, err
	}
	return k.answer(r, e)
}

// answer is the first answer of an entry; nil where a repeat does the work again.
func (k *Keeper) answer(r Request, e Entry) (*Answer, error) {
	switch {
	case e.Fingerprint != r.Fingerprint && (r.Secret || e.Sealed != nil):
		return nil, kith.Errorf(kith.Conflict, "IDEMPOTENCY_CONFLICT",
			"this Idempotency-Key came with another body before; send the same body, or a new key")
	case r.Secret:
		return nil, nil //nolint:nilnil // there is no answer, which is no error
	case e.Sealed == nil:
		return nil, kith.Errorf(kith.Conflict, "IDEMPOTENCY_ANSWER_LOST",
			"the change of this Idempotency-Key was made, but its answer may have named a person who was erased since, and "+
				"is no longer kept; "+
				"read the changed object instead of repeating the request")
	}
	plain, err := k.sealer.OpenBytes(purpose, binding(r), e.Sealed)
	if err != nil {
		return nil, &kith.Error{Kind: kith.Internal, Code: "INTERNAL", Detail: "a kept answer cannot be opened", Cause: err}
	}
	var a Answer
	if err := json.Unmarshal(plain, &a); err != nil {
		return nil, fmt.Errorf("a kept answer cannot be read: %w", err)
	}
	return &a, nil
}

// InProgress is the error for a request whose first is still at work.
func InProgress() error {
	return &kith.Error{
		Kind: kith.Conflict, Code: "IDEMPOTENCY_IN_PROGRESS", RetryAfter: time.Second,
		Detail: "the first request with this Idempotency-Key is still at work; ask again in a second",
	}
}

// QuotaExceeded is the error for an owner for whom as much is kept as may be.
func QuotaExceeded() error {
	return &kith.Error{
		Kind: kith.RateLimited, Code: "IDEMPOTENCY_QUOTA", RetryAfter: time.Hour,
		Detail: fmt.Sprintf("answers of the last 24 hours are kept for %d keys, or of %d MB: send requests that need none "+
			"without an Idempotency-Key, or wait", MaxKeys, MaxBytes>>20),
	}
}

func binding(r Request) string { return hex.EncodeToString(r.ID[:]) }
