package network

// Template is the initial network of every demo user: relationships, and teams of colleagues who share theirs.
type Template struct {
	Contacts   []Contact
	Colleagues []Colleague
}

// Colleague is a fictional user of the demo, known to the demo's users as a person.
type Colleague struct {
	Person int64
	// Team is the colleague's team; the colleague is a member if Sharing is ShareTeam.
	Team     string
	Sharing  Sharing
	Contacts []Contact
}
