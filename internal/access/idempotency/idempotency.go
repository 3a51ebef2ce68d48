// Package idempotency executes a repeated write only once: it stores the first answer, encrypted, for [Lifetime] and
// returns it again. It commits key, change and answer together, so a key is unused exactly if its change was not made.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"kith"
	"kith/query/cursor"
)

const (
	// Lifetime is how long the first answer is stored.
	Lifetime = 24 * time.Hour
	// Hold limits the duration of a request.
	Hold = 2 * time.Minute
	// MaxKey limits the length of a key, in bytes.
	MaxKey = 255
	// MaxKeys limits the stored keys of one owner.
	MaxKeys = 10_000
	// MaxBytes limits the stored answers of one owner.
	MaxBytes = 16 << 20

	purpose = "idempotency"
)

// Request is a write request with an idempotency key.
type Request struct {
	// ID is the hash of owner, route and key.
	ID [sha256.Size]byte
	// Owner is the hash of the owner of the key.
	Owner [sha256.Size]byte
	// Fingerprint is the hash of the body.
	Fingerprint [sha256.Size]byte
	// AboutNobody is true if no answer to such a request names a person of the dataset. Other
	// answers are dropped when a person is erased.
	AboutNobody bool
	// Secret is true if the answer contains a secret. Such an answer is not stored, and a repeat does the work again.
	Secret bool
}

// Of returns the request for an owner, a route (method and path), a key and a body. The
// same key counts separately for each owner and route.
func Of(owner, route, key string, body []byte) Request {
	return Request{
		ID:    sha256.Sum256([]byte(owner + "\x00" + route + "\x00" + key)),
		Owner: sha256.Sum256([]byte(owner)), Fingerprint: sha256.Sum256(body),
	}
}

// Answer is a stored answer.
type Answer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// Entry is the stored state of a request.
type Entry struct {
	// Fingerprint is the body hash of the first request.
	Fingerprint [sha256.Size]byte
	// Sealed is the encrypted answer; nil if it is not stored.
	Sealed []byte
}

// Store stores entries. T is what a request works with: services or stores in the transaction of the request.
type Store[T any] interface {
	// Entry returns the entry of a request; ok is false if there is none that expires after now.
	Entry(ctx context.Context, r Request, now time.Time) (e Entry, ok bool, err error)
	// Once calls work in a transaction that also stores an entry with the result of work. If that result may name a
	// person erased in the meantime, the entry has no answer. Changes
	// that work makes with its T belong to the transaction.
	//
	// If there is an entry already, Once does not call work but returns the error of keep; if keep returns again as
	// true, it does the work and replaces the entry. It returns [InProgress] while another transaction of the same
	// request runs, and [QuotaExceeded] if the owner's entries exceed [MaxKeys] or [MaxBytes].
	Once(ctx context.Context, r Request, now, expires time.Time, keep func(Entry) (again bool, err error),
		work func(context.Context, T) ([]byte, error)) error
}

// Keeper stores the answers of one dataset. It is safe for concurrent use.
type Keeper[T any] struct {
	store  Store[T]
	sealer *cursor.Sealer
	now    func() time.Time
}

// New returns a keeper; the sealer encrypts answers, a nil now is time.Now.
func New[T any](store Store[T], sealer *cursor.Sealer, now func() time.Time) *Keeper[T] {
	if now == nil {
		now = time.Now
	}
	return &Keeper[T]{store: store, sealer: sealer, now: now}
}

// Once does the work of a request and returns its answer, or the stored answer of an earlier request; replayed tells
// which. It commits work and answer together: after an error nothing has changed, unless the error is a
// [kith.ErrMaybeDone]; then a repeat shows the outcome. It is a Conflict if the key was used with another body, if the
// first request is still running, or if the first answer is no longer stored.
func (k *Keeper[T]) Once(ctx context.Context, r Request,
	work func(context.Context, T) (Answer, error),
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
	err = k.store.Once(ctx, r, now, now.Add(Lifetime), keep, func(ctx context.Context, in T) ([]byte, error) {
		if a, err = work(ctx, in); err != nil || r.Secret {
			return nil, err
		}
		plain, err := json.Marshal(a)
		if err != nil {
			return nil, fmt.Errorf("keeping a response: %w", err)
		}
		return k.sealer.SealBytes(purpose, binding(r), plain), nil
	})
	return a, replayed, err
}

// Recall returns the first answer, or nil if there is none or the request must be
// repeated. It also serves a request whose credential the first request revoked.
func (k *Keeper[T]) Recall(ctx context.Context, r Request) (*Answer, error) {
	e, ok, err := k.store.Entry(ctx, r, k.now())
	if err != nil || !ok {
		return nil, err
	}
	return k.answer(r, e)
}

// answer returns the first answer of an entry; nil if a repeat does the work again.
func (k *Keeper[T]) answer(r Request, e Entry) (*Answer, error) {
	switch {
	case e.Fingerprint != r.Fingerprint && (r.Secret || e.Sealed != nil):
		return nil, kith.Errorf(kith.Conflict, "IDEMPOTENCY_CONFLICT",
			"this Idempotency-Key was used with another body; send the same body, or a new key")
	case r.Secret:
		return nil, nil
	case e.Sealed == nil:
		return nil, kith.Errorf(kith.Conflict, "IDEMPOTENCY_ANSWER_LOST",
			"the change was made, but its response was deleted, because it may name an erased person or because a "+
				"backup was "+
				"restored; read the changed object instead of repeating the request")
	}
	plain, err := k.sealer.OpenBytes(purpose, binding(r), e.Sealed)
	if err != nil {
		return nil, &kith.Error{
			Kind: kith.Internal, Code: "INTERNAL", Detail: "a kept response cannot be opened",
			Cause: err,
		}
	}
	var a Answer
	if err := json.Unmarshal(plain, &a); err != nil {
		return nil, fmt.Errorf("a kept response cannot be read: %w", err)
	}
	return &a, nil
}

// InProgress is the error while the first request is still running.
func InProgress() error {
	return &kith.Error{
		Kind: kith.Conflict, Code: "IDEMPOTENCY_IN_PROGRESS", RetryAfter: time.Second,
		Detail: "the first request with this Idempotency-Key is still running; try again in a second",
	}
}

// QuotaExceeded is the error for an owner with too many stored answers.
func QuotaExceeded() error {
	return &kith.Error{
		Kind: kith.RateLimited, Code: "IDEMPOTENCY_QUOTA", RetryAfter: time.Hour,
		Detail: fmt.Sprintf("responses of the last 24 hours are kept for at most %d keys and %d MB: wait, or leave "+
			"out "+
			"the Idempotency-Key where possible", MaxKeys, MaxBytes>>20),
	}
}

func binding(r Request) string { return hex.EncodeToString(r.ID[:]) }
