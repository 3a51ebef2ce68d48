package planner

import (
	"testing"

	"kith/query/prompt/grammar"
)

func TestRulesCallKnownConstructors(t *testing.T) {
	p := read()
	var check func(rule string, x grammar.Expr)
	check = func(rule string, x grammar.Expr) {
		if x.Call != "" && p.constructors[x.Call] == nil {
			t.Errorf("rule %s calls the constructor %s, which does not exist", rule, x.Call)
		}
		for _, arg := range x.Args {
			check(rule, arg)
		}
	}
	for _, r := range p.grammar.Rules {
		check(r.Name, r.Expr)
	}
}
