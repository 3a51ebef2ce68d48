package http

import (
	"net/http"

	"kith/internal/outreach"
	"kith/internal/publicid"
)

// parts is what is asked of a list of the leads or the e-mails of a sequence.
type parts[S ~string] struct {
	sequence int64
	status   S // "" is any
	page     outreach.Page
	places   numbers
}

// partsAsked reads what is asked of the list of a name.
func partsAsked[S ~string](r *http.Request, list string, statuses []S) (parts[S], error) {
	ids := idsOf(r)
	asked := parts[S]{sequence: ids.open(publicid.Sequence, "sequence_id")}
	page, err := pageOf(r, choiceOf("status", statuses))
	asked.page.N, asked.status = page.limit, S(page.chosen["status"])
	if err := ids.with(err); err != nil {
		return asked, err
	}
	asked.places = numbersOf(callerFrom(r.Context()), list, listed(asked.sequence, string(asked.status)))
	asked.page.After, err = asked.places.open(page.cursor)
	return asked, err
}

// shown makes what is answered of the entries of a list that goes by number,
// and tells the number of the last.
func shown[V, A any](entries []V, show func(V) (answer A, number int64)) (answers []A, last int64) {
	answers = make([]A, len(entries))
	for i, e := range entries {
		answers[i], last = show(e)
	}
	return answers, last
}

// respondPage answers 200 with a page of a list.
func respondPage(w http.ResponseWriter, r *http.Request, data any, p pagination) {
	writeJSON(w, http.StatusOK, listAnswer{Data: data, Metadata: metadata{RequestID: requestID(r.Context())}, Pagination: p})
}
