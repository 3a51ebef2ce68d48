package pgfault

import (
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// explained is an error with a message of its own, which keeps its causes.
type explained struct {
	text   string
	causes []error
}

func (e explained) Error() string   { return e.text }
func (e explained) Unwrap() []error { return e.causes }

// remedy says what to do if Postgres answers but refuses the connection.
func remedy(e *pgconn.PgError) string {
	switch e.Code {
	case "28P01", "28000": // invalid password, invalid authorization
		return "; check the user and the password in --database-url"
	case "3D000": // no such database
		return "; create the database, or name another one in --database-url"
	case "42501": // insufficient privilege
		return "; let the user of --database-url connect there (grant connect on database …), or name another one"
	case tooManyClients:
		return "; raise max_connections or the limit of the user, or close connections"
	case "42704": // no such setting
		return "; kith needs Postgres 14 or newer"
	}
	if strings.Contains(e.Message, "unsupported startup parameter") {
		return "; name Postgres itself in --database-url: poolers that drop connection settings do not work"
	}
	return ""
}

// connectError puts the reason for a failed connection on one line: pgx writes a line for each attempt, with and
// without TLS.
func connectError(err error) error {
	if e, answered := errors.AsType[*pgconn.PgError](err); answered {
		return explained{e.Error() + remedy(e), []error{err}}
	}
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); !slices.Contains(lines, line) &&
			!strings.HasSuffix(line, "server refused TLS connection") {
			lines = append(lines, line)
		}
	}
	if len(lines) < 2 {
		return err
	}
	return explained{lines[0] + " " + strings.Join(lines[1:], "; "), []error{err}}
}
