package http

import (
	"context"
	"net/http"

	"kith/http/admission"
	"kith/internal/search"
)

// What requests share, each with its own unit. One user may have half of each.
const (
	// capacity is in parts of the work of one processor, of which a read or change takes one or two, and a search two
	// to eight: see [askedSearch.cost].
	capacity = 32
	// bodyBytes is in bytes. Until it is answered, a large body takes about six times its size in memory.
	bodyBytes = 128 << 20
	// listEntries is in list entries. A list's people are all in one answer.
	listEntries = 4 * search.MaxListEntries
	// uploadSlots is the number of simultaneous file uploads.
	uploadSlots = 8
	// exportSlots is the number of simultaneous exports. Each reads much of the database, and
	// uses disk space until it is sent.
	exportSlots = 4
	// waitSlots is the number of simultaneous waits for the data source. They cost little, but not nothing.
	waitSlots = 128
	// fewEntries is a list size that needs no reservation: at most a page.
	fewEntries = search.MaxLimit
)

// pool is what the users of all datasets share.
type pool = admission.Queue[poolUser]

// poolUser identifies a user of a dataset.
type poolUser struct {
	dataset *Dataset
	user    int64
}

// pools are the right to work, and memory.
type pools struct{ work, bodies, lists, uploads, exports, waits *pool }

func newPools(work int) pools {
	return pools{
		work: admission.New[poolUser](int64(work)), bodies: admission.New[poolUser](bodyBytes),
		lists: admission.New[poolUser](listEntries), uploads: admission.New[poolUser](uploadSlots),
		exports: admission.New[poolUser](exportSlots), waits: admission.New[poolUser](waitSlots),
	}
}

// turn is a request's right to work, and the memory that it has reserved. Each request reserves memory for its body
// first and for its list second, before it works, which avoids deadlocks. Requests without a user have none, nil, which
// limits nothing.
type turn struct {
	pools
	owner poolUser
	// cost is that of the request once it has begun to work; working is its slot unless it is paused.
	cost     int64
	working  admission.Slot
	isPaused bool
	reserved []admission.Slot
}

// check returns a refusal if too many requests of the user wait already.
func (t *turn) check() error {
	if t == nil {
		return nil
	}
	return t.work.Check(t.owner)
}

// begin waits for the right to work. Once it has returned nil, it does nothing.
func (t *turn) begin(ctx context.Context, cost int64) (err error) {
	if t == nil || t.cost > 0 {
		return nil
	}
	if t.working, err = t.work.Take(ctx, t.owner, cost); err == nil {
		t.cost = cost
	}
	return err
}

// pause lets others work while the request waits for its client or for another server.
func (t *turn) pause() {
	if t == nil || t.cost == 0 || t.isPaused {
		return
	}
	t.isPaused = true
	t.working.Release()
}

// resume ends a pause, if there is one, once there is capacity.
func (t *turn) resume(ctx context.Context) error {
	if t == nil || !t.isPaused {
		return nil
	}
	slot, err := t.work.Resume(ctx, t.owner, t.cost)
	if err == nil {
		t.working, t.isPaused = slot, false
	}
	return err
}

// wait lets others work while the request waits for the data source, as [kith.Wait] calls it.
func (t *turn) wait(ctx context.Context, until func() error) error {
	t.pause()
	slot, err := t.waits.Take(ctx, t.owner, 1)
	if err != nil {
		return err
	}
	err = func() error {
		defer slot.Release()
		return until()
	}()
	if err != nil {
		return err
	}
	return t.resume(ctx)
}

// end gives everything back.
func (t *turn) end() {
	t.pause()
	for _, r := range t.reserved {
		r.Release()
	}
}

// body waits for memory for a large body. Requests without a caller need none: their bodies have at most 1 MiB.
func (t *turn) body(ctx context.Context, bytes int64) error {
	if t == nil {
		return nil
	}
	return t.reserve(ctx, t.bodies, bytes)
}

// list waits for memory for a list, if it is large.
func (t *turn) list(ctx context.Context, entries int) error {
	if entries <= fewEntries {
		return nil
	}
	return t.reserve(ctx, t.lists, int64(min(entries, search.MaxListEntries)))
}

func (t *turn) reserve(ctx context.Context, from *pool, size int64) error {
	slot, err := from.Take(ctx, t.owner, size)
	if err == nil {
		t.reserved = append(t.reserved, slot)
	}
	return err
}

// inTurn serves an operation in its user's turn. If it reads a body, the turn comes once [readBody] has read it: a slow
// client takes no capacity.
func inTurn(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.ContentLength == 0 || !operationOf(r).HasBody {
			drainBody(r, smallBody)
			if err := begin(r); err != nil {
				return err
			}
		}
		return h(w, r)
	}
}

// begin waits until a request that is no search may work.
func begin(r *http.Request) error {
	cost := int64(2)
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		cost = 1
	}
	return callerFrom(r.Context()).turn.begin(r.Context(), cost)
}
