package keys

import (
	"context"
	"fmt"
	"time"

	"kith/query/cursor"
)

// Rotation configures a rotation of the keys.
type Rotation struct {
	// Settle is how long each step waits, so that every process knows of it: some times [FollowEvery].
	Settle time.Duration
	// Drop drops older keys at the end: anything they sealed for clients, such as cursors and links in e-mails, is
	// refused from then on.
	Drop bool
	// Secrets are the kinds of stored values that are sealed with the ring.
	Secrets Secrets
	// Progress receives progress messages; it may be nil.
	Progress func(string)
}

// Rotate makes a new sealing key and seals stored values again. Other processes keep running: they know the new key
// before anything is sealed with it. An interrupted rotation resumes with the key that it made.
func (k *Keeper) Rotate(ctx context.Context, r Rotation) (resealed int, err error) {
	if r.Progress == nil {
		r.Progress = func(string) {}
	}
	ring := k.Ring()
	if ring.Next == nil {
		next := newKey(ring.Keys[0].ID + 1)
		ring.Next = &next
		if err := k.swap(ctx, ring, k.master, "keys.added"); err != nil {
			return 0, err
		}
	}
	r.Progress(fmt.Sprintf("key %d is made; waiting until all processes know it", ring.Next.ID))
	if err := wait(ctx, r.Settle); err != nil {
		return 0, err
	}
	if err := k.swap(ctx, ring.promoted(), k.master, "keys.rotated"); err != nil {
		return 0, err
	}
	r.Progress(fmt.Sprintf("key %d seals; waiting until no process seals with key %d", ring.Next.ID, ring.Keys[0].ID))
	if err := wait(ctx, r.Settle); err != nil {
		return 0, err
	}
	if resealed, err = k.reseal(ctx, r.Secrets); err != nil || !r.Drop {
		return resealed, err
	}
	last := k.Ring()
	last.Keys = last.Keys[:1]
	return resealed, k.swap(ctx, last, k.master, "keys.dropped")
}

// reseal seals stored values again with the newest key.
func (k *Keeper) reseal(ctx context.Context, secrets Secrets) (int, error) {
	newest, err := cursor.New(k.Ring().Keys[0].Secret)
	if err != nil {
		return 0, err
	}
	n, closed, err := k.store.Reseal(ctx, secrets, k.Sealer, newest)
	if err == nil && closed > 0 {
		err = fmt.Errorf("%d sealed values do not open with any key and stay as they are: were they sealed with a "+
			"--credential-key?", closed)
	}
	return n, err
}

// Move seals the ring with another master key, or stores it in plain if that is nil. Running processes keep the keys
// they know, and need the new master key at their next start.
func (k *Keeper) Move(ctx context.Context, to *Master) error {
	return k.swap(ctx, k.Ring(), to, "keys.moved")
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
