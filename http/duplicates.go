package http

import (
	"context"
	"encoding/binary"
	"math"
	"net/http"
	"time"

	"kith"
	"kith/internal/identity"
)

// Duplicates is what the server needs of [identity.Service].
type Duplicates interface {
	List(ctx context.Context, after *identity.Position, n int) ([]identity.Duplicate, error)
}

const purposeDuplicates = "duplicates"

// duplicateAnswer is a pair of people who may be one.
type duplicateAnswer struct {
	People  [2]kith.Person `json:"people"`
	Score   float64        `json:"score"`
	Reasons []string       `json:"reasons"`
	FoundAt time.Time      `json:"found_at"`
}

// listDuplicates answers GET /v2/people/duplicates.
func (s *Server) listDuplicates(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	after, err := openDuplicates(c, page.cursor)
	if err != nil {
		return err
	}
	pairs, err := c.directory.Duplicates.List(r.Context(), after, page.limit+1)
	if err != nil {
		return err
	}
	p := pagination{HasNextPage: len(pairs) > page.limit}
	if p.HasNextPage {
		pairs = pairs[:page.limit]
		p.Cursor = sealDuplicates(c, pairs[len(pairs)-1].At)
	}
	p.Count = len(pairs)
	data := make([]duplicateAnswer, len(pairs))
	for i, d := range pairs {
		data[i] = duplicateAnswer{[2]kith.Person{d.People[0].Result(), d.People[1].Result()}, d.Score, d.Reasons, d.FoundAt}
	}
	respondPage(w, r, data, p)
	return nil
}

func sealDuplicates(c caller, at identity.Position) string {
	b := binary.BigEndian.AppendUint64(nil, math.Float64bits(at.Score))
	b = binary.BigEndian.AppendUint64(b, uint64(at.Low))  //nolint:gosec // the bits are what is kept
	b = binary.BigEndian.AppendUint64(b, uint64(at.High)) //nolint:gosec // likewise
	return c.directory.Seal.Seal(purposeDuplicates, bindingOf(c), b)
}

// openDuplicates reads a cursor; the empty one is the start.
func openDuplicates(c caller, token string) (*identity.Position, error) {
	if token == "" {
		return nil, nil
	}
	b, err := c.directory.Seal.Open(purposeDuplicates, bindingOf(c), token)
	if err != nil {
		return nil, err
	}
	if len(b) != 24 {
		return nil, kith.Errorf(kith.Malformed, "CURSOR_INVALID", "the cursor cannot be read")
	}
	at := identity.Position{
		Score: math.Float64frombits(binary.BigEndian.Uint64(b)),
		Low:   int64(binary.BigEndian.Uint64(b[8:])),  //nolint:gosec // as it was sealed
		High:  int64(binary.BigEndian.Uint64(b[16:])), //nolint:gosec // likewise
	}
	return &at, nil
}
