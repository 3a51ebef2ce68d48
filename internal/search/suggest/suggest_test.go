package suggest_test

import (
	"context"
	"slices"
	"testing"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/search"
	"kith/internal/search/suggest"
	"kith/internal/search/suggest/suggesttest"
	"kith/internal/test/expect"
	"kith/query/analysis"
	"kith/query/cursor"
)

// settings and records of a search that needs neither.
type settings struct{}

func (settings) RankEpoch(context.Context) (int64, error) { return 1, nil }

func (settings) People(context.Context, kith.Viewer, []int64) ([]kith.Person, error) { return nil, nil }

func TestSuggestMatchesTheSharedCases(t *testing.T) {
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	words, err := suggesttest.New(suggesttest.People())
	expect.NoError(t, err)
	ix := memindex.New()
	for _, p := range suggesttest.People() {
		d, err := analysis.Person(p, 10-p.ID, 1)
		expect.NoError(t, err)
		indextest.Store(t, ix, index.People, d)
	}
	svc := suggest.New(words, search.New(search.Config{
		Index: index.New(ix), Records: settings{}, Settings: settings{}, Sight: search.Everything{}, Seal: seal,
	}))
	for _, c := range suggesttest.Cases() {
		found, err := svc.Suggest(t.Context(), kith.Operator(), suggest.Request{Field: c.Field, Text: c.Text})
		if got := suggesttest.Shown(c.Field, found); err != nil || !slices.Equal(got, c.Want) {
			t.Errorf("%s %q: %q, %v\nwant %q", c.Field, c.Text, got, err, c.Want)
		}
	}
}
