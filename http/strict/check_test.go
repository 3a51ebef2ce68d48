package strict_test

import (
	"fmt"
	"strings"
	"testing"

	"kith/http/strict"
	"kith/internal/test/expect"
)

func shape() *strict.Schema {
	entry := &strict.Schema{Kinds: strict.String | strict.Integer | strict.Object, MinLength: 1, Fields: []strict.Field{
		{Name: "id", Required: true, Schema: &strict.Schema{Kinds: strict.String}},
		{Name: "score", Schema: &strict.Schema{Kinds: strict.Number, Min: new(0.0), Max: new(10.0)}},
	}}
	list := &strict.Schema{Kinds: strict.Array, MinItems: 1, MaxItems: 3, Items: entry}
	return &strict.Schema{Kinds: strict.Object, Fields: []strict.Field{
		{Name: "prompt", Schema: &strict.Schema{Kinds: strict.String, MinLength: 1, MaxLength: 5, Lines: true}},
		{Name: "limit", Schema: &strict.Schema{Kinds: strict.Integer, Min: new(1.0), Max: new(100.0)}},
		{Name: "mode", Schema: &strict.Schema{Kinds: strict.String, Enum: []string{"auto", "simple"}}},
		{Name: "stream", Schema: &strict.Schema{Kinds: strict.Bool}},
		{Name: "companySize", Schema: &strict.Schema{Kinds: strict.String}},
		{Name: "people", Schema: list},
		{Name: "one", Schema: &strict.Schema{
			Kinds: strict.Object, OneMember: true,
			Fields: []strict.Field{{Name: "a", Schema: list}, {Name: "b", Schema: list}},
		}},
		{Name: "maybe", Schema: &strict.Schema{Kinds: strict.String | strict.Null}},
		{Name: "age", Schema: &strict.Schema{Kinds: strict.Number, Min: new(0.0)}},
		{Name: "id", Schema: &strict.Schema{
			Kinds: strict.Integer | strict.String, Digits: true, Min: new(1.0), Max: new(9007199254740991.0),
		}},
		{Name: "debt", Schema: &strict.Schema{Kinds: strict.Number, Max: new(0.0)}},
	}}
}

func TestCheckTruncatesLongArrays(t *testing.T) {
	v, err := strict.Parse([]byte(`{"people":["a","b","c","d"],"one":{"a":["e","f","g","h","i"]}}`))
	expect.NoError(t, err)
	shape().Check(&v)
	one, _ := v.Get("one")
	if a, b := len(v.Strings("people")), len(one.Strings("a")); a != 3 || b != 3 {
		t.Errorf("%d and %d elements remain, want 3 and 3", a, b)
	}
}

func TestCheckReportsProblems(t *testing.T) {
	tests := []struct {
		body string
		want []string // field CODE message
	}{
		{`{}`, nil},
		{
			`{"prompt":"a\tb\n","limit":25.0,"mode":"auto","stream":false,"people":["x",7,` +
				`{"id":"y","score":1.5}],"maybe":null}`,
			nil,
		},
		{`{"prompt":""}`, []string{"prompt TOO_SHORT must have at least 1 character"}},
		{`{"prompt":"éééééé"}`, []string{"prompt TOO_LONG must have at most 5 characters (got 6)"}},
		{`{"prompt":"a\u0000"}`, []string{"prompt INVALID_CHARACTER must not have control characters; found U+0000 " +
			"at byte 1"}},
		{`{"companySize":"a\nb"}`, []string{"companySize INVALID_CHARACTER must not have control characters; found " +
			"U+000A at byte 1"}},
		{`{"limit":"25"}`, []string{"limit INVALID_TYPE must be an integer, not a string"}},
		{`{"limit":25.5}`, []string{"limit INVALID_TYPE must be an integer (got 25.5)"}},
		{`{"limit":0}`, []string{"limit OUT_OF_RANGE must be between 1 and 100 (got 0)"}},
		{`{"limit":1e300}`, []string{"limit OUT_OF_RANGE must be an integer of at most 64 bits, written in digits"}},
		{`{"limit":null}`, []string{"limit INVALID_TYPE must be an integer, not null; leave the member out instead"}},
		{`{"age":-1,"debt":1}`, []string{
			"age OUT_OF_RANGE must be at least 0 (got -1)", "debt OUT_OF_RANGE must be at most 0 (got 1)",
		}},
		{`{"id":7}`, nil},
		{`{"id":"7"}`, nil},
		{`{"id":"07"}`, []string{`id INVALID_ID must be an id, as a number or as its digits in a string (got "07")`}},
		{`{"id":""}`, []string{`id INVALID_ID must be an id, as a number or as its digits in a string (got "")`}},
		{`{"id":"0"}`, []string{"id OUT_OF_RANGE must be between 1 and 9007199254740991 (got 0)"}},
		{`{"id":true}`, []string{"id INVALID_TYPE must be a string or an integer, not true or false"}},
		{`{"age":1e999}`, []string{"age OUT_OF_RANGE must be a number within the range of a double"}},
		{`{"mode":"Auto"}`, []string{`mode UNKNOWN_VALUE must be auto or simple, not "Auto"; did you mean "auto"?`}},
		{`{"mode":"x"}`, []string{`mode UNKNOWN_VALUE must be auto or simple, not "x"`}},
		{`{"mode":true}`, []string{"mode INVALID_TYPE must be a string (auto or simple), not true or false"}},
		{`{"stream":"true"}`, []string{"stream INVALID_TYPE must be true or false, not a string"}},
		{
			`{"company_size":"1"}`,
			[]string{`company_size UNKNOWN_FIELD is not a known member; did you mean "companySize"?`},
		},
		{`{"people":[]}`, []string{"people TOO_FEW_ITEMS must have at least 1 element"}},
		{`{"people":["a","b","c","d"]}`, []string{"people TOO_MANY_ITEMS must have at most 3 elements (got 4)"}},
		{`{"people":["",true,{"score":11,"ID":1}]}`, []string{
			"people[0] TOO_SHORT must have at least 1 character",
			"people[1] INVALID_TYPE must be a string, an integer or an object, not true or false",
			"people[2].score OUT_OF_RANGE must be between 0 and 10 (got 11)",
			`people[2].ID UNKNOWN_FIELD is not a known member; did you mean "id"?`,
			"people[2].id REQUIRED must be given: a string",
		}},
		{`{"one":{"a":["x"],"b":["y"]}}`, []string{"one INVALID_VALUE must have exactly one of the members a or b"}},
		{`{"people":[null,{"id":null,"score":null}]}`, []string{
			"people[0] INVALID_TYPE must be a string, an integer or an object, not null",
			"people[1].id INVALID_TYPE must be a string, not null",
			"people[1].score INVALID_TYPE must be a number, not null; leave the member out instead",
		}},
		{`{"one":{"a":null}}`, []string{"one.a INVALID_TYPE must be an array, not null"}},
		{`{"one":{"a":[false]}}`, []string{
			"one.a[0] INVALID_TYPE must be a string, an integer or an object, not true or false",
		}},
		{`{"zzzzzzzzzz":1,"limit":"x"}`, []string{
			"zzzzzzzzzz UNKNOWN_FIELD is not a known member; use one of prompt, limit, mode, stream, companySize, " +
				"people, one, maybe, age, id, debt",
			"limit INVALID_TYPE must be an integer, not a string",
		}},
		{`{"":1}`, []string{
			`"" UNKNOWN_FIELD is not a known member; use one of prompt, limit, mode, stream, companySize, people, ` +
				"one, maybe, age, id, debt",
		}},
		{`{"one":{"a":["x"],"":1}}`, []string{
			`one."" UNKNOWN_FIELD is not a known member; use one of a, b`,
			"one INVALID_VALUE must have exactly one of the members a or b",
		}},
	}
	for _, tt := range tests {
		v, err := strict.Parse([]byte(tt.body))
		if err != nil {
			t.Fatalf("%s: %v", tt.body, err)
		}
		var got []string
		for _, p := range shape().Check(&v) {
			got = append(got, p.Field+" "+p.Code+" "+p.Message)
		}
		if a, b := strings.Join(got, "\n"), strings.Join(tt.want, "\n"); a != b {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.body, a, b)
		}
	}
}

func TestCheckLimitsItsProblems(t *testing.T) {
	v, err := strict.Parse([]byte(`{"x":[` + strings.Repeat("1,", 5000) + `1]}`))
	expect.NoError(t, err)
	s := &strict.Schema{Kinds: strict.Object, Fields: []strict.Field{
		{Name: "x", Schema: &strict.Schema{Kinds: strict.Array, Items: &strict.Schema{Kinds: strict.String}}},
	}}
	if got := len(s.Check(&v)); got != strict.MaxProblems {
		t.Errorf("%d problems were listed", got)
	}
}

// Once the list of problems is full, the check stops: to suggest a name for each of many unknown members would
// take minutes.
func TestCheckStopsWhenItsListIsFull(t *testing.T) {
	made := func(members int) float64 {
		var body strings.Builder
		for i := range members {
			fmt.Fprintf(&body, `,"m%d":1`, i)
		}
		v, err := strict.Parse([]byte("{" + body.String()[1:] + "}"))
		expect.NoError(t, err)
		return testing.AllocsPerRun(1, func() { shape().Check(&v) })
	}
	if few, many := made(2*strict.MaxProblems), made(200*strict.MaxProblems); many > 2*few {
		t.Errorf("%v allocations for many unknown members, %v for few", many, few)
	}
}
