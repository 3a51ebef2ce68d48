package keys

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"kith/query/cursor"
)

// FollowEvery is how often a process checks whether another one has rotated the keys.
const FollowEvery = 2 * time.Second

// Store stores a ring and the values sealed with it.
type Store interface {
	// Ring returns the ring; nil if there is none yet.
	Ring(ctx context.Context) ([]byte, error)
	// HasSuppressed reports whether there are stored hashes that need the suppression key.
	HasSuppressed(ctx context.Context) (bool, error)
	// SwapRing replaces the ring if it is still old, and writes an audit entry. It reports whether it replaced the
	// ring.
	SwapRing(ctx context.Context, old, ring []byte, action string) (bool, error)
	// Reseal seals all stored sealed values again, and returns how many. It leaves values unchanged that from cannot
	// open, and counts them as closed.
	Reseal(ctx context.Context, secrets Secrets, from, to *cursor.Sealer) (resealed, closed int, err error)
}

// Secrets are kinds of sealed values.
type Secrets int

// The kinds of sealed values.
const (
	// OfKith are values always sealed with the ring.
	OfKith Secrets = 1 << iota
	// OfOthers are passwords and secrets of mail servers and webhooks, which may be sealed with a credential key.
	OfOthers
)

// Keeper holds the keys of a dataset. It is safe for concurrent use.
type Keeper struct {
	// Sealer seals with the newest key of the ring and opens with all of them. It follows the ring.
	Sealer *cursor.Sealer
	// Master is the fingerprint of the master key; empty if there is none.
	Master string

	store  Store
	master *Master

	mu   sync.Mutex
	ring Ring
	text []byte
}

// Open reads the ring, or creates the first one.
func Open(ctx context.Context, store Store, master *Master) (*Keeper, error) {
	k := &Keeper{store: store, master: master}
	if master != nil {
		k.Master = master.Fingerprint
	}
	if err := k.read(ctx); err != nil {
		return nil, err
	}
	if k.text != nil {
		return k, nil
	}
	return k, k.makeRing(ctx)
}

// makeRing creates the first ring.
func (k *Keeper) makeRing(ctx context.Context) error {
	lost, err := k.store.HasSuppressed(ctx)
	if err != nil {
		return err
	}
	if lost {
		return errDamaged
	}
	text, err := encode(newRing(), k.master)
	if err != nil {
		return err
	}
	// If another process was first, read returns its ring.
	if _, err := k.store.SwapRing(ctx, nil, text, "keys.made"); err != nil {
		return err
	}
	return k.read(ctx)
}

// read loads the ring from the store into the sealer.
func (k *Keeper) read(ctx context.Context) error {
	text, err := k.store.Ring(ctx)
	if err != nil || text == nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if bytes.Equal(text, k.text) {
		return nil
	}
	ring, err := decode(text, k.master)
	if err != nil {
		return err
	}
	return k.use(ring, text)
}

func (k *Keeper) use(ring Ring, text []byte) error {
	var err error
	if k.Sealer == nil {
		k.Sealer, err = cursor.New(ring.secrets()...)
	} else {
		err = k.Sealer.Renew(ring.secrets()...)
	}
	if err == nil {
		k.ring, k.text = ring, text
	}
	return err
}

// Ring returns the current keys.
func (k *Keeper) Ring() Ring {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ring
}

// Follow keeps the sealer in sync with the ring until ctx ends.
func (k *Keeper) Follow(ctx context.Context, log zerolog.Logger) error {
	tick := time.NewTicker(FollowEvery)
	defer tick.Stop()
	failed := ""
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		before := k.Ring().Keys[0].ID
		err := k.read(ctx)
		switch {
		case err == nil:
			failed = ""
			if now := k.Ring().Keys[0].ID; now != before {
				log.Info().Int("key", now).Msg("a new sealing key is in use")
			}
		case ctx.Err() == nil && err.Error() != failed:
			failed = err.Error()
			log.Warn().Err(err).Msg("the sealing keys cannot be read; the known ones stay in use")
		}
	}
}

// swap replaces the current ring.
func (k *Keeper) swap(ctx context.Context, ring Ring, master *Master, action string) error {
	text, err := encode(ring, master)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	ok, err := k.store.SwapRing(ctx, k.text, text, action)
	if err == nil && !ok {
		err = errors.New("another kith changed the sealing keys meanwhile: run `kith keys show`, then try again")
	}
	if err != nil {
		return err
	}
	// The database normalises JSON objects, so the ring is read again.
	k.master = master
	if text, err = k.store.Ring(ctx); err != nil {
		return err
	}
	return k.use(ring, text)
}
