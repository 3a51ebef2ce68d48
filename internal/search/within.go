package search

import (
	"context"
	"fmt"
	"slices"

	"kith"
	"kith/internal/network"
	"kith/query/prompt"
)

// networkPart is the part of the caller's network that a search is about.
type networkPart struct {
	// within is what the prompt asks of the caller's network; nil if it asks nothing, or if the request itself sets
	// where to search.
	within *prompt.Network
	filter network.Filter
	// circle holds the people within the caller's reach; nil if there are none. circleID identifies it for later pages.
	circle   *network.Circle
	circleID string
}

// needsIntroducers reports whether a step finds people to be introduced to.
func (n networkPart) needsIntroducers(step int) bool {
	return n.introducing() && *n.within.IntroducersOf == step
}

// introducing reports whether the search is for people who can introduce the caller.
func (n networkPart) introducing() bool { return n.within != nil && n.within.IntroducersOf != nil }

// askNetwork decides what the plan asks of the caller's network; notes are remarks for the caller. A request that
// itself sets where to search takes precedence. If the prompt then asks for nothing else, no one matches, rather than
// everyone.
func (s *checkedRequest) askNetwork(plan prompt.Plan,
) (_ prompt.Plan, within *prompt.Network, notes []string, err error) {
	n := plan.Network
	if n == nil {
		return plan, nil, nil, nil
	}
	if err := checkNetwork(plan); err != nil {
		return plan, nil, nil, err
	}
	member := s.scopeMember()
	if member == "" {
		return plan, n, nil, nil
	}
	notes = []string{fmt.Sprintf("%q is not applied, because the request sets %s", n.Text, member)}
	rest := plan
	rest.Network = nil
	narrowed := s.list != nil || s.walk.Network != nil && n.IntroducersOf == nil
	if rest.IsEmpty() && len(s.walk.Filters) == 0 && !narrowed {
		plan.Nothing = true
	}
	return plan, nil, notes, nil
}

// checkNetwork checks what a plan asks of the network.
func checkNetwork(plan prompt.Plan) error {
	n := plan.Network
	if of := n.IntroducersOf; of != nil && (*of < 0 || *of >= len(plan.Steps)) {
		return planInvalid(fmt.Sprintf("introducers of step %d of %d", *of, len(plan.Steps)), nil)
	}
	if slices.ContainsFunc(n.Degrees, func(d int) bool { return d != 1 && d != 2 }) || len(n.Degrees) == 0 {
		return planInvalid(fmt.Sprintf("degrees %v", n.Degrees), nil)
	}
	if l := n.LastContact; l != nil {
		if _, err := parseLastContact(l.After, l.Before, l.Channel); err != nil {
			return planInvalid(fmt.Sprintf("a last contact: %v", err), nil)
		}
	}
	return nil
}

// scopeMember returns the member of the request that sets where to search; "" if the prompt decides.
func (s *checkedRequest) scopeMember() string {
	switch {
	case s.walk.Network != nil:
		return "network_filters"
	case s.walk.Scope != "" || s.list != nil:
		return "scope"
	}
	return ""
}

// networkFilter returns the part of the network that the search asks for; some is false if a step found no one.
func (f *follower) networkFilter(steps []step) (out network.Filter, some bool) {
	n := f.within
	switch {
	case n == nil:
		return f.walk.Network.filter(), true
	case !f.introducing():
		out.Degrees = n.Degrees
		if l := n.LastContact; l != nil {
			out.LastContact, _ = parseLastContact(l.After, l.Before, l.Channel)
		}
		if !slices.Contains(n.Degrees, 2) {
			order := orderIn(n)
			out.ByStrength, out.ByLastContact = order == prompt.ByStrength, order == prompt.ByLastContact
		}
		return out, true
	case len(steps) == 0 || len(steps[*n.IntroducersOf].people) == 0: // without steps the plan matches no one
		return out, false
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

// networkNotes are remarks on surprising outcomes of the network.
func (f *follower) networkNotes(ctx context.Context, actor kith.Actor, steps []step) ([]string, error) {
	notes, err := f.contactNotes(ctx, actor)
	if err != nil || f.within == nil || f.circle != nil && !f.introducing() {
		return notes, err
	}
	known, err := f.svc.readContacts(ctx, actor)
	switch {
	case err != nil:
		return nil, err
	case known.Size() == 0:
		return append(notes, "you have no relationships yet, so no one matches; import some with POST "+
			"/v2/user/relationships"), nil
	case f.filter.LastContact.Asked && !f.introducing():
		return append(notes, "no one you know was last in contact with you then, so no one matches"), nil
	case !f.introducing():
		return append(notes, "no one you know is known to know anyone else, so no one matches"), nil
	}
	more, err := f.introducerNotes(ctx, actor, known, steps[*f.within.IntroducersOf])
	return append(notes, more...), err
}

// introducerNotes says which people of a step the caller knows, and if no one can introduce the caller to the others.
func (f *follower) introducerNotes(ctx context.Context, actor kith.Actor, known *network.Circle, to step,
) ([]string, error) {
	ways, err := f.svc.cfg.Network.Introduces(ctx, actor, f.filter)
	direct := knownAmong(known, to.people)
	notes := noteKnown(direct)
	switch {
	case err != nil || len(ways) > 0 || len(direct) == len(to.people):
	case len(direct) > 0:
		notes = append(notes, fmt.Sprintf("no one you know is known to know anyone else found for %q", to.Says))
	default:
		notes = append(notes, fmt.Sprintf("no one you know is known to know %s, so no one matches", to.Says))
	}
	return notes, err
}

// contactNotes says that no contacts of the caller are stored, if the search asks for contacts.
func (f *follower) contactNotes(ctx context.Context, actor kith.Actor) ([]string, error) {
	if !f.filter.LastContact.Asked && !f.filter.ByLastContact {
		return nil, nil
	}
	has, err := f.svc.cfg.Network.HasContacts(ctx, actor)
	if err != nil || has {
		return nil, err
	}
	return []string{"no contact history of yours is stored; import messages, mail or calendars"}, nil
}

// readContacts returns the people the caller knows.
func (s *Service) readContacts(ctx context.Context, actor kith.Actor) (*network.Circle, error) {
	return s.cfg.Network.Now(ctx, actor, network.Filter{Degrees: []int{1}})
}

// knownAmong returns the people that the caller knows.
func knownAmong(known *network.Circle, people []member) []member {
	return slices.DeleteFunc(slices.Clone(people), func(m member) bool { return !known.Contains(m.id) })
}

// noteKnown says that the caller knows some people.
func noteKnown(people []member) []string {
	if len(people) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("you know %s yourself", (&bound{members: people}).names())}
}

// readNetwork returns the caller's network, to search first for people to be introduced to: nobody can introduce the
// caller to people out of reach. It is nil for other steps.
func (f *follower) readNetwork(ctx context.Context, step int) (*network.Circle, error) {
	actor, has := f.hasNetwork()
	if !has || !f.needsIntroducers(step) {
		return nil, nil
	}
	circle, err := f.svc.cfg.Network.Now(ctx, actor, network.Filter{})
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
func (r *execution) introduces(ctx context.Context, matches map[int64]*match) error {
	if !r.introducing() {
		return nil
	}
	actor, _ := r.viewer.User()
	ways, err := r.svc.cfg.Network.Introduces(ctx, actor, r.filter)
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
	records, err := r.svc.records(ctx, r.viewer, slices.Compact(ids))
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
		Degrees: n.Degrees, IntroducersOf: n.IntroducersOf, Order: orNull(orderIn(n)), Text: n.Text, Span: n.Span,
	}
	if l := n.LastContact; l != nil {
		u.LastContact = &UnderstoodLastContact{
			After: orNull(l.After), Before: orNull(l.Before),
			Channel: orNull(l.Channel),
		}
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
