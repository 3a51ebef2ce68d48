package planner

import (
	"math"
	"slices"
	"strings"

	"kith/query/prompt/frame"
)

// Tags are what a tagger says about the words of a prompt.
type Tags struct {
	Words []Tagged
	// Marks are the most probable ones.
	Marks []frame.Mark
}

// Tagged has the probabilities of a word, in bytes of the prompt, to be in a mark of a kind; the kind "" is none.
type Tagged struct {
	From, To int
	P        map[frame.Kind]float64
}

// leastTag bounds the logarithm of a probability.
const leastTag = -7

// tag adds the features of a tagger to the readings of words, and the marks that no table knows as readings.
func (r *reader) tag(tags *Tags) {
	whole := frame.Frame{Prompt: string(r.text.runes)}
	r.alignTags(tags, whole.Prompt)
	kindsOf := leafRows().tags
	for _, m := range tags.Marks {
		span := codePoints(whole, m)
		if from, to := r.text.wordsIn(span[0], span[1]); from < to {
			r.tagLeaf(m.Kind, from, to)
		}
	}
	for _, leaves := range r.leaves {
		for _, l := range leaves {
			id, kinds := featTagClass, kindsOf[l.name]
			if kinds != nil {
				id = featTagLeaf
			}
			l.feats = append(slices.Clip(l.feats), feature{id, r.logTag(l.from, l.to, kinds)})
		}
	}
}

// alignTags finds the probabilities of each word of the prompt.
func (r *reader) alignTags(tags *Tags, text string) {
	r.tags = make([]map[frame.Kind]float64, len(r.text.words))
	at := 0
	starts := make([]int, 0, len(r.text.runes)+1) // bytes of code points
	for i := range text {
		starts = append(starts, i)
	}
	starts = append(starts, len(text))
	for i, w := range r.text.words {
		for at < len(tags.Words) && tags.Words[at].To <= starts[w.From] {
			at++
		}
		if at < len(tags.Words) && tags.Words[at].From < starts[w.To] {
			r.tags[i] = tags.Words[at].P
		}
	}
}

// logTag returns the sum, over words, of the logarithm of the probability that they are of one of the kinds; without
// any, that they are no content.
func (r *reader) logTag(from, to int, kinds []frame.Kind) (sum float64) {
	if kinds == nil {
		kinds = []frame.Kind{"", frame.Cue, frame.Network, frame.Unsupported, frame.Judgement}
	}
	for i := from; i < to; i++ {
		if r.tags[i] == nil || r.text.words[i].mark != "" {
			continue
		}
		p := 0.0
		for _, k := range kinds {
			p += r.tags[i][k]
		}
		sum += max(math.Log(p), leastTag)
	}
	return sum
}

// logNothing is the logarithm of the probability that words ask for nothing.
func (r *reader) logNothing(from, to int) float64 {
	if r.tags == nil {
		return 0
	}
	return r.logTag(from, to, []frame.Kind{""})
}

// tagLeaf adds the words of a mark as a reading of its kind, unless there is one.
func (r *reader) tagLeaf(kind frame.Kind, from, to int) {
	name := wordingOf(kind).tagged
	ok := name != "-"
	for _, l := range r.leaves[from] {
		known := !strings.HasPrefix(l.name, "Unknown") && slices.Contains(leafRows().tags[l.name], kind)
		ok = ok && (l.to != to || !known)
	}
	if !ok || !hasLetter(r.text.wording(from, to)) {
		return
	}
	l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to}
	f := fact{
		name: wordingOf(kind).filter, values: []string{alternative(r.text.wording(from, to))},
		spans: [][2]int{{from, to}},
	}
	switch kind {
	case frame.Title:
		s := r.title(r.text.norms(from, to), from, to)
		f.name, f.values = s.Filter, s.Values
	case frame.Company, frame.School, frame.Name, frame.Place:
		f.nobody = true
	}
	l.value = value{f}
	l.feats = append(r.shape(name, from, to), feature{featTagOnly, 1})
	r.add(l)
}
