package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/internal/record/identity"
)

// duplicateAnswer is a pair of records that may be the same person.
type duplicateAnswer struct {
	People  [2]kith.Person `json:"people"`
	Score   float64        `json:"score"`
	Reasons []string       `json:"reasons"`
	FoundAt time.Time      `json:"found_at"`
	// Decidable reports whether the caller may decide about the pair.
	Decidable bool `json:"decidable"`
}

// listDuplicates answers GET /v2/people/duplicates.
func listDuplicates(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	list := listing[*identity.Position]{seal: c.dataset.Seal, purpose: "duplicates", binding: cursorBinding(c)}
	return answerList(w, r, nil, list, readPage(func(after *identity.Position, n int) ([]identity.Duplicate, error) {
		return c.dataset.Duplicates.Duplicates(r.Context(), c.viewer(), after, n)
	}), func(d identity.Duplicate) (duplicateAnswer, *identity.Position) {
		people := [2]kith.Person{d.People[0].Result(), d.People[1].Result()}
		return duplicateAnswer{people, d.Score, d.Reasons, d.FoundAt, d.Decidable}, &d.At
	})
}

// The possible decisions about a pair.
const (
	decidedMerge = "merge"
	decidedApart = "apart"
)

type pairDecision struct {
	People   [2]int64 `json:"people"`
	Decision *string  `json:"decision"`
}

// decideDuplicate answers POST /v2/people/duplicates.
func decideDuplicate(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, v, err := readWrite(w, r, smallBody, asIs)
	if err != nil {
		return change, err
	}
	list, _ := v.Get("people")
	out := pairDecision{Decision: stringMember[string](v, "decision")}
	for i, item := range list.Items {
		out.People[i], _ = item.ID()
	}
	decide := (*identity.Service).Forget
	switch v.String("decision") {
	case decidedMerge:
		decide = (*identity.Service).Merge
	case decidedApart:
		decide = (*identity.Service).Part
	}
	change.do = func(ctx context.Context, in *Services) (any, error) {
		return out, decide(in.Duplicates, ctx, c.viewer(), strconv.FormatInt(out.People[0], 10),
			strconv.FormatInt(out.People[1], 10))
	}
	return change, nil
}

// shownDecisions is the maximum number of listed decisions.
const shownDecisions = 100

// decisionAnswer is a decision about two records.
type decisionAnswer struct {
	People    [2]recordAnswer `json:"people"`
	Decision  string          `json:"decision"`
	DecidedAt time.Time       `json:"decided_at"`
	DecidedBy string          `json:"decided_by"`
}

// recordAnswer is a short form of a record.
type recordAnswer struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
	Headline string `json:"headline"`
}

// listDecisions answers GET /v2/people/duplicates/decided.
func listDecisions(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	decided, err := c.dataset.Duplicates.Decided(r.Context(), c.viewer(), shownDecisions)
	if err != nil {
		return nil, err
	}
	out := make([]decisionAnswer, len(decided))
	for i, d := range decided {
		out[i] = decisionAnswer{Decision: decidedApart, DecidedAt: d.At, DecidedBy: d.By}
		if d.Together {
			out[i].Decision = decidedMerge
		}
		for k, p := range d.Records {
			out[i].People[k] = recordAnswer{p.ID, p.FullName, p.Headline}
		}
	}
	return out, nil
}
