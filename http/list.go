package http

import (
	"net/http"

	"kith/internal/access/publicid"
	"kith/internal/outreach"
	"kith/query/cursor"
)

// listCursor seals positions in a list ordered by number.
type listCursor struct {
	seal             *cursor.Sealer
	purpose, binding string
}

// newListCursor returns the cursors of one of a caller's lists, identified by what.
func newListCursor(c caller, purpose, what string) listCursor {
	return listCursor{seal: c.dataset.Seal, purpose: purpose, binding: cursorBinding(c) + "/" + what}
}

func (l listCursor) token(id int64) string {
	token, err := l.seal.SealValue(l.purpose, l.binding, id)
	if err != nil {
		panic(err) // a number can always be written
	}
	return token
}

// open reads a cursor; an empty one is the start.
func (l listCursor) open(token string) (id int64, err error) {
	if token == "" {
		return 0, nil
	}
	err = l.seal.OpenValue(l.purpose, l.binding, token, &id)
	return id, err
}

// pagination describes a page of a list ordered by number; last is the number of its last entry.
func (l listCursor) pagination(count int, more bool, last int64) pagination {
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
	cursor   listCursor
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

// convertEntries converts the entries of a list ordered by number, and returns the number of the last.
func convertEntries[V, A any](entries []V, show func(V) (answer A, number int64)) (answers []A, last int64) {
	answers = make([]A, len(entries))
	for i, e := range entries {
		answers[i], last = show(e)
	}
	return answers, last
}

// answerNumbered answers with a page of a list ordered by number. read returns up to n entries
// after a number, and whether there are more.
func answerNumbered[V, A any](
	w http.ResponseWriter, r *http.Request, asked page, c listCursor,
	read func(after int64, n int) (entries []V, more bool, err error), show func(V) (answer A, number int64),
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
