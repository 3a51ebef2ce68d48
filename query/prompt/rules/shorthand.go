package rules

import (
	"slices"
	"strings"

	"kith/query/prompt"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// maxSpelled bounds the ways to write a prompt's shorthand out that are compared.
const maxSpelled = 24

// spellOut reads a prompt once more with words that are written short (proj mgr,
// elec eng) written out, in each way that they can be, and keeps the reading that
// explains it best, where that is better than as it stands. It does so only where
// some word means nothing as it is, or is written in capitals.
func (r *Rules) spellOut(read *reading, known []prompt.Known) {
	tokens := read.lattice.Tokens
	full := make([][]string, len(tokens))
	needed := slices.ContainsFunc(read.spans, meaningless)
	for i, t := range tokens {
		full[i] = r.inFull(read, t)
		needed = needed || len(full[i]) > 0 && t.Shout()
	}
	if !needed {
		return
	}
	ways := [][]token.Token{tokens}
	for i := range tokens {
		if len(ways)*(len(full[i])+1) <= maxSpelled {
			ways = append(ways, spelled(ways, i, full[i])...)
		}
	}
	best := read.score + correctionGain
	for _, way := range ways[1:] {
		lattice := segment.New(r.lex, way)
		lattice.Learn(known)
		if spans, score := lattice.Best(); score > best {
			best = score
			read.lattice, read.spans, read.score = lattice, spans, score
		}
	}
}

// spelled are ways to write a prompt with its word i written out.
func spelled(ways [][]token.Token, i int, full []string) (more [][]token.Token) {
	for _, w := range full {
		for _, way := range ways {
			other := slices.Clone(way)
			other[i].Norm = w
			more = append(more, other)
		}
	}
	return more
}

// inFull is what a word may stand for, unless the directory knows it, or it is quoted or behind
// the dot of an abbreviation: P.Eng.
func (r *Rules) inFull(read *reading, t token.Token) []string {
	if t.Kind != token.Word || t.Quote != 0 || t.Possessive || strings.HasPrefix(t.Text, ".") {
		return nil
	}
	for _, terms := range read.known {
		if _, ok := terms[t.Norm]; ok {
			return nil
		}
	}
	if t.Shout() {
		return r.lex.InFull(t.Text)
	}
	return r.lex.InFull(t.Norm)
}
