package planner

import (
	"maps"
	"slices"

	"kith/query/prompt"
)

// nearlyAsLikely is the maximum difference in score between the best reading and an alternative.
const nearlyAsLikely = 0.5

// alternatives returns other readings that score nearly as well as the best, ask for something
// else, and can be sent as filters.
func (d *derivations) alternatives(best prompt.Plan) (out []prompt.Alternative) {
	seen := []prompt.Plan{best}
	for i := 1; i < len(d.best) && len(out) < prompt.MaxAlternatives; i++ {
		if d.best[0].score-d.best[i].score > nearlyAsLikely {
			break
		}
		plan := d.plan(i, prompt.Auto)
		if !isSendable(plan) || slices.ContainsFunc(seen, func(s prompt.Plan) bool { return findsTheSame(s, plan) }) {
			continue
		}
		seen = append(seen, plan)
		a := prompt.Alternative{Filters: plan.Values(), Network: plan.Network, Says: plan.Values().Text()}
		if plan.Network != nil {
			a.Says += "; " + plan.Network.String()
		}
		out = append(out, a)
	}
	return out
}

// isSendable reports whether filters and a network express the whole plan.
func isSendable(p prompt.Plan) bool {
	return len(p.Filters) > 0 && len(p.Conditions)+len(p.Steps)+len(p.Relations)+len(p.Criteria) == 0
}

// findsTheSame reports whether two plans find the same people, judging by filters, network and number of conditions.
func findsTheSame(a, b prompt.Plan) bool {
	network := func(p prompt.Plan) string {
		if p.Network == nil {
			return ""
		}
		return p.Network.String()
	}
	return maps.Equal(a.Values(), b.Values()) && network(a) == network(b) && len(a.Conditions) == len(b.Conditions)
}
