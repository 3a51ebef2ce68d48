package network

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith"
)

// TeamInfo is a team of the users of one app.
type TeamInfo struct {
	ID   int64
	Name string
	// Members are the external ids of its users, in alphabetical order.
	Members []string
}

// TeamStore keeps teams. Apps are kept apart: a team is known by app and name.
type TeamStore interface {
	// CreateTeam is kith.Conflict where the app has a team of that name.
	CreateTeam(ctx context.Context, app int64, name string) error
	// Teams lists the teams of an app by name.
	Teams(ctx context.Context, app int64) ([]TeamInfo, error)
	// AddMember and RemoveMember are kith.NotFound where the app has no such team
	// or one of the users, and then change nothing. Repeating them is harmless.
	AddMember(ctx context.Context, app int64, team string, users ...string) error
	RemoveMember(ctx context.Context, app int64, team string, users ...string) error
	// DeleteTeam is kith.NotFound where the app has no such team.
	DeleteTeam(ctx context.Context, app int64, name string) error
}

// maxTeamName bounds a team's name, in code points.
const maxTeamName = 100

// CheckTeamName says whether a team may be named so: 1 to 100 characters
// without control characters and without space at its ends.
func CheckTeamName(name string) error {
	n := utf8.RuneCountInString(name)
	if n == 0 || n > maxTeamName || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return kith.Errorf(kith.Invalid, "INVALID_TEAM_NAME",
			"the name of a team has 1 to 100 characters, no control characters, and no space at its ends")
	}
	return nil
}
