package tagger

import (
	"math"
	"slices"
	"strings"

	"kith/query/prompt/frame"
)

// Reading is what the model says about a prompt. It never changes and is safe for concurrent use.
type Reading struct {
	tagger *Tagger
	words  []Word
	// read is the number of words that the model has read.
	read    int
	scores  []float32
	lattice *lattice
}

// Words returns the words of the prompt.
func (r *Reading) Words() []Word { return slices.Clone(r.words) }

// Kinds returns the probabilities of a word to be in a mark of each kind; the kind "" is none. It is nil for a word
// that the model has not read.
func (r *Reading) Kinds(word int) map[frame.Kind]float64 {
	if word >= r.read {
		return nil
	}
	p := map[frame.Kind]float64{"": r.lattice.probability(word, 0)}
	for _, kind := range frame.Kinds() {
		if k, ok := r.tagger.kinds[kind.Code()]; ok {
			p[kind] = r.lattice.probability(word, k.begin) + r.lattice.probability(word, k.inside)
		}
	}
	return p
}

// Marks returns the marks of the most probable reading, in the order of the prompt. They make a valid frame.
func (r *Reading) Marks() []frame.Mark {
	if r.read == 0 {
		return nil
	}
	var marks []frame.Mark
	tags := r.lattice.best()
	for from := 0; from < len(tags); {
		tag := r.tagger.model.Tags[tags[from]]
		to := from + 1
		for to < len(tags) && r.tagger.model.Tags[tags[to]][0] == 'I' {
			to++
		}
		if tag[0] == 'B' {
			marks = append(marks, r.mark(tag[1:], from, to, len(marks) == 0))
		}
		from = to
	}
	return marks
}

// mark chooses the attributes of a mark. The first mark joins none.
func (r *Reading) mark(kind string, from, to int, isFirst bool) frame.Mark {
	text := kind
	for _, a := range r.tagger.kinds[kind].attributes {
		scores := r.valueLogP(a, from, to)
		best := 0
		for i := range scores {
			if scores[i] > scores[best] && (a.Name != "join" || !isFirst) {
				best = i
			}
		}
		if a.Values[best] != "" {
			text += "." + a.Values[best]
		}
	}
	m, err := frame.ParseTag(text)
	if err != nil {
		panic("tagger: the model has a kind or an attribute that frames do not know: " + err.Error())
	}
	m.From, m.To = r.words[from].From, r.words[to-1].To
	return m
}

// LogP returns the logarithm of the probability of a mark, whatever the other words are: -Inf if the model knows no
// such mark, and 0 for words that it has not read.
func (r *Reading) LogP(m frame.Mark) float64 {
	from, to := r.wordRange(m)
	if from == to {
		return 0
	}
	k, ok := r.tagger.kinds[m.Kind.Code()]
	if !ok {
		return math.Inf(-1)
	}
	return r.lattice.span(from, to, k.begin, k.inside) + r.attributesLogP(m, k, from, to)
}

// Score returns the logarithm of the probability that these are the marks of the prompt and that all other words ask
// for nothing: -Inf if two marks have a word in common. Marks must be in the order of the prompt.
func (r *Reading) Score(marks []frame.Mark) float64 {
	if r.read == 0 {
		return 0
	}
	tags, sum, end := make([]int, r.read), 0.0, 0
	for _, m := range marks {
		from, to := r.wordRange(m)
		k, ok := r.tagger.kinds[m.Kind.Code()]
		if !ok || from < end {
			return math.Inf(-1)
		}
		for w := from; w < to; w++ {
			tags[w] = k.inside
		}
		if from < to {
			tags[from] = k.begin
			sum += r.attributesLogP(m, k, from, to)
		}
		end = to
	}
	return sum + r.lattice.path(tags)
}

// wordRange returns the words of a mark that the model has read.
func (r *Reading) wordRange(m frame.Mark) (from, to int) {
	read := r.words[:r.read]
	from = len(read)
	for i, w := range read {
		if w.To > m.From && w.From < m.To {
			from, to = min(from, i), i+1
		}
	}
	return from, max(from, to)
}

// attributesLogP is the logarithm of the probability of the attributes of a mark.
func (r *Reading) attributesLogP(m frame.Mark, k kind, from, to int) float64 {
	codes, sum := strings.Split(m.Tag(), ".")[1:], 0.0
	for _, a := range k.attributes {
		value := slices.IndexFunc(a.Values, func(v string) bool { return slices.Contains(codes, v) })
		if value < 0 {
			value = slices.Index(a.Values, "")
		}
		if value < 0 {
			return math.Inf(-1)
		}
		sum += r.valueLogP(a, from, to)[value]
	}
	return sum
}

// valueLogP returns the logarithms of the probabilities of the values of an attribute: words vote with their mean.
func (r *Reading) valueLogP(a attribute, from, to int) []float64 {
	outputs := r.tagger.model.outputs()
	out, sum := make([]float64, len(a.Values)), 0.0
	for i := range out {
		for w := from; w < to; w++ {
			out[i] += float64(r.scores[w*outputs+a.at+i]) / float64(to-from)
		}
	}
	most := slices.Max(out)
	for _, s := range out {
		sum += math.Exp(s - most)
	}
	for i := range out {
		out[i] -= most + math.Log(sum)
	}
	return out
}
