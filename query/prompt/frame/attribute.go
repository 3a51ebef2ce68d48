package frame

import (
	"slices"
	"strconv"
	"strings"
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

// property is a member of Mark that attributes set. A mark has at most one attribute of each.
type property int

// The properties, in the order of the text form.
const (
	propTime property = iota
	propSide
	propHow
	propReach
	propStep
	propBound
	propEvent
	propNot
	propJoin
	propOptional
)

// attribute is one value of a property, with its code in the text form.
type attribute struct {
	property property
	code     string
	value    string
	kinds    string // codes of the kinds that may have it
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
func attributes() []attribute {
	list := []attribute{
		{propTime, "past", string(Past), ofJobs},
		{propTime, "any", string(Any), ofJobs},
		{propTime, "prev", string(Previous), ofJobs},
		{propSide, "co", string(CompanySide), "p"},
		{propSide, "any", string(AnySide), "p"},
		{propSide, "pc", string(EitherSide), "p"},
		{propSide, "ten", string(TenureSide), "y"},
		{propSide, "et", string(EitherSide), "y"},
	}
	for _, h := range []How{
		Moved, Then, Promoted, Returned, First, Only, Stay, AtLeast, Count, Before, None, Become, Intro, Knows,
		WorkedWith, StudiedWith, Other,
	} {
		list = append(list, attribute{propHow, string(h), string(h), "q"})
	}
	for _, r := range []Reach{Known, FriendsOf, WholeNetwork} {
		list = append(list, attribute{propReach, string(r), string(r), "N"})
	}
	for n := 1; n <= MaxStep; n++ {
		list = append(list, attribute{propStep, "s" + strconv.Itoa(n), strconv.Itoa(n), ofSteps})
	}
	list = append(list, []attribute{
		{propBound, "min", string(Min), ofBounds},
		{propBound, "max", string(Max), ofBounds},
		{propBound, "eq", string(Equal), ofNumbers},
		{propBound, "abt", string(About), ofNumbers},
		{propBound, "last", string(Last), ofNumbers + "w"},
		{propBound, "adj", string(Word), "z"},
	}...)
	for _, e := range []Event{Left, Joined, Became, Held} {
		list = append(list, attribute{propEvent, string(e), string(e), "w"})
	}
	return append(list,
		attribute{propNot, "not", "true", ofAll}, attribute{propJoin, "or", string(Or), ofAll},
		attribute{propJoin, "both", string(Both), ofSteps}, attribute{propOptional, "?", "true", ofAll})
}

// get returns the value of a property, "" if it is not set.
func (m Mark) get(p property) string {
	flag := func(is bool) string {
		if is {
			return "true"
		}
		return ""
	}
	switch p {
	case propTime:
		return string(m.Time)
	case propSide:
		return string(m.Side)
	case propHow:
		return string(m.How)
	case propReach:
		return string(m.Reach)
	case propStep:
		if m.Step == 0 {
			return ""
		}
		return strconv.Itoa(m.Step)
	case propBound:
		return string(m.Bound)
	case propEvent:
		return string(m.Event)
	case propNot:
		return flag(m.Not)
	case propJoin:
		return string(m.Join)
	case propOptional:
		return flag(m.Optional)
	}
	return ""
}

// set sets a property to the value of an attribute.
func (m *Mark) set(a attribute) {
	switch a.property {
	case propTime:
		m.Time = Time(a.value)
	case propSide:
		m.Side = Side(a.value)
	case propHow:
		m.How = How(a.value)
	case propReach:
		m.Reach = Reach(a.value)
	case propStep:
		m.Step, _ = strconv.Atoi(a.value)
	case propBound:
		m.Bound = Bound(a.value)
	case propEvent:
		m.Event = Event(a.value)
	case propNot:
		m.Not = true
	case propJoin:
		m.Join = Join(a.value)
	case propOptional:
		m.Optional = true
	}
}

// Tag returns the kind and the attributes of a mark as the text form writes them: c.past.or.
func (m Mark) Tag() string {
	var b strings.Builder
	b.WriteString(m.Kind.Code())
	for _, a := range attributes() {
		if m.get(a.property) == a.value && strings.Contains(a.kinds, m.Kind.Code()) {
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
