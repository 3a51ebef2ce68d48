package strict_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith"
	"kith/http/strict"
	"kith/internal/test/expect"
)

func TestParseRefusesBadJSON(t *testing.T) {
	tests := []struct{ name, body, code, detail string }{
		{"empty", ``, "INVALID_JSON", "empty"},
		{"blank", " \n\t", "INVALID_JSON", "empty"},
		{"array", `[1]`, "INVALID_JSON", "must be a JSON object, not an array"},
		{"string", `"a"`, "INVALID_JSON", "not a string"},
		{"cut object", `{"a":1`, "INVALID_JSON", `(byte 6)`},
		{"cut string", `{"a":"b`, "INVALID_JSON", "not closed"},
		{"trailing comma", `{"a":1,}`, "INVALID_JSON", "expected the name of a member in double quotes, found '}'"},
		{"two values", `{} {}`, "INVALID_JSON", "more after"},
		{"single quotes", `{'a':1}`, "INVALID_JSON", "double quotes"},
		{"no colon", `{"a" 1}`, "INVALID_JSON", "a colon"},
		{"leading zero", `{"a":01}`, "INVALID_JSON", "a comma"},
		{"plus", `{"a":+1}`, "INVALID_JSON", "a value"},
		{"bare point", `{"a":1.}`, "INVALID_JSON", "a digit"},
		{"bare exponent", `{"a":1e}`, "INVALID_JSON", "a digit"},
		{"NaN", `{"a":NaN}`, "INVALID_JSON", "a value"},
		{"bad word", `{"a":trux}`, "INVALID_JSON", "a value"},
		{"raw control", "{\"a\":\"b\x01\"}", "INVALID_JSON", "raw control"},
		{"bad escape", `{"a":"\x"}`, "INVALID_JSON", "an escape"},
		{"short escape", `{"a":"\u12"}`, "INVALID_JSON", "hexadecimal"},
		{"lone high surrogate", `{"a":"\ud800"}`, "INVALID_JSON", "surrogate"},
		{"lone low surrogate", `{"a":"\udc00x"}`, "INVALID_JSON", "surrogate"},
		{"byte order mark", "\ufeff{}", "INVALID_JSON", "a value"},
		{"not UTF-8", "{\"a\":\"\xff\"}", "INVALID_UTF8", "(byte 6)"},
		{"overlong UTF-8", "{\"a\":\"\xc0\x80\"}", "INVALID_UTF8", "(byte 6)"},
		{"twice", `{"a":1,"a":2}`, "DUPLICATE_MEMBER", `"a" appears twice`},
		{"twice by escape", `{"a":1,"\u0061":2}`, "DUPLICATE_MEMBER", `"a" appears twice`},
		{
			"twice among many",
			`{"a0":0,"a1":0,"a2":0,"a3":0,"a4":0,"a5":0,"a6":0,"a7":0,"a8":0,"a9":0,"b0":0,"b1":0,"b2":0,` +
				`"b3":0,"b4":0,"b5":0,"b6":0,"b7":0,"a3":1}`, "DUPLICATE_MEMBER", `"a3"`,
		},
		{"deep", strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), "NESTED_TOO_DEEP", "deeper than 32"},
		{"many", `{"a":[` + strings.Repeat("1,", 400_000) + `1]}`, "TOO_MANY_VALUES", "more than 400000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := strict.Parse([]byte(tt.body))
			e, ok := errors.AsType[*kith.Error](err)
			if !ok || e.Kind != kith.Malformed || e.Code != tt.code || !strings.Contains(e.Detail, tt.detail) {
				t.Fatalf("got %v, want %s with %q", err, tt.code, tt.detail)
			}
		})
	}
}

func TestParseReadsEveryType(t *testing.T) {
	v, err := strict.Parse([]byte(` {"s":"a\u00e9\ud83d\ude00\n\/\"","n":-1.5e2,"i":25.0,"t":true,"f":false,"z":null,` +
		`"a":["x",1],"o":{"k":"v"}} `))
	expect.NoError(t, err)
	if got := v.String("s"); got != "aé😀\n/\"" {
		t.Errorf("s = %q", got)
	}
	if n, _ := v.Get("n"); n.Float() != -150 {
		t.Errorf("n = %v", n)
	}
	if v.Int("i") != 25 || !v.Bool("t") || v.Bool("f") {
		t.Errorf("i, t, f = %d, %v, %v", v.Int("i"), v.Bool("t"), v.Bool("f"))
	}
	if z, ok := v.Get("z"); !ok || z.Kind != strict.Null {
		t.Errorf("z = %v", z)
	}
	if got := v.Strings("a"); len(got) != 1 || got[0] != "x" {
		t.Errorf("a = %q", got)
	}
	if o, _ := v.Get("o"); o.String("k") != "v" {
		t.Errorf("o = %v", o)
	}
}

func TestIntTakesOnlyWholeNumbers(t *testing.T) {
	for text, want := range map[string]struct {
		n  int64
		ok bool
	}{
		"25": {25, true}, "25.0": {25, true}, "2.5e1": {25, true}, "-0": {0, true}, "9223372036854775807": {
			1<<63 - 1,
			true,
		},
		"25.5": {}, "1e300": {}, "1e999": {}, "9223372036854775808": {},
	} {
		n, ok := strict.Value{Kind: strict.Number, Text: text}.Integer()
		if n != want.n || ok != want.ok {
			t.Errorf("%s: got %d, %v", text, n, ok)
		}
	}
}

// Parse accepts the JSON that the standard library accepts, with the same values, and refuses what it refuses.
func TestParseAgreesWithStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.OneOf(validObject(), broken()).Draw(t, "body")
		v, err := strict.Parse([]byte(body))
		if !json.Valid([]byte(body)) {
			if err == nil {
				t.Fatalf("%q was accepted", body)
			}
			return
		}
		var want map[string]any
		if json.Unmarshal([]byte(body), &want) != nil || want == nil {
			return // no object, or a number that a float64 cannot hold
		}
		if err != nil {
			if e, ok := errors.AsType[*kith.Error](err); ok && e.Code != "INVALID_JSON" {
				return // refused for a reason besides syntax
			}
			t.Fatalf("%q: %v", body, err)
		}
		got, wanted := plain(v), any(want)
		if a, b := mustJSON(got), mustJSON(wanted); a != b {
			t.Fatalf("%q: got %s, want %s", body, a, b)
		}
	})
}

func validObject() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		m := rapid.MapOf(rapid.String(), value(3)).Draw(t, "object")
		return mustJSON(m)
	})
}

func value(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Int32().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.Bool().AsAny(),
		rapid.Just[any](nil),
	}
	if depth > 0 {
		leaves = append(leaves, rapid.SliceOfN(value(depth-1), 0, 4).AsAny(),
			rapid.MapOfN(rapid.String(), value(depth-1), 0, 4).AsAny())
	}
	return rapid.OneOf(leaves...)
}

// broken generates an object with a few bytes removed or inserted.
func broken() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		b := []byte(validObject().Draw(t, "whole"))
		at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		end := rapid.IntRange(at, min(len(b), at+3)).Draw(t, "end")
		put := rapid.SampledFrom([]string{"", ",", ":", `"`, "{", "}", "0", "-", "e", `\`, "null", " "}).Draw(t, "put")
		return string(b[:at]) + put + string(b[end:])
	})
}

func plain(v strict.Value) any {
	switch v.Kind {
	case strict.String:
		return v.Text
	case strict.Number:
		return v.Float()
	case strict.Bool:
		return v.True
	case strict.Array:
		out := []any{}
		for _, item := range v.Items {
			out = append(out, plain(item))
		}
		return out
	case strict.Object:
		out := map[string]any{}
		for _, m := range v.Members {
			out[m.Name] = plain(m.Value)
		}
		return out
	}
	return nil
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
