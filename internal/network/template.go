package network

// Template is what every user of a demo begins with: relationships, and teams
// of colleagues, who share theirs.
type Template struct {
	Contacts   []Contact
	Colleagues []Colleague
}

// Colleague is a made-up user of the demo, known to its users by a person.
type Colleague struct {
	Person int64
	// Team is the team of the colleague's, who is in it where Sharing is ShareTeam.
	Team     string
	Sharing  Sharing
	Contacts []Contact
}
