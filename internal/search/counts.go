package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"kith"
	"kith/index"
)

// purposeCounts is the sealing purpose of counts tokens.
const purposeCounts = "counts"

// sealedCounts is the content of a counts token.
type sealedCounts struct {
	Counts Counts `json:"c"`
	// Search identifies the search that was counted.
	Search []byte `json:"s"`
}

// counts computes what include_counts asks for.
func (r *execution) counts(ctx context.Context) (Counts, error) {
	var c Counts
	if r.includeCounts != "global" {
		n, err := r.countNear(ctx)
		if err != nil {
			return c, fmt.Errorf("counting the network: %w", err)
		}
		c.Network = &n
	}
	if r.includeCounts == "network" {
		return c, nil
	}
	limit := r.svc.cfg.CountCap
	n, more, err := r.countMatches(ctx, limit+1)
	if err != nil {
		return c, fmt.Errorf("counting: %w", err)
	}
	c.Global = &GlobalCount{Value: min(n, limit), IsCapped: more, Cap: limit}
	return c, nil
}

// countMatches counts all matches, within reach or not, up to a limit; more is true if there may be others. The people
// of a list are gathered in any case.
func (r *execution) countMatches(ctx context.Context, limit int) (n int, more bool, err error) {
	if r.list != nil {
		ids, err := r.whenGathered(ctx)
		n = min(len(ids), limit)
		return n, n == limit, err
	}
	return r.svc.cfg.Index.Count(ctx, index.Prepare(r.asked.query), limit)
}

func (s *checkedRequest) sealCounts(c Counts) (Counted, error) {
	search, err := s.identity()
	if err != nil {
		return Counted{}, err
	}
	token, err := s.svc.cfg.Seal.SealValue(purposeCounts, s.binding, sealedCounts{Counts: c, Search: search})
	return Counted{Counts: c, Token: token}, err
}

// openCounts reads a counts token; nil if none was given.
func (s *checkedRequest) openCounts(token string) (*Counted, error) {
	if token == "" {
		return nil, nil
	}
	var sealed sealedCounts
	if err := s.svc.cfg.Seal.OpenValue(purposeCounts, s.binding, token, &sealed); err != nil {
		return nil, kith.Errorf(kith.Malformed, "COUNTS_TOKEN_INVALID",
			"the counts token cannot be read; send one from an earlier response to the same caller, unchanged, or none")
	}
	search, err := s.identity()
	if err != nil {
		return nil, err
	}
	if string(search) != string(sealed.Search) {
		return nil, kith.Errorf(kith.Invalid, "COUNTS_TOKEN_MISMATCH",
			"the counts token belongs to another search; leave it out")
	}
	return &Counted{Counts: sealed.Counts, Token: token}, nil
}

// identity returns a digest of everything that decides who matches. It is the same on every page.
func (s *checkedRequest) identity() ([]byte, error) {
	w := s.walk
	w.Limit, w.Explain, w.Closest, w.Began, w.Circle, w.Plan, w.People, w.More = 0, false, nil, 0, "", nil, nil, nil
	var entries []ListEntry
	if s.list != nil {
		entries = s.list.entries
	}
	text, err := json.Marshal([]any{w, entries})
	if err != nil {
		return nil, fmt.Errorf("naming a search: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:16], nil
}
