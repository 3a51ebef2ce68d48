package record

import (
	"hash/fnv"
	"slices"
	"unicode/utf8"

	"kith/query/prompt"
)

// Near terms are found by what two spellings have in common: leaving out the right letters of each gives the same rest.
// Each term is stored with a key for every rest after leaving out a few letters, and a misspelling is looked up by its
// own keys. That finds every near term (and some others, which a comparison then rejects) without a Postgres extension.
// It is the symmetric delete method of SymSpell (Wolf Garbe, 2012), applied to the first letters of a short term and to
// both ends of a long one, because thousands of schools begin alike.
const (
	// headLetters is how many letters at the start of a short term are used. The first one is never left out, because
	// near terms share it.
	headLetters = 8
	// longTerm is the length from which on both ends are used instead: with two edits anywhere they do not overlap.
	longTerm = 12
	// endLetters is how many letters at each end are used.
	endLetters = 4
	// mostEdits is the most edits between near terms, and shortestNear the length of the shortest term with near ones.
	mostEdits    = 2
	shortestNear = 3
)

// shape says which letters of a term form its keys.
type shape byte

const (
	shapeHead shape = 'h'
	shapeEnds shape = 'e'
)

// spellingKeys returns the keys that a term is stored under; none for a term too short to be near another.
func spellingKeys(term string) []int32 {
	letters := []rune(term)
	switch n := len(letters); {
	case n < shortestNear:
		return nil
	case n < 6:
		// Only terms of fewer than eight letters look for it, with one edit.
		return hashRests(shapeHead, letters, 1)
	case n < longTerm:
		return hashRests(shapeHead, letters, mostEdits)
	}
	return hashRests(shapeEnds, letters, mostEdits)
}

// askedKeys returns the keys that find terms near the given one.
func askedKeys(asked string) []int32 {
	letters, most := []rune(asked), prompt.MostEdits(asked)
	var keys []int32
	if len(letters)-most < longTerm {
		keys = hashRests(shapeHead, letters, most)
	}
	if len(letters)+most >= longTerm {
		keys = append(keys, hashRests(shapeEnds, letters, most)...)
	}
	return keys
}

// hashRests hashes every rest of a shape's letters with at most leave left out, each once.
func hashRests(s shape, letters []rune, leave int) []int32 {
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

// keyMaker enumerates the rests of head and tail.
type keyMaker struct {
	shape      shape
	head, tail []rune
	rest       []byte
}

// each yields the key of every rest whose letters before position at are decided, with at most leave of the others left
// out.
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
		// Separate the ends, so that letters left out of one are missing there.
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
