package postgres

import (
	"hash/fnv"
	"slices"
	"unicode/utf8"

	"kith/query/prompt"
)

// Near terms are found by what two spellings have in common: whoever leaves out
// the right letters of either comes to the same rest. Each term is kept with a
// key for every rest of a few of its letters, and a misspelling is looked up by
// its own keys. That finds every near term (and some others, which are then
// compared) without an extension of Postgres. It is the symmetric delete
// method of SymSpell (Wolf Garbe, 2012), here of the first letters of a short
// term and of both ends of a long one: thousands of schools begin alike.
const (
	// headLetters of a short term are looked at, the first of which is never
	// left out, since near terms share it.
	headLetters = 8
	// longTerm is the shortest term of which both ends are looked at instead: with
	// two edits anywhere they do not overlap.
	longTerm = 12
	// endLetters are looked at on either end.
	endLetters = 4
	// mostEdits is the most edits between near terms, and shortestNear the length
	// of the shortest term that has near ones.
	mostEdits    = 2
	shortestNear = 3
)

// shape is which letters of a term its keys are made of.
type shape byte

const (
	shapeHead shape = 'h'
	shapeEnds shape = 'e'
)

// spellingKeys are the keys that a term is kept under; none for a term that is
// too short to be near another.
func spellingKeys(term string) []int32 {
	letters := []rune(term)
	switch n := len(letters); {
	case n < shortestNear:
		return nil
	case n < 6:
		// Only terms of fewer than eight letters ask for it, with one edit.
		return keysOf(shapeHead, letters, 1)
	case n < longTerm:
		return keysOf(shapeHead, letters, mostEdits)
	}
	return keysOf(shapeEnds, letters, mostEdits)
}

// askedKeys are the keys that terms near the one asked for are found by.
func askedKeys(asked string) []int32 {
	letters, most := []rune(asked), prompt.MostEdits(asked)
	var keys []int32
	if len(letters)-most < longTerm {
		keys = keysOf(shapeHead, letters, most)
	}
	if len(letters)+most >= longTerm {
		keys = append(keys, keysOf(shapeEnds, letters, most)...)
	}
	return keys
}

// keysOf hashes every rest of the letters of a shape with at most so many left
// out, each once.
func keysOf(s shape, letters []rune, leave int) []int32 {
	head, tail := letters[:min(headLetters, len(letters))], []rune(nil)
	if s == shapeEnds {
		head, tail = letters[:endLetters], letters[len(letters)-endLetters:]
	}
	var keys []int32
	k := keyMaker{shape: s, head: head, tail: tail, rest: make([]byte, 0, 4*(headLetters+endLetters))}
	k.each(0, leave, func(key int32) { keys = append(keys, key) })
	slices.Sort(keys)
	return slices.Compact(keys)
}

// keyMaker walks through the rests of head and tail.
type keyMaker struct {
	shape      shape
	head, tail []rune
	rest       []byte
}

// each yields the key of every rest whose letters before the given one are
// settled, with at most so many of the others left out.
func (k *keyMaker) each(at, leave int, yield func(int32)) {
	if at == len(k.head)+len(k.tail) {
		h := fnv.New32a()
		_, _ = h.Write([]byte{byte(k.shape)}) // never fails: see hash.Hash
		_, _ = h.Write(k.rest)
		yield(int32(h.Sum32()))
		return
	}
	kept := len(k.rest)
	if at == len(k.head) {
		// The ends stay apart: what is left out of one is missing there.
		k.rest = append(k.rest, 0)
	}
	before := len(k.rest)
	k.rest = utf8.AppendRune(k.rest, k.letter(at))
	k.each(at+1, leave, yield)
	k.rest = k.rest[:before]
	if leave > 0 && at > 0 {
		k.each(at+1, leave-1, yield)
	}
	k.rest = k.rest[:kept]
}

func (k *keyMaker) letter(at int) rune {
	if at < len(k.head) {
		return k.head[at]
	}
	return k.tail[at-len(k.head)]
}
