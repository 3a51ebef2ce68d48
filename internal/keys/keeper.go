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

// FollowEvery is how often a process looks whether another has rotated the keys.
const FollowEvery = 2 * time.Second

// Settle is how long a change of keys waits until every process knows of it.
const Settle = 3 * FollowEvery

// Store keeps a ring, and what is sealed with it.
type Store interface {
	// Ring returns the ring, nil where there is none yet.
	Ring(ctx context.Context) ([]byte, error)
	// Suppression returns the suppression key of before rings had it, nil where there is
	// none, and whether hashes are stored that were made with it.
	Suppression(ctx context.Context) (key []byte, needed bool, err error)
	// SwapRing replaces the ring where it is still the old one, with an entry in the
	// audit, and drops the suppression key of before. It reports whether it was.
	SwapRing(ctx context.Context, old, ring []byte, action string) (bool, error)
	// Reseal seals anew all that is stored sealed, and returns how many values that were.
	// Values that from does not open are counted apart and stay as they are.
	Reseal(ctx context.Context, secrets Secrets, from, to *cursor.Sealer) (resealed, closed int, err error)
}

// Secrets are kinds of sealed values.
type Secrets int

// The kinds of sealed values.
const (
	// OfKith are those that are always sealed with the ring.
	OfKith Secrets = 1 << iota
	// OfOthers are passwords and secrets of mail servers and webhooks, which may be sealed
	// with a credential key.
	OfOthers
)

// Keeper has the keys of a directory. It is safe for concurrent use.
type Keeper struct {
	// Sealer seals with the newest key of the ring and opens with all. It follows the ring.
	Sealer *cursor.Sealer
	// Master is the fingerprint of the master key, empty where there is none.
	Master string

	store  Store
	master *Master
	now    func() time.Time

	mu   sync.Mutex
	ring Ring
	text []byte
}

// Open reads the ring, or makes the first one.
func Open(ctx context.Context, store Store, master *Master) (*Keeper, error) {
	k := &Keeper{store: store, master: master, now: time.Now}
	if master != nil {
		k.Master = master.Fingerprint
	}
	if err := k.read(ctx); err != nil {
		return nil, err
	}
	if k.text != nil && k.ring.Suppression != nil {
		return k, nil
	}
	return k, k.complete(ctx)
}

// complete makes the first ring, or gives one its suppression key.
func (k *Keeper) complete(ctx context.Context) error {
	ring, action := k.ring, "keys.completed"
	if k.text == nil {
		ring, action = newRing(k.now()), "keys.made"
	}
	key, needed, err := k.store.Suppression(ctx)
	switch {
	case err != nil:
		return err
	case key == nil && needed:
		return errSuppression
	case key == nil:
		key = newSuppression()
	case len(key) != suppressionSize:
		return errSuppression
	}
	ring.Suppression = key
	text, err := encode(ring, k.master)
	if err != nil {
		return err
	}
	// Where another was first, its ring is read.
	if _, err := k.store.SwapRing(ctx, k.text, text, action); err != nil {
		return err
	}
	return k.read(ctx)
}

// errSuppression says what it means that erased people can no longer be told.
var errSuppression = errors.New("the suppression key is missing or damaged: put the rows \"keys\" and " +
	"\"suppression_key\" of settings back from a backup; without it erased people could come back")

// read looks at the ring of the store, and has the sealer use it.
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

// Ring are the keys as they are now.
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
			log.Warn().Err(err).Msg("the sealing keys cannot be read; those that are known stay in use")
		}
	}
}

// swap puts another ring in the place of the present one.
func (k *Keeper) swap(ctx context.Context, ring Ring, master *Master, action string) error {
	text, err := encode(ring, master)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	ok, err := k.store.SwapRing(ctx, k.text, text, action)
	if err == nil && !ok {
		err = errors.New("another kith changed the sealing keys meanwhile: look with `kith keys show`, then try again")
	}
	if err != nil {
		return err
	}
	// The database writes objects in a form of its own, so they are read again.
	k.master = master
	if text, err = k.store.Ring(ctx); err != nil {
		return err
	}
	return k.use(ring, text)
}
