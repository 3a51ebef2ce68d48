package http_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// A later page says how people match where the first did, and where it asks itself
// as it asks.
func TestExplainOfALaterPage(t *testing.T) {
	f := newFixture(t, nil)
	for _, c := range []struct {
		first, later string
		want         bool
	}{
		{`"explain":true,`, ``, true},
		{`"explain":true,`, `"explain":false,`, false},
		{`"explain":false,`, ``, false},
		{``, `"explain":true,`, true},
	} {
		first := f.search(`{` + c.first + `"prompt":"engineer","scope":"global","limit":2}`).envelope(t)
		next, err := json.Marshal(first.Pagination.Cursor)
		if err != nil {
			t.Fatal(err)
		}
		later := f.search(`{` + c.later + `"cursor":` + string(next) + `}`).envelope(t)
		if explained := strings.Contains(string(later.Data), `"match":`); explained != c.want || len(ids(t, later.Data)) != 2 {
			t.Errorf("%q, then %q: explained %t, people %v", c.first, c.later, explained, ids(t, later.Data))
		}
	}
}
