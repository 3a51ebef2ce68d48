package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// read reads the rules of one file:
//
//	top Who Where
//	list Companies = Company
//	rule at_company
//		Where = AT Companies -> now($2)
//		? "at Stripe" = company: Stripe
//
// A symbol followed by ? is optional; (A|B) is a choice; !A at the end means that no A may follow;
// words in quotes are literal. A production without an expression combines the values of all parts.
func (g *Grammar) read(file, text string) error {
	name, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		indented := line[0] == '\t' || line[0] == ' '
		if err := g.line(&name, trimmed, indented); err != nil {
			return fmt.Errorf("grammar: %s:%d: %w", file, n, err)
		}
	}
	return nil
}

func (g *Grammar) line(name *string, line string, indented bool) error {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case indented && word == "?": // an example for the tests of the planner
	case indented:
		return g.production(*name, line)
	case word == "top":
		for _, s := range strings.Fields(rest) {
			g.Tops[g.Symbol(s)] = true
		}
	case word == "list":
		return g.list(rest)
	case word == "rule":
		*name = strings.TrimSpace(rest)
	default:
		return fmt.Errorf("a line must begin with top, list or rule, or be indented (got %q)", word)
	}
	return nil
}

// list adds the three productions of a list of alternatives: one entry, many, and "both".
func (g *Grammar) list(text string) error {
	many, one, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("a list must read list Many = One (got %q)", text)
	}
	many, one = strings.TrimSpace(many), strings.TrimSpace(one)
	name := "list_" + strings.ToLower(many)
	for _, production := range []string{
		many + " = " + one + " -> $1",
		many + " = " + many + " Join " + one + " -> union($1, $3)",
	} {
		if err := g.production(name, production); err != nil {
			return err
		}
	}
	return g.production("both_"+strings.ToLower(many), many+" = BOTH "+one+" Join "+one+" -> both($2, $4)")
}

// production parses "LHS = RHS -> expr" and adds a rule for each combination of optional symbols and choices.
func (g *Grammar) production(name, text string) error {
	if name == "" {
		return fmt.Errorf("a production must stand under a rule")
	}
	left, right, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("a production must read Category = symbols -> expression (got %q)", text)
	}
	body, expr, hasExpr := strings.Cut(right, "->")
	g.lines[name]++
	base := Rule{
		Name: name, ID: name + "." + strconv.Itoa(g.lines[name]), LHS: g.Symbol(strings.TrimSpace(left)), Not: None,
	}
	if hasExpr {
		e, rest, err := readExpr(expr)
		if err != nil || strings.TrimSpace(rest) != "" {
			return fmt.Errorf("the expression %q is not understood at %q", strings.TrimSpace(expr), rest)
		}
		base.Expr = e
	}
	g.expand(base, strings.Fields(body), 1)
	return nil
}

// expand adds the rules of a production; words are the symbols still to come.
func (g *Grammar) expand(r Rule, words []string, at int) {
	if len(words) == 0 {
		if len(r.RHS) > 0 {
			g.Rules = append(g.Rules, &r)
			g.ByFirst[r.RHS[0]] = append(g.ByFirst[r.RHS[0]], &r)
		}
		return
	}
	word := words[0]
	if not, ok := strings.CutPrefix(word, "!"); ok && len(words) == 1 {
		r.Not = g.Symbol(not)
		g.expand(r, nil, at)
		return
	}
	if optional, ok := strings.CutSuffix(word, "?"); ok {
		g.expand(r, words[1:], at+1)
		word = optional
	}
	for choice := range strings.SplitSeq(strings.Trim(word, "()"), "|") {
		next := r
		if literal, ok := strings.CutPrefix(choice, `"`); ok {
			choice = `"` + strings.TrimSuffix(literal, `"`)
		}
		next.RHS = append(append([]Symbol(nil), r.RHS...), g.Symbol(choice))
		next.At = append(append([]int(nil), r.At...), at)
		g.expand(next, words[1:], at+1)
	}
}

// readExpr parses one expression and returns the text after it.
func readExpr(text string) (Expr, string, error) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, `"`); ok {
		word, rest, closed := strings.Cut(rest, `"`)
		if !closed {
			return Expr{}, text, fmt.Errorf("a quotation must be closed")
		}
		return Expr{Word: word}, rest, nil
	}
	if rest, ok := strings.CutPrefix(text, "$"); ok {
		n, i := 0, 0
		for ; i < len(rest) && rest[i] >= '0' && rest[i] <= '9'; i++ {
			n = 10*n + int(rest[i]-'0')
		}
		if n == 0 {
			return Expr{}, text, fmt.Errorf("a reference must read $1")
		}
		return Expr{Part: n}, rest[i:], nil
	}
	i := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '+' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if i < 0 {
		i = len(text)
	}
	if i == 0 {
		return Expr{}, text, fmt.Errorf("a name must stand here")
	}
	name, rest := text[:i], strings.TrimSpace(text[i:])
	if !strings.HasPrefix(rest, "(") {
		return Expr{Word: name}, rest, nil
	}
	return readArgs(Expr{Call: name}, strings.TrimSpace(rest[1:]))
}

// readArgs parses the arguments of a call up to its closing bracket.
func readArgs(call Expr, rest string) (Expr, string, error) {
	for !strings.HasPrefix(rest, ")") {
		arg, after, err := readExpr(rest)
		if err != nil {
			return call, rest, err
		}
		call.Args = append(call.Args, arg)
		rest = strings.TrimSpace(after)
		if strings.HasPrefix(rest, ",") {
			rest = strings.TrimSpace(rest[1:])
		} else if !strings.HasPrefix(rest, ")") {
			return call, rest, fmt.Errorf("a comma or a bracket must stand here")
		}
	}
	return call, rest[1:], nil
}
