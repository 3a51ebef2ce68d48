package rules

import (
	"cmp"
	"context"
	"slices"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// Trace is how a prompt was read, before a plan was made of it: for who wants to
// know why a plan is as it is. Its details may change with every version.
type Trace struct {
	Tokens []TracedToken `json:"tokens"`
	// Spans are all words and runs of words that can mean something.
	Spans []TracedSpan `json:"spans"`
	// Chosen are the readings that explain the prompt best together, in order;
	// Score is how well they do.
	Chosen []Reading `json:"chosen"`
	Score  float64   `json:"score"`
}

// TracedToken is a word of the prompt.
type TracedToken struct {
	Text string `json:"text"`
	// Span is where it stands, in code points.
	Span [2]int `json:"span"`
	// Reads is the folded word that is looked up. It differs from the folded text
	// where the word was taken for a misspelling.
	Reads string `json:"reads"`
}

// TracedSpan is a span and what it can mean, the likeliest first.
type TracedSpan struct {
	Text     string    `json:"text"`
	Span     [2]int    `json:"span"`
	Readings []Reading `json:"readings"`
}

// Origin says where a reading comes from.
type Origin string

// The origins.
const (
	OfLexicon   Origin = "lexicon"   // the embedded lists
	OfDirectory Origin = "directory" // the vocabulary of the directory
	OfGrammar   Origin = "grammar"   // words that say how the others belong together
	OfForm      Origin = "form"      // numbers, addresses
	OfContext   Origin = "context"   // only where the words stand, and how they are written
)

// Reading is one thing that a span can mean.
type Reading struct {
	Text string       `json:"text"`
	Span [2]int       `json:"span"`
	Type lexicon.Type `json:"type"`
	// Name says which of the type: "backend_engineer", or the term of the directory.
	Name string `json:"name,omitempty"`
	// Values are what a filter of it asks for, as far as it is one by itself.
	Values []string `json:"values,omitempty"`
	Origin Origin   `json:"origin"`
	// People is how many people of the directory have the term; Distance by how
	// many edits it differs from what was written.
	People   int     `json:"people,omitempty"`
	Distance int     `json:"distance,omitempty"`
	Score    float64 `json:"score"`
}

// Trace reads a prompt as [Rules.Plan] does, and tells how. Its error is the
// vocabulary's.
func (r *Rules) Trace(ctx context.Context, text string) (Trace, error) {
	read, err := r.read(ctx, text)
	if err != nil {
		return Trace{}, err
	}
	out := Trace{Score: read.score, Chosen: []Reading{}}
	for _, t := range read.lattice.Tokens {
		out.Tokens = append(out.Tokens, TracedToken{Text: t.Text, Span: [2]int{t.From, t.To}, Reads: t.Norm})
	}
	for _, spans := range read.lattice.From {
		out.Spans = append(out.Spans, read.traced(spans)...)
	}
	for _, s := range read.spans {
		out.Chosen = append(out.Chosen, read.reading(s))
	}
	return out, nil
}

// traced groups readings that begin at one token by where they end.
func (r *reading) traced(spans []segment.Span) []TracedSpan {
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(a, b segment.Span) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Type, b.Type))
	})
	var out []TracedSpan
	for _, s := range spans {
		reading := r.reading(s)
		if n := len(out); n > 0 && out[n-1].Span == reading.Span {
			out[n-1].Readings = append(out[n-1].Readings, reading)
			continue
		}
		out = append(out, TracedSpan{Text: reading.Text, Span: reading.Span, Readings: []Reading{reading}})
	}
	return out
}

func (r *reading) reading(s segment.Span) Reading {
	tokens := r.lattice.Tokens
	out := Reading{
		Text: segment.Text(r.runes, tokens, s.From, s.To), Span: [2]int{tokens[s.From].From, tokens[s.To-1].To},
		Type: s.Type, Name: s.Sense.Name, Values: s.Sense.Values, Origin: r.origin(s), Score: s.Score,
	}
	switch {
	case s.Known.Term != "":
		out.Name, out.People, out.Distance = s.Known.Term, s.Known.People, s.Known.Distance
	case s.Type == segment.Quantity:
		out.Name = s.Quantity.Range()
	case s.Sense.Place != nil && out.Name == "":
		out.Name = s.Sense.Place.Name
	}
	return out
}

// origin says where a reading comes from.
func (r *reading) origin(s segment.Span) Origin {
	switch {
	case s.Known.Term != "", s.Type == segment.Name && r.knowsName(s):
		return OfDirectory
	case s.Type == lexicon.Cue:
		return OfGrammar
	case s.Type == segment.Quantity, s.Type == segment.Address:
		return OfForm
	case s.Type == segment.Name, s.Type == segment.Named, s.Type == segment.Unknown:
		return OfContext
	}
	return OfLexicon
}

// knowsName reports whether the directory has someone with a word of a name.
func (r *reading) knowsName(s segment.Span) bool {
	for _, t := range r.lattice.Tokens[s.From:s.To] {
		if r.known[prompt.FirstName][t.Norm]+r.known[prompt.LastName][t.Norm] > 0 || len(r.near[t.Norm]) > 0 {
			return true
		}
	}
	return false
}
