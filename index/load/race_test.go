package load_test

import (
	"context"
	"testing"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/analysis"
	"kith/index/load"
	"kith/index/memindex"
)

// lost are locks that a process believes to have: the database gave them back
// when it lost the connection.
type lost struct{}

func (lost) Lock(context.Context, string) (func(), error) { return func() {}, nil }

func (lost) TryLock(context.Context, string) (func(), bool, error) { return func() {}, true, nil }

// A drainer whose lock is lost writes a person whom another drainer has deleted
// from the index meanwhile. The person does not stay there, and is counted once.
func TestLockLostWhileWriting(t *testing.T) {
	s, e := newStore(), &engine{Index: memindex.New()}
	other := level(t, s, e.Index)
	loadText(t, s, load.People, lines(at("Ann", ""), at("Bob", "")))
	source := s.source()
	source.Locks = lost{}
	slow := load.NewDrainer(source, e, zerolog.Nop())
	e.set(func(call string, docs []index.Flat) error {
		if call != "write" || len(docs) == 0 {
			return nil
		}
		e.set(nil)
		check(t, other.Drain(t.Context()))
		_, err := load.NewKeeper(s, s, s).Delete(t.Context(), "https://social.example/in/ann")
		check(t, err)
		check(t, other.Drain(t.Context()))
		return nil
	})
	check(t, slow.Drain(t.Context()))
	check(t, other.Drain(t.Context()))
	checkSame(t, s, e)
	if n := s.words[analysis.Term{Kind: analysis.TermFirstName, Text: "bob"}]; n != 1 {
		t.Errorf("Bob is counted %d times", n)
	}
}
