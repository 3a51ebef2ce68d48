package planner

import (
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
)

// numbers marks the numbers of quantities, with their bounds. Words for a quantity without any are marked whole.
func (w *framer) numbers(kind frame.Kind, spans [][2]int, as frame.Mark) {
	for _, s := range spans {
		runs := w.numbersIn(s[0], s[1])
		as.Bound = frame.Word
		if q := w.quantityAt(s); q != nil {
			as.Bound = boundOf(*q, kind, len(runs))
		}
		if len(runs) == 0 {
			runs = [][2]int{s}
		}
		for i, r := range runs[:min(2, len(runs))] {
			if i == 1 {
				as.Bound = frame.Max
			}
			w.mark(kind, [][2]int{r}, as)
		}
	}
}

// quantityAt returns the quantity that words were read as, nil if there is none.
func (w *framer) quantityAt(span [2]int) *quantity.Quantity {
	for _, l := range w.reader.leaves[span[0]] {
		if l.to == span[1] && len(l.value) == 1 && l.value[0].number != nil {
			return l.value[0].number
		}
	}
	return nil
}

// boundOf returns the bound of the first number of a quantity that is written with so many numbers.
func boundOf(q quantity.Quantity, kind frame.Kind, numbers int) frame.Bound {
	if q.Kind == quantity.Ago {
		return frame.Last
	}
	switch q.Op {
	case quantity.AtLeast, quantity.More:
		return frame.Min
	case quantity.AtMost, quantity.Less:
		return frame.Max
	case quantity.Between:
		switch {
		case numbers > 1:
			return frame.Min
		case q.Kind != quantity.Date: // a decade is exact
			return frame.About
		}
	case quantity.Equal:
		if kind == frame.Years && q.Open {
			return frame.Min
		}
	}
	return frame.Equal
}

// numbersIn returns the runs of words within a span that are numbers.
func (w *framer) numbersIn(from, to int) (out [][2]int) {
	for i := from; i < to; i++ {
		tokens := []token.Token{w.text.words[i].Token}
		if english := w.reader.language.Says[w.text.norm(i)]; english != "" {
			tokens[0].Text, tokens[0].Norm = english, english
		}
		q, n := quantity.Read(tokens)
		isNumber := w.text.words[i].Kind == token.Number || n > 0 && q.A > 0
		if w.text.words[i].mark != "" || !isNumber {
			continue
		}
		if len(out) > 0 && out[len(out)-1][1] == i && w.text.words[i].Kind != token.Number {
			out[len(out)-1][1] = i + 1
			continue
		}
		out = append(out, [2]int{i, i + 1})
	}
	return out
}
