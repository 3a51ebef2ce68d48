package network

import "kith"

// TeamInfo is a team of the users of one app.
type TeamInfo struct {
	Name string
	// Members are the external ids of its users, in alphabetical order.
	Members []string
}

// CheckTeamName checks the name of a team.
func CheckTeamName(name string) error { return kith.CheckName(name, "a team", "INVALID_TEAM_NAME") }
