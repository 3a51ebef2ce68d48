package rules

import (
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// scope is what the words read so far say of those that follow.
type scope struct {
	// when is which jobs are meant; verb is true where it holds for a whole
	// phrase ("used to work at"), not only for the next word ("ex-").
	when when
	verb bool
	// spent is true where a company of that phrase has been named.
	spent bool
	// gone is true where nobody may be there any more.
	gone bool
	// not is true after a negation, up to the end of the list that follows; notGroup is the
	// group of that list, "" until its first entry is read.
	not      bool
	notGroup segment.Group
	// prep is the last preposition, and prepAt the reading behind it.
	prep   cue.Cue
	prepAt int
	// verbs is the verb that a year or a time span belongs to: joined, founded,
	// studied.
	verbs cue.Cue
	// both is true after "both".
	both bool
	// last is the fact that was added last, -1 at the start; lastAt is the token
	// behind what it was made of.
	last, lastAt int
}

// beginPhrase begins a phrase about other jobs than the current one, which goes on to its
// employer. Past jobs are over.
func (s *scope) beginPhrase(of when) { s.when, s.gone, s.verb, s.spent = of, of == past, true, false }

// endScope goes back to the current job.
func (s *scope) endScope() { s.when, s.gone, s.verb, s.spent = current, false, false, false }

// beginNot begins a negation of the list that follows, whatever group that is of.
func (s *scope) beginNot() { s.not, s.notGroup = true, "" }

// endNot ends a negation.
func (s *scope) endNot() { s.not, s.notGroup = false, "" }
