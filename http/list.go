package http

import (
	"net/http"

	"kith/internal/access/publicid"
	"kith/internal/outreach"
	"kith/query/cursor"
)

// listCursor seals positions in a list. The zero position is the start; in most lists it is the number of an entry.
type listCursor[P any] struct {
	seal             *cursor.Sealer
	purpose, binding string
}

// newListCursor returns the cursors of one of a caller's lists that are ordered by number, identified by what.
func newListCursor(c caller, purpose, what string) listCursor[int64] {
	return listCursor[int64]{seal: c.dataset.Seal, purpose: purpose, binding: cursorBinding(c) + "/" + what}
}

func (l listCursor[P]) token(at P) string {
	token, err := l.seal.SealValue(l.purpose, l.binding, at)
	if err != nil {
		panic(err) // a position can always be written
	}
	return token
}

// open reads a cursor; an empty one is the start.
func (l listCursor[P]) open(token string) (at P, err error) {
	if token == "" {
		return at, nil
	}
	err = l.seal.OpenValue(l.purpose, l.binding, token, &at)
	return at, err
}

// pagination describes a page of a list; last is the position of its last entry.
func (l listCursor[P]) pagination(count int, more bool, last P) pagination {
	p := pagination{Count: count, HasNextPage: more}
	if more {
		p.Cursor = l.token(last)
	}
	return p
}

// sequenceList is a request for a list of the leads or e-mails of a sequence.
type sequenceList[S ~string] struct {
	sequence int64
	status   S // "" is any
	page     outreach.Page
	cursor   listCursor[int64]
}

// readSequenceList reads a request for a list; list is its name.
func readSequenceList[S ~string](r *http.Request, list string) (sequenceList[S], error) {
	ids := newPathIDs(r)
	asked := sequenceList[S]{sequence: ids.open(publicid.Sequence, "sequence_id")}
	page, err := parsePage(r)
	asked.page.N, asked.status = page.limit, S(page.query.Get("status"))
	if err := ids.with(err); err != nil {
		return asked, err
	}
	asked.cursor = newListCursor(callerFrom(r.Context()), list, listName(asked.sequence, string(asked.status)))
	asked.page.After, err = asked.cursor.open(page.cursor)
	return asked, err
}

// convertEntries converts the entries of a list, and returns the position of the last.
func convertEntries[V, A, P any](entries []V, show func(V) (answer A, at P)) (answers []A, last P) {
	answers = make([]A, len(entries))
	for i, e := range entries {
		answers[i], last = show(e)
	}
	return answers, last
}

// answerList answers with a page of a list. read returns up to n entries after a position, and whether there are more.
func answerList[V, A, P any](
	w http.ResponseWriter, r *http.Request, asked page, c listCursor[P],
	read func(after P, n int) (entries []V, more bool, err error), show func(V) (answer A, at P),
) error {
	after, err := c.open(asked.cursor)
	if err != nil {
		return err
	}
	entries, more, err := read(after, asked.limit)
	if err != nil {
		return err
	}
	data, last := convertEntries(entries, show)
	respondPage(w, r, data, c.pagination(len(data), more, last))
	return nil
}

// respondPage answers 200 with a page of a list.
func respondPage(w http.ResponseWriter, r *http.Request, data any, p pagination) {
	writeJSON(w, http.StatusOK, listAnswer{
		Data: data, Metadata: metadata{RequestID: requestID(r.Context())}, Pagination: p,
	})
}
