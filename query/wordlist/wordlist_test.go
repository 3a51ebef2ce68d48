package wordlist_test

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kith/internal/test/expect"
	"kith/query/wordlist"
)

func TestListsLeaveOutEmptyLinesAndComments(t *testing.T) {
	files := fstest.MapFS{"data/list.txt": {Data: []byte("# words\na\n\n b #1\n#c\nlast")}}
	if got := wordlist.Lines(files, "list.txt"); !slices.Equal(got, []string{"a", " b #1", "last"}) {
		t.Errorf("the list has %q", got)
	}
}

// Find and Starting search tables of random keys as a scan over all lines would.
func TestTablesAreSearchedLikeAScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	key := func(most int) string {
		text := make([]rune, r.IntN(most+1))
		for i := range text {
			text[i] = []rune("aab -ü東")[r.IntN(7)]
		}
		return string(text)
	}
	for range 50 {
		rows := map[string][2]string{}
		for range r.IntN(60) {
			rows[key(4)] = [2]string{key(3), key(3)}
		}
		var keys []string
		for k := range rows {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		var text strings.Builder
		for _, k := range keys {
			text.WriteString(k + "\t" + rows[k][0] + "\t" + rows[k][1] + "\n")
		}
		table := wordlist.Open(fstest.MapFS{"data/t.gz": {Data: zipped(t, text.String())}}, "t.gz")
		if table.Len() != len(keys) {
			t.Fatalf("%d of %d lines", table.Len(), len(keys))
		}
		for _, k := range append(keys, key(4), key(4), "\x00", "龍") {
			if second, third := table.Find(k); [2]string{second, third} != rows[k] {
				t.Errorf("%q has %q and %q, want %q", k, second, third, rows[k])
			}
			n := r.IntN(10)
			want := slices.DeleteFunc(slices.Clone(keys), func(other string) bool {
				return !strings.HasPrefix(other,
					k)
			})
			if got := table.Starting(k, n); !slices.Equal(got, want[:min(n, len(want))]) {
				t.Errorf("the first %d keys that begin with %q are %q, want %q", n, k, got, want)
			}
		}
	}
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, w.Close())
	return b.Bytes()
}
