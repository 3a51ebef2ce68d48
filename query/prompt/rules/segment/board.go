package segment

import (
	"kith/query/prompt/lexicon"
)

// furthestSeat is how many words may stand between the verb and the board.
const furthestSeat = 5

// isSeat reports whether "board" is that of a company, on which somebody sits: who sit on
// two mining boards, now on a charity board, with board experience; but no circuit board,
// and nobody who reports to the board.
func (l *Lattice) isSeat(from, to int) bool {
	if w := l.Tokens[to-1].Norm; to != from+1 || w != "board" && w != "boards" {
		return false
	}
	if to < len(l.Tokens) && l.joined(from, to+1) && (lexicon.IsExperience(l.Tokens[to].Norm) || l.Tokens[to].Norm == "exposure") {
		return true
	}
	if l.ofBoard(from, to) {
		return true
	}
	for on := from - 1; on > 0 && on >= from-furthestSeat && l.joined(on, from+1); on-- {
		if l.Tokens[on].Norm == "on" {
			return sits(l.Tokens[on-1].Norm)
		}
	}
	return false
}

// ofBoard reports whether a company is named whose board it is: the board of Acme, Acme's board.
func (l *Lattice) ofBoard(from, to int) bool {
	if from > 0 && l.Tokens[from-1].Possessive && l.Tokens[from-1].Capital() {
		return true
	}
	return to+1 < len(l.Tokens) && l.Tokens[to].Norm == "of" && l.joined(from, to+2) && l.letters.mixed && l.Tokens[to+1].Capital()
}

// isChair reports whether "chair" is somebody who chairs what stands behind: chairs of charities.
func (l *Lattice) isChair(from, to int) bool {
	w := l.Tokens[from].Norm
	return to == from+1 && (w == "chair" || w == "chairs") && to < len(l.Tokens) && l.joined(from, to+1) && (l.Tokens[to].Norm == "of" || l.Tokens[to].Norm == "at")
}

// sits reports whether a word before "on" says that somebody has a seat there.
func sits(w string) bool {
	switch w {
	case "sit", "sits", "sitting", "sat", "serve", "serves", "serving", "served", "seat", "seats", "is", "are", "be", "been", "was", "were", "now", "currently", "also", "role", "roles", "position", "positions", "member", "members", "chair", "chairs":
		return true
	}
	return false
}
