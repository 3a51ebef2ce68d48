package frame_test

import (
	"testing"

	"kith/internal/test/expect"
	"kith/query/prompt/frame"
)

func TestTagsAreReadBack(t *testing.T) {
	for _, tag := range []string{"t", "c.past.not", "p.co.or", "y.ten.min.?", "q.worked_with", "N.2", "z.s1.adj.both"} {
		m, err := frame.ParseTag(tag)
		expect.NoError(t, err)
		if got := m.Tag(); got != tag {
			t.Errorf("got %s, want %s", got, tag)
		}
	}
	for _, tag := range []string{"", "x", "p.past", "t.past.any", "y."} {
		if m, err := frame.ParseTag(tag); err == nil {
			t.Errorf("%q: got %+v without an error", tag, m)
		}
	}
}
