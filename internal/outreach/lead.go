package outreach

import (
	"slices"
	"time"
)

// LeadStatus is the state of a lead.
type LeadStatus string

// The states of a lead. A caller may set any of them at any time; by itself a
// lead only goes forward: not started, pending (an e-mail waits for a
// decision), active (an e-mail was approved), finished (a reply came).
const (
	LeadActive     LeadStatus = "active"
	LeadNotStarted LeadStatus = "not_started"
	LeadPending    LeadStatus = "pending"
	LeadFinished   LeadStatus = "finished"
	LeadDeleted    LeadStatus = "deleted"
)

// LeadStatuses are all states of a lead.
func LeadStatuses() []LeadStatus {
	return []LeadStatus{LeadActive, LeadNotStarted, LeadPending, LeadFinished, LeadDeleted}
}

// Closed reports whether nothing is sent to a lead in this state.
func (s LeadStatus) Closed() bool { return s == LeadFinished || s == LeadDeleted }

// advances reports whether a lead goes from s to next by itself.
func (s LeadStatus) advances(next LeadStatus) bool {
	order := []LeadStatus{LeadNotStarted, LeadPending, LeadActive, LeadFinished}
	from, to := slices.Index(order, s), slices.Index(order, next)
	return from >= 0 && from < to
}

// Lead is one person in one sequence.
type Lead struct {
	ID         int64
	SequenceID int64
	PersonID   int64
	Status     LeadStatus
	// NextFollowup is nil where none is planned.
	NextFollowup *time.Time
	Introducers  []Introducer
	// Stage is how many steps of the pipeline are behind the lead: it rises with
	// every e-mail that is sent.
	Stage     int
	CreatedAt time.Time
	// LatestUpdate says what happened last, in words; "" where nothing did.
	LatestUpdate   string
	LatestUpdateAt *time.Time
}

// MaxIntroducers is how many introducers a lead may have.
const MaxIntroducers = 20

// Introducer is someone who can introduce the user to a lead.
type Introducer struct {
	SocialIdentifier string `json:"social_identifier"`
	Name             string `json:"name"`
	Rank             int    `json:"rank"`
	IsDirect         bool   `json:"is_direct"`
}

// LeadChange is what a caller changes of a lead; what is not set stays.
type LeadChange struct {
	Status *LeadStatus
	// Introducers replace those that are there, where SetIntroducers is true.
	Introducers    []Introducer
	SetIntroducers bool
	// NextFollowup is set, or cleared with nil, where SetNextFollowup is true.
	NextFollowup    *time.Time
	SetNextFollowup bool
}
