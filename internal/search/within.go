package search

import (
	"context"
	"fmt"
	"slices"

	"kith"
	"kith/internal/network"
	"kith/query/prompt"
)

// askNetwork decides what the plan asks of the caller's network. A request that itself sets where to search takes
// precedence. If the prompt then asks for nothing else, no one matches, rather than everyone.
func (j *job) askNetwork(plan *prompt.Plan) error {
	n := plan.Network
	if n == nil {
		return nil
	}
	if err := checkNetwork(plan); err != nil {
		return err
	}
	said := j.saidWhere()
	if said == "" {
		j.within = n
		return nil
	}
	j.note(true, "%q is not applied, since the request sets %s", n.Text, said)
	rest := *plan
	rest.Network = nil
	narrowed := j.list != nil || j.walk.Network != nil && n.IntroducersOf == nil
	if saysNothing(rest) && len(j.walk.Filters) == 0 && !narrowed {
		plan.Nothing = true
	}
	return nil
}

// checkNetwork checks what a plan asks of the network.
func checkNetwork(plan *prompt.Plan) error {
	n := plan.Network
	if of := n.IntroducersOf; of != nil && (*of < 0 || *of >= len(plan.Steps)) {
		return planInvalid(fmt.Sprintf("introducers of step %d of %d", *of, len(plan.Steps)), nil)
	}
	if slices.ContainsFunc(n.Degrees, func(d int) bool { return d != 1 && d != 2 }) || len(n.Degrees) == 0 {
		return planInvalid(fmt.Sprintf("degrees %v", n.Degrees), nil)
	}
	if l := n.LastContact; l != nil {
		if _, err := lastContactOf(l.After, l.Before, l.Channel); err != nil {
			return planInvalid(fmt.Sprintf("a last contact: %v", err), nil)
		}
	}
	return nil
}

// saidWhere returns the member of the request that sets where to search; "" if the prompt decides.
func (j *job) saidWhere() string {
	switch {
	case j.walk.Network != nil:
		return "network_filters"
	case j.walk.Scope != "" || j.list != nil:
		return "scope"
	}
	return ""
}

// note adds a note if when is true.
func (j *job) note(when bool, format string, args ...any) {
	if when {
		j.notes = append(j.notes, fmt.Sprintf(format, args...))
	}
}

// networkFilter returns the part of the network that the search asks for; some is false if a step found no one.
func (j *job) networkFilter(steps []step) (f network.Filter, some bool) {
	n := j.within
	switch {
	case n == nil:
		return j.walk.Network.filter(), true
	case !j.introducing():
		f.Degrees = n.Degrees
		if l := n.LastContact; l != nil {
			f.LastContact, _ = lastContactOf(l.After, l.Before, l.Channel)
		}
		if !slices.Contains(n.Degrees, 2) {
			order := orderIn(n)
			f.ByStrength, f.ByLastContact = order == prompt.ByStrength, order == prompt.ByLastContact
		}
		return f, true
	case j.planned.Nothing || len(steps[*n.IntroducersOf].people) == 0:
		return f, false
	}
	return network.Filter{Introducing: idsOf(steps[*n.IntroducersOf].people)}, true
}

// orderIn returns the order that a prompt asks for. By default, a last contact since some day puts the latest first;
// one before some day puts the strongest relationships first, because most people have no contact at all.
func orderIn(n *prompt.Network) prompt.NetworkOrder {
	switch {
	case n.Order != "" || n.LastContact == nil:
		return n.Order
	case n.LastContact.After != "":
		return prompt.ByLastContact
	}
	return prompt.ByStrength
}

// noNetwork notes that the caller has no network, if the prompt asks for it.
func (j *job) noNetwork() {
	j.note(j.within != nil, "this search has no user and therefore no network, so no one matches")
}

// tellNetwork adds notes on surprising outcomes of the network.
func (j *job) tellNetwork(ctx context.Context, actor kith.Actor, steps []step) error {
	if err := j.tellContacts(ctx, actor); err != nil {
		return err
	}
	if j.within == nil || j.circle != nil && !j.introducing() {
		return nil
	}
	known, err := j.known(ctx, actor)
	if err != nil {
		return err
	}
	if known.Size() == 0 {
		j.note(true, "you have no relationships yet, so no one matches; import some with POST /v2/user/relationships")
		return nil
	}
	if j.filter.LastContact.Asked && !j.introducing() {
		j.note(true, "none of the people you know was last in contact with you then, so no one matches")
		return nil
	}
	if !j.introducing() {
		j.note(true, "none of the people you know is known to know anyone else, so no one matches")
		return nil
	}
	to := steps[*j.within.IntroducersOf]
	j.note(j.circle == nil, "none of the people you know is known to know %s, so no one matches", to.Says)
	j.noteKnown(known, to.people)
	return nil
}

// tellContacts notes that no contacts of the caller are stored, if the search asks for contacts.
func (j *job) tellContacts(ctx context.Context, actor kith.Actor) error {
	if !j.filter.LastContact.Asked && !j.filter.ByLastContact {
		return nil
	}
	has, err := j.svc.cfg.Network.HasContacts(ctx, actor)
	j.note(err == nil && !has, "no contacts of yours are stored, so you are known to have been in contact with nobody; "+
		"import messages, mail or calendars")
	return err
}

// known returns the people the caller knows.
func (j *job) known(ctx context.Context, actor kith.Actor) (*network.Circle, error) {
	return j.svc.cfg.Network.Now(ctx, actor, network.Filter{Degrees: []int{1}})
}

// noteKnown notes which of the people the caller knows.
func (j *job) noteKnown(known *network.Circle, people []member) {
	direct := bound{members: slices.DeleteFunc(slices.Clone(people), func(m member) bool { return !known.Contains(m.id) })}
	j.note(len(direct.members) > 0, "you know %s yourself", direct.names())
}

// introducersOf reports whether a step finds people to be introduced to.
func (j *job) introducersOf(step int) bool { return j.introducing() && *j.within.IntroducersOf == step }

// introducing reports whether the search is for people who can introduce the caller.
func (j *job) introducing() bool { return j.within != nil && j.within.IntroducersOf != nil }

// near returns the caller's network, to search first for people to be introduced to: nobody can introduce the caller to
// people out of reach. It is nil for other steps.
func (j *job) near(ctx context.Context, step int) (*network.Circle, error) {
	actor, has := j.hasNetwork()
	if !has || !j.introducersOf(step) {
		return nil, nil
	}
	circle, err := j.svc.cfg.Network.Now(ctx, actor, network.Filter{})
	if err != nil || circle.Size() == 0 {
		return nil, err
	}
	return circle, nil
}

// acquaintance is a person known to someone of degree 1.
type acquaintance struct {
	Person     acquainted    `json:"person"`
	Score      float64       `json:"score"`
	ScoreLabel network.Label `json:"score_label"`
}

// acquainted is a short form of a person.
type acquainted struct {
	ID        int64  `json:"id"`
	FullName  string `json:"full_name"`
	Headline  string `json:"headline"`
	SocialURL string `json:"social_url"`
}

// introduces adds to matches the people each person can introduce the caller to, if the prompt asks for that.
func (r *run) introduces(matches map[int64]*match) error {
	if !r.introducing() {
		return nil
	}
	actor, _ := kith.ActorFrom(r.job.ctx)
	ways, err := r.svc.cfg.Network.Introduces(r.ctx, actor, r.filter)
	if err != nil {
		return fmt.Errorf("looking for who is introduced: %w", err)
	}
	var ids []int64
	for id := range matches {
		for _, way := range ways[id] {
			ids = append(ids, way.Person)
		}
	}
	slices.Sort(ids)
	records, err := r.svc.records(r.ctx, slices.Compact(ids))
	if err != nil {
		return fmt.Errorf("reading the records of who is introduced: %w", err)
	}
	for id, m := range matches {
		for _, way := range ways[id] {
			if p, there := records[way.Person]; there {
				m.Network.Introduces = append(m.Network.Introduces, acquaintance{
					Person: acquainted{ID: p.ID, FullName: p.FullName, Headline: p.Headline, SocialURL: p.SocialURL},
					Score:  way.Score, ScoreLabel: network.LabelOf(way.Score),
				})
			}
		}
	}
	return nil
}

// understoodNetwork converts a plan's network question for the answer.
func understoodNetwork(n *prompt.Network) *UnderstoodNetwork {
	if n == nil {
		return nil
	}
	u := &UnderstoodNetwork{
		Degrees: n.Degrees, IntroducersOf: n.IntroducersOf, Order: orNull(orderIn(n)), Text: n.Text,
		Span: n.Span,
	}
	if l := n.LastContact; l != nil {
		u.LastContact = &UnderstoodLastContact{After: orNull(l.After), Before: orNull(l.Before), Channel: orNull(l.Channel)}
	}
	return u
}

// orNull returns nil for an empty text.
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}
