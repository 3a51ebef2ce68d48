package frame

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// kindCode is a kind with its code in the text form.
type kindCode struct {
	kind Kind
	code string
}

// kindCodes returns all kinds, in the order of messages.
func kindCodes() []kindCode {
	return []kindCode{
		{Title, "t"},
		{Function, "f"},
		{Level, "l"},
		{Lead, "L"},
		{Owner, "o"},
		{Company, "c"},
		{Industry, "i"},
		{Size, "z"},
		{Stage, "g"},
		{Founded, "F"},
		{Skill, "s"},
		{Topic, "k"},
		{School, "S"},
		{Degree, "d"},
		{Study, "D"},
		{Graduated, "G"},
		{Name, "n"},
		{Place, "p"},
		{Years, "y"},
		{When, "w"},
		{Judgement, "j"},
		{Unsupported, "u"},
		{Network, "N"},
		{Cue, "q"},
	}
}

// Kinds returns all kinds.
func Kinds() []Kind {
	out := make([]Kind, 0, len(kindCodes()))
	for _, k := range kindCodes() {
		out = append(out, k.kind)
	}
	return out
}

// Code returns the code of a kind in the text form, "" if it is none.
func (k Kind) Code() string {
	for _, c := range kindCodes() {
		if c.kind == k {
			return c.code
		}
	}
	return ""
}

// kindOf returns the kind with a code.
func kindOf(code string) (Kind, bool) {
	for _, c := range kindCodes() {
		if c.code == code {
			return c.kind, true
		}
	}
	return "", false
}

// attribute is one value of a member of Mark, with its code in the text form. A mark has at most one attribute of each
// member.
type attribute struct {
	member, code, value string
	kinds               string            // codes of the kinds that may have it
	get                 func(Mark) string // the value of the member; "" if it is not set
	set                 func(*Mark)
}

// member is a member of Mark that attributes set.
type member[T comparable] struct {
	name string
	of   func(*Mark) *T
}

// attribute returns the attribute that sets the member to a value.
func (m member[T]) attribute(code string, value T, kinds string) attribute {
	return attribute{
		member: m.name, code: code, value: fmt.Sprint(value), kinds: kinds,
		get: func(mark Mark) string {
			if v := *m.of(&mark); v != *new(T) {
				return fmt.Sprint(v)
			}
			return ""
		},
		set: func(mark *Mark) { *m.of(mark) = value },
	}
}

// The codes of the kinds that have an attribute.
const (
	ofJobs    = "tflLoczigF"
	ofNumbers = "yzFG"
	ofBounds  = ofNumbers + "wg" // since 2020, Series B and up
	ofSteps   = "tflLocizgFskSdDGnpywju"
	ofAll     = ofSteps + "Nq"
)

// attributes returns all attributes, in the order of the text form.
var attributes = sync.OnceValue(func() (list []attribute) {
	add := func(all ...attribute) { list = append(list, all...) }
	time := member[Time]{"time", func(m *Mark) *Time { return &m.Time }}
	side := member[Side]{"side", func(m *Mark) *Side { return &m.Side }}
	how := member[How]{"how", func(m *Mark) *How { return &m.How }}
	reach := member[Reach]{"reach", func(m *Mark) *Reach { return &m.Reach }}
	step := member[int]{"step", func(m *Mark) *int { return &m.Step }}
	bound := member[Bound]{"bound", func(m *Mark) *Bound { return &m.Bound }}
	event := member[Event]{"event", func(m *Mark) *Event { return &m.Event }}
	not := member[bool]{"not", func(m *Mark) *bool { return &m.Not }}
	join := member[Join]{"join", func(m *Mark) *Join { return &m.Join }}
	optional := member[bool]{"optional", func(m *Mark) *bool { return &m.Optional }}
	add(time.attribute("past", Past, ofJobs), time.attribute("any", Any, ofJobs),
		time.attribute("prev", Previous, ofJobs),
		side.attribute("co", CompanySide, "p"), side.attribute("any", AnySide, "p"),
		side.attribute("pc", EitherSide, "p"), side.attribute("ten", TenureSide, "y"),
		side.attribute("et", EitherSide, "y"))
	for _, h := range []How{
		Moved, Then, Promoted, Returned, First, Only, Stay, AtLeast, Count, Before, None, Become, Intro, Knows,
		WorkedWith, StudiedWith, Other,
	} {
		add(how.attribute(string(h), h, "q"))
	}
	for _, r := range []Reach{Known, FriendsOf, WholeNetwork} {
		add(reach.attribute(string(r), r, "N"))
	}
	for n := 1; n <= MaxStep; n++ {
		add(step.attribute("s"+strconv.Itoa(n), n, ofSteps))
	}
	add(bound.attribute("min", Min, ofBounds), bound.attribute("max", Max, ofBounds),
		bound.attribute("eq", Equal, ofNumbers), bound.attribute("abt", About, ofNumbers),
		bound.attribute("last", Last, ofNumbers+"w"), bound.attribute("adj", Word, "z"))
	for _, e := range []Event{Left, Joined, Became, Held} {
		add(event.attribute(string(e), e, "w"))
	}
	add(not.attribute("not", true, ofAll), join.attribute("or", Or, ofAll), join.attribute("both", Both, ofSteps),
		optional.attribute("?", true, ofAll))
	return list
})

// Tag returns the kind and the attributes of a mark as the text form writes them: c.past.or.
func (m Mark) Tag() string {
	var b strings.Builder
	b.WriteString(m.Kind.Code())
	for _, a := range attributes() {
		if a.get(m) == a.value && strings.Contains(a.kinds, m.Kind.Code()) {
			b.WriteString("." + a.code)
		}
	}
	return b.String()
}

// attributeCodes lists the codes of the attributes that a kind may have.
func attributeCodes(k Kind) (codes []string) {
	for _, a := range attributes() {
		if strings.Contains(a.kinds, k.Code()) && !slices.Contains(codes, a.code) {
			codes = append(codes, a.code)
		}
	}
	return codes
}

// attributeOf returns the attribute of a kind with a code.
func attributeOf(k Kind, code string) (attribute, bool) {
	for _, a := range attributes() {
		if a.code == code && strings.Contains(a.kinds, k.Code()) {
			return a, true
		}
	}
	return attribute{}, false
}
