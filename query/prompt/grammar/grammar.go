// Package grammar reads the grammar of prompts from data: word classes, and rules that combine
// leaves and phrases into phrases. It contains no words and no meanings: the data files name
// both, and package planner supplies the constructors.
package grammar

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"kith/query/prompt/phrase"
)

//go:embed data
var data embed.FS

// Symbol is a category of leaves or phrases, a word class, or a literal word.
type Symbol int

// None is the symbol of nothing.
const None Symbol = -1

// Rule builds a phrase of one category from a sequence of symbols.
type Rule struct {
	// Name identifies the rule in traces and coverage reports, ID its production
	// in features: the name, a dot and the number of the line, from 1.
	Name, ID string
	LHS      Symbol
	RHS      []Symbol
	// Not is a category that must not begin right after the phrase, or None.
	Not Symbol
	// Expr makes the phrase's value of those of its parts.
	Expr Expr
	// At is for each symbol of RHS its position in the rule as written, from 1:
	// what $n refers to. Optional symbols that are absent leave gaps.
	At []int
}

// Expr is a call of a constructor, a reference to a part of the rule, or a word.
type Expr struct {
	// Call is the constructor, "" where the expression is no call.
	Call string
	Args []Expr
	// Part is the n of $n, 0 where the expression is no reference.
	Part int
	// Word is any other argument, such as the name of a filter.
	Word string
}

// Example is a prompt with the plan that its rule must give it.
type Example struct {
	Rule, Prompt, Plan string
}

// Grammar holds classes and rules. It is read-only after [Load].
type Grammar struct {
	// Rules are in the order of the files; ByFirst groups them by the first symbol.
	Rules   []*Rule
	ByFirst map[Symbol][]*Rule
	// Classes are the word classes of a phrase of folded words.
	Classes map[string][]Symbol
	// Languages are by code, such as de; en is English.
	Languages map[string]*Language
	// Tops are the categories that a prompt is made of.
	Tops     map[Symbol]bool
	Examples []Example
	// Corners are, for each symbol, the categories that a phrase of it can begin
	// with; TopCorners are those of all Tops. Beginners are, for each symbol, the
	// categories of which a phrase can begin with it.
	Corners    []Set
	TopCorners Set
	Beginners  []Set

	symbols map[string]Symbol
	names   []string
	lines   map[string]int // productions of each rule
}

// MaxWords is the most words of a phrase in a class.
const MaxWords = 8

// Load reads the embedded grammar. An error names the file and line.
func Load() (*Grammar, error) { return load(data) }

func load(files fs.FS) (*Grammar, error) {
	g := &Grammar{
		ByFirst: map[Symbol][]*Rule{}, Classes: map[string][]Symbol{}, Tops: map[Symbol]bool{}, symbols: map[string]Symbol{},
		lines: map[string]int{}, Languages: map[string]*Language{},
	}
	classes, err := fs.Glob(files, "data/*.classes")
	if err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	for _, name := range classes {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("grammar: %w", err)
		}
		if code := strings.TrimSuffix(path.Base(name), ".classes"); len(code) == len("en") {
			g.Languages[code] = g.language(code, string(text))
			continue
		}
		for class, words := range phrase.Table(string(text)) {
			g.AddClass(class, words)
		}
	}
	rules, err := fs.Glob(files, "data/*.rules")
	if err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	for _, name := range rules {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("grammar: %w", err)
		}
		if err := g.read(name, string(text)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// AddClass puts a phrase of folded words into a class.
func (g *Grammar) AddClass(class, words string) {
	s := g.Symbol(strings.ToUpper(class))
	for _, known := range g.Classes[words] {
		if known == s {
			return
		}
	}
	g.Classes[words] = append(g.Classes[words], s)
}

// Symbol returns the symbol of a name, a new one where there is none yet.
// Literal words have a quotation mark before them.
func (g *Grammar) Symbol(name string) Symbol {
	if s, ok := g.symbols[name]; ok {
		return s
	}
	s := Symbol(len(g.names))
	g.symbols[name] = s
	g.names = append(g.names, name)
	return s
}

// Literal returns the symbol of a word that some rule names in quotes.
func (g *Grammar) Literal(word string) (Symbol, bool) {
	s, ok := g.symbols[`"`+word]
	return s, ok
}

// Name returns the name of a symbol.
func (g *Grammar) Name(s Symbol) string { return g.names[s] }

// Len returns how many symbols there are.
func (g *Grammar) Len() int { return len(g.names) }

// Close computes Corners, TopCorners and Beginners; no symbol may be added after it.
func (g *Grammar) Close() {
	n := len(g.names)
	g.Corners, g.TopCorners, g.Beginners = make([]Set, n), g.NewSet(), make([]Set, n)
	for s := range g.Corners {
		g.Corners[s], g.Beginners[s] = g.NewSet(), g.NewSet()
		g.Corners[s].Add(Symbol(s))
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			for _, corners := range g.Corners {
				if corners.Has(r.LHS) && !corners.Has(r.RHS[0]) {
					corners.Add(r.RHS[0])
					changed = true
				}
			}
		}
	}
	for top := range g.Tops {
		g.TopCorners.AddAll(g.Corners[top])
	}
	for s, corners := range g.Corners {
		for corner := range n {
			if corners.Has(Symbol(corner)) {
				g.Beginners[corner].Add(Symbol(s))
			}
		}
	}
}

// Set is a set of symbols of one grammar.
type Set []uint64

// NewSet makes an empty set.
func (g *Grammar) NewSet() Set { return make(Set, len(g.names)/64+1) }

// Has reports whether a symbol is in the set.
func (s Set) Has(sym Symbol) bool { return s[sym/64]&(1<<(sym%64)) != 0 }

// Add adds a symbol.
func (s Set) Add(sym Symbol) { s[sym/64] |= 1 << (sym % 64) }

// AddAll adds the symbols of another set.
func (s Set) AddAll(other Set) {
	for i, bits := range other {
		s[i] |= bits
	}
}
