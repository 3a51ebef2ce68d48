package query

// The JSON forms of a timeline's parts: see [JSON].
type (
	timelineNode struct {
		Of      Unit        `json:"of,omitempty"`
		Steps   []stepNode  `json:"s,omitempty"`
		AtLeast int         `json:"n,omitempty"`
		Every   *spellNode  `json:"e,omitempty"`
		Counts  []countNode `json:"c,omitempty"`
		Today   int64       `json:"t,omitempty"`
	}
	spellNode struct {
		Where    JSON   `json:"w"`
		Shortest *int64 `json:"min,omitempty"`
		Longest  *int64 `json:"max,omitempty"`
		First    bool   `json:"f,omitempty"`
		Status   Status `json:"h,omitempty"`
	}
	stepNode struct {
		Spell    spellNode `json:"j"`
		Order    Order     `json:"o,omitempty"`
		Employer Employer  `json:"e,omitempty"`
		GapMin   *int64    `json:"min,omitempty"`
		GapMax   *int64    `json:"max,omitempty"`
	}
	countNode struct {
		Spell spellNode `json:"j"`
		Min   *int64    `json:"min,omitempty"`
		Max   *int64    `json:"max,omitempty"`
	}
)

func newTimelineNode(t Timeline) *timelineNode {
	n := &timelineNode{Of: t.Of, AtLeast: t.AtLeast, Today: t.Today}
	for _, s := range t.Steps {
		n.Steps = append(n.Steps, stepNode{newSpellNode(s.Spell), s.Order, s.Employer, s.Gap.Min, s.Gap.Max})
	}
	for _, c := range t.Counts {
		n.Counts = append(n.Counts, countNode{newSpellNode(c.Spell), c.Min, c.Max})
	}
	if t.Every != nil {
		every := newSpellNode(*t.Every)
		n.Every = &every
	}
	return n
}

func newSpellNode(s Spell) spellNode {
	return spellNode{JSON{s.Where}, s.Months.Min, s.Months.Max, s.First, s.Status}
}

func (n timelineNode) timeline() Timeline {
	t := Timeline{Of: n.Of, AtLeast: n.AtLeast, Today: n.Today}
	for _, s := range n.Steps {
		t.Steps = append(t.Steps, Step{s.Spell.spell(), s.Order, s.Employer, Months{s.GapMin, s.GapMax}})
	}
	for _, c := range n.Counts {
		t.Counts = append(t.Counts, SpellCount{c.Spell.spell(), c.Min, c.Max})
	}
	if n.Every != nil {
		every := n.Every.spell()
		t.Every = &every
	}
	return t
}

func (n spellNode) spell() Spell {
	return Spell{Where: n.Where.Query, Months: Months{n.Shortest, n.Longest}, First: n.First, Status: n.Status}
}
