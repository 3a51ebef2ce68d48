package http

import (
	"fmt"
	"net/http"

	"kith/client"
	"kith/query/cursor"
)

// listing is a list that is answered in pages. Its cursors seal positions: the zero position is the start, and in most
// lists a position is the number of an entry.
type listing[P any] struct {
	seal             *cursor.Sealer
	purpose, binding string
	// member is the member of the data that has the entries; empty if they are the data.
	member string
}

// newListing returns one of a caller's lists that are ordered by number, identified by what.
func newListing(c caller, purpose, what string) listing[int64] {
	return listing[int64]{seal: c.dataset.Seal, purpose: purpose, binding: cursorBinding(c) + "/" + what}
}

func cursorBinding(c caller) string {
	return fmt.Sprintf("%s:%d", c.dataset.Name, c.actor.UserID)
}

// listName names the list of a row, restricted to a state.
func listName(row int64, state string) string { return fmt.Sprintf("%d/%s", row, state) }

// answerList answers with a page of a list. ids are those in the path; nil for none. read returns up to n entries after
// a position, and whether there are more.
func answerList[V, A, P any](
	w http.ResponseWriter, r *http.Request, ids *pathIDs, of listing[P],
	read func(after P, n int) (entries []V, more bool, err error), show func(V) (answer A, at P), checks ...check,
) error {
	asked, err := parsePage(r, checks...)
	if err := ids.with(err); err != nil {
		return err
	}
	var at P
	if asked.cursor != "" {
		if err := of.seal.OpenValue(of.purpose, of.binding, asked.cursor, &at); err != nil {
			return err
		}
	}
	entries, more, err := read(at, asked.limit)
	if err != nil {
		return err
	}
	answers := make([]A, len(entries))
	for i, e := range entries {
		answers[i], at = show(e)
	}
	p := client.Pagination{Count: len(answers), HasNextPage: more}
	if more {
		if p.Cursor, err = of.seal.SealValue(of.purpose, of.binding, at); err != nil {
			return err
		}
	}
	var data any = answers
	if of.member != "" {
		data = map[string]any{of.member: answers}
	}
	respondPage(w, r, data, p)
	return nil
}

// readPage reads an entry more than a page has, to find out whether there are more.
func readPage[V, P any](read func(after P, n int) ([]V, error)) func(P, int) ([]V, bool, error) {
	return func(after P, n int) ([]V, bool, error) {
		entries, err := read(after, n+1)
		return entries[:min(len(entries), n)], len(entries) > n, err
	}
}

// respondPage answers 200 with a page of a list.
func respondPage(w http.ResponseWriter, r *http.Request, data any, p client.Pagination) {
	writeJSON(w, http.StatusOK, listAnswer{
		Data: data, Metadata: newMetadata(r.Context()), Pagination: p,
	})
}
