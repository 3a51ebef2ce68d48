package outreach

import (
	"math"
	"time"

	"kith"
)

// SequenceStatus is the state of a sequence. It may change freely, but a person cannot be
// a lead of two active sequences: see [Sequences.ChangeSequence].
type SequenceStatus string

// The states of a sequence. Only active sequences send e-mails.
const (
	SequenceDraft    SequenceStatus = "draft"
	SequenceActive   SequenceStatus = "active"
	SequencePaused   SequenceStatus = "paused"
	SequenceFinished SequenceStatus = "finished"
)

// SequenceStatuses returns every state of a sequence.
func SequenceStatuses() []SequenceStatus {
	return []SequenceStatus{SequenceDraft, SequenceActive, SequencePaused, SequenceFinished}
}

// Limits of a sequence, in code points; MaxTemplates is a number of templates.
const (
	MaxName        = 200
	MaxDescription = 10_000
	MaxTemplates   = 50
	MaxSubject     = 500
	MaxBody        = 10_000
	MaxNote        = 1_000
)

// Sequence is a series of e-mails to a set of people.
type Sequence struct {
	ID           int64
	Name         string // unique among the sequences of a user
	Description  string
	Status       SequenceStatus
	Instructions string
	Templates    []Template
	Counts       Counts
	CreatedAt    time.Time
}

// Template is a text for e-mails, with placeholders. Its members are stored under their JSON names.
type Template struct {
	// ID is positive and unique within the sequence.
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	UseCase string `json:"use_case"`
	UsedFor string `json:"used_for"`
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

// Counts are the totals of a sequence. They exclude deleted leads.
type Counts struct {
	Leads, ActiveLeads int
	// Sent counts sent e-mails. The others count those of them that were opened, replied to,
	// clicked and forwarded, each e-mail once.
	Sent, Opened, Replied, Clicked, Forwarded int
}

// Rate returns the share of n among sent e-mails, in rounded per cent; 0 if none was sent.
func (c Counts) Rate(n int) int {
	if c.Sent == 0 {
		return 0
	}
	return int(math.Round(100 * float64(n) / float64(c.Sent)))
}

// SequenceChange is a change of a sequence; nil fields stay unchanged.
type SequenceChange struct {
	Name, Description, Instructions *string
	Status                          *SequenceStatus
	// Templates replace the present ones. A template without an ID gets the next free one.
	Templates []Template
	// SetTemplates is true if Templates were given, even if empty.
	SetTemplates bool
}

// apply changes s, or returns what is wrong with the result.
func (c SequenceChange) apply(s *Sequence) error {
	c.fill(s)
	return kith.InvalidFields(s.Check())
}

// Check returns every problem of the change that does not depend on the sequence.
func (c SequenceChange) Check() []kith.FieldError {
	s := Sequence{Name: "unchanged", Status: SequenceDraft}
	c.fill(&s)
	return s.Check()
}

func (c SequenceChange) fill(s *Sequence) {
	for _, f := range []struct{ to, from *string }{
		{&s.Name, c.Name},
		{&s.Description, c.Description},
		{&s.Instructions, c.Instructions},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if c.Status != nil {
		s.Status = *c.Status
	}
	if c.SetTemplates {
		s.Templates = numbered(c.Templates)
	}
}

// numbered gives every template without an ID the next free one.
func numbered(all []Template) []Template {
	var last int64
	for _, t := range all {
		last = max(last, t.ID)
	}
	out := make([]Template, len(all))
	for i, t := range all {
		if t.ID == 0 {
			last++
			t.ID = last
		}
		out[i] = t
	}
	return out
}

// Template returns the template with an id.
func (s Sequence) Template(id int64) (Template, bool) {
	for _, t := range s.Templates {
		if t.ID == id {
			return t, true
		}
	}
	return Template{}, false
}
