package outreach

import (
	"slices"
	"time"
)

// LeadStatus is the state of a lead.
type LeadStatus string

// The states of a lead. A caller may set any of them at any time. Kith itself moves a lead only forward: not started,
// pending (an e-mail awaits a decision), active (an e-mail was approved), finished (a reply arrived).
const (
	LeadActive     LeadStatus = "active"
	LeadNotStarted LeadStatus = "not_started"
	LeadPending    LeadStatus = "pending"
	LeadFinished   LeadStatus = "finished"
	LeadDeleted    LeadStatus = "deleted"
)

// LeadStatuses returns every state of a lead.
func LeadStatuses() []LeadStatus {
	return []LeadStatus{LeadActive, LeadNotStarted, LeadPending, LeadFinished, LeadDeleted}
}

// Closed reports whether a lead in this state receives no e-mails.
func (s LeadStatus) Closed() bool { return s == LeadFinished || s == LeadDeleted }

// advances reports whether Kith itself may move a lead from s to next.
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
	// NextFollowup is nil if none is planned.
	NextFollowup *time.Time
	Introducers  []Introducer
	// Stage is the number of e-mails sent to the lead.
	Stage     int
	CreatedAt time.Time
	// LatestUpdate describes the last event in words; "" if there was none.
	LatestUpdate   string
	LatestUpdateAt *time.Time
}

// MaxIntroducers limits the introducers of a lead.
const MaxIntroducers = 20

// Introducer is someone who can introduce the user to a lead.
type Introducer struct {
	SocialIdentifier string `json:"social_identifier"`
	Name             string `json:"name"`
	Rank             int    `json:"rank"`
	IsDirect         bool   `json:"is_direct"`
}

// LeadChange is a caller's change of a lead; unset fields stay unchanged.
type LeadChange struct {
	Status *LeadStatus
	// Introducers replace the present ones if SetIntroducers is true.
	Introducers    []Introducer
	SetIntroducers bool
	// NextFollowup is set, or cleared with nil, if SetNextFollowup is true.
	NextFollowup    *time.Time
	SetNextFollowup bool
}
