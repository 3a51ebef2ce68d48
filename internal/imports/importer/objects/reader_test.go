package objects_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"kith/internal/imports/importer/objects"
	"kith/internal/test/expect"
)

func found(text, root string, lines bool) (all []string) {
	r := objects.NewReader(strings.NewReader(text), root, lines)
	for {
		o, err := r.Next()
		if err != nil {
			return all
		}
		all = append(all, string(o.Text)+o.Problem)
	}
}

func TestReaderFindsObjects(t *testing.T) {
	for _, tt := range []struct {
		text, root string
		lines      bool
		want       []string
	}{
		{`{"a":1}{"b":2}`, "", false, []string{`{"a":1}`, `{"b":2}`}},
		{`[{"a":1},{"b":{"c":2}}]`, "", false, []string{`{"a":1}`, `{"b":{"c":2}}`}},
		{
			`{"x":[{"n":1}],"data":[{"a":"]}"},{"b":"\"}"}],"more":[{"z":1}]}`, "data", false,
			[]string{`{"a":"]}"}`, `{"b":"\"}"}`},
		},
		{`{"a":{"b":[{"c":1}]},"b":[{"d":1}]}`, "a.b", false, []string{`{"c":1}`}},
		{
			"{\"a\":1}\nbroken\n{\"b\":2\n\n{\"c\":3},\n", "", true,
			[]string{`{"a":1}`, "the line is not a JSON object", `{"b":2`, `{"c":3}`},
		},
		{`{"a":`, "", false, []string{objects.CutShort}},
		{``, "", false, nil},
	} {
		if got := found(tt.text, tt.root, tt.lines); !slices.Equal(got, tt.want) {
			t.Errorf("%q has %q, not %q", tt.text, got, tt.want)
		}
	}
}

// FuzzReader reads any input to its end, and finds no more text than the input has.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `[{"a":[{}]}]`, `{"data":[{"a":"\\\""}]}`, "{\n", `"`, "]]]}}}", `[[[[{`} {
		f.Add(s, "", false)
		f.Add(s, "data", false)
		f.Add(s, "", true)
	}
	f.Fuzz(func(t *testing.T, text, root string, lines bool) {
		r := objects.NewReader(strings.NewReader(text), root, lines)
		size := 0
		for {
			o, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			expect.NoError(t, err)
			size += len(o.Text)
		}
		if size > len(text) {
			t.Errorf("the objects have %d bytes, the text %d", size, len(text))
		}
	})
}
