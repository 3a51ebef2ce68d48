package query

import (
	"slices"
	"strconv"
)

// Equal reports whether two queries have the same structure, part by part. It does not detect
// equivalent queries of different structure.
func Equal(a, b Query) bool { return a.equal(b) }

func (a All) equal(b Query) bool    { return a == b }
func (a None) equal(b Query) bool   { return a == b }
func (a Term) equal(b Query) bool   { return a == b }
func (a Exists) equal(b Query) bool { return a == b }

func (a And) equal(q Query) bool {
	b, is := q.(And)
	return is && slices.EqualFunc(a.Parts, b.Parts, Equal)
}

func (a Or) equal(q Query) bool {
	b, is := q.(Or)
	return is && slices.EqualFunc(a.Parts, b.Parts, Equal)
}

func (a Not) equal(q Query) bool {
	b, is := q.(Not)
	return is && Equal(a.Part, b.Part)
}

func (a Nested) equal(q Query) bool {
	b, is := q.(Nested)
	return is && a.Path == b.Path && Equal(a.Part, b.Part)
}

func (a Terms) equal(q Query) bool {
	b, is := q.(Terms)
	return is && a.Field == b.Field && slices.Equal(a.Values, b.Values)
}

func (a AllWords) equal(q Query) bool {
	b, is := q.(AllWords)
	return is && a.Field == b.Field && slices.Equal(a.Words, b.Words)
}

func (a Phrase) equal(q Query) bool {
	b, is := q.(Phrase)
	return is && a.Field == b.Field && a.AnyOrder == b.AnyOrder && slices.Equal(a.Words, b.Words)
}

func (a Range) equal(q Query) bool {
	b, is := q.(Range)
	return is && a.Field == b.Field && sameBound(a.Min, b.Min) && sameBound(a.Max, b.Max)
}

func (a IDs) equal(q Query) bool {
	b, is := q.(IDs)
	return is && slices.Equal(a.Values, b.Values)
}

func (a Timeline) equal(q Query) bool {
	b, is := q.(Timeline)
	return is && key(a) == key(b)
}

func sameBound(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// fewParts is the largest number of queries to compare pairwise, which is cheaper than building keys.
const fewParts = 16

// set is a set of queries under [Equal].
type set struct {
	all  []Query
	keys map[string]bool // nil for a small set
}

// newSet returns a set for at most n queries.
func newSet(n int) *set {
	s := &set{all: make([]Query, 0, n)}
	if n > fewParts {
		s.keys = make(map[string]bool, n)
	}
	return s
}

// setOf returns a set of the queries. It keeps the slice.
func setOf(all []Query) *set {
	if len(all) <= fewParts {
		return &set{all: all}
	}
	s := newSet(len(all))
	for _, q := range all {
		s.add(q)
	}
	return s
}

func (s *set) add(q Query) {
	s.all = append(s.all, q)
	if s.keys != nil {
		s.keys[key(q)] = true
	}
}

func (s *set) has(q Query) bool {
	if s.keys != nil {
		return s.keys[key(q)]
	}
	return slices.ContainsFunc(s.all, func(p Query) bool { return Equal(p, q) })
}

func key(q Query) string { return string(AppendKey(nil, q)) }

// AppendKey appends bytes that are the same for two queries if and only if they are [Equal].
func AppendKey(k []byte, q Query) []byte {
	switch q := q.(type) {
	case All:
		return append(k, '1')
	case None:
		return append(k, '0')
	case And:
		return appendKeys(append(k, '&'), q.Parts)
	case Or:
		return appendKeys(append(k, '|'), q.Parts)
	case Not:
		return AppendKey(append(k, '!'), q.Part)
	case Term:
		return appendText(appendText(append(k, 't'), string(q.Field)), q.Value)
	case Terms:
		return appendTexts(append(k, 'T'), q.Field, q.Values)
	case AllWords:
		return appendTexts(append(k, 'w'), q.Field, q.Words)
	case Phrase:
		return appendTexts(append(k, phraseLetter(q)), q.Field, q.Words)
	case Range:
		return appendBound(appendBound(appendText(append(k, 'r'), string(q.Field)), q.Min), q.Max)
	case Exists:
		return appendText(append(k, 'e'), string(q.Field))
	case Nested:
		return AppendKey(appendText(append(k, 'n'), string(q.Path)), q.Part)
	case IDs:
		return appendIDs(append(k, 'i'), q.Values)
	case Timeline:
		return appendTimeline(append(k, 'c'), q)
	}
	return k
}

// phraseLetter returns the key letter of a phrase: P with AnyOrder, else p.
func phraseLetter(p Phrase) byte {
	if p.AnyOrder {
		return 'P'
	}
	return 'p'
}

func appendIDs(k []byte, ids []int64) []byte {
	k = strconv.AppendInt(k, int64(len(ids)), 10)
	for _, id := range ids {
		k = strconv.AppendInt(append(k, ','), id, 10)
	}
	return append(k, ';')
}

func appendTimeline(k []byte, t Timeline) []byte {
	k = appendNumbers(k, int64(t.Of), int64(len(t.Steps)), int64(t.least()), t.Today, int64(len(t.Counts)))
	for _, s := range t.Steps {
		k = appendSpell(appendNumbers(k, int64(s.Order), int64(s.Employer)), s.Spell)
		k = appendBound(appendBound(k, s.Gap.Min), s.Gap.Max)
	}
	for _, c := range t.Counts {
		k = appendBound(appendBound(appendSpell(k, c.Spell), c.Min), c.Max)
	}
	if t.Every != nil {
		k = appendSpell(k, *t.Every)
	}
	return k
}

func appendSpell(k []byte, s Spell) []byte {
	k = appendBound(appendBound(appendNumbers(k, int64(s.Status)), s.Months.Min), s.Months.Max)
	return AppendKey(strconv.AppendBool(k, s.First), s.where())
}

func appendNumbers(k []byte, numbers ...int64) []byte {
	for _, n := range numbers {
		k = append(strconv.AppendInt(k, n, 10), ';')
	}
	return k
}

func appendKeys(k []byte, parts []Query) []byte {
	k = append(strconv.AppendInt(k, int64(len(parts)), 10), ':')
	for _, p := range parts {
		k = AppendKey(k, p)
	}
	return k
}

func appendTexts(k []byte, f Field, values []string) []byte {
	k = append(strconv.AppendInt(appendText(k, string(f)), int64(len(values)), 10), ':')
	for _, v := range values {
		k = appendText(k, v)
	}
	return k
}

// appendText writes the length first, so that keys are unambiguous.
func appendText(k []byte, s string) []byte {
	return append(append(strconv.AppendInt(k, int64(len(s)), 10), ':'), s...)
}

func appendBound(k []byte, v *int64) []byte {
	if v == nil {
		return append(k, '-', ';')
	}
	return append(strconv.AppendInt(append(k, '='), *v, 10), ';')
}
