package query_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"kith/query"
)

func TestParseFilter(t *testing.T) {
	word := func(s string) query.Alternative { return query.Alternative{Text: s} }
	phrase := func(s string) query.Alternative { return query.Alternative{Text: s, Phrase: true} }
	not := func(a query.Alternative) query.Alternative { a.Excluded = true; return a }
	must := func(a query.Alternative) query.Alternative { a.Required = true; return a }
	whole := func(a query.Alternative) query.Alternative { a.Whole = true; return a }
	for _, tt := range []struct {
		value string
		want  []query.Alternative
	}{
		{"=engineer, = b", []query.Alternative{whole(word("engineer")), whole(word("b"))}},
		{`="VP, Sales", -=a, +="b c"`, []query.Alternative{
			whole(phrase("VP, Sales")), not(whole(word("a"))), must(whole(phrase("b c"))),
		}},
		{`=-a, ==b, "=c", a=b`, []query.Alternative{whole(word("-a")), whole(word("=b")), phrase("=c"), word("a=b")}},
		{"+engineer", []query.Alternative{must(word("engineer"))}},
		{`+"head of sales", -a, b`, []query.Alternative{must(phrase("head of sales")), not(word("a")), word("b")}},
		{"+ a, +b", []query.Alternative{must(word("a")), must(word("b"))}},
		{"+-a, -+b", []query.Alternative{must(word("-a")), not(word("+b"))}},
		{`"+a", a+b, 10+`, []query.Alternative{phrase("+a"), word("a+b"), word("10+")}},
		{"engineer", []query.Alternative{word("engineer")}},
		{"  engineer  ", []query.Alternative{word("engineer")}},
		{"a,b", []query.Alternative{word("a"), word("b")}},
		{"a , b ", []query.Alternative{word("a"), word("b")}},
		{"head of sales", []query.Alternative{word("head of sales")}},
		{`"head of sales"`, []query.Alternative{phrase("head of sales")}},
		{`"Paris, Texas"`, []query.Alternative{phrase("Paris, Texas")}},
		{`"Paris, Texas", London`, []query.Alternative{phrase("Paris, Texas"), word("London")}},
		{"-engineer", []query.Alternative{not(word("engineer"))}},
		{`-"head of sales"`, []query.Alternative{not(phrase("head of sales"))}},
		{`- "head of sales"`, []query.Alternative{not(phrase("head of sales"))}},
		{"a, -b", []query.Alternative{word("a"), not(word("b"))}},
		{"50-200", []query.Alternative{word("50-200")}},
		{"-50-200", []query.Alternative{not(word("50-200"))}},
		{`"-a"`, []query.Alternative{phrase("-a")}},
		{`"say \"hi\""`, []query.Alternative{phrase(`say "hi"`)}},
		{`"a\\b"`, []query.Alternative{phrase(`a\b`)}},
		{`"a\b"`, []query.Alternative{phrase(`a\b`)}},
		{`a\b`, []query.Alternative{word(`a\b`)}},
		{"C++, C#", []query.Alternative{word("C++"), word("C#")}},
		{"日本, München", []query.Alternative{word("日本"), word("München")}},
	} {
		got, err := query.ParseFilter(tt.value)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("ParseFilter(%q) = %+v, %v; want %+v", tt.value, got, err, tt.want)
		}
	}
}

func TestParseFilterErrors(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  error
	}{
		{"", query.ErrFilterEmpty},
		{" \t ", query.ErrFilterEmpty},
		{",", query.ErrFilterMisspelt},
		{"a,", query.ErrFilterMisspelt},
		{",a", query.ErrFilterMisspelt},
		{"a,,b", query.ErrFilterMisspelt},
		{"-", query.ErrFilterMisspelt},
		{"a,-", query.ErrFilterMisspelt},
		{"+", query.ErrFilterMisspelt},
		{"+,a", query.ErrFilterMisspelt},
		{`+""`, query.ErrFilterMisspelt},
		{"=", query.ErrFilterMisspelt},
		{"-=", query.ErrFilterMisspelt},
		{"a, =, b", query.ErrFilterMisspelt},
		{`=""`, query.ErrFilterMisspelt},
		{`"`, query.ErrFilterMisspelt},
		{`""`, query.ErrFilterMisspelt},
		{`"a`, query.ErrFilterMisspelt},
		{`a"`, query.ErrFilterMisspelt},
		{`a "b" c`, query.ErrFilterMisspelt},
		{`"a" b`, query.ErrFilterMisspelt},
		{`"a\"`, query.ErrFilterMisspelt},
		{"a\x00b", query.ErrFilterMisspelt},
		{"a\nb", query.ErrFilterMisspelt},
		{"a\xffb", query.ErrFilterMisspelt},
		{strings.Repeat("x", query.MaxFilterLength+1), query.ErrFilterTooLong},
		{strings.Repeat("x,", query.MaxAlternatives) + "x", query.ErrFilterTooMany},
	} {
		if got, err := query.ParseFilter(tt.value); !errors.Is(err, tt.want) {
			t.Errorf("ParseFilter(%.20q) = %v, %v; want %v", tt.value, got, err, tt.want)
		}
	}
	if _, err := query.ParseFilter(strings.Repeat("é", query.MaxFilterLength)); err != nil {
		t.Errorf("the longest value was refused: %v", err)
	}
	if _, err := query.ParseFilter(strings.Repeat("x,", query.MaxAlternatives-1) + "x"); err != nil {
		t.Errorf("the most alternatives were refused: %v", err)
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{
		"a", `"a, b", -c`, `-"x\"y"`, ",", `"`, "-", `"\\"`, "\x00", "-- a", `-"-"`, "+a, +-b",
		`+"+"`, "=a, -=b", `="="`, "==",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		alts, err := query.ParseFilter(value)
		if err != nil {
			return
		}
		parts := make([]string, len(alts))
		for i, a := range alts {
			if strings.TrimSpace(a.Text) == "" {
				t.Fatalf("%q has an empty alternative", value)
			}
			parts[i] = a.String()
		}
		written := strings.Join(parts, ", ")
		if len([]rune(written)) > query.MaxFilterLength {
			return
		}
		again, err := query.ParseFilter(written)
		if err != nil {
			t.Fatalf("%q was written as %q: %v", value, written, err)
		}
		for i := range alts {
			want := alts[i]
			want.Phrase = again[i].Phrase // a text that needs quotes gets them
			if again[i] != want {
				t.Fatalf("%q was written as %q, which is %+v", value, written, again)
			}
		}
	})
}
