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

// None is the absence of a symbol.
const None Symbol = -1

// Rule builds a phrase of one category from a sequence of symbols.
type Rule struct {
	// Name identifies the rule in traces and coverage reports. ID identifies its production in
	// features: the name, a dot and the production's number within the rule, from 1.
	Name, ID string
	LHS      Symbol
	RHS      []Symbol
	// Not is a category that must not begin right after the phrase, or None.
	Not Symbol
	// Expr computes the phrase's value from those of its parts.
	Expr Expr
	// At has, for each symbol of RHS, its position in the rule as written, from 1: the target of
	// $n. Absent optional symbols leave gaps.
	At []int
}

// Expr is a call of a constructor, a reference to a part of the rule, or a word.
type Expr struct {
	// Call is the constructor, "" if the expression is not a call.
	Call string
	Args []Expr
	// Part is the n of $n, 0 if the expression is not a reference.
	Part int
	// Word is any other argument, such as the name of a filter.
	Word string
}

// Grammar holds classes and rules. It is read-only after [Grammar.Close].
type Grammar struct {
	// Rules are in file order; ByFirst groups them by their first symbol.
	Rules   []*Rule
	ByFirst map[Symbol][]*Rule
	// Classes are the word classes of phrases of folded words.
	Classes Classes
	// Languages are keyed by code, such as de; en is English.
	Languages map[string]*Language
	// Tops are the top-level categories, of which a prompt consists.
	Tops map[Symbol]bool
	// Corners are, for each symbol, the symbols that can begin a phrase of it; TopCorners combine those of all
	// Tops. Beginners are the inverse of Corners: for each symbol, the symbols whose phrases it can begin.
	Corners    []Set
	TopCorners Set
	Beginners  []Set

	symbols map[string]Symbol
	names   []string
	lines   map[string]int // number of productions of each rule
}

// Load reads the embedded grammar. It panics if that is invalid.
func Load() *Grammar {
	g, err := load(data)
	if err != nil {
		panic(err)
	}
	return g
}

// load reads a grammar. Errors name the file and line.
func load(files fs.FS) (*Grammar, error) {
	g := &Grammar{
		ByFirst: map[Symbol][]*Rule{}, Classes: Classes{}, Tops: map[Symbol]bool{},
		symbols: map[string]Symbol{}, lines: map[string]int{}, Languages: map[string]*Language{},
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
		for heading, pattern := range phrase.Patterns(string(text)) {
			g.Classes.add(pattern, g.Symbol(strings.ToUpper(heading)))
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

// Symbol returns the symbol of a name, and creates it if needed. Names of literal words begin with a quotation mark.
func (g *Grammar) Symbol(name string) Symbol {
	if s, ok := g.symbols[name]; ok {
		return s
	}
	s := Symbol(len(g.names))
	g.symbols[name] = s
	g.names = append(g.names, name)
	return s
}

// Literal returns the symbol of a word that a rule names in quotes.
func (g *Grammar) Literal(word string) (Symbol, bool) {
	s, ok := g.symbols[`"`+word]
	return s, ok
}

// Name returns the name of a symbol.
func (g *Grammar) Name(s Symbol) string { return g.names[s] }

// Len returns the number of symbols.
func (g *Grammar) Len() int { return len(g.names) }

// Close computes Corners, TopCorners and Beginners. Add no symbols after it.
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
