package search

import (
	"context"
	"encoding/binary"
	"maps"
	"reflect"
	"time"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/cursor"
	"kith/query/prompt"
)

// purposePage is the sealing purpose of page cursors. It changes with their form.
const purposePage = "page 2"

// walk is a search over all its pages: what a cursor continues, as requested on the first page. All cursors of one walk
// share it.
type walk struct {
	Prompt  string          `json:"p,omitempty"`
	Reading int             `json:"r,omitempty"`
	Filters query.Filters   `json:"f,omitempty"`
	Mode    Mode            `json:"m,omitempty"`
	Scope   string          `json:"s,omitempty"`
	Network *NetworkFilters `json:"n,omitempty"`
	Explain bool            `json:"x,omitempty"`
	Closest *bool           `json:"z,omitempty"`
	Limit   int             `json:"l"`
	// Began is the start of the walk in Unix seconds, so that "years of experience" means the same on every page.
	Began int64 `json:"t"`
	// Circle identifies the circle of the first page.
	Circle string `json:"c,omitempty"`
	// Plan is the plan of the prompt from the first page.
	Plan *prompt.Plan `json:"q,omitempty"`
	// People are the people that each step found there, and More the indices of steps that found more than they took.
	People [][]int64 `json:"w,omitempty"`
	More   []int     `json:"o,omitempty"`
}

func (w walk) began() time.Time { return time.Unix(w.Began, 0) }

// known returns the people of a step as the first page found them; nil on the first page.
func (w walk) known(step int) []int64 {
	if step < len(w.People) {
		return w.People[step]
	}
	return nil
}

// keep notes what the steps of the first page found.
func (w *walk) keep(steps []step) {
	for i, s := range steps {
		w.People = append(w.People, idsOf(s.people))
		if s.more {
			w.More = append(w.More, i)
		}
	}
}

func newWalk(req Request, now time.Time) walk {
	return walk{
		Prompt: req.Prompt, Reading: req.Reading, Filters: req.Filters, Mode: req.Mode, Scope: req.Scope,
		Network: meaningful(req.Network), Limit: req.Limit, Began: now.Unix(),
	}
}

// position is where in a walk a cursor continues.
type position struct {
	Epoch int64
	// Cursor is the position among the matches or, after the first near miss, among the near misses.
	Cursor index.Cursor
	// Number is how many people came before. Network is how many of them came from the network, and Closest how many
	// were near misses.
	Number, Network, Closest int
}

// matches is how many matches came before.
func (p position) matches() int { return p.Number - p.Closest }

// sealer makes the cursors of one walk. It packs the walk once, so that a cursor for each result is cheap.
type sealer struct {
	seal    *cursor.Sealer
	binding string
	packed  []byte
	buf     []byte
}

func newSealer(seal *cursor.Sealer, binding string, w walk) (*sealer, error) {
	packed, err := cursor.Pack(w)
	if err != nil {
		return nil, err
	}
	return &sealer{seal: seal, binding: binding, packed: packed}, nil
}

func (s *sealer) at(p position) string {
	b := s.buf[:0]
	b = binary.AppendVarint(b, p.Epoch)
	b = binary.AppendVarint(b, int64(p.Cursor.Stage))
	b = binary.AppendVarint(b, p.Cursor.Sort)
	b = binary.AppendVarint(b, p.Cursor.ID)
	b = binary.AppendVarint(b, int64(p.Number))
	b = binary.AppendVarint(b, int64(p.Network))
	b = binary.AppendVarint(b, int64(p.Closest))
	s.buf = append(b, s.packed...)
	return s.seal.Seal(purposePage, s.binding, s.buf)
}

// openCursor reads a cursor made by [sealer.at].
func openCursor(seal *cursor.Sealer, binding, token string) (w walk, p position, err error) {
	plain, err := seal.Open(purposePage, binding, token)
	if err != nil {
		return w, p, err
	}
	var v [7]int64
	for i := range v {
		var n int
		if v[i], n = binary.Varint(plain); n <= 0 {
			return w, p, kith.Errorf(kith.Malformed, "CURSOR_INVALID", "the cursor cannot be read")
		}
		plain = plain[n:]
	}
	p = position{
		Epoch: v[0], Cursor: index.Cursor{Stage: int(v[1]), Sort: v[2], ID: v[3]},
		Number: int(v[4]), Network: int(v[5]), Closest: int(v[6]),
	}
	err = cursor.Unpack(plain, &w)
	return w, p, err
}

// sameSearch reports whether a request with a cursor matches the walk's search. A request without prompt, reading,
// filters and network filters always does; one with any of them must repeat all four.
// [checkedRequest.sameModeAndScope] compares mode and scope once they are resolved. Limit and explain are free: they
// do not change who matches.
func (w walk) sameSearch(req Request) bool {
	network := meaningful(req.Network)
	if req.Prompt == "" && req.Reading == 0 && len(req.Filters) == 0 && network == nil {
		return true
	}
	return req.Prompt == w.Prompt && req.Reading == w.Reading && maps.Equal(req.Filters, w.Filters) &&
		reflect.DeepEqual(network, w.Network)
}

func mismatch() error {
	return kith.Errorf(kith.Invalid, "CURSOR_MISMATCH",
		"the cursor belongs to another search; repeat that search, send the cursor alone, or start again without it")
}

// meaningful returns nil for network filters that restrict nothing; an empty list restricts nothing.
func meaningful(n *NetworkFilters) *NetworkFilters {
	if n == nil {
		return nil
	}
	set := *n
	set.ConnectionDegrees = orNil(n.ConnectionDegrees)
	set.IntroducerSocialIDs = orNil(n.IntroducerSocialIDs)
	set.UserToIntroducerTypes = orNil(n.UserToIntroducerTypes)
	set.IntroducerToTargetTypes = orNil(n.IntroducerToTargetTypes)
	if reflect.DeepEqual(set, NetworkFilters{}) {
		return nil
	}
	return &set
}

func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// checkEpoch refuses a cursor from before the last ranking of people.
func (s *Service) checkEpoch(ctx context.Context, p position) error {
	epoch, err := s.rankEpoch(ctx)
	if err != nil {
		return err
	}
	if epoch != p.Epoch {
		return kith.Errorf(kith.Gone, "CURSOR_EXPIRED",
			"people have been ranked again since the cursor was issued; start the search again without it")
	}
	return nil
}
