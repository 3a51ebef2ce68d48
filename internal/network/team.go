package network

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kith"
)

// TeamInfo is a team of the users of one app.
type TeamInfo struct {
	Name string
	// Members are the external ids of its users, in alphabetical order.
	Members []string
}

// maxTeamName is the longest name of a team, in code points.
const maxTeamName = 100

// CheckTeamName checks the name of a team: 1 to 100 characters, no control characters, no space at its ends.
func CheckTeamName(name string) error {
	n := utf8.RuneCountInString(name)
	if n == 0 || n > maxTeamName || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl) ||
		!utf8.ValidString(name) {
		return kith.Errorf(kith.Invalid, "INVALID_TEAM_NAME",
			"the name of a team has 1 to 100 characters, no control characters, and no space at its ends")
	}
	return nil
}
